"""Who has been silent, as the verifier counts it: a fallen flag, or a month; naming others is no sign of life."""

from types import SimpleNamespace
from typing import Any

import pytest

from replay.proof.silence import Silence

NAMES = ("south", "north")


def block(
    by: str, kind: str, n: int, at: str = "2026-01-01T00:00:00.000Z", facts: tuple[str, ...] = (), **data: Any
) -> Any:
    """A block of the log: its first event, and the types of all."""
    first = SimpleNamespace(by=by, type=kind, n=n, at=at, event=SimpleNamespace(**data))
    return SimpleNamespace(first=first, facts=[SimpleNamespace(type=each) for each in facts])


@pytest.fixture
def timed() -> Silence:
    return Silence(NAMES, has_pace=True)


def test_with_clocks_a_side_is_silent_since_its_flag_has_fallen(timed: Silence) -> None:
    timed.passed(block("server", "ClockFired", 7, what="deadline", side="north"))
    assert (timed.since("north", ""), timed.since("south", "")) == (7, 0)


@pytest.mark.parametrize("what", ["claim", "pause", "vacation"])
def test_another_clock_event_is_no_fallen_flag(timed: Silence, what: str) -> None:
    timed.passed(block("north", "ClockFired", 7, what=what, side="north"))
    assert timed.since("north", "") == 0


def test_another_event_that_speaks_of_a_deadline_is_no_fallen_flag(timed: Silence) -> None:
    timed.passed(block("server", "TurnBegan", 7, what="deadline", side="north"))
    assert timed.since("north", "") == 0


def test_who_has_ordered_since_is_not_silent(timed: Silence) -> None:
    timed.passed(block("server", "ClockFired", 7, what="deadline", side="north"))
    timed.passed(block("south", "OrderAccepted", 8))
    assert timed.since("north", "") == 7
    timed.passed(block("north", "OrderAccepted", 9))
    assert timed.since("north", "") == 0


def test_nobody_is_silent_before_anything_has_happened() -> None:
    for pace in (True, False):
        assert Silence(NAMES, pace).since("south", "2027-01-01T00:00:00.000Z") == 0
        assert Silence(NAMES, pace).since("east", "2027-01-01T00:00:00.000Z") == 0
