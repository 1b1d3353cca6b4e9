"""Seasons of a club's league through API, page and lines: opened, fought, followed by the next (CAM-CLB-07)."""

import re
from typing import Any

import pytest

from domain.basics.toml_text import to_toml
from server.acts.clubs.chores import chores_of
from server.campaigns.live_campaign import LiveCampaign
from server.store.tables import clubs
from tests.server.web.pages.visiting import visitor_of
from tests.server.web.test_club_battles import club_of
from tests.support.ladders import key_in
from tests.support.serving import Caller, RunningServer

pytestmark = pytest.mark.rule("CAM-CLB-07")
SEASONS, CAMPAIGNS = "/api/v1/clubs/leeds/seasons", "/api/v1/campaigns"
FILE: dict[str, Any] = {
    "campaign": "cup",
    "title": "Any",
    "ruleset": "tts",
    "entry": {"most": 8, "closes": "2027-03-01"},
    "cup": {"system": "round-robin", "apart": [["p1", "p2"]]},
    "battle": {"scenario": "skirmish"},
    "season": {"club": "any", "name": "any", "promote": 1, "relegate": 1},
}
DIVISIONS = [["Anna", "Bob", "Cato"], ["Dido", "Enna", "Fabia"]]
NAMES = tuple(name for division in DIVISIONS for name in division)
WISH: dict[str, Any] = {"name": "Spring League", "divisions": DIVISIONS, "toml": to_toml(FILE)}


async def opened(server: RunningServer) -> dict[str, Caller]:
    """A club with a league of two divisions of three; Olga organises it, and does not play."""
    people = await club_of(server, "Olga", *NAMES)
    reply = await people["Olga"].post(SEASONS, WISH)
    assert reply.status == 201, reply
    return people


async def fought(server: RunningServer, olga: Caller, division: dict[str, Any], *weak: str) -> LiveCampaign:
    """The campaign of a division that is over: of each board the one loses who is named first in `weak`."""
    campaign = division["campaign"]
    assert (await said(olga, campaign, "begin"))["status"] == "accepted"
    live = await server.running.steward.campaigns.get(campaign)
    for name in [name for each in live.state.rounds for name in each.boards]:
        pair = live.state.boards[name].place.pair
        loser = min(pair, key=lambda one: weak.index(live.state.entrants[one].name))
        assert (await said(olga, campaign, f"default {name} {loser}"))["status"] == "accepted"
    assert live.state.is_over
    return live


async def said(caller: Caller, campaign: str, line: str) -> Any:
    """What became of a line."""
    reply = await caller.post(f"{CAMPAIGNS}/{campaign}/orders", {"orders": line})
    assert reply.status == 200, reply
    return reply.json["lines"][0]


def names_in(division: dict[str, Any], live: LiveCampaign) -> list[str]:
    assert division["entrants"] == len(live.state.players)
    return [one.name for one in sorted(live.state.entrants.values(), key=lambda one: one.first)]


async def test_a_league_is_opened_fought_and_goes_on_with_who_is_still_there(server: RunningServer) -> None:
    people = await opened(server)
    olga = people["Olga"]
    first = (await olga.get(SEASONS)).json["seasons"][0]
    assert [one["title"] for one in first["divisions"]] == [f"Spring League 1, Division {at}" for at in (1, 2)]
    assert [one["entrants"] for one in first["divisions"]] == [3, 3]
    again = await olga.post(SEASONS, WISH)
    assert (again.status, again.json["seasons"][0]) == (201, first), "the same again opens nothing"
    high, low = first["divisions"]
    assert (await said(olga, high["campaign"], "season next"))["code"] == "campaign.season-running"
    await fought(server, olga, high, "Cato", "Bob", "Anna")
    live = await fought(server, olga, low, "Fabia", "Enna", "Dido")
    told = (await people["Bob"].get(SEASONS)).json["seasons"][0]
    assert (told["over"], told["followed"]) == (True, False)
    rows = [[(row["name"], row["points"], row["move"]) for row in one["rows"]] for one in told["divisions"]]
    assert rows == [
        [("Anna", 4, "stays"), ("Bob", 2, "stays"), ("Cato", 0, "down")],
        [("Dido", 4, "up"), ("Enna", 2, "stays"), ("Fabia", 0, "stays")],
    ]
    await server.running.store.write(clubs.leave("leeds", people["Bob"].player))  # that place goes to one from below
    assert (await said(people["Dido"], low["campaign"], "season next"))["code"] == "club.not-organiser"
    assert (await said(olga, low["campaign"], "season next"))["status"] == "accepted"
    assert (await said(olga, high["campaign"], "season next"))["code"] == "campaign.season-open"
    listed = (await olga.get(SEASONS)).json
    assert [one["season"] for one in listed["all"]] == [2, 1]
    second = listed["seasons"][0]["divisions"]
    lives = [await server.running.steward.campaigns.get(one["campaign"]) for one in second]
    assert [names_in(*one) for one in zip(second, lives, strict=True)] == [["Anna", "Cato", "Dido"], ["Enna", "Fabia"]]
    settings = [one.state.settings for one in lives]
    assert [one.entry.most for one in settings] == [3, 8], "newcomers enter the last division"
    assert {one.entry.closes for one in settings} == {""}
    assert [one.cup.apart for one in settings if one.cup] == [(), ()]
    assert [one.season.number for one in settings if one.season] == [2, 2]
    assert live.state.settings.season is not None
    older = (await olga.get(f"{SEASONS}?name=Spring+League&season=1")).json["seasons"]
    assert [(one["season"], one["followed"]) for one in older] == [(1, True)]


async def test_the_page_shows_who_goes_up_and_opens_the_next_season(server: RunningServer) -> None:
    people = await club_of(server, "Olga", *NAMES)
    olga = await visitor_of(server, people["Olga"])
    bob = await visitor_of(server, people["Bob"])
    page = await olga.get("/clubs/leeds/seasons")
    assert "No league has been opened yet." in page.words
    lines = "\n".join(", ".join(division) for division in DIVISIONS)
    refused = await olga.send("/clubs/leeds/seasons", do="first", name="Cup", divisions="Anna, Nemo", toml=WISH["toml"])
    assert (refused.status, "Nemo" in refused.words) == (403, True)
    await olga.send("/clubs/leeds/seasons", do="first", name="Spring League", divisions=lines, toml=WISH["toml"])
    told = (await people["Olga"].get(SEASONS)).json["seasons"][0]
    for division, weak in zip(told["divisions"], (("Cato", "Bob", "Anna"), ("Fabia", "Enna", "Dido")), strict=True):
        await fought(server, people["Olga"], division, *weak)
    page = await olga.get("/clubs/leeds/seasons")
    assert re.search(r"Division 1 .* 1 Anna 4 0 0 0 0 Stays .* 3 Cato 0 0 0 0 0 Goes down Division 2", page.words)
    chores = await chores_of(
        server.running.store, server.running.lobby, people["Olga"].player, server.running.clock.now()
    )
    assert [(one.what, [act.value for act in one.acts]) for one in chores] == [("ready-season", ["season next"])]
    assert "Open season 2" not in (await bob.get("/clubs/leeds/seasons")).words
    await olga.send("/clubs/leeds/seasons", do="next", name="Spring League", season="1", key=key_in(page.text))
    page = await olga.get("/clubs/leeds/seasons")
    assert "Spring League, season 2" in page.words
    campaign = (await people["Olga"].get(SEASONS)).json["seasons"][0]["divisions"][0]["campaign"]
    assert "All divisions of Spring League, season 2" in (await olga.get(f"/campaigns/{campaign}")).words


async def test_a_season_is_of_a_club_that_its_opener_organises_and_is_opened_once(server: RunningServer) -> None:
    people = await club_of(server, "Anna", "Bob")
    bound = {**FILE, "season": {"club": "leeds", "name": "Spring League"}}
    assert (await people["Bob"].post(CAMPAIGNS, {"toml": to_toml(bound)})).json["params"]["key"] == "season.club"
    assert (await people["Bob"].post(SEASONS, WISH)).code == "club.not-organiser"
    reply = await people["Anna"].post(CAMPAIGNS, {"toml": to_toml(bound)})
    assert reply.status == 201
    assert (await people["Anna"].post(CAMPAIGNS, {"toml": to_toml(bound)})).json["params"]["key"] == "season.division"
    alone = await people["Anna"].post(
        CAMPAIGNS, {"toml": to_toml({**FILE, "season": bound["season"] | {"division": 2}})}
    )
    assert alone.status == 201
    tables = (await people["Bob"].get(SEASONS)).json["seasons"][0]
    assert [one["division"] for one in tables["divisions"]] == [1, 2]
    twice = {**WISH, "name": "Other", "divisions": [["Anna"], ["anna"]]}
    assert (await people["Anna"].post(SEASONS, twice)).code == "campaign.already-entered"
    away = await people["Anna"].post(SEASONS, {**WISH, "name": "Third"})
    assert away.code == "club.not-member"
    cup = await people["Anna"].post(CAMPAIGNS, {"example": "tts/weekend-cup"})
    assert (await said(people["Anna"], cup.json["campaign"], "season next"))["code"] == "campaign.no-season"
