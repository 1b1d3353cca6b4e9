"""Which of the scheduled backups are kept: the newest ones, and one for each of the last hours, days and so on."""

import re
from collections.abc import Mapping, Sequence
from datetime import date

from msgspec import Struct

from server.settings import BadSetting

_PART = re.compile(r"([1-9]\d{0,3})([hdwm]?)")


class Retention(Struct, frozen=True):
    """How many backups are kept: the `newest`, and the newest one of each of so many hours, days, weeks (from Monday)
    and months that have one. Periods are those of UTC."""

    newest: int = 0
    hours: int = 0
    days: int = 0
    weeks: int = 0
    months: int = 0

    def kept(self, made: Sequence[str]) -> frozenset[str]:
        """Which of the times (as the log writes them) at which backups were made are kept; the newest always is."""
        newest_first = sorted(made, reverse=True)
        found = set(newest_first[: max(1, self.newest)])
        for count, period in (
            (self.hours, lambda at: at[:13]),
            (self.days, lambda at: at[:10]),
            (self.weeks, lambda at: date.fromisoformat(at[:10]).isocalendar()[:2]),
            (self.months, lambda at: at[:7]),
        ):
            of: dict[object, str] = {}
            for at in newest_first:
                of.setdefault(period(at), at)
            found.update(list(of.values())[:count])
        return frozenset(found)


UNITS: Mapping[str, str] = {"": "newest", "h": "hours", "d": "days", "w": "weeks", "m": "months"}


def retention_in(text: str) -> Retention:
    """What a setting says: a number of the newest, or hours, days, weeks and months, `24h,7d,4w,12m`.

    Raises: BadSetting
    """
    counts: dict[str, int] = {}
    for part in text.split(","):
        found = _PART.fullmatch(part.strip())
        if found is None or UNITS[found[2]] in counts:
            raise BadSetting(f"“{text}” says not which backups are kept: 7 for the newest, or 24h,7d,4w,12m.")
        counts[UNITS[found[2]]] = int(found[1])
    return Retention(**counts)
