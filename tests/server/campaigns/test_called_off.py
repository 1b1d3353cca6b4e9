"""What a campaign decides about a battle that is fought ends it in its own log, and the file of the campaign holds."""

from pathlib import Path

import pytest

from replay.proof.campaign.verify import verify_campaign
from replay.proof.verify import OK
from server.campaigns.live_campaign import LiveCampaign
from server.web.api.campaigns import file_of
from tests.support.clock import ManualClock
from tests.support.serving import PHRASE, Caller, RunningServer, serving

CAMPAIGNS = "/api/v1/campaigns"
CUP = """
campaign = "cup"
title = "A short cup"
ruleset = "tts"
[cup]
system = "knock-out"
[time]
show = "2d"
round = "9d"
grace = "1d"
[battle]
scenario = "skirmish"
"""


async def begun(server: RunningServer, cup: str = CUP) -> tuple[LiveCampaign, Caller, Caller]:
    """A cup of two whose battle is open, and the callers of south and of north."""
    anna, bob = await server.player("Anna"), await server.player("Bob")
    path = f"{CAMPAIGNS}/{(await anna.post(CAMPAIGNS, {'toml': cup})).json['campaign']}"
    for caller in (anna, bob):
        assert (await caller.post(f"{path}/entrants", {"phrase": PHRASE})).status == 201
    await anna.post(f"{path}/orders", {"orders": "begin"})
    await server.running.steward.settle()
    live = await server.running.steward.campaigns.get(path.rpartition("/")[2])
    players = live.state.boards["1.1"].players
    south, north = (anna, bob) if players["south"] == anna.player else (bob, anna)
    return live, south, north


async def passes(server: RunningServer, clock: ManualClock, days: int) -> None:
    """Some days, one after the other."""
    for _ in range(days):
        clock.wait(days=1)
        await server.running.steward.settle()


async def ended(server: RunningServer, live: LiveCampaign, caller: Caller) -> tuple[str | None, str]:
    """The winner of its battle and how it ended; both files hold."""
    board = live.state.boards["1.1"]
    file = await caller.export(board.battle)
    report = verify_campaign(file_of(live), find={board.battle: file}.get)
    assert (report.exit, report.fault) == (OK, None)
    battle = (await server.running.battles.get(board.battle)).recording.battle
    assert battle.revealed
    return battle.winner, battle.how


@pytest.mark.rule("CAM-LOG-05")
async def test_a_battle_lost_by_default_ends_in_its_own_log(tmp_path: Path) -> None:
    clock = ManualClock()
    async with serving(tmp_path / "data", clock=clock) as server:
        live, south, _ = await begun(server)
        battle = live.state.boards["1.1"].battle
        assert (await south.order(battle, "")).status == 200
        await passes(server, clock, 4)
        assert live.state.boards["1.1"].status == "default"
        assert await ended(server, live, south) == ("south", "default")


@pytest.mark.rule("CAM-TIM-05")
async def test_a_battle_that_is_cut_off_is_adjudicated_in_its_own_log_and_counted(tmp_path: Path) -> None:
    clock = ManualClock()
    async with serving(tmp_path / "data", clock=clock) as server:
        live, south, north = await begun(server)
        battle = live.state.boards["1.1"].battle
        for caller in (south, north):
            assert (await caller.order(battle, "")).status == 200
        await passes(server, clock, 11)
        board = live.state.boards["1.1"]
        assert (board.status, board.how, board.winner) == ("counted", "adjudicated", "")
        assert await ended(server, live, south) == ("", "adjudicated")
