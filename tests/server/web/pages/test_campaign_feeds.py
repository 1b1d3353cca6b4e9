"""What waits in campaigns on the entrance page; dates of a campaign as a calendar, its news as Atom."""

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.server.web.pages.visiting import Visitor, visitor_of
from tests.support.clock import ManualClock
from tests.support.serving import PHRASE, Caller, RunningServer, serving

CUP = """
campaign = "cup"
title = "Pair <Cup>"
ruleset = "tts"
readers = "{readers}"
[entry]
least = 2
closes = "2026-12-24"
[cup]
system = "knock-out"
[time]
show = "3d"
round = "10d"
grace = "1d"
[battle]
scenario = "skirmish"
"""
API = "/api/v1/campaigns"
OWN = {"Sec-Fetch-Site": "same-origin"}
ATOM = "{http://www.w3.org/2005/Atom}"


async def opened(server: RunningServer, readers: str = "public") -> tuple[str, Caller, Caller]:
    """The id of a cup in which two have entered."""
    anna, bob = await server.player("Anna"), await server.player("Bob")
    cup = (await anna.post(API, {"toml": CUP.format(readers=readers)})).json["campaign"]
    for caller in (anna, bob):
        live = await server.running.steward.campaigns.get(cup)
        if readers == "players" and caller is bob:
            break
        assert (await caller.post(f"{API}/{live.id}/entrants", {"phrase": PHRASE})).status == 201
    return cup, anna, bob


@pytest.mark.rule("CAM-TIM-03")
async def test_what_waits_in_campaigns_stands_on_the_entrance_page(tmp_path: Path) -> None:
    clock = ManualClock()
    async with serving(tmp_path / "data", clock=clock) as server:
        cup, anna, bob = await opened(server)
        pages = [await visitor_of(server, caller) for caller in (anna, bob)]
        assert "Pair <Cup>: 2 have entered. You can begin" in (await pages[0].get("/")).words
        assert "What waits in your campaigns" not in (await pages[1].get("/")).words
        await anna.post(f"{API}/{cup}/orders", {"orders": "begin"})
        await server.running.steward.settle()
        page = await pages[1].get("/")
        assert "your battle of round 1 against Anna has begun. Give your first word by" in page.words
        battle = re.search(r'class="urgent"><a href="/battles/([a-z2-7]+)"', page.text)
        assert battle
        assert (await bob.order(battle[1], "")).status == 200  # his contribution
        assert "What waits in your campaigns" not in (await pages[1].get("/")).words
        clock.wait(days=3)
        await server.running.steward.settle()
        words = (await pages[0].get("/")).words
        assert "you are late on board 1.1 against Bob." in words
        assert "boards that are late: 1" in words
        french = (await pages[0].ask("GET", "/", {"Accept": "text/html", "Accept-Language": "fr"})).words
        assert "vous êtes en retard à la table 1.1 contre Bob" in french


@pytest.mark.rule("CAM-TIM-02")
async def test_dates_are_a_calendar_and_news_a_feed(server: RunningServer) -> None:
    cup, anna, bob = await opened(server)
    stranger = Visitor(server)
    text = (await stranger.get(f"/campaigns/{cup}/calendar.ics")).text
    assert "DTSTART:20261224T000000Z" in text and text.count("BEGIN:VEVENT") == 1
    await anna.post(f"{API}/{cup}/orders", {"orders": "begin"})
    await server.running.steward.settle()
    assert (await stranger.get(f"/campaigns/{cup}/calendar.ics")).text.count("BEGIN:VEVENT") == 1
    own = (await stranger.get(f"/campaigns/{cup}/calendar.ics?entrant=p1")).text
    assert own.count("BEGIN:VEVENT") == 2 and "board 1.1: your first word is due" in own.replace("\\,", ",")
    await bob.post(f"{API}/{cup}/orders", {"orders": "withdraw"})
    feed = ET.fromstring((await stranger.get(f"/campaigns/{cup}/news.atom")).text)
    titles = [entry.findtext(f"{ATOM}title") for entry in feed.findall(f"{ATOM}entry")]
    assert titles[0] == "Pair <Cup>" and titles[-1] == "Round 1"
    assert any(title and title.startswith("1.1 ") for title in titles)
    assert (await stranger.get(f"/campaigns/{cup}/calendar.ics")).text.count("BEGIN:VEVENT") == 0
    page = (await stranger.get(f"/campaigns/{cup}")).text
    assert f'type="application/atom+xml" href="/campaigns/{cup}/news.atom"' in page


async def test_own_dates_stand_in_the_calendar_of_the_player(server: RunningServer) -> None:
    cup, anna, bob = await opened(server)
    visitor = await visitor_of(server, bob)
    made = await visitor.ask("POST", "/settings/feeds", OWN, {"do": "make"})
    address = re.search(r"/feeds/([^/\"<]+)/", made.text)
    assert address, made.words
    await anna.post(f"{API}/{cup}/orders", {"orders": "begin"})
    text = (await Visitor(server).get(f"/feeds/{address[1]}/deadlines.ics")).text
    assert text.count(f"UID:{cup}-") == 2
    assert f"UID:{cup}-" not in (await Visitor(server).get(f"/feeds/{address[1]}/deadlines.ics?tag=spring")).text


async def test_nothing_of_a_campaign_for_its_players_is_told_to_others(server: RunningServer) -> None:
    cup, anna, bob = await opened(server, "players")
    for caller, status in ((anna, 200), (bob, 404)):
        visitor = await visitor_of(server, caller)
        for path in ("calendar.ics", "news.atom", "entrants/p1"):
            assert (await visitor.get(f"/campaigns/{cup}/{path}")).status == status, path
