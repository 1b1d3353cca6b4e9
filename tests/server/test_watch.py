"""What another process writes into the same store is seen by a running server."""

import asyncio

from server.clock import SystemClock, SystemEntropy
from server.play.live_battles import Hall
from server.play.service import Orders, Play
from server.store import EventStore
from tests.server.serving import PHRASE, Server


async def test_an_order_played_by_a_command_beside_the_server_is_shown(server: Server) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    n = (await bob.view(battle))["n"]
    house = server.house
    woken = asyncio.Event()
    (await house.hall.table(battle)).listeners.add(lambda table, batch: woken.set())
    with EventStore.open(house.settings.store(), asyncio.get_running_loop()) as store:
        elsewhere = Hall(house.settings, store, SystemClock(), SystemEntropy(), house.signer)
        played = await Play(elsewhere).orders(Orders(battle, "south", anna.player, "mail", "end turn", PHRASE))
    assert played.refused is None
    await asyncio.wait_for(woken.wait(), 5)
    view = await bob.view(battle)
    assert view["n"] > n
    assert view["to_act"] == ["north"]
