"""What the webhooks of players are told of a battle, and when."""

import pytest

from server.play.stopping import stop, stop_now
from server.store.tables import club_battles, webhooks
from server.store.tables.webhooks import HookOwner, OwnerKind, Webhook
from tests.server.play.test_orders import CHARGE, EVADE
from tests.support.serving import PHRASE, Caller, RunningServer

WHAT = ("turn", "decision", "begun", "ended")


async def listening(server: RunningServer, *callers: Caller, what: tuple[str, ...] = WHAT) -> None:
    """Give each player a webhook, which is named as they are."""
    for caller in callers:
        row = Webhook(
            caller.player, OwnerKind.ACCOUNT, caller.player, "https://x.example/", "x.example", "plain", "en",
            webhooks.words_of(what), "",
        )  # fmt: skip
        await server.running.store.write(webhooks.add(row))


def heard(server: RunningServer, caller: Caller) -> list[tuple[str, int]]:
    """What a player's webhook is to be told, with its events; it is taken away."""
    rows = server.running.store.rows("SELECT what, n FROM webhook_outbox WHERE hook=? ORDER BY id", (caller.player,))
    owner = HookOwner(OwnerKind.ACCOUNT, caller.player)
    kept = webhooks.find(server.running.store, caller.player)
    assert kept is not None
    server.running.store.write_now(*webhooks.forget_all(owner), webhooks.add(kept))
    return [(str(what), int(n)) for what, n in rows]


def whats(server: RunningServer, caller: Caller) -> list[str]:
    return [what for what, _ in heard(server, caller)]


async def test_a_battle_begins_its_turns_pass_and_it_ends(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    await listening(server, anna, bob)
    battle = await anna.open()
    assert (await anna.sit(battle, "south", phrase=PHRASE)).status == 201
    assert whats(server, anna) == []
    assert (await bob.sit(battle, "north", phrase=PHRASE)).status == 201
    n = (await anna.view(battle))["n"]
    assert heard(server, anna) == [("begun", n), ("turn", n)]
    assert heard(server, bob) == [("begun", n)]
    assert (await anna.order(battle, "R1 ahead")).status == 200
    assert (whats(server, anna), whats(server, bob)) == ([], [])
    assert (await anna.order(battle, "end turn")).status == 200
    assert (whats(server, anna), whats(server, bob)) == ([], ["turn"])
    assert (await bob.order(battle, "resign")).status == 200
    assert (whats(server, anna), whats(server, bob)) == (["ended"], ["ended"])


async def test_talk_is_never_told(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    await listening(server, anna, bob)
    assert (await anna.post(f"/api/v1/battles/{battle}/words", {"text": "Well played."})).status == 201
    assert (whats(server, anna), whats(server, bob)) == ([], [])


async def asked(server: RunningServer, anna: Caller, bob: Caller, orders: str) -> str:
    """A battle in which the orders of one make the rules ask the other; what was told before that is taken away."""
    for _ in range(40):  # the charge needs a card
        battle = await server.battle(anna, bob, scenario="", scenario_toml=EVADE)
        heard(server, anna), heard(server, bob)
        assert (await anna.order(battle, orders)).status == 200
        if (await bob.view(battle))["to_act"] == ["north"] and whats(server, bob) == ["decision"]:
            return battle
    pytest.fail("no charge came so far as to ask")


async def test_a_decision_is_told_to_who_is_asked_and_play_comes_back(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    await listening(server, anna, bob)
    battle = await asked(server, anna, bob, "R1 charge D3")
    assert whats(server, anna) == []
    assert (await bob.order(battle, "evade no")).status == 200
    is_asked = (await server.running.battles.get(battle)).question() == "south"
    assert (whats(server, anna), whats(server, bob)) == (["decision" if is_asked else "turn"], [])


async def test_who_has_lines_that_wait_is_not_called_for_them(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    await listening(server, anna, bob)
    battle = await asked(server, anna, bob, CHARGE)
    assert (await bob.order(battle, "evade no")).status == 200
    assert "turn" not in whats(server, anna)


async def test_each_webhook_has_what_it_wants(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    await listening(server, anna, what=("ended",))
    await listening(server, bob, what=("begun", "decision"))
    battle = await server.battle(anna, bob)
    assert (await anna.order(battle, "resign")).status == 200
    assert (whats(server, anna), whats(server, bob)) == (["ended"], ["begun"])


async def test_who_holds_both_sides_is_told_once(server: RunningServer) -> None:
    anna = await server.player("Anna")
    await listening(server, anna)
    await server.battle(anna, anna)
    assert whats(server, anna) == ["begun", "turn"]


async def test_the_host_stops_a_battle(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    running = server.running
    first, second = await server.battle(anna, bob), await server.battle(anna, bob)
    await listening(server, anna, bob)
    await stop(running.battles, first, "It was spoilt.")
    assert (whats(server, anna), whats(server, bob)) == (["ended"], ["ended"])
    stop_now(running.store, second, running.clock.now(), "It was spoilt.", running.battles.rulesets)
    assert (whats(server, anna), whats(server, bob)) == (["ended"], ["ended"])


async def test_a_club_is_told_when_its_battles_begin_and_end(server: RunningServer) -> None:
    anna, bob, store = await server.player("Anna"), await server.player("Bob"), server.running.store
    words = webhooks.words_of(WHAT)
    row = Webhook("h", OwnerKind.CLUB, "leeds", "https://x.example/", "x.example", "plain", "en", words, "")
    await store.write(webhooks.add(row))
    battle, other = await anna.open(), await anna.open()
    await store.write(club_battles.put(battle, "leeds", server.running.clock.now()))
    for one in (battle, other):
        assert (await anna.sit(one, "south", phrase=PHRASE)).status == 201
        assert (await bob.sit(one, "north", phrase=PHRASE)).status == 201
        assert (await anna.order(one, "resign")).status == 200
    rows = store.rows("SELECT what, about FROM webhook_outbox ORDER BY id")
    assert rows == [("begun", battle), ("ended", battle)]
