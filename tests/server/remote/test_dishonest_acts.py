"""A terminal compares what its player has signed beside orders with the log, and stops where it is not there."""

from pathlib import Path

import msgspec
import pytest

from domain.basics.pace import DAY_MS, text_of
from domain.log import record
from server.remote import acting
from server.remote.judging import FaultFound
from tests.server.remote.remote_player import RemotePlayer, remote_player
from tests.server.remote.test_remote_acts import act
from tests.support.clock import ManualClock
from tests.support.dishonest import ACTS, Lie, lying
from tests.support.serving import RunningServer, serving


async def _sit(players: tuple[RemotePlayer, RemotePlayer], battle: str) -> None:
    await players[0].take(battle, "south", sign=True)
    await players[1].take(battle, "north", sign=True)
    await players[0].order(battle)


async def _away(player: RemotePlayer, battle: str, clock: ManualClock) -> None:
    begins, ends = (text_of(clock.moment + days * DAY_MS) for days in (1, 5))
    async with player.wire as wire:
        await wire.send("/vacations", msgspec.json.encode({"begins": begins, "ends": ends}), dict)
        await acting.act(wire, player.place(battle), "vacation", begins=begins, ends=ends)


async def lied_to(
    server: RunningServer, clock: ManualClock, players: tuple[RemotePlayer, RemotePlayer], battle: str, lie: Lie
) -> None:
    """Do what a server lies about."""
    anna, bob = players
    if lie.of == "SideJoined":
        with lying(lie):
            await anna.take(battle, "south", sign=True)
        return
    if lie.of == "SideLeft":
        await anna.take(battle, "south", sign=True)
        with lying(lie):
            await act(anna, battle, "leave")
        return
    await _sit(players, battle)
    if "agreement" in lie.name:
        await act(bob, battle, "pause", 3)
    if "claim" in lie.name:
        await anna.order(battle, "end turn")
        clock.wait(days=9)
        await server.running.timekeeper.tick(clock.now())
    with lying(lie):
        if "vacation" in lie.name:
            await _away(anna, battle, clock)
        else:
            await act(anna, battle, "claim" if "claim" in lie.name else "pause", 0 if "agreement" in lie.name else 3)


@pytest.mark.parametrize("lie", ACTS, ids=lambda lie: lie.name)
async def test_what_a_player_signs_beside_orders_is_looked_for(tmp_path: Path, lie: Lie) -> None:
    clock = ManualClock()
    async with serving(tmp_path / "data", clock=clock, opens=record.PBEM_2_1) as server:
        players = await remote_player(server, "Anna", tmp_path), await remote_player(server, "Bob", tmp_path)
        battle = await (await server.player("Host")).open(pace="2d+1d")
        with pytest.raises(FaultFound) as found:
            await lied_to(server, clock, players, battle, lie)
        assert found.value.fault.what in lie.kinds
