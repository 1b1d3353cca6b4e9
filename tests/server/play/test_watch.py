"""What another process writes into the same store is seen by a running server."""

import asyncio

import pytest

from server.play.live_battles import LiveBattles
from server.play.service import OrderRequest, OrderService
from server.store import EventStore
from tests.support.clock import ManualClock
from tests.support.entropy import entropy_of_test
from tests.support.serving import PHRASE, RunningServer
from tests.support.waiting import eventually


@pytest.mark.slow
async def test_an_order_played_by_a_command_beside_the_server_is_shown(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    n = (await bob.view(battle))["n"]
    running = server.running
    woken = asyncio.Event()
    (await running.battles.get(battle)).listeners.add(lambda live, batch: woken.set())
    with EventStore.open(running.settings.store(), asyncio.get_running_loop()) as store:
        elsewhere = LiveBattles(running.settings, store, ManualClock(), entropy_of_test(), running.keys)
        played = await OrderService(elsewhere).orders(
            OrderRequest(battle, "south", anna.player, "mail", "end turn", PHRASE)
        )
    assert played.refused is None
    await eventually("the server has heard of it", woken.is_set)
    view = await bob.view(battle)
    assert view["n"] > n
    assert view["to_act"] == ["north"]
