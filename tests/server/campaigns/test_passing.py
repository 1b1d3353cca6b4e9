"""Who takes the place of an entrant goes on in their battles, and the file of the battle holds (CAM-PPL-03)."""

from pathlib import Path

import pytest

from replay.proof.campaign.verify import verify_campaign
from replay.proof.verify import NOT_ALL_JUDGED, verify
from server.campaigns.live_campaign import LiveCampaign
from server.web.api.campaigns import file_of
from tests.support.clock import ManualClock
from tests.support.serving import PHRASE, Caller, RunningServer, serving

CAMPAIGNS = "/api/v1/campaigns"
CUP = """
campaign = "cup"
title = "A cup"
ruleset = "tts"
[cup]
system = "knock-out"
[time]
show = "2d"
grace = "1d"
[battle]
scenario = "skirmish"
"""


async def begun(server: RunningServer, umpire: str = "Uma") -> tuple[LiveCampaign, dict[str, Caller]]:
    """A cup of Anna and Bob with an umpire, whose battle is open; Eve is a reserve."""
    people = {name: await server.player(name) for name in ("Anna", "Bob", "Eve", "Uma")}
    path = f"{CAMPAIGNS}/{(await people['Anna'].post(CAMPAIGNS, {'toml': CUP})).json['campaign']}"
    await people["Anna"].post(f"{path}/roles", {"role": "umpire", "name": umpire})
    for name in ("Anna", "Bob"):
        assert (await people[name].post(f"{path}/entrants", {"phrase": PHRASE})).status == 201
    await people["Eve"].post(f"{path}/entrants", {"reserve": True})
    await people["Anna"].post(f"{path}/orders", {"orders": "begin"})
    await server.running.steward.settle()
    return await server.running.steward.campaigns.get(path.rpartition("/")[2]), people


async def rules(server: RunningServer, live: LiveCampaign, caller: Caller, line: str) -> None:
    """Somebody gives a line, and the steward does what follows."""
    reply = await caller.post(f"{CAMPAIGNS}/{live.id}/orders", {"orders": line})
    assert reply.json["lines"][0]["status"] == "accepted", reply
    await server.running.steward.settle()


@pytest.mark.rule("CAM-PPL-03")
async def test_a_substitute_goes_on_in_a_battle_that_is_fought(tmp_path: Path) -> None:
    clock = ManualClock()
    async with serving(tmp_path / "data", clock=clock) as server:
        live, people = await begun(server)
        battle = live.state.boards["1.1"].battle
        for name in ("Anna", "Bob"):
            assert (await people[name].order(battle, "")).status == 200
        await rules(server, live, people["Uma"], "replace p2 by Eve because Bob is ill")
        held = {seat.player for seat in (await server.running.battles.get(battle)).recording.battle.seats.values()}
        assert held == {people["Anna"].player, people["Eve"].player}
        for name in ("Anna", "Eve"):
            assert (await people[name].order(battle, "")).status == 200
        file = await people["Eve"].export(battle)
        report = verify(file)
        assert (report.exit, report.fault) == (NOT_ALL_JUDGED, None)
        acts = [(act.what, act.authority, act.is_unsigned) for act in report.listed]
        assert ("left", "host", False) in acts and ("substitute", "umpire", True) in acts
        whole = verify_campaign(file_of(live), find={battle: file}.get)
        assert (whole.exit, whole.fault) == (NOT_ALL_JUDGED, None)
        clock.wait(days=10)
        await server.running.steward.settle()
        assert live.state.boards["1.1"].is_running, "the entrant has come to this battle"


@pytest.mark.rule("CAM-PPL-03")
async def test_where_the_battle_has_no_umpire_the_seat_stays(server: RunningServer) -> None:
    live, people = await begun(server, "Anna")
    battle = live.state.boards["1.1"].battle
    await rules(server, live, people["Anna"], "replace p2 by Eve")
    held = {seat.player for seat in (await server.running.battles.get(battle)).recording.battle.seats.values()}
    assert held == {people["Anna"].player, people["Bob"].player}
    assert (await people["Anna"].get(f"{CAMPAIGNS}/{live.id}")).json["status"] == "running"
