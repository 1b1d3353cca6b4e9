"""Write a time or a duration in a reader's zone and language."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo, available_timezones

from replay.telling.words.catalogue import count, find
from replay.telling.words.sentences import fragment

MINUTE_S, HOUR_S, DAY_S = 60, 3600, 24 * 3600


def moment(at: str, zone: str, lang: str) -> str:
    """A time of the log for its reader, along with UTC: "Tuesday 24 November 2026, 18:00 (Paris time; 17:00 UTC)".

    Shape: `at` `YYYY-MM-DDTHH:MM:SS.mmmZ`
    """
    utc = datetime.fromisoformat(at).astimezone(UTC)
    local = utc.astimezone(zone_of(zone))
    if not local.utcoffset():
        return fragment("letter.moment.utc", {"moment": _full(utc, lang)}, lang)
    beside = _full(utc, lang) if utc.date() != local.date() else f"{utc:%H:%M}"
    place = str(local.tzinfo).rpartition("/")[2].replace("_", " ")
    return fragment("letter.moment.zone", {"moment": _full(local, lang), "place": place, "utc": beside}, lang)


def moment_in_short(at: str, zone: str, lang: str) -> str:
    """The same for a table: "24 November, 18:00", in the reader's zone alone."""
    local = datetime.fromisoformat(at).astimezone(zone_of(zone))
    return fragment("letter.moment.short", {"day": local.day, "month": local.month, "time": f"{local:%H:%M}"}, lang)


def _full(when: datetime, lang: str) -> str:
    told = {"weekday": when.weekday(), "day": when.day, "month": when.month, "year": when.year, "time": f"{when:%H:%M}"}
    return fragment("letter.moment", told, lang)


def stretch(seconds: int, lang: str) -> str:
    """A duration in its two largest units: "3 days and 4 hours"; less than a minute is ""."""
    left = max(seconds, 0)
    days, left = divmod(left, DAY_S)
    hours, left = divmod(left, HOUR_S)
    units = (("day", days), ("hour", hours), ("minute", left // MINUTE_S))
    told = [count(unit, number, lang) for unit, number in units if number][:2] or [count("minute", 0, lang)]
    return (find("list.and", lang) or "{}, {}").format(*told) if len(told) > 1 else told[0]


def zone_of(name: str) -> ZoneInfo:
    """The zone of an IANA name; UTC for one that this machine does not know."""
    try:
        return ZoneInfo(name)
    except (LookupError, ValueError, OSError):
        return ZoneInfo("UTC")


def zone_named(name: str) -> str:
    """The IANA zone with a name in any case, or with that city; "" if there is none, or more than one."""
    wanted = name.strip().replace(" ", "_").casefold()
    zones = sorted(available_timezones())
    exact = [zone for zone in zones if zone.casefold() == wanted]
    cities = [zone for zone in zones if "/" in zone and zone.casefold().rpartition("/")[2] == wanted]
    found = exact or cities
    return found[0] if len(found) == 1 else ""
