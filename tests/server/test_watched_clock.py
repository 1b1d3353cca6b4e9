"""A clock that has been set is found out, and time goes on meanwhile."""

import pytest

from domain.basics.pace import DAY_MS, HOUR_MS, moment_of, text_of
from replay.writing.clock import later
from server.watched_clock import AHEAD, BEHIND, HOLD_MS, PARTED, PARTED_MS, WatchedClock
from tests.support.clock import START, ManualClock


def kind_of(watched: WatchedClock) -> str:
    return watched.doubt.kind if watched.doubt else ""


def test_the_time_is_that_of_the_machine_while_the_clocks_agree():
    machine = ManualClock()
    watched = WatchedClock(machine)
    machine.wait(days=400)
    assert (watched.now(), kind_of(watched)) == (machine.now(), "")


@pytest.mark.parametrize("step_ms", [-2_000, 2_000, PARTED_MS, -PARTED_MS])
def test_a_step_of_up_to_a_minute_is_taken_over(step_ms: int):
    machine = ManualClock()
    watched = WatchedClock(machine)
    machine.step(step_ms)
    assert (watched.now(), kind_of(watched)) == (machine.now(), "")


@pytest.mark.parametrize("step_ms", [10 * DAY_MS, -3 * DAY_MS, PARTED_MS + 1, -PARTED_MS - 1])
def test_time_goes_on_from_where_it_was_when_the_clock_has_parted(step_ms: int):
    machine = ManualClock()
    watched = WatchedClock(machine)
    machine.wait(hours=5)
    machine.step(step_ms)
    machine.wait(seconds=7)
    assert watched.now() == later(START, 5 * 3600 + 7)
    assert watched.doubt is not None
    assert (watched.doubt.kind, watched.doubt.off_ms, watched.doubt.machine) == (PARTED, step_ms, machine.now())
    machine.step(-step_ms)
    assert (watched.now(), kind_of(watched)) == (machine.now(), "")


def test_what_the_operator_confirms_is_believed():
    machine = ManualClock()
    watched = WatchedClock(machine)
    machine.step(days=10)
    watched.confirm()
    assert (watched.now(), kind_of(watched)) == (machine.now(), "")
    machine.step(days=-10)
    assert kind_of(watched) == PARTED


def test_steps_that_are_small_each_add_up_only_within_an_hour():
    machine = ManualClock()
    watched = WatchedClock(machine)
    for _ in range(100):
        machine.step(seconds=-50)
        machine.wait(HOUR_MS)
        assert (watched.now(), kind_of(watched)) == (machine.now(), "")
    machine.step(seconds=-50)
    machine.wait(minutes=1)
    machine.step(seconds=-50)
    assert kind_of(watched) == PARTED


def test_a_start_more_than_a_day_ahead_of_the_newest_event_is_doubted_for_ten_minutes():
    machine = ManualClock()
    watched = WatchedClock(machine, text_of(machine.moment - DAY_MS - 1))
    assert (kind_of(watched), watched.now()) == (AHEAD, machine.now())
    machine.wait(HOLD_MS - 1)
    assert kind_of(watched) == AHEAD
    machine.wait(1)
    assert kind_of(watched) == ""


@pytest.mark.parametrize("newest_at", ["", text_of(moment_of(START) - DAY_MS), START])
def test_a_start_within_a_day_of_the_newest_event_is_believed(newest_at: str):
    assert kind_of(WatchedClock(ManualClock(), newest_at)) == ""


def test_a_start_behind_the_newest_event_is_doubted_until_the_clock_has_caught_up():
    machine = ManualClock()
    watched = WatchedClock(machine, later(START, 3600))
    assert watched.doubt is not None
    assert (watched.doubt.kind, watched.doubt.off_ms) == (BEHIND, -HOUR_MS)
    machine.wait(minutes=59)
    assert kind_of(watched) == ""


def test_a_clock_that_is_put_right_after_the_start_is_believed():
    machine = ManualClock()
    watched = WatchedClock(machine, later(START, 3 * 86400))
    machine.wait(seconds=40)
    machine.step(days=3)
    assert (watched.now(), kind_of(watched)) == (machine.now(), "")
    machine.step(days=3)
    assert kind_of(watched) == PARTED


def test_a_start_that_is_doubted_can_be_confirmed():
    for newest_at in (later(START, 3600), later(START, -90_000)):
        watched = WatchedClock(ManualClock(), newest_at)
        assert kind_of(watched)
        watched.confirm()
        assert kind_of(watched) == ""
