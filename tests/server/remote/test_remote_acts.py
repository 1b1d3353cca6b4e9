"""A remote player signs what they do beside orders, in a battle of header version 3."""

from pathlib import Path

import pytest

from domain.log import record
from replay.proof.verify import verify
from server.remote import acting
from server.remote.connection import BattleNow
from tests.server.remote.remote_player import RemotePlayer, remote_player
from tests.support.clock import ManualClock
from tests.support.serving import serving


async def act(player: RemotePlayer, battle: str, do: str, days: int = 0) -> BattleNow:
    async with player.wire as wire:
        return await acting.act(wire, player.place(battle), do, days)


@pytest.mark.parametrize("version", [record.PBEM_2, record.PBEM_2_1])
async def test_a_remote_player_joins_leaves_pauses_and_claims(version: int, tmp_path: Path) -> None:
    clock = ManualClock()
    async with serving(tmp_path / "data", clock=clock, opens=version) as server:
        anna, bob = [await remote_player(server, name, tmp_path) for name in ("Anna", "Bob")]
        battle = await (await server.player("Host")).open(pace="2d+1d")
        await anna.take(battle, "south", sign=True)
        await act(anna, battle, "leave")
        await anna.take(battle, "south", sign=True)
        await bob.take(battle, "north", sign=True)
        await anna.order(battle)
        await act(anna, battle, "pause", 3)
        now = await act(bob, battle, "pause")
        assert now.clocks
        await act(bob, battle, "resume")
        await anna.order(battle, "end turn")
        clock.wait(days=9)
        await server.running.timekeeper.tick(clock.now())
        await act(anna, battle, "claim")
        report = verify(await server.stranger.export(battle))
        own = [one.what for one in report.listed if one.authority == "own"]
        signed = ["own-pause-asked", "own-pause", "own-claim"] if version >= record.PBEM_2_1 else []
        assert (report.fault, report.ended, own) == (None, True, signed)
