"""The pace of a battle: how fast it is played, and which of the time counts.

A pace is written `3d+7d`: three more days with each question put to a side, on top of a bank of seven. With
` weekdays` after it Saturdays and Sundays do not count, in UTC for everybody: this rule needs no knowledge of where
the players live, and gives both the same week.

Units:  milliseconds as integers; a moment is milliseconds since 1970-01-01T00:00Z
"""

import re
from functools import lru_cache

from msgspec import Struct

from domain.basics.errors import Refusal

MINUTE_MS = 60_000
HOUR_MS = 60 * MINUTE_MS
DAY_MS = 24 * HOUR_MS
UNITS = {"d": DAY_MS, "h": HOUR_MS, "m": MINUTE_MS}
MOST_INCREMENT_MS, MOST_BANK_MS = 60 * DAY_MS, 365 * DAY_MS

NO_CLOCK = "none"
WEEKDAYS = "weekdays"
PRESETS = {
    "live": "10m+1h",
    "brisk": "1d+3d",
    "steady": "3d+7d",
    "workdays": "3d+7d weekdays",
    "weekly": "7d+14d",
    "leisurely": "14d+28d",
}
"""Paces by name."""

_PACE = re.compile(r"(\d{1,4})([dhm])\+(\d{1,4})([dhm])( weekdays)?", re.A)
_MONDAY_MS = 3 * DAY_MS  # 1970 began on a Thursday: this much after the Monday of its week
_WEEK, _WORK = 7 * DAY_MS, 5 * DAY_MS


class Pace(Struct, frozen=True, gc=False):
    """Bank and increment; `weekdays`: Saturdays and Sundays do not count."""

    increment_ms: int
    bank_ms: int
    weekdays: bool = False

    @property
    def most_ms(self) -> int:
        """The time that a side starts with and can never exceed."""
        return self.bank_ms + self.increment_ms

    def text(self) -> str:
        """The canonical spelling, in the largest units that fit."""
        days = f" {WEEKDAYS}" if self.weekdays else ""
        return f"{_length(self.increment_ms)}+{_length(self.bank_ms)}{days}"

    def counted(self, start: int, end: int) -> int:
        """The part of the time between two moments that counts."""
        return _worked(end) - _worked(start) if self.weekdays else end - start

    def after(self, start: int, amount: int) -> int:
        """The first moment at which `amount` of the time after `start` has counted."""
        if not self.weekdays or not amount:
            return start + amount
        week, rest = divmod(_worked(start) + amount, _WORK)
        return (week * _WEEK + rest if rest else (week - 1) * _WEEK + _WORK) - _MONDAY_MS


def _worked(moment: int) -> int:
    """Time that counts before a moment: Monday to Friday."""
    week, rest = divmod(moment + _MONDAY_MS, _WEEK)
    return week * _WORK + min(rest, _WORK)


def _length(span_ms: int) -> str:
    unit, size = next((unit, size) for unit, size in UNITS.items() if span_ms % size == 0)
    return f"{span_ms // size}{unit}"


def pace_of(written: str) -> Pace | None:
    """Parse a pace or a preset name; None for no clocks ("" or `none`).

    Raises: Refusal core.bad-pace
    """
    wanted = " ".join(written.lower().split()).replace(" + ", "+")
    if wanted in ("", NO_CLOCK):
        return None
    found = _PACE.fullmatch(PRESETS.get(wanted, wanted))
    if found is None:
        raise _bad(written)
    increment, bank = int(found[1]) * UNITS[found[2]], int(found[3]) * UNITS[found[4]]
    if not 0 < increment <= MOST_INCREMENT_MS or bank > MOST_BANK_MS:
        raise _bad(written)
    return Pace(increment, bank, found[5] is not None)


def canonical_pace(written: str) -> str:
    """The canonical spelling of a pace, "" for no clocks.

    Raises: Refusal core.bad-pace
    """
    pace = pace_of(written)
    return "" if pace is None else pace.text()


def _bad(written: str) -> Refusal:
    return Refusal("core.bad-pace", "CORE-CLOCK", pace=written[:40], known=sorted(PRESETS))


# --- moments

_ERA_DAYS, _TO_1970 = 146_097, 719_468  # days of 400 years; from 0000-03-01 to 1970-01-01


@lru_cache(256)
def moment_of(at: str) -> int:
    """A time stamp of the log as a moment."""
    year, month, day = int(at[:4]), int(at[5:7]), int(at[8:10])
    clock = int(at[11:13]) * HOUR_MS + int(at[14:16]) * MINUTE_MS + int(at[17:19]) * 1000 + int(at[20:23])
    year -= month < 3  # years that begin in March have their leap day at the end
    days = (153 * ((month + 9) % 12) + 2) // 5 + day - 1 + 365 * year + year // 4 - year // 100 + year // 400
    return (days - _TO_1970) * DAY_MS + clock


def text_of(moment: int) -> str:
    """A moment as a time stamp of the log."""
    days, clock = divmod(moment, DAY_MS)
    era, day = divmod(days + _TO_1970, _ERA_DAYS)
    year = (day - day // 1460 + day // 36_524 - day // 146_096) // 365
    day -= 365 * year + year // 4 - year // 100
    month = (5 * day + 2) // 153
    day -= (153 * month + 2) // 5 - 1
    month = month + 3 if month < 10 else month - 9
    hours, clock = divmod(clock, HOUR_MS)
    minutes, clock = divmod(clock, MINUTE_MS)
    seconds, thousandths = divmod(clock, 1000)
    year += era * 400 + (month < 3)
    return f"{year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{seconds:02}.{thousandths:03}Z"
