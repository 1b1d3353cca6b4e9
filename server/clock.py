"""The clock: the time now, and times as the log writes them.

A clock is always a parameter, so that a simulation can own it.
"""

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from time import time_ns
from typing import Protocol


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> str:
        """The time as the log writes it: `YYYY-MM-DDTHH:MM:SS.mmmZ`."""


class SystemClock:
    """The time of this machine."""

    def now(self) -> str:
        """The time as the log writes it."""
        second, millisecond = divmod(time_ns() // 1_000_000, 1_000)
        return f"{_second(second)}.{millisecond:03}Z"


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
