"""Ladders over the API: challenges, ratings, the career of a member."""

import re

from tests.support.ladders import LADDER, ServedLadder
from tests.support.serving import RunningServer

CAMPAIGNS = "/api/v1/campaigns"


async def rated(server: RunningServer) -> tuple[str, ServedLadder]:
    """A ladder in which Anna has beaten Bob."""
    ladder = await ServedLadder.opened(server)
    path = f"{CAMPAIGNS}/{ladder.live.id}"
    challenged = await ladder.callers["Anna"].post(f"{path}/orders", {"orders": "challenge Bob"})
    assert challenged.json["lines"][0]["status"] == "accepted"
    (challenge,) = (await ladder.callers["Bob"].get(path)).json["challenges"]
    assert (challenge["challenger"], challenge["challenged"], challenge["scenario"]) == ("p1", "p2", "")
    await ladder.callers["Bob"].post(f"{path}/orders", {"orders": "accept p1"})
    (battle,) = ladder.live.state.duels
    await ladder.fought(battle, "south", turns=2)
    return path, ladder


async def test_a_ladder_is_opened_and_its_ratings_are_told(server: RunningServer) -> None:
    path, ladder = await rated(server)
    told = (await server.stranger.get(f"{path}/ratings")).json
    assert [(row["place"], row["name"], row["battles"], row["provisional"]) for row in told["rows"]] == [
        (1, "Anna", 1, True),
        (2, "Bob", 1, True),
    ]
    (first, second) = told["rows"]
    assert (first["rating"], second["rating"]) == (1662.3, 1337.7)
    assert first["number"] == round(1662.31 - 2 * 290.32)
    assert re.fullmatch(r"[0-9]{4}-Q[1-4]", told["period"])
    (duel,) = (await server.stranger.get(f"{path}/fixtures")).json["rounds"][0]["boards"]
    assert (duel["south"], duel["north"], duel["status"], duel["winner"]) == ("p2", "p1", "counted", "p1")
    career = (await ladder.callers["Bob"].get(f"{path}/ratings/p2")).json
    (battle,) = career["battles"]
    assert (battle["result"], battle["before"], battle["after"], battle["expected"]) == ("lost", 1500.0, 1337.7, 0.5)
    assert (await server.stranger.get(f"{path}/ratings/p9")).code == "campaign.no-such-entrant"


async def test_what_may_not_be_challenged_is_refused_over_the_api(server: RunningServer) -> None:
    ladder = await ServedLadder.opened(server, ("Anna", "Bob", "Cid"))
    path = f"{CAMPAIGNS}/{ladder.live.id}"
    anna, bob = ladder.callers["Anna"], ladder.callers["Bob"]
    for caller, line, code in (
        (anna, "challenge Zoe", "campaign.no-such-entrant"),
        (anna, "accept Bob", "campaign.no-challenge"),
        (anna, "challenge Bob", ""),
        (anna, "challenge Bob", "campaign.already-challenged"),
        (bob, "accept Anna", ""),
        (bob, "challenge Anna", "campaign.already-fighting"),
    ):
        assert (await caller.post(f"{path}/orders", {"orders": line})).json["lines"][0]["code"] == code
    cup = LADDER.replace('"ladder"', '"cup"') + '[cup]\nsystem = "knock-out"\n'
    opened = (await anna.post(CAMPAIGNS, {"toml": cup})).json["campaign"]
    await anna.post(f"{CAMPAIGNS}/{opened}/entrants", {})
    refused = await anna.post(f"{CAMPAIGNS}/{opened}/orders", {"orders": "challenge Bob"})
    assert refused.json["lines"][0]["code"] == "campaign.no-ladder"
    assert (await anna.get(f"{CAMPAIGNS}/{opened}/ratings")).json["rows"] == []


async def test_what_is_asked_of_a_cup_is_answered_of_a_ladder(server: RunningServer) -> None:
    path, ladder = await rated(server)
    for about in ("standings", "fixtures", "entrants/p1", "why/p1"):
        reply = await ladder.callers["Anna"].get(f"{path}/{about}")
        assert reply.status == 200, (about, reply.text)
