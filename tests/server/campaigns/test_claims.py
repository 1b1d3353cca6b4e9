"""Where a campaign says so, its server claims a battle for the side that waits, some days after the flag."""

from pathlib import Path

import pytest

from domain.events.battle import ClockFired
from replay.proof.campaign.verify import verify_campaign
from replay.proof.verify import OK
from server.web.api.campaigns import file_of
from tests.server.campaigns.test_called_off import CUP, begun, passes
from tests.support.clock import ManualClock
from tests.support.serving import PHRASE, RunningServer, serving

AUTO = CUP.replace('show = "2d"\nround = "9d"', 'pace = "1d+1d"\nshow = ""\nround = ""\nclaim = "auto 3d"')
OWNER = AUTO.replace("auto 3d", "owner")


async def out_of_time(server: RunningServer, clock: ManualClock, cup: str) -> tuple[str, list[str]]:
    """The result of a cup's battle in which the side on move is silent, and what its clocks did, after four days and
    after eight."""
    live, south, north = await begun(server, cup)
    board = live.state.boards["1.1"]
    for caller in (south, north):
        assert (await caller.order(board.battle, "", phrase=PHRASE)).status == 200
    battle = await server.running.battles.get(board.battle)
    states = []
    for days in (4, 4):
        await passes(server, clock, days)
        states.append(live.state.boards["1.1"].how)
    assert states[0] == ""
    board = live.state.boards["1.1"]
    if not board.is_running:
        file = await south.export(board.battle)
        report = verify_campaign(file_of(live), find={board.battle: file}.get)
        assert (report.exit, report.fault) == (OK, None)
    fired = [one.event for one in battle.recording.timeline.events if isinstance(one.event, ClockFired)]
    return states[1], [event.what for event in fired]


@pytest.mark.rule("CAM-TIM-01")
async def test_a_battle_is_claimed_for_the_side_that_waits(tmp_path: Path) -> None:
    clock = ManualClock()
    async with serving(tmp_path / "data", clock=clock) as server:
        assert await out_of_time(server, clock, AUTO) == ("time", ["deadline", "claim"])


@pytest.mark.rule("CAM-TIM-01")
async def test_without_it_the_owner_of_the_side_claims(tmp_path: Path) -> None:
    clock = ManualClock()
    async with serving(tmp_path / "data", clock=clock) as server:
        assert (await out_of_time(server, clock, OWNER))[0] == ""
