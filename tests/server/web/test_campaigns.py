"""Campaigns over the API: opened, entered, ordered, read by whom they are for."""

from pathlib import Path
from typing import Any

import pytest

from domain.basics.data import scenario_table
from domain.basics.toml_text import to_toml
from replay.proof.campaign.verdict import lines
from replay.proof.campaign.verify import verify_campaign
from server.store import Statement
from server.web.api.campaigns import file_of
from tests.support.clock import ManualClock
from tests.support.serving import PHRASE, Caller, RunningServer, serving

CAMPAIGNS = "/api/v1/campaigns"
CUP = """
campaign = "cup"
title = "Two of us"
ruleset = "tts"
readers = "{readers}"
[cup]
system = "knock-out"
[time]
show = "3d"
grace = "1d"
[battle]
scenario = "skirmish"
"""


async def entered(server: RunningServer, readers: str = "public") -> tuple[str, Caller, Caller]:
    """A cup of two that has begun."""
    anna, bob = await server.player("Anna"), await server.player("Bob")
    opened = await anna.post(CAMPAIGNS, {"toml": CUP.format(readers="link" if readers == "players" else readers)})
    path = f"{CAMPAIGNS}/{opened.json['campaign']}"
    for caller in (anna, bob):
        assert (await caller.post(f"{path}/entrants", {"phrase": PHRASE})).status == 201
    assert (await anna.post(f"{path}/orders", {"orders": "begin"})).json["lines"][0]["status"] == "accepted"
    await server.running.steward.settle()
    return path, anna, bob


async def test_a_board_is_a_battle_in_which_both_sit(server: RunningServer) -> None:
    path, anna, bob = await entered(server)
    (board,) = (await bob.get(f"{path}/fixtures")).json["rounds"][0]["boards"]
    battle = await server.running.battles.get(board["battle"])
    seats = battle.recording.battle.seats
    assert {seats["south"].player, seats["north"].player} == {anna.player, bob.player}
    opened = battle.recording.timeline.events[0].event
    assert (opened.campaign.board, opened.campaign.id) == ("1.1", path.rsplit("/", 1)[1])  # type: ignore[attr-defined]


async def test_a_battle_on_a_table_is_counted_at_the_second_word(server: RunningServer) -> None:
    path, anna, bob = await entered(server)
    (board,) = (await bob.get(f"{path}/fixtures")).json["rounds"][0]["boards"]
    line = {"orders": f"table 1.1 {board['south']} kept 640 210"}
    first = (await anna.post(f"{path}/orders", line)).json["lines"][0]
    assert (first["status"], first["detail"]) == ("accepted", "")
    assert (await anna.get(path)).json["status"] == "running"
    await bob.post(f"{path}/orders", line)
    view = (await anna.get(path)).json
    assert (view["status"], view["winners"]) == ("ended", [board["south"]])
    await server.running.steward.settle()
    battle = await server.running.battles.get(board["battle"])
    assert battle.recording.battle.stopped is not None


async def test_a_campaign_for_its_players_is_unknown_to_all_others(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    opened = (await anna.post(CAMPAIGNS, {"toml": CUP.format(readers="players")})).json["campaign"]
    await anna.post(f"{CAMPAIGNS}/{opened}/entrants", {})
    for path in ("", "/standings", "/fixtures", "/export", "/why/p1", "/entrants/p1"):
        assert (await anna.get(f"{CAMPAIGNS}/{opened}{path}")).status == 200
        for other in (bob, server.stranger):
            reply = await other.get(f"{CAMPAIGNS}/{opened}{path}")
            assert (reply.status, reply.json["type"]) == (404, "urn:phalera:problem:campaign.unknown-campaign")
    for path, body in (("entrants", {}), ("orders", {"orders": "begin"})):
        assert (await bob.post(f"{CAMPAIGNS}/{opened}/{path}", body)).status == 404
    for caller in (bob, server.stranger):
        assert (await caller.get(CAMPAIGNS)).json["campaigns"] == []
    assert [one["campaign"] for one in (await anna.get(f"{CAMPAIGNS}?mine")).json["campaigns"]] == [opened]


async def test_a_board_and_an_entrant_are_explained(server: RunningServer) -> None:
    path, anna, bob = await entered(server)
    board = await first_board(bob, path)
    why = (await server.stranger.get(f"{path}/why/1.1")).json
    assert (why["subject"], why["reasons"][0]["rule"]) == ("1.1", "CAM-CUP-08")
    french = (await anna.get(f"{path}/why/p1", headers={"Accept-Language": "fr"})).json
    assert french["reasons"][0]["text"].startswith("Rang ")
    assert (await anna.get(f"{path}/why/9.9")).json["type"].endswith("campaign.no-such-board")
    (row,) = (await anna.get(f"{path}/entrants/{board['north']}")).json["rows"]
    assert (row["opponent"], row["result"], row["side"]) == (board["south"], "running", "north")
    assert (await anna.get(f"{path}/entrants/nobody")).json["type"].endswith("campaign.no-such-entrant")


async def test_a_list_tells_how_each_stands_and_reads_no_log(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, anna, _ = await entered(server)
    campaign = path.rpartition("/")[2]
    store, live = server.running.store, server.running.steward.campaigns
    expected = {"campaign": campaign, "title": "Two of us", "kind": "cup", "ruleset": "tts"}
    row = {**expected, "status": "running", "round": 1, "entrants": 2}
    for asked in (f"{CAMPAIGNS}?mine", CAMPAIGNS):
        assert (await anna.get(asked)).json["campaigns"] == [row]
    await store.write(Statement("DELETE FROM campaign_list", ()))  # as an earlier release has left it
    assert (await anna.get(CAMPAIGNS)).json["campaigns"] == [row]
    monkeypatch.setattr(live, "get", None)
    assert (await anna.get(CAMPAIGNS)).json["campaigns"] == [row]


async def test_what_waits_is_told_to_whom_it_waits_for(server: RunningServer) -> None:
    path, anna, bob = await entered(server)
    waiting = f"{path.rpartition('/')[0]}/waiting"
    (call,) = (await bob.get(waiting)).json["calls"]
    assert (call["kind"], call["board"], call["name"], call["campaign"]) == ("show", "1.1", "Anna", path.split("/")[-1])
    assert call["text"].startswith("Two of us: your battle of round 1 against Anna has begun.")
    assert (await bob.order(call["battle"], "")).status == 200
    assert (await bob.get(waiting)).json["calls"] == []
    assert [one["kind"] for one in (await anna.get(waiting)).json["calls"]] == ["show"]
    assert (await server.stranger.get(waiting)).status == 401


async def test_only_officers_give_their_lines_and_a_repeated_request_gives_nothing_twice(server: RunningServer) -> None:
    anna, bob, cid = [await server.player(name) for name in ("Anna", "Bob", "Cid")]
    cup = (await anna.post(CAMPAIGNS, {"toml": CUP.format(readers="public")})).json["campaign"]
    path = f"{CAMPAIGNS}/{cup}"
    for caller in (bob, cid):
        await caller.post(f"{path}/entrants", {})
    assert (await bob.post(f"{path}/orders", {"orders": "begin"})).json["lines"][0]["code"] == "campaign.not-organiser"
    assert (await bob.post(f"{path}/entrants", {"bot": "easy"})).status == 403
    key = {"Idempotency-Key": "once"}
    first = await anna.post(f"{path}/orders", {"orders": "begin\ndefault 1.1 p2\nbegin\nend"}, key)
    told = [(line["status"], line["code"]) for line in first.json["lines"]]
    assert told == [("accepted", ""), ("accepted", ""), ("refused", "campaign.ended"), ("not-tried", "")]
    again = await anna.post(f"{path}/orders", {"orders": "begin\ndefault 1.1 p2\nbegin\nend"}, key)
    assert again.json == first.json
    other = await anna.post(f"{path}/orders", {"orders": "end"}, key)
    assert (other.status, other.json["type"]) == (422, "urn:phalera:problem:core.key-reused")


async def test_a_player_who_does_not_come_is_noted_and_loses_by_default_only_then(tmp_path: Path) -> None:
    clock = ManualClock()
    async with serving(tmp_path / "data", clock=clock) as server:
        path, anna, bob = await entered(server)
        board = await first_board(bob, path)
        assert (await anna.order(board["battle"], "")).status == 200  # her contribution
        clock.wait(days=3)
        await server.running.steward.settle()
        board = await first_board(bob, path)
        assert (board["status"], board["late"]) == ("running", ["p2"])
        clock.wait(hours=23)
        await server.running.steward.settle()
        assert (await first_board(bob, path))["status"] == "running"
        clock.wait(hours=1)
        await server.running.steward.settle()
        board = await first_board(bob, path)
        assert (board["status"], board["winner"]) == ("default", "p1")
        assert (await anna.get(path)).json["winners"] == ["p1"]


async def first_board(caller: Caller, path: str) -> dict[str, Any]:
    """The only board."""
    (board,) = (await caller.get(f"{path}/fixtures")).json["rounds"][0]["boards"]
    return dict(board)


async def test_an_example_that_is_not_there_and_a_file_that_cannot_be_are_named(server: RunningServer) -> None:
    anna = await server.player("Anna")
    for body, status, code in (
        ({"example": "nothing"}, 404, "campaign.no-such-example"),
        ({"toml": CUP.format(readers="nobody")}, 422, "campaign.bad-file"),
        ({"toml": CUP.format(readers="public").replace("skirmish", "nothing")}, 422, "core.unknown-scenario"),
        ({}, 422, "core.bad-request"),
        ({"toml": 'campaign = "ladder"\ntitle = "L"\nruleset = "none"\n'}, 422, "core.unknown-ruleset"),
        ({"toml": CUP.format(readers="public") + "[entry]\narmies = { size = 130 }\n"}, 422, "campaign.bad-file"),
    ):
        reply = await anna.post(CAMPAIGNS, body)
        assert (reply.json["type"].rpartition(":")[2], reply.status) == (code, status)
    assert (await anna.get(f"{CAMPAIGNS}?mine")).json["campaigns"] == []


async def test_a_board_is_fought_with_a_scenario_of_the_file(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    own = to_toml({"battle": {"scenario": {**scenario_table("tts", "skirmish"), "title": "The ford"}}})
    toml = CUP.format(readers="public").partition("[battle]")[0] + own
    opened = await anna.post(CAMPAIGNS, {"toml": toml})
    assert opened.status == 201, opened.text
    path = f"{CAMPAIGNS}/{opened.json['campaign']}"
    for caller in (anna, bob):
        await caller.post(f"{path}/entrants", {})
    await anna.post(f"{path}/orders", {"orders": "begin"})
    await server.running.steward.settle()
    assert (await anna.view((await first_board(bob, path))["battle"]))["title"] == "The ford"


async def test_an_organiser_names_an_umpire_who_rules_then(server: RunningServer) -> None:
    anna, bob, cid = [await server.player(name) for name in ("Anna", "Bob", "Cid")]
    cup = (await anna.post(CAMPAIGNS, {"toml": CUP.format(readers="public")})).json["campaign"]
    path = f"{CAMPAIGNS}/{cup}"
    for caller in (anna, bob):
        await caller.post(f"{path}/entrants", {})
    await anna.post(f"{path}/orders", {"orders": "begin"})
    ruling = {"orders": "default 1.1 p2 because they sleep"}
    assert (await anna.post(f"{path}/orders", ruling)).json["lines"][0]["code"] == "campaign.own-cause"
    assert (await bob.post(f"{path}/roles", {"role": "umpire", "name": "Cid"})).status == 403
    for body, code in (
        ({"role": "king", "name": "Cid"}, "campaign.no-such-role"),
        ({"role": "umpire", "name": "Zoe"}, "core.docket-unknown-player"),
    ):
        assert (await anna.post(f"{path}/roles", body)).json["type"].rpartition(":")[2] == code
    for _ in range(2):
        assert (await anna.post(f"{path}/roles", {"role": "umpire", "name": "Cid"})).json["umpire"] == "Cid"
    assert (await anna.post(f"{path}/orders", ruling)).json["lines"][0]["code"] == "campaign.not-umpire"
    assert (await cid.post(f"{path}/orders", ruling)).json["lines"][0]["status"] == "accepted"
    assert (await anna.get(path)).json["winners"] == ["p1"]


@pytest.mark.rule("CAM-RUL-08")
async def test_the_role_of_a_silent_organiser_is_given_to_a_member(tmp_path: Path) -> None:
    clock = ManualClock()
    async with serving(tmp_path / "data", clock=clock) as server:
        anna, bob, cid = [await server.player(name) for name in ("Anna", "Bob", "Cid")]
        host = await server.administrator("Hanna")
        cup = (await anna.post(CAMPAIGNS, {"toml": CUP.format(readers="public")})).json["campaign"]
        path = f"{CAMPAIGNS}/{cup}"
        await bob.post(f"{path}/entrants", {})
        to_bob = {"role": "organiser", "name": "Bob"}
        assert (await cid.post(f"{path}/roles", to_bob)).code == "campaign.not-organiser"
        clock.wait(days=29)
        refused = await host.post(f"{path}/roles", to_bob)
        assert (refused.status, refused.code) == (409, "campaign.organiser-present")
        clock.wait(days=1)
        assert (await host.post(f"{path}/roles", {**to_bob, "name": "Cid"})).code == "campaign.not-member"
        assert (await host.post(f"{path}/roles", to_bob)).json["organiser"] == "Bob"
        assert (await host.post(f"{path}/roles", {**to_bob, "name": "Anna"})).code == "campaign.organiser-present"
        file = file_of(await server.running.steward.campaigns.get(cup))
        assert any("host's word" in line for line in lines(verify_campaign(file)))


@pytest.mark.rule("CAM-RUL-08")
async def test_where_there_is_an_umpire_they_give_it(tmp_path: Path) -> None:
    clock = ManualClock()
    async with serving(tmp_path / "data", clock=clock) as server:
        anna, uma = [await server.player(name) for name in ("Anna", "Uma")]
        host = await server.administrator("Hanna")
        path = f"{CAMPAIGNS}/{(await anna.post(CAMPAIGNS, {'toml': CUP.format(readers='public')})).json['campaign']}"
        await anna.post(f"{path}/roles", {"role": "umpire", "name": "Uma"})
        clock.wait(days=30)
        to_uma = {"role": "organiser", "name": "Uma"}
        assert (await host.post(f"{path}/roles", to_uma)).code == "campaign.not-organiser"
        assert (await uma.post(f"{path}/roles", to_uma)).json["organiser"] == "Uma"
