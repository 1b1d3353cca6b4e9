"""What the host tells everybody for a while: a planned break, a change, a thank you."""

from datetime import UTC, datetime

from domain.basics.errors import Refusal
from replay.writing.clock import later, written
from server.store.tables.announcements import Announcement

LONGEST = 300
UNITS_S = {"m": 60, "h": 3600, "d": 86400}
MOST_DIGITS = 5


def planned(texts: dict[str, str], since: str, until: str, now: str) -> list[Announcement]:
    """A notice in some languages (`texts`: those that are "" are left out), from a time ("": now) until another.

    Shape:  times as `moment_in` reads them
    Raises: Refusal core.notice-text, core.notice-time
    """
    begins = moment_in(since, now) if since else now
    ends = moment_in(until, now) if until else ""
    if ends and ends <= max(begins, now):
        raise Refusal("core.notice-time", "CORE-PARSE", text=until[:40])
    lines = {lang: " ".join(text.split()) for lang, text in texts.items() if text.strip()}
    if not lines or any(len(line) > LONGEST or not line.isprintable() for line in lines.values()):
        raise Refusal("core.notice-text", "CORE-PARSE", most=LONGEST)
    return [Announcement(lang, line, begins, ends) for lang, line in lines.items()]


def moment_in(text: str, now: str) -> str:
    """A time as people write it: 2026-11-24T22:00, UTC unless it names an offset; or 30m, 2h, 7d from now.

    Raises: Refusal core.notice-time
    """
    number, unit = text[:-1], text[-1:]
    if number.isascii() and number.isdigit() and len(number) <= MOST_DIGITS and unit in UNITS_S:
        return later(now, int(number) * UNITS_S[unit])
    try:
        at = datetime.fromisoformat(text)
        return written((at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC))
    except (ValueError, OverflowError):
        raise Refusal("core.notice-time", "CORE-PARSE", text=text[:40]) from None


def words_now(notices: list[Announcement], lang: str, now: str) -> str:
    """What is told now, in a language if it is there, else in another; "" for nothing."""
    shown = {one.lang: one.text for one in notices if one.since <= now and (not one.until or now < one.until)}
    return shown.get(lang) or next(iter(shown.values()), "")
