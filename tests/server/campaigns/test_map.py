"""A map campaign on a server: opened, entered, ordered in secret, fought; bots lead powers; nobody sees orders."""

import json

import pytest

from domain.basics.data import example_text
from domain.catalogue import RULESETS
from replay.proof.campaign.verify import verify_campaign
from replay.proof.verify import NOT_ALL_JUDGED
from server.acts.campaigns.entering import CampaignEntry, enter_campaign
from server.acts.campaigns.lines import give_lines
from server.acts.campaigns.opening import open_campaign
from server.acts.campaigns.trying import options_for, preview_turn, try_lines
from server.people.players import Player
from server.web.api.campaigns import file_of
from tests.support.served_maps import NAMES, ServedMap
from tests.support.serving import RunningServer
from tests.support.waiting import eventually


async def people_of(server: RunningServer) -> list[Player]:
    return [Player((await server.player(name)).player, name) for name in NAMES]


async def begun(server: RunningServer, bots: int = 0) -> ServedMap:
    return await ServedMap.begun(server.running.steward, await people_of(server), bots)


@pytest.mark.rule("CAM-LOG-04", "CAM-LOG-03")
async def test_orders_are_sealed_in_the_log_and_opened_when_all_are_ready(server: RunningServer) -> None:
    served = await begun(server)
    assert await served.say("red", "march F1 ford\nready") == []
    before = file_of(served.live)
    assert b"march" not in before and before.count(b'"sealed"') == 2
    assert before.count(b'"type":"ContributionGiven"') == 4  # three with entering
    await served.ready("rose", "blue")
    assert served.live.state.round == 2
    assert b'"text":"march F1 ford"' in file_of(served.live)


@pytest.mark.rule("CAM-LOG-04")
async def test_a_host_that_was_killed_knows_the_orders_again(server: RunningServer) -> None:
    served = await begun(server)
    await served.say("red", "march F1 ford\nready")
    state, head = served.live.state, served.live.recording.head
    await served.live.reread()
    assert (served.live.state, served.live.recording.head) == (state, head)
    await served.ready("rose", "blue")
    assert served.live.state.theatre.forces["F1"].area == "ford"


@pytest.mark.rule("CAM-ORD-03")
async def test_a_preview_of_ready_tells_nothing_of_what_others_have_ordered(server: RunningServer) -> None:
    served = await begun(server)
    await served.ready("red", "rose")
    await served.say("blue", "hold F3")
    tried = await try_lines(served.steward, served.people["blue"], served.live, "ready\nhold F3\nmarch F3 hills")
    assert [(one.status, one.refusal) for one in tried] == [
        ("accepted", None),
        ("not-tried", None),
        ("not-tried", None),
    ]
    lines, events = await preview_turn(served.steward, served.people["blue"], served.live, "march F3 ford\nready")
    assert [one.status for one in lines] == ["accepted", "accepted"]
    assert [type(event).__name__ for event in events] == ["ForceMoved"]
    assert served.live.state.round == 1


@pytest.mark.rule("CAM-ORD-02")
async def test_options_are_the_callers_own(server: RunningServer) -> None:
    served = await begun(server)
    orders = options_for(served.steward, served.people["red"], served.live)
    assert {order.force for order in orders} == {"F1"}
    assert {"march", "hold", "recruit", "rest", "dismiss"} <= {order.verb for order in orders}


@pytest.mark.rule("CAM-LOG-05", "CAM-MAP-04", "CAM-MAP-11")
async def test_the_battle_of_a_turn_is_opened_from_the_forces_and_its_end_counted(server: RunningServer) -> None:
    callers = [await server.player(name) for name in NAMES]
    people = [Player(caller.player, name) for caller, name in zip(callers, NAMES, strict=True)]
    served = await ServedMap.begun(server.running.steward, people)
    await served.say("red", "march F1 ford\nready")
    await served.say("blue", "march F3 ford\nready")
    await served.ready("rose")
    (board,) = (served.live.state.boards[name] for name in served.live.state.rounds[0].boards)
    await served.steward.settle()
    battle = await server.running.battles.get(board.battle)
    seats = {side: seat.player for side, seat in battle.recording.battle.seats.items()}
    assert seats == {"south": served.people["red"].id, "north": served.people["blue"].id}
    assert (await callers[0].order(board.battle, "resign")).status == 200
    await eventually("the battle is counted", lambda: served.live.state.round == 2)
    assert served.live.state.theatre.victories == {"reds": 0, "blues": 2}


@pytest.mark.rule("CAM-LOG-06", "CAM-TIM-07")
async def test_bots_of_powers_order_at_once_and_the_file_holds(server: RunningServer) -> None:
    served = await begun(server, bots=2)
    await served.steward.settle()
    assert {*served.live.state.ordering.ready} >= {"rose", "blue"}
    assert b'"channel":"bot"' in file_of(served.live) and b"march" not in file_of(served.live)
    assert await served.say("red", "ready") == []
    report = verify_campaign(file_of(served.live))
    assert (report.exit, report.fault) == (NOT_ALL_JUDGED, None)


async def test_the_packaged_example_is_opened(server: RunningServer) -> None:
    people = await people_of(server)
    live = await open_campaign(server.running.steward, people[0], example_text("sicily", RULESETS), "k")
    state = live.state
    assert (len(state.theatre.areas), len(state.settings.seats)) == (25, 3)
    assert await enter_campaign(server.running.steward, people[1], live, CampaignEntry("rome")) == "rome"
    (answer,) = await give_lines(server.running.steward, people[1], live, "hold R1", "h")
    assert answer.refusal is not None and answer.refusal.code == "campaign.not-begun"


async def test_the_map_options_and_a_preview_over_the_api(server: RunningServer) -> None:
    callers = [await server.player(name) for name in NAMES]
    people = [Player(caller.player, name) for caller, name in zip(callers, NAMES, strict=True)]
    served = await ServedMap.begun(server.running.steward, people)
    path = f"/api/v1/campaigns/{served.live.id}"
    options = await callers[0].get(f"{path}/options")
    assert options.status == 200 and "march F1 ford east" in options.json["orders"]
    preview = await callers[0].post(f"{path}/preview", {"orders": "march F1 ford"})
    assert [event["type"] for event in preview.json["events"]] == ["ForceMoved"]
    given = await callers[0].post(f"{path}/orders", {"orders": "march F1 ford\nready", "phrase": "a phrase of mine"})
    assert [line["status"] for line in given.json["lines"]] == ["accepted", "accepted"]
    shown = await callers[1].get(f"{path}/map")
    assert shown.status == 200 and "march F1" not in shown.text
    assert [power["ready"] for power in shown.json["powers"]] == [True, False, False]
    assert [(force["id"], force["area"]) for force in shown.json["forces"]] == [
        ("F1", "west"),
        ("F2", "hills"),
        ("F3", "east"),
    ]
    await served.ready("rose", "blue")
    turn = (await callers[1].get(f"{path}/map?turn=1")).json
    assert (turn["turn"], turn["is_over"]) == (1, True)
    assert "ForceMoved" in [event["type"] for event in turn["events"]]
    assert (await callers[1].get(f"{path}/map?turn=9")).json["code"] == "campaign.no-such-turn"
    assert json.loads(shown.text)["links"][0] == ["west", "ford", "road"]


async def test_a_cup_has_no_map_and_a_line_without_phrase_and_key_is_refused(server: RunningServer) -> None:
    dora = await server.player("Dora")
    cup = await dora.post("/api/v1/campaigns", {"example": "club-cup"})
    refused = await dora.get(f"/api/v1/campaigns/{cup.json['campaign']}/map")
    assert (refused.status, refused.json["code"]) == (404, "campaign.no-map")
    served = await begun(server)
    answer = await give_lines(served.steward, served.people["red"], served.live, "ready", "")
    assert answer[0].refusal is not None and answer[0].refusal.code == "core.phrase-missing"
