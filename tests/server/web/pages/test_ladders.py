"""Ladders on their pages, without a script: opened, entered, challenged in; ratings and careers are read."""

import re

from tests.server.web.pages.visiting import visitor_of
from tests.support.ladders import ServedLadder, key_in
from tests.support.serving import RunningServer


async def test_the_page_of_a_ladder_takes_a_challenge_and_its_answer(server: RunningServer) -> None:
    ladder = await ServedLadder.opened(server)
    page = f"/campaigns/{ladder.live.id}"
    anna, bob = [await visitor_of(server, ladder.callers[name]) for name in ("Anna", "Bob")]
    assert '<option value="p2">Bob</option>' in (await anna.get(page)).text
    sent = await anna.send(page, do="challenge", rival="p2", scenario="", key="a")
    assert "You have challenged Bob to Skirmish at the two woods, until" in sent.words
    assert "Anna challenges you to Skirmish at the two woods, until" in (await bob.get(page)).words
    await bob.send(page, orders="accept p1", key="b")
    (battle,) = ladder.live.state.duels
    await ladder.fought(battle, "south", turns=2)
    told = (await anna.get(page)).text
    assert f'href="{page}/ratings/p1"' in told
    assert "1662 ± 581" in told
    career = (await anna.get(f"{page}/ratings/p1")).text
    assert "<polyline" in career
    assert "(+162)" in career
    assert "50 per cent of a victory were to be expected, 100 came" in career


async def test_a_ladder_is_opened_by_one_click_and_entered(server: RunningServer) -> None:
    anna = await visitor_of(server, await server.player("Anna"))
    listed = await anna.get("/campaigns")
    opened = await anna.send("/campaigns", key=key_in(listed.text), example="tts/ladder")
    assert "Club Ladder" in opened.words
    assert "No rated battle has ended yet." in opened.words
    entered = await anna.send(opened.path, do="enter")
    assert "your rating waits for you" in entered.words
    assert "challenge Bob, accept p2" in entered.words
    assert "Ladder, 1 entered" in (await anna.get("/campaigns")).words
    filled = await anna.send(opened.path, do="bot", bot="random")
    assert '<option value="p2">' in filled.text
    battle = await anna.send(opened.path, do="challenge", rival="p2", scenario="", key="c")
    await server.running.steward.settle()
    found = re.search(r'href="(/battles/[^"]+)"', battle.text)
    assert found
    assert "A battle of a ladder" in (await anna.get(found[1])).words
