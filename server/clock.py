"""The clock: the time now, and times as the log writes them.

A clock is always a parameter, so that a simulation can own it.
"""

import time
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Protocol


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> str:
        """The time as the log writes it: `YYYY-MM-DDTHH:MM:SS.mmmZ`."""


class MachineClock(Clock, Protocol):
    """The clock of a machine, which somebody may set, and beside it one that nobody can."""

    def monotonic_ms(self) -> int:
        """Milliseconds since some moment: they go on at the pace of time, whatever happens to the clock."""


class SystemClock:
    """The time of this machine."""

    def now(self) -> str:
        """The time as the log writes it."""
        second, millisecond = divmod(time.time_ns() // 1_000_000, 1_000)
        return f"{_second(second)}.{millisecond:03}Z"

    def monotonic_ms(self) -> int:
        """Milliseconds since the start of the machine, those that it slept through included where the system counts
        them."""
        return time.clock_gettime_ns(_MONOTONIC) // 1_000_000 if _MONOTONIC else time.monotonic_ns() // 1_000_000


_MONOTONIC = getattr(time, "CLOCK_BOOTTIME", 0)


@lru_cache(maxsize=4)
def _second(second: int) -> str:
    """A second since 1970 as the log writes it: the time is asked for several times in each."""
    return datetime.fromtimestamp(second, UTC).replace(tzinfo=None).isoformat()


def written(moment: datetime) -> str:
    """A moment as the log writes it, to the millisecond."""
    return f"{moment.replace(tzinfo=None).isoformat(timespec='milliseconds')}Z"


def later(at: str, seconds: float) -> str:
    """The time `seconds` after another."""
    return written(datetime.fromisoformat(at) + timedelta(seconds=seconds))
