"""The clock of this machine."""

import time
from datetime import UTC, datetime
from functools import lru_cache
from typing import Protocol

from replay.writing.clock import Clock


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
