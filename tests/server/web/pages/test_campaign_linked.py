"""The page of a linked campaign: the tree with where it stands, the armies, one's own orders; a bot plays with."""

import re

from tests.server.web.pages.visiting import Visitor, visitor_of
from tests.support.ladders import key_in
from tests.support.serving import PHRASE, RunningServer

FRENCH = {"Accept": "text/html", "Accept-Language": "fr"}


async def a_war(server: RunningServer) -> tuple[str, Visitor, Visitor]:
    """The address of a packaged war that has begun, its two players."""
    anna, bob = [await visitor_of(server, await server.player(name)) for name in ("Anna", "Bob")]
    page = await anna.get("/campaigns")
    path = (await anna.send("/campaigns", key=key_in(page.text), example="tts/hannibal")).path
    assert '<option value="rome">Rome</option>' in (await anna.get(path)).text
    await anna.send(path, do="enter", phrase=PHRASE, entrant="carthage")
    await bob.send(path, do="enter", phrase=PHRASE)
    await anna.send(path, orders="begin", key=key_in((await anna.get(path)).text))
    return path, anna, bob


async def test_the_tree_and_both_armies_are_read_by_anybody(server: RunningServer) -> None:
    path, anna, bob = await a_war(server)
    page = await bob.get(path)
    assert "The Trebia" in page.words and "Rome wins: Placentia" in page.words and "May follow" in page.words
    assert "Rome · The consular army" in page.words and "Carthage · The army of Hannibal" in page.words
    assert page.text.count('aria-current="step"') == 1
    (tree,) = re.findall(r'<svg [^>]*class="tree">.*?</svg>', page.text, re.DOTALL)
    assert "The Trebia: Now." in tree and "Placentia: May follow." in tree and "Carthage wins" in tree
    assert "hastati, standard" in page.words and "Leads IV" in page.words
    assert "Le chemin" in (await anna.ask("GET", path, FRENCH)).words


async def test_orders_are_shown_to_whoever_gave_them_alone(server: RunningServer) -> None:
    path, anna, bob = await a_war(server)
    page = await anna.send(path, orders="rest F2 K1", key=key_in((await anna.get(path)).text))
    assert "rest F2 K1" in page.words and "Your orders" in page.words
    assert "rest F2 K1" not in (await bob.get(path)).text
    await anna.send(path, orders="ready", key=key_in(page.text))
    assert "Ready" in (await bob.get(path)).words
    page = await bob.send(path, orders="march F1 rome", key=key_in((await bob.get(path)).text))
    assert page.status == 422


async def test_an_army_is_ordered_by_lists_without_a_script(server: RunningServer) -> None:
    path, anna, _ = await a_war(server)
    page = await anna.get(path)
    assert '<option value="rest F2 K1">' in page.text
    assert "army-F1-" not in page.text
    wanted = {"army-F2-rest": "rest F2 K1", "army-F2-dismiss": "dismiss F2 K2"}
    page = await anna.send(path, **wanted, key=key_in(page.text))
    assert page.status == 200
    assert '<option value="field F2 K1">' in page.text
    for line in wanted.values():
        assert f"<li><code>{line}</code></li>" in page.text
    assert "K2 (" not in page.words
    assert "army-F" not in (await server.stranger.get(path)).text


async def test_when_both_are_ready_the_battle_can_be_visited_and_has_its_reason(server: RunningServer) -> None:
    path, anna, bob = await a_war(server)
    for visitor in (anna, bob):
        await visitor.send(path, orders="ready", key=key_in((await visitor.get(path)).text))
    await server.running.steward.settle()
    assert ">1.1</a>" in (await bob.get(path)).text
    assert (
        "The node sets “The Trebia”: Bob in the south, Anna in the north."
        in (await bob.get(f"{path}/boards/1.1")).words
    )


async def test_a_bot_orders_its_army_by_itself(server: RunningServer) -> None:
    anna = await visitor_of(server, await server.player("Anna"))
    page = await anna.get("/campaigns")
    path = (await anna.send("/campaigns", key=key_in(page.text), example="tts/hannibal")).path
    await anna.send(path, do="enter", phrase=PHRASE)
    await anna.send(path, do="bot", bot="easy")
    await anna.send(path, orders="begin", key=key_in((await anna.get(path)).text))
    await server.running.steward.settle()
    await anna.send(path, orders="ready", key=key_in((await anna.get(path)).text))
    assert ">1.1</a>" in (await anna.get(path)).text
