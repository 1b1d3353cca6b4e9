"""The pages of disputes work without a script, for both sides, an umpire and strangers."""

import re
from typing import Any

import pytest
from msgspec.structs import replace

from domain.basics.toml_text import to_toml
from domain.log.record import PBEM_2, PBEM_2_1
from replay.proof.pins import kid_of
from tests.server.play.test_signed_seats import SIGNER
from tests.server.web.pages.visiting import Visitor, visitor_of
from tests.support.flags import run_out
from tests.support.serving import PHRASE, RunningServer
from tests.support.tiny import tiny_scenario


@pytest.mark.slow
async def test_a_dispute_goes_from_a_form_to_an_umpires_ruling(server: RunningServer) -> None:
    anna, bob, judge = await visitors(server, "Anna", "Bob", "Judge")
    battle = await begun(server, anna, bob, umpire="Judge")
    live = await server.running.battles.get(battle)
    to = live.n
    await anna.order(battle, "standing evade R6 never")
    path = f"/battles/{battle}/disputes"

    assert "Nothing is disputed." in (await anna.get(path)).words
    page = await bob.send(path, say="dispute", remedy=str(to + 1), text="It was <mine>.", seen=await seen(bob, path))
    assert page.status == 200
    assert "Docket d1" in page.words
    assert "It was <mine>." in page.words
    assert "<mine>" not in page.text
    shown = await anna.get(f"{path}/d1")
    assert "Withdraw" not in shown.words
    assert "follows from the rules installed" in shown.words
    assert f"board?n={to}" in shown.text
    page = await anna.send(path, say="answer d1", docket="d1", text="No.", seen=await seen(anna, path))
    assert "“No.”" in page.words
    page = await anna.send(path, say="rule d1", docket="d1", remedy="none", text="x", seen=await seen(anna, path))
    assert "Only the umpire" in page.words
    ruling = {"say": "rule d1", "docket": "d1", "remedy": "rewind", "to": str(to), "text": "Again."}
    page = await judge.send(path, seen=await seen(judge, f"{path}/d1"), **ruling)
    assert "ruled" in page.words
    assert live.game.rewinds == 1
    stranger = await Visitor(server).get(f"{path}/d1")
    assert "Again." in stranger.words
    assert '<form method="post" action="/battles' not in stranger.text


@pytest.mark.slow
async def test_a_take_back_is_a_button_and_so_is_the_answer(server: RunningServer) -> None:
    anna, bob = await visitors(server, "Anna", "Bob")
    battle = await begun(server, anna, bob)
    path = f"/battles/{battle}/disputes"
    page = await anna.send(path, say="takeback", seen=await seen(anna, path))
    assert "no order that could be taken back" in page.words
    await anna.order(battle, "standing evade R6 never")
    await anna.send(path, say="takeback", seen=await seen(anna, path))
    shown = await bob.get(f"{path}/d1")
    assert 'value="agree d1"' in shown.text
    page = await bob.send(path, say="agree d1", docket="d1", seen=await seen(bob, path), phrase=PHRASE)
    assert "agreed" in page.words
    battle_page = await anna.get(f"/battles/{battle}")
    assert f"/battles/{battle}/disputes" in battle_page.text


async def test_an_umpire_rules_on_a_fallen_flag_with_a_button(server: RunningServer) -> None:
    anna, bob, judge = await visitors(server, "Anna", "Bob", "Judge")
    battle = await begun(server, anna, bob, umpire="Judge", pace="live")
    path = f"/battles/{battle}/disputes"
    assert "more time" not in (await judge.get(path)).words
    live = await server.running.battles.get(battle)
    await run_out(server, live)
    assert "The time of South is up." in (await bob.get(path)).words
    assert "more time" not in (await bob.get(path)).words
    assert "Give South more time" in (await judge.get(path)).words
    page = await judge.send(path, say="flag south more", text="He <was> ill.", seen=await seen(judge, path))
    assert page.status == 200
    assert "The time of South is up." not in page.words
    assert "He <was> ill." in (await bob.get(f"/battles/{battle}")).words


@pytest.mark.slow
async def test_lists_count_the_open_dockets_and_the_umpire_finds_theirs(server: RunningServer) -> None:
    anna, bob, judge = await visitors(server, "Anna", "Bob", "Judge")
    battle = await begun(server, anna, bob, umpire="Judge")
    path = f"/battles/{battle}/disputes"
    assert "You are the umpire" in (await judge.get("/")).words
    assert "open dispute" not in (await anna.get("/")).words
    await anna.send(path, say="dispute", remedy="1", text="x", seen=await seen(anna, path))
    await bob.send(path, say="dispute", remedy="1", text="y", seen=await seen(bob, path))
    for visitor in (anna, bob, judge):
        page = await visitor.get("/")
        assert "2 open disputes" in page.words
        assert f'href="{path}"' in page.text
    assert "<title>(1) " in (await judge.get("/")).text
    assert "You are the umpire" not in (await anna.get("/")).words
    assert "2 open" in (await bob.get(f"/battles/{battle}")).words


async def test_a_new_battle_names_its_umpire_and_who_joins_reads_it(server: RunningServer) -> None:
    anna, bob, judge = await visitors(server, "Anna", "Bob", "Judge")
    assert 'name="umpire"' in (await anna.get("/new")).text
    wanted = {"scenario": "tts/skirmish", "opponent": "person", "phrase": PHRASE}
    for umpire in ("Nobody Atall", "Anna"):
        page = await anna.send("/battles", umpire=umpire, **wanted)
        assert page.status in (409, 422)
    assert server.running.store.battles() == []
    page = await anna.send("/battles", umpire=" judge ", **wanted)
    assert "Judge is the umpire of this battle." in page.words
    page = await anna.send("/battles", umpire="Judge@example.org", **wanted)
    assert "Judge is the umpire of this battle." in page.words
    (battle,) = re.findall(r'data-id="(\w+)"', page.text)
    assert "Judge is the umpire of this battle." in (await bob.get(f"/battles/{battle}")).words
    refused = await judge.send(f"/battles/{battle}/sides/north", phrase=PHRASE, seen=await judge.seen(battle))
    assert "cannot be that" in refused.words


async def test_an_unknown_docket_is_a_page_that_is_not_there(server: RunningServer) -> None:
    anna, bob = await visitors(server, "Anna", "Bob")
    battle = await begun(server, anna, bob)
    assert (await anna.get(f"/battles/{battle}/disputes/d7")).status == 404


# --- who comes and how


async def visitors(server: RunningServer, *names: str) -> list[Visitor]:
    return [await visitor_of(server, await server.player(name)) for name in names]


async def begun(server: RunningServer, south: Visitor, north: Visitor, **more: Any) -> str:
    """A battle between two visitors, in which both have contributed."""
    opener = await server.player("Opener")
    battle = await opener.open(**more)
    for visitor, side in ((south, "south"), (north, "north")):
        await visitor.send(f"/battles/{battle}/sides/{side}", phrase=PHRASE, seen=await visitor.seen(battle))
    recording = (await server.running.battles.get(battle)).recording
    assert recording.battle.may_draw(recording.ruleset.seats)
    return battle


async def seen(visitor: Visitor, path: str) -> str:
    """The head that a page of disputes shows."""
    found = re.search(r'name="seen" value="([^"]+)"', (await visitor.get(path)).text)
    return found[1] if found else ""


async def test_who_agrees_to_a_take_back_gives_their_share_of_the_chance_with_it(server: RunningServer) -> None:
    battles = server.running.battles
    battles.settings = replace(battles.settings, opens=PBEM_2_1)
    anna, bob = await visitors(server, "Anna", "Bob")
    battle = await begun(server, anna, bob)
    page = f"/battles/{battle}/disputes"
    assert (await anna.order(battle, "R1 ahead")).status == 200
    await anna.send(page, say="takeback", side="south", seen=await seen(anna, page), key="t" * 16)
    shown = (await bob.get(f"{page}/d1")).text
    assert 'name="phrase" data-phrase' in shown
    assert 'name="phrase"' not in (await anna.get(f"{page}/d1")).text
    asked = {"say": "agree d1", "side": "north", "docket": "d1", "seen": await seen(bob, f"{page}/d1")}
    refused = await bob.send(page, **asked)
    assert 'role="alert"' in refused.text and (await battles.get(battle)).game.rewinds == 0
    await bob.send(page, **asked, phrase=PHRASE)
    now = (await battles.get(battle)).recording.battle
    assert (now.game.rewinds, now.owing) == (1, ("south",))


async def test_the_key_of_an_umpire_is_shown_by_what_people_compare(server: RunningServer) -> None:
    battles = server.running.battles
    battles.settings = replace(battles.settings, opens=PBEM_2_1)
    anna, bob, _ = await visitors(server, "Anna", "Bob", "Clerk")
    judge = await server.player("Judge")
    assert (await judge.post("/api/v1/account/umpire-key", {"signer": SIGNER})).status == 200
    battle = await begun(server, anna, bob, umpire="Judge")
    path, told = f"/battles/{battle}/disputes", f"Their key is {kid_of(SIGNER)}"
    for page in (path, f"/battles/{battle}"):
        assert told in (await bob.get(page)).words
    await anna.order(battle, "umpire Clerk")
    shown = (await bob.get(path)).words
    assert told in shown and "They have no key" in shown
    battles.settings = replace(battles.settings, opens=PBEM_2)
    older = await (await server.player("Host")).open(umpire="Judge")
    shown = (await bob.get(f"/battles/{older}")).words
    assert "Judge is the umpire" in shown and "Their key" not in shown and "They have no key" not in shown


async def test_a_battle_is_opened_for_an_umpire_without_a_key_by_a_box(server: RunningServer) -> None:
    battles = server.running.battles
    battles.settings = replace(battles.settings, opens=PBEM_2_1)
    (anna,) = await visitors(server, "Anna")
    assert 'name="unsigned_umpire"' in (await anna.get("/new")).text
    for box, is_told in (({}, False), ({"unsigned_umpire": "yes"}, True)):
        page = await anna.send("/battles", scenario="tts/skirmish", opponent="person", phrase=PHRASE, **box)
        assert ("need not sign" in page.words) is is_told


async def test_a_page_says_whether_its_scenario_is_a_packaged_one(server: RunningServer) -> None:
    battles = server.running.battles
    battles.settings = replace(battles.settings, opens=PBEM_2_1)
    (anna,) = await visitors(server, "Anna")
    page = await anna.send("/battles", scenario="tts/skirmish", opponent="person", phrase=PHRASE)
    assert "The scenario is “skirmish” as it comes with this release." in page.words
    host = await server.player("Host")
    own = await host.open("", scenario_toml=to_toml(tiny_scenario()))
    assert "The scenario is one of its own" in (await anna.get(f"/battles/{own}")).words
    battles.settings = replace(battles.settings, opens=PBEM_2)
    assert "The scenario is" not in (await anna.get(f"/battles/{await host.open()}")).words
