"""When a player wants a letter of some kind: now, later, or never.

Pure: preferences and times are arguments. Quiet hours and the hour of the digest are those of the player's zone; where
a clock is put forward or back there, an hour that does not exist ends when it would have begun, and one that comes
twice counts once.
"""

from datetime import UTC, date, datetime, timedelta
from datetime import time as hour_of_day
from zoneinfo import ZoneInfo

from replay.writing.clock import written
from server.shown.moments import zone_of
from server.store.tables.correspondents import Correspondent
from server.store.tables.outbox import LetterKind

NEVER = "never"
"""Returned instead of a time: the player does not want it."""
DIGEST_HOUR = 18
ALWAYS = frozenset(
    {
        LetterKind.ANSWER,
        LetterKind.CONFIRM,
        LetterKind.LOGIN,
        LetterKind.WELCOME,
        LetterKind.INVITE,
        LetterKind.INVITED,
        LetterKind.FAULT,
        LetterKind.NOTICE,
        LetterKind.COMPLAINT,
        LetterKind.CLUB_INVITE,
        LetterKind.SEATED,
        LetterKind.CAMPAIGN,
    }
)
"""Letters sent at once whatever the preferences: the player has just asked for them, cannot begin without them,
or runs the server and has to know."""
ASKING = frozenset({LetterKind.TURN, LetterKind.DECISION, LetterKind.CONTRIBUTION})
"""Letters that put a question to a side."""
WARNINGS = frozenset({LetterKind.REMINDER, LetterKind.FLAG})
"""Letters that warn of a clock: they do not wait for the digest, which would come too late."""
ONCE_A_DAY = frozenset({LetterKind.DIGEST, LetterKind.ORGANISING, LetterKind.BULLETIN})
"""Letters that wait for no digest: they come once a day, or once a week, by themselves."""
URGENT = ASKING | WARNINGS | {LetterKind.PAUSE, LetterKind.DISPUTE}


def name_of(kind: str) -> str:
    """The first word of the kind of an outbox row: `reminder` of `reminder:24h:17`."""
    return kind.partition(":")[0]


def due(kind: str, wishes: Correspondent, created: str, now: str) -> str:
    """ "" for now, the time until which to wait, or NEVER; for a letter of a kind posted at `created`.

    Shape: times as the log writes them
    """
    name = name_of(kind)
    if name in ALWAYS:
        return ""
    if wishes.stopped or wishes.delivery == "none":
        return NEVER
    if wishes.delivery == "urgent" and name not in URGENT:
        return NEVER
    zone, at = zone_of(wishes.zone), datetime.fromisoformat(now)
    if waits_for_digest(kind, wishes):
        at = max(at, _next(DIGEST_HOUR, datetime.fromisoformat(created), zone))
    at = _after_quiet(wishes.quiet, at, zone)
    return written(at.astimezone(UTC)) if at > datetime.fromisoformat(now) else ""


def waits_for_digest(kind: str, wishes: Correspondent) -> bool:
    """Whether a letter goes with the others of the day."""
    return wishes.delivery == "digest" and name_of(kind) not in ALWAYS | WARNINGS | ONCE_A_DAY


def quiet_hours(quiet: str) -> tuple[int, int] | None:
    """`22-8` as (22, 8); None for no quiet hours, or for anything else."""
    begins, dash, ends = quiet.partition("-")
    if not (dash and begins.isdigit() and ends.isdigit() and len(begins) <= 2 and len(ends) <= 2):
        return None
    first, last = int(begins) % 24, int(ends) % 24
    return (first, last) if first != last else None


def _after_quiet(quiet: str, at: datetime, zone: ZoneInfo) -> datetime:
    """The same moment, or the end of the quiet hours it falls into."""
    hours = quiet_hours(quiet)
    if hours is None:
        return at
    first, last = hours
    hour = at.astimezone(zone).hour
    is_quiet = first <= hour < last if first < last else hour >= first or hour < last
    return _next(last, at, zone) if is_quiet else at


def _next(hour: int, after: datetime, zone: ZoneInfo) -> datetime:
    """The first moment from `after` on at which clocks in a zone show an hour."""
    today = after.astimezone(zone).date()
    return next(at for at in (_at(today + timedelta(days=days), hour, zone) for days in range(3)) if at >= after)


def _at(day: date, hour: int, zone: ZoneInfo) -> datetime:
    """An hour of a day: the first if it comes twice; if it is skipped, the moment when it would have begun."""
    return datetime.combine(day, hour_of_day(hour), zone).astimezone(UTC)
