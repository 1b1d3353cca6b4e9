"""Bots play to the end, go on after a restart, and hold nobody up."""

import asyncio
import tomllib
from pathlib import Path

import pytest

from domain.basics.toml_text import to_toml
from domain.log.fairness import seal_chain, seal_text
from replay.proof import verify
from server.play import bots
from server.workers import Inline, Workers
from tests.support.before_the_turns import PHASES
from tests.support.serving import PHRASE, RunningServer, serving
from tests.support.waiting import eventually


async def ended(server: RunningServer, battle: str) -> None:
    live = await server.running.battles.get(battle)
    await eventually("the battle ends", lambda: live.recording.battle.ended)


@pytest.mark.slow
async def test_two_bots_finish_a_battle(server: RunningServer) -> None:
    anna = await server.player("Anna")
    battle = await anna.open(options={"turn_limit": 4})
    assert (await anna.sit(battle, "south", bot="sensible")).status == 201
    assert (await anna.sit(battle, "north", bot="random")).status == 201
    await ended(server, battle)
    report = verify.verify(await server.stranger.export(battle))
    assert report.exit == verify.OK, report
    view = await anna.view(battle)
    assert view["winner"] is not None
    assert {seat["kind"] for seat in view["seats"].values()} == {"bot"}


async def test_the_bot_waits_for_a_person(server: RunningServer) -> None:
    anna = await server.player("Anna")
    battle = await anna.open()
    assert (await anna.sit(battle, "north", bot="random")).status == 201
    assert (await anna.sit(battle, "south")).status == 201
    assert (await anna.order(battle, "end turn")).status == 200
    live = await server.running.battles.get(battle)
    await eventually("the bot has played", lambda: live.to_act() == ("south",) and live.n > 20)
    assert verify.verify(await server.stranger.export(battle)).fault is None


async def test_a_bot_that_begins_waits_for_the_first_contribution(server: RunningServer) -> None:
    anna = await server.player("Anna")
    battle = await anna.open()
    assert (await anna.sit(battle, "south", bot="random")).status == 201
    assert (await anna.sit(battle, "north")).status == 201
    await asyncio.sleep(0.1)
    n = (await anna.view(battle))["n"]
    await asyncio.sleep(0.1)
    assert (await anna.view(battle))["n"] == n
    assert (await anna.order(battle, "")).status == 200
    live = await server.running.battles.get(battle)
    await eventually("the bot has played", lambda: "north" in live.to_act())


@pytest.mark.slow
async def test_bots_go_on_after_a_restart(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        server.running.bots.pause_s = 0.02
        anna = await server.player("Anna")
        battle = await anna.open(options={"turn_limit": 3})
        await anna.sit(battle, "south", bot="random")
        await anna.sit(battle, "north", bot="random")
        live = await server.running.battles.get(battle)
        await eventually("the bots have begun", lambda: live.n > 20)
        server.running.bots.stop()
        assert not live.recording.battle.ended
    async with serving(tmp_path) as server:
        await ended(server, battle)


@pytest.mark.slow
async def test_at_a_start_only_battles_in_which_a_bot_must_act_are_read(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        anna = await server.player("Anna")
        waits = await anna.open()
        await anna.sit(waits, "north", bot="random")
        assert (await anna.sit(waits, "south", phrase=PHRASE)).status == 201
        live = await server.running.battles.get(waits)
        await eventually(
            "the bot has contributed", lambda: live.to_act() == ("south",) and not live.recording.battle.owing
        )
        bots = await anna.open(options={"turn_limit": 3})
        server.running.bots.stop()  # the battle must not be over before the restart
        await anna.sit(bots, "south", bot="random")
        await anna.sit(bots, "north", bot="random")
    async with serving(tmp_path) as server:
        battles = server.running.battles
        await eventually("the bots play", lambda: any(live.id == bots for live in battles.live()))
        await ended(server, bots)
        assert {live.id for live in battles.live()} == {bots}


async def test_a_sealed_seat_can_draw_in_the_first_turn_against_a_bot(server: RunningServer) -> None:
    """The bot does not act, so no order of its own brings its share of the chance."""
    anna = await server.player("Anna")
    battle = await anna.open()
    seals = seal_chain(battle, "south", bytes(32), 9)
    assert (await anna.sit(battle, "north", bot="sensible")).status == 201
    assert (await anna.sit(battle, "south", mode="sealed", anchor=seals[0].hex())).status == 201

    async def contributed() -> bool:
        return bool((await anna.view(battle))["seats"]["north"]["contributed"])

    await eventually("the bot contributes", contributed)
    reply = await anna.order(battle, f"seal {seal_text(seals[1])}\nR1 ahead", phrase="")
    assert reply.status == 200, reply


async def test_a_bot_contributes_where_a_battle_waits_for_nothing_else(server: RunningServer) -> None:
    """Against a sealed seat its phrase cannot ride along, and in the scouting nobody has an order to give."""
    anna = await server.player("Anna")
    scenario = tomllib.loads(PHASES) | {"terrain": []}
    for side in scenario["sides"].values():
        side["stratagems"] = []
    battle = await anna.open("", scenario_toml=to_toml(scenario))
    seals = seal_chain(battle, "south", bytes(32), 9)
    assert (await anna.sit(battle, "north", bot="sensible")).status == 201
    assert (await anna.sit(battle, "south", mode="sealed", anchor=seals[0].hex())).status == 201
    assert "south" in (await anna.view(battle))["to_act"]
    reply = await anna.order(battle, f"seal {seal_text(seals[1])}", phrase="")
    assert reply.status == 200, reply

    async def deploys() -> bool:
        return bool((await anna.view(battle))["phase"] == "deployment")

    await eventually("the armies deploy", deploys)


@pytest.mark.slow
async def test_a_battle_of_two_bots_ends_without_a_limit_of_turns(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots, "MOST_EVENTS", 150)
    anna = await server.player("Anna")
    battle = await anna.open(options={"turn_limit": 0})
    assert (await anna.sit(battle, "south", bot="random")).status == 201
    assert (await anna.sit(battle, "north", bot="random")).status == 201
    await ended(server, battle)
    view = await anna.view(battle)
    assert (view["winner"], view["how"]) == ("", "draw")
    assert 150 < view["n"] < 300
    assert verify.verify(await server.stranger.export(battle)).exit == verify.OK


async def test_a_person_is_never_made_to_draw(server: RunningServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "MOST_EVENTS", 1)
    anna = await server.player("Anna")
    battle = await anna.open()
    assert (await anna.sit(battle, "north", bot="random")).status == 201
    assert (await anna.sit(battle, "south")).status == 201
    assert (await anna.order(battle, "end turn")).status == 200
    live = await server.running.battles.get(battle)
    await eventually("the bot has played", lambda: live.to_act() == ("south",))
    assert live.game.draw_offer == ""


class Held:
    """A runner whose jobs wait until they are let go."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.go = asyncio.Event()
        self.running = self.most = 0

    async def run(self, job, *given):
        self.running += 1
        self.most = max(self.most, self.running)
        self.asked.set()
        await self.go.wait()
        self.running -= 1
        return job(*given)

    async def close(self) -> None:
        self.go.set()


async def test_a_battle_is_not_locked_while_its_bot_thinks(tmp_path: Path) -> None:
    held = Held()
    async with serving(tmp_path, workers=Workers(Inline(), Inline(), held)) as server:
        anna = await server.player("Anna")
        battle = await anna.open()
        assert (await anna.sit(battle, "north", bot="random")).status == 201
        assert (await anna.sit(battle, "south")).status == 201
        assert (await anna.order(battle, "end turn")).status == 200
        await held.asked.wait()
        n = (await anna.view(battle))["n"]
        assert (await anna.order(battle, "offer draw")).status == 200
        held.go.set()
        live = await server.running.battles.get(battle)
        await eventually("the bot has played", lambda: live.to_act() == ("south",))
        assert live.n > n + 2
        assert held.most == 1
        assert verify.verify(await server.stranger.export(battle)).fault is None
