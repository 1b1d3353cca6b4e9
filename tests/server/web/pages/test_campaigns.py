"""Campaigns on the page, without a script: opened by one click, entered, begun; the table and the rounds are read."""

import re

from tests.server.web.pages.visiting import Visitor, visitor_of
from tests.support.ladders import key_in
from tests.support.serving import PHRASE, RunningServer

FRENCH = {"Accept": "text/html", "Accept-Language": "fr"}


async def a_cup(server: RunningServer) -> tuple[str, Visitor, Visitor]:
    """The address of a weekend cup, its organiser, and another player."""
    anna, bob = [await visitor_of(server, await server.player(name)) for name in ("Anna", "Bob")]
    page = await anna.get("/campaigns")
    assert "No campaign is open to everybody yet." in page.words
    cup = await anna.send("/campaigns", key=key_in(page.text), example="tts/weekend-cup")
    return cup.path, anna, bob


async def test_an_example_is_opened_entered_and_begun(server: RunningServer) -> None:
    path, anna, bob = await a_cup(server)
    assert "Weekend Cup" in (await bob.get("/campaigns")).words
    await anna.send(path, do="enter", phrase=PHRASE)
    page = await bob.send(path, do="enter", phrase=PHRASE)
    assert "Begin: draw the lots" not in page.words
    page = await anna.get(path)
    page = await anna.send(path, orders="begin", key=key_in(page.text))
    assert "Round 1" in page.words
    assert "Anna" in page.words.partition("Table")[2]
    await server.running.steward.settle()
    battle = re.search(r'href="(/battles/[^"]+)">1.1<', page.text)
    assert battle
    board = await bob.get(battle[1])
    assert "Board 1.1 of a campaign" in board.words
    assert f'href="{path}"' in board.text


async def test_each_pairing_and_each_row_of_the_table_lead_to_their_reasons(server: RunningServer) -> None:
    path, anna, bob = await a_cup(server)
    for visitor in (anna, bob):
        await visitor.send(path, do="enter", phrase=PHRASE)
    page = await anna.send(path, orders="begin", key=key_in((await anna.get(path)).text))
    assert f'href="{path}/boards/1.1"' in page.text
    assert f'href="{path}/entrants/p1"' in page.text
    assert '<th scope="col" class="spare">Lot</th>' in page.text  # a phone leaves it out
    board = await bob.get(f"{path}/boards/1.1")
    assert "stand side by side in the bracket of 2" in board.words
    assert 'href="/rules/CAM-CUP-08"' in board.text
    assert (await bob.get("/rules/CAM-CUP-08")).headers["Location"] == "/rules/campaign#CAM-CUP-08"
    entrant = (await bob.get(f"{path}/entrants/p1")).words
    assert "Round by round" in entrant and "Bob" in entrant and "Being fought" in entrant
    assert "Ronde par ronde" in (await bob.ask("GET", f"{path}/entrants/p2", FRENCH)).words
    assert (await bob.get(f"{path}/boards/9.9")).status == (await bob.get(f"{path}/entrants/x")).status == 422


async def test_a_refused_line_is_said_and_kept_in_its_box(server: RunningServer) -> None:
    path, anna, _ = await a_cup(server)
    page = await anna.send(path, orders="begin", key=key_in((await anna.get(path)).text))
    assert page.status == 422
    assert 'role="alert"' in page.text
    assert ">begin</textarea>" in page.text


async def test_the_page_speaks_french(server: RunningServer) -> None:
    path, anna, _ = await a_cup(server)
    words = (await anna.ask("GET", path, FRENCH)).words
    assert "Organisée par" in words
    assert "Lignes d’ordres" in words
