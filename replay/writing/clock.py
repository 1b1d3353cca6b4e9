"""Times as the log writes them, from a clock that is always a parameter, so that a simulation can own it."""

from datetime import datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> str:
        """The time as the log writes it: `YYYY-MM-DDTHH:MM:SS.mmmZ`."""


def written(moment: datetime) -> str:
    """A moment as the log writes it, to the millisecond."""
    return f"{moment.replace(tzinfo=None).isoformat(timespec='milliseconds')}Z"


def later(at: str, seconds: float) -> str:
    """The time `seconds` after another."""
    return written(datetime.fromisoformat(at) + timedelta(seconds=seconds))
