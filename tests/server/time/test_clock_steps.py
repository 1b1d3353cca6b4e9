"""Whatever the clock of the machine does, what was accepted can be proven."""

import random
from pathlib import Path

import pytest
from msgspec.structs import replace

from domain.basics.pace import DAY_MS
from domain.catalogue import RULESETS
from domain.log import record
from replay.proof.verify import NOT_ALL_JUDGED, verify
from server.play.archive import export_battle
from server.play.branching import nearest_place, open_branch
from server.play.live_battle import LiveBattle
from server.play.rules_version import change_rules
from server.time.timekeeper import pause, resume
from tests.server.time.correspondence import Post, posting
from tests.support.clock import ManualClock

STEPS_MS = (-2_000, -3 * DAY_MS, 10 * DAY_MS)
MOMENTS = 100


def proven(post: Post, battle: str) -> int:
    report = verify(export_battle(post.store, post.battles.keys, battle))
    assert report.fault is None
    return report.exit


async def at_random(post: Post, live: LiveBattle, chance: random.Random) -> None:
    """A player does something about a battle that lasts: an order of whoever is to act, or a word about its clocks."""
    battle = live.recording.battle
    side = next(iter(live.to_act()), "south")
    seat = battle.seats[side]
    clocks = live.recording.clocks
    assert clocks is not None
    if clocks.paused or (clocks.asked and chance.random() < 0.5):
        await resume(live, seat.player)
    elif not clocks.asked and chance.random() < 0.2:
        await pause(live, seat.player)
    else:
        options = [option.order for option in live.options(side) if not option.order.startswith("resign")]
        await post.order(live.id, side, chance.choice(options))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
async def test_a_clock_that_steps_ruins_no_proof(tmp_path: Path, part: int) -> None:
    chance, clock = random.Random(f"steps {part}"), ManualClock()
    async with posting(tmp_path / "data", clock) as post:
        anna, bob = await post.player("Anna"), await post.player("Bob")
        battle = (await post.battle(anna, bob, "3d+7d")).id
    for moment in range(MOMENTS // 4):
        step_ms = STEPS_MS[moment % len(STEPS_MS)]
        if chance.random() < 0.3:  # at start
            clock.wait(step_ms)
        async with posting(tmp_path / "data", clock) as post:
            live = await post.battles.get(battle)
            for _ in range(chance.randint(1, 6)):
                clock.wait(chance.randrange(60_000))
                await at_random(post, live, chance)
                await post.keeper.tick(clock.now())
            clock.wait(step_ms)
            await at_random(post, live, chance)
            await post.keeper.tick(clock.now())
            assert proven(post, battle) in (0, NOT_ALL_JUDGED)
            if live.recording.battle.ended:
                battle = (await post.battle(anna, bob, "3d+7d")).id
    async with posting(tmp_path / "data", clock) as post:
        if not (await post.battles.get(battle)).recording.battle.ended:
            await post.order(battle, "south", "resign")
        assert {proven(post, row.battle) for row in post.store.battles()} == {0}


async def test_orders_disputes_and_the_umpire_keep_the_time_of_the_log(tmp_path: Path) -> None:
    clock = ManualClock()
    async with posting(tmp_path / "data", clock) as post:
        live = await post.battle(await post.player("Anna"), await post.player("Bob"))
        newest = live.recording.newest_at
        clock.wait(-3 * DAY_MS)
        await post.order(live.id, "south")
        await post.order(live.id, "north", 'dispute 5 "no"')
        times = {recorded.at for recorded in live.recording.timeline.events if recorded.at >= newest}
        assert times == {newest}


async def test_a_branch_is_opened_no_earlier_than_what_it_branches_from(tmp_path: Path) -> None:
    clock = ManualClock()
    async with posting(tmp_path / "data", clock) as post:
        anna = await post.player("Anna")
        live = await post.battle(anna, await post.player("Bob"))
        await post.order(live.id, "south")
        clock.wait(-DAY_MS)
        n = nearest_place(live, live.n)
        branch = await open_branch(post.battles, live, anna, n, "players")
        assert branch.recording.header.created == branch.recording.newest_at == live.recording.newest_at
        assert proven(post, branch.id) in (0, NOT_ALL_JUDGED)


async def test_a_change_of_rules_keeps_the_time_of_the_log(tmp_path: Path) -> None:
    clock = ManualClock()
    async with posting(tmp_path / "data", clock) as post:
        live = await post.battle(await post.player("Anna"), await post.player("Bob"))
        newest = live.recording.newest_at
        old = RULESETS["tts"]
        change_rules(post.store, live.id, {"tts": replace(old, version="99")}, clock.wait(-DAY_MS))
        assert record.time_of(post.store.lines(live.id)[-1]) == newest
