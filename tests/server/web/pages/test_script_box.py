"""A script in the order box is played and told line by line, and leaves nothing to send twice."""

import pytest_asyncio

from tests.server.web.pages.visiting import Visitor, visitor_of
from tests.support.serving import RunningServer


@pytest_asyncio.fixture(loop_scope="session")
async def battle(server: RunningServer) -> tuple[Visitor, Visitor, str]:
    """Anna (south, to move) and Bob, each with a browser, and their battle."""
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    return await visitor_of(server, anna), await visitor_of(server, bob), battle


async def test_a_script_in_the_box_is_told_line_by_line(battle: tuple[Visitor, Visitor, str]) -> None:
    anna, _, id_ = battle
    page = await anna.order(id_, "if R1 at H6: end turn\nelse\nR1 ahead")
    assert page.status == 422  # an `else` without its block: nothing is played
    page = await anna.order(id_, "try X9 ahead\nrepeat 2 standing evade R6 never\nif R1 at H6: end turn")
    assert page.status == 200
    assert "Your script was played." in page.words
    assert "done 2 times" in page.words and "skipped" in page.words
    assert "Not the case: R1 at H6." in page.words
    box = page.text.partition("<textarea")[2].partition(">")[2].partition("</textarea>")[0].strip()
    assert box.splitlines() == ["# try X9 ahead", "# repeat 2 standing evade R6 never", "# if R1 at H6: end turn"]


async def test_a_script_that_went_straight_through_leads_back_to_the_battle(
    battle: tuple[Visitor, Visitor, str],
) -> None:
    anna, _, id_ = battle
    page = await anna.order(id_, "on replay: no\nif R1 at C2: standing evade R6 never")
    assert page.status == 200 and page.path.partition("?")[0].endswith(id_)


async def test_what_only_asks_for_a_preview_is_not_played_from_the_box(battle: tuple[Visitor, Visitor, str]) -> None:
    anna, _, id_ = battle
    page = await anna.order(id_, "preview\nR1 ahead")
    assert "The first line asks for a preview" in page.words
    assert "preview" in page.text.partition("<textarea")[2].partition("</textarea>")[0]


async def test_the_page_of_notation_tells_of_scripts(battle: tuple[Visitor, Visitor, str]) -> None:
    anna, _, id_ = battle
    assert 'href="/notation/tts#scripts"' in (await anna.get(f"/battles/{id_}")).text
    assert "repeat R1 ahead until it fails" in (await anna.get("/notation/tts")).words
