"""The clock: the time now, and times as the log writes them.

A clock is always a parameter, so that a simulation can own it.
"""

from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> str:
        """The time as the log writes it: `YYYY-MM-DDTHH:MM:SS.mmmZ`."""


class SystemClock:
    """The time of this machine."""

    def now(self) -> str:
        """The time as the log writes it."""
        return written(datetime.now(UTC))


def written(moment: datetime) -> str:
    """A moment as the log writes it, to the millisecond."""
    return f"{moment.replace(tzinfo=None).isoformat(timespec='milliseconds')}Z"


def later(at: str, seconds: float) -> str:
    """The time `seconds` after another."""
    return written(datetime.fromisoformat(at) + timedelta(seconds=seconds))
