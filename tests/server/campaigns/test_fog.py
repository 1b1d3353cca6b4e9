"""A map under fog on a server: each door tells a power what its alliance knows, and everybody else what all do."""

import json

import pytest

from domain.basics.toml_text import to_toml
from server.acts.campaigns.entering import CampaignEntry, enter_campaign
from server.acts.campaigns.opening import open_campaign
from server.people.players import Player
from server.web.api.campaigns import file_of
from tests.support.mapped import MAP, POWERS, TABLE
from tests.support.served_maps import NAMES, PHRASE, TITLE, ServedMap
from tests.support.serving import RunningServer
from tests.support.waiting import eventually

FILE = to_toml({"campaign": "map", "title": TITLE, **TABLE, "map": {**MAP, "turns": 2, "fog": True}})


@pytest.mark.rule("CAM-FOG-01", "CAM-FOG-03", "CAM-FOG-04", "CAM-FOG-05")
async def test_each_door_tells_what_one_knows_and_at_the_end_everything(server: RunningServer) -> None:
    callers = [await server.player(name) for name in NAMES]
    dora = await server.player("Dora")
    people = [Player(caller.player, name) for caller, name in zip(callers, NAMES, strict=True)]
    live = await open_campaign(server.running.steward, people[0], FILE, "k")
    served = ServedMap(server.running.steward, people, live)
    for power, person in served.people.items():
        await enter_campaign(served.steward, person, live, CampaignEntry(power, PHRASE))
    await served.say("red", "begin")
    path, page = f"/api/v1/campaigns/{live.id}", f"/campaigns/{live.id}"
    red, rose, blue = callers

    await served.say("red", "march F1 ford\nready")
    await served.ready("rose")
    await served.say("blue", "recruit F3 III light_sling as N9\nready")
    assert live.state.round == 2 and b"march" not in file_of(live)

    # the map: own forces whole, others as they are seen, nothing for who holds no power
    own = (await red.get(f"{path}/map?turn=1")).json
    assert [(force["id"], force["area"]) for force in own["forces"]] == [("F1", "ford"), ("F2", "hills")]
    assert own["seen"] == [{"area": "east", "power": "blue", "band": "some"}] and own["powers"][2]["treasury"] == 0
    assert {"ForceMoved", "IncomeTaken"} <= {event["type"] for event in own["events"]}
    their = (await blue.get(f"{path}/map?turn=1")).json
    assert [force["id"] for force in their["forces"]] == ["F3"]
    assert their["seen"] == [{"area": "ford", "power": "red", "band": "some"}]
    assert "UnitRaised" in {event["type"] for event in their["events"]}
    assert not {"F1", "F2"} & {event["data"].get("force") for event in their["events"]}
    public = (await dora.get(f"{path}/map?turn=1")).json
    assert public["forces"] == public["seen"] == [] and [power["treasury"] for power in public["powers"]] == [0, 0, 0]

    # pages, text, ledger
    for caller, shows in ((red, True), (rose, True), (blue, False), (dora, False)):
        assert ("F1" in (await caller.get(f"{page}/map")).text) is shows
        forces = [force["force"] for force in (await caller.get(f"{path}/ledger")).json["forces"]]
        assert forces == {red: ["F1", "F2"], rose: ["F1", "F2"], blue: ["F3"], dora: []}[caller]
    record = (await blue.get(f"{path}/ledger/F3/N9")).json
    assert record["entries"][0]["what"] == "raised"
    assert (await rose.get(f"{path}/ledger/F3")).json["code"] == "campaign.no-such-force"

    # a battle is public as such, and its players alone read it while there is fog
    await served.say("red", "march F1 east\nready")
    await served.ready("rose", "blue")
    await served.steward.settle()
    (board,) = (live.state.boards[name] for name in live.state.rounds[1].boards)
    battle = await server.running.battles.get(board.battle)
    assert battle.recording.battle.readers == "players"
    assert (await dora.get(f"/api/v1/battles/{board.battle}")).status == 404
    assert (await dora.get(f"{path}/map?turn=2")).json["events"][1]["type"] == "EncounterMade"
    assert (await blue.order(board.battle, "resign")).status == 200
    await eventually("the campaign ends", lambda: live.state.is_over)

    # then nothing is hidden
    assert (await dora.get(f"/api/v1/battles/{board.battle}")).status == 200
    opened = (await dora.get(f"{path}/map?turn=1")).json
    assert [force["id"] for force in opened["forces"]] == ["F1", "F2", "F3"] and opened["seen"] == []
    again = (await dora.get(f"{path}/map?turn=1&fog=blue")).json
    assert (again["forces"], again["seen"]) == (their["forces"], their["seen"])
    assert 'name="fog"' in (await dora.get(f"{page}/map?fog=blue")).text
    assert json.loads(file_of(live).splitlines()[1])["data"]["config"]["map"]["fog"] is True


@pytest.mark.rule("CAM-FOG-01")
async def test_a_host_that_was_killed_knows_what_is_sealed_again(server: RunningServer) -> None:
    people = [Player((await server.player(name)).player, name) for name in NAMES]
    live = await open_campaign(server.running.steward, people[0], FILE, "k")
    served = ServedMap(server.running.steward, people, live)
    for power, person in served.people.items():
        await enter_campaign(served.steward, person, live, CampaignEntry(power, PHRASE))
    await served.say("red", "begin")
    await served.say("red", "march F1 ford\nready")
    await served.ready(*POWERS[1:])
    state, head = live.state, live.recording.head
    await live.reread()
    assert (live.state, live.recording.head) == (state, head) and state.theatre.forces["F1"].area == "ford"
