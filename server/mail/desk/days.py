"""Read the day that a player means."""

import re
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from replay.writing.clock import written

_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_EUROPEAN = re.compile(r"(\d{1,2})[./](\d{1,2})[./](\d{4})")


def day_of(at: str, zone: str) -> date:
    """The day that a moment falls on in a zone."""
    return datetime.fromisoformat(at).astimezone(ZoneInfo(zone)).date()


def day_in(word: str) -> date | None:
    """Parse a day: `2026-12-24`, `24.12.2026` or `24/12/2026`; None if it is not one."""
    iso, european = _ISO.fullmatch(word), _EUROPEAN.fullmatch(word)
    if iso:
        year, month, day = iso.groups()
    elif european:
        day, month, year = european.groups()
    else:
        return None
    try:
        found = date(int(year), int(month), int(day))
    except ValueError:
        return None
    return found if date.min.year < found.year < date.max.year else None  # a day before and after it must exist


def begin_of(day: date, zone: str) -> str:
    """The moment at which a day begins in a zone, as the log writes it."""
    return written(datetime.combine(day, time(), ZoneInfo(zone)).astimezone(UTC))


def end_of(day: date, zone: str) -> str:
    """The moment at which a day ends in a zone."""
    return begin_of(day + timedelta(days=1), zone)
