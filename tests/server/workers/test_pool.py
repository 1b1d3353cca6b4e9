"""Worker processes compute apart, are replaced when they die, and refuse what they cannot take."""

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from domain.basics.data import first_scenario, parse_toml, scenario_text
from domain.basics.errors import Refusal
from domain.catalogue import RULESETS
from domain.run.inputs import facts_of_opening
from domain.scripts.reading import Unreadable
from server.workers import INLINE, Busy
from server.workers.pool import ProcessPool
from tests.server.workers import jobs

pytestmark = pytest.mark.slow


@pytest.fixture
async def pool() -> AsyncIterator[ProcessPool]:
    pool = ProcessPool()
    yield pool
    await pool.close()


async def test_a_job_runs_in_another_process_and_the_next_in_the_same(pool: ProcessPool) -> None:
    first = await pool.run(jobs.process_id)
    assert first != os.getpid()
    assert await pool.run(jobs.process_id) == first
    assert await pool.run(jobs.same, {"a": (1, b"\xff", None)}) == {"a": (1, b"\xff", None)}


async def test_a_game_goes_by_its_code(pool: ProcessPool) -> None:
    for ruleset in RULESETS.values():
        assert await pool.run(jobs.title, ruleset) == ruleset.title
        assert await pool.run(jobs.same, ruleset) is ruleset


async def test_what_a_job_raises_comes_back(pool: ProcessPool) -> None:
    with pytest.raises(Refusal) as refused:
        await pool.run(jobs.refuse)
    assert (refused.value.code, refused.value.rule, refused.value.params) == (
        "core.no-order",
        "CORE-ORDER",
        {"what": "nothing"},
    )
    with pytest.raises(Unreadable) as unreadable:
        await pool.run(jobs.cannot_read)
    assert unreadable.value.script.orders[0].text == "gibberish"
    assert unreadable.value.faults[0].refusal.code == "core.parse"
    with pytest.raises(RuntimeError, match="odd"):
        await pool.run(jobs.fail_oddly)
    assert await pool.run(jobs.same, 1) == 1


async def test_a_process_that_dies_is_replaced_and_its_job_repeated_once(pool: ProcessPool, tmp_path: Path) -> None:
    assert await pool.run(jobs.die_once, str(tmp_path / "died")) == "second"
    with pytest.raises(Busy):
        await pool.run(jobs.die)
    assert await pool.run(jobs.same, 1) == 1


async def test_a_process_that_hangs_is_killed() -> None:
    pool = ProcessPool(longest_s=0.0)
    with pytest.raises(Busy):
        await pool.run(jobs.hang)
    await pool.close()


async def test_a_job_that_waits_for_the_processor_does_not_hang(
    pool: ProcessPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.workers.pool.STARVED", 10**6)
    await pool.run(jobs.same, 1)  # the process has been started
    pool.longest_s = 0.1
    assert await pool.run(jobs.wait_a_moment) == "done"
    with pytest.raises(Busy):
        await pool.run(jobs.compute_for_ever)


async def test_a_job_has_a_bound_on_its_memory(pool: ProcessPool) -> None:
    with pytest.raises(MemoryError):
        await pool.run(jobs.fill_memory)


async def test_a_crowd_is_refused_at_once(pool: ProcessPool) -> None:
    pool.most_waiting = 3
    results = await asyncio.gather(*(pool.run(jobs.same, n) for n in range(10)), return_exceptions=True)
    assert results[:4] == [0, 1, 2, 3]
    assert [type(result) for result in results[4:]] == [Busy] * 6


async def test_a_job_given_up_does_not_answer_the_next(pool: ProcessPool) -> None:
    first = await pool.run(jobs.process_id)
    task = asyncio.ensure_future(pool.run(jobs.hang))
    await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await pool.run(jobs.process_id) != first


async def test_the_end_waits_for_nobody_and_starts_nothing(pool: ProcessPool, monkeypatch: pytest.MonkeyPatch) -> None:
    tasks = [asyncio.ensure_future(pool.run(jobs.hang)) for _ in range(5)]
    await asyncio.sleep(0.05)
    monkeypatch.setattr(asyncio, "create_subprocess_exec", None)
    await pool.close()
    ended = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(one) for one in ended] == [Busy] * 5
    with pytest.raises(Busy):
        await pool.run(jobs.same, 1)


async def test_inline_computes_at_once() -> None:
    assert await INLINE.people.run(jobs.process_id) == os.getpid()


@pytest.mark.parametrize("code", RULESETS)
async def test_the_facts_of_an_opening_come_back_as_they_are(pool: ProcessPool, code: str) -> None:
    game, name = RULESETS[code], first_scenario(code)
    scenario = parse_toml(scenario_text(code, name), name)
    assert await pool.run(facts_of_opening, game, scenario) == facts_of_opening(game, scenario)
