"""Read from an automatic answer that its sender is away, and until when."""

import re
from datetime import date, timedelta
from email.utils import parsedate_to_datetime

from server.mail.incoming.reading.folding import fold
from server.mail.incoming.reading.head import MailHead
from server.mail.incoming.reading.machine import MachineMark, is_automatic_subject

MOST_LOOKED_AT = 4_000
FARTHEST_DAYS = 300
"""A day without a year is its next occurrence after the mail was written, if it is not farther away than this."""

_MONTHS = (
    *("jan(?:uary|vier|v)?", "f(?:eb(?:ruary)?|évr(?:ier)?|ev(?:rier)?)", "mar(?:ch|s)?", "a(?:pr(?:il)?|vr(?:il)?)"),
    *("ma[yi]", "ju(?:ne?|in)", "jul(?:y|uillet)?|juil(?:let)?", "a(?:ug(?:ust)?|o[uû]t)", "sept?(?:ember|embre)?"),
    *("oct(?:ober|obre)?", "nov(?:ember|embre)?", "d(?:ec(?:ember|embre)?|éc(?:embre)?)"),
)
_MONTH = "|".join(f"(?P<m{number}>{name})" for number, name in enumerate(_MONTHS, 1))
_YEAR = r"(?:,? (?P<year>20\d\d))?"
_DAYS = (
    re.compile(r"(?<!\d)(?P<year>20\d\d)-(?P<month>\d\d)-(?P<day>\d\d)(?!\d)"),
    re.compile(rf"(?<!\d)(?P<day>\d{{1,2}})(?:st|nd|rd|th|er)?(?: of)? (?:{_MONTH})\b\.?{_YEAR}", re.I),
    re.compile(rf"\b(?:{_MONTH})\.? (?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?!\d){_YEAR}", re.I),
    re.compile(r"(?<!\d)(?P<day>\d{1,2})[/.](?P<month>\d{1,2})[/.](?P<year>20\d\d)(?!\d)"),
)
_BACK = re.compile(
    r"\b(?:back|return(?:ing)?|retour|reviens|revenons|reviendrai|rentre|available (?:again )?from)\b", re.I
)
_UNTIL = re.compile(r"\b(?:until|till?|through|jusqu'(?:au|à)|au|to)\b[^.\n]{0,20}$", re.I)
_BEFORE = 40
_AWAY = re.compile(
    r"out of (?:the )?office|\bon (?:vacation|holidays?|(?:annual )?leave)\b|\b(?:i am|i'm|we are) away\b|"
    r"away (?:until|from)|"
    r"\bsuis (?:actuellement )?(?:absente?|en congés?|en vacances)|absente? (?:du|jusqu)|\ben (?:congés?|vacances)\b|"
    r"de retour le|will be back|return(?:ing)? on|nicht im büro|abwesend",
    re.I,
)


def is_absence(mark: MachineMark, head: MailHead, text: str) -> bool:
    """Whether an automatic answer says that its writer is away."""
    if not mark.answers:
        return False
    if mark.why == "X-Vacation" or "vacation" in head.first("auto-submitted").lower():
        return True
    return is_automatic_subject(fold(head.subject)) or bool(_AWAY.search(fold(text[:MOST_LOOKED_AT])))


def back_on(head: MailHead, text: str) -> str:
    """The day on which the writer is back, YYYY-MM-DD, if the note names exactly one; else "".

    If it names several, the one called the return, else the one until which they are away. In 3/4/2027 the month is
    ambiguous: such a day does not count.
    """
    words = fold(f"{head.subject}\n{text[:MOST_LOOKED_AT]}".replace("\n", " "))
    written = _date(head)
    found = [(at, day) for at, day in _days(words, written) if day]
    every = {day for _, day in found}
    backs = {day for at, day in found if _BACK.search(words[max(0, at - _BEFORE) : at])}
    untils = {day for at, day in found if _UNTIL.search(words[max(0, at - _BEFORE) : at])}
    for days in (every, backs, untils):
        if len(days) == 1:
            return days.pop()
    return ""


def _days(words: str, written: date | None) -> list[tuple[int, str]]:
    return [(match.start(), _day(match, written)) for pattern in _DAYS for match in pattern.finditer(words)]


def _day(match: re.Match[str], written: date | None) -> str:
    named = match.groupdict()
    day = int(named["day"])
    month = int(named.get("month") or 0) or next(n for n in range(1, 13) if named.get(f"m{n}"))
    if re.search(r"\d[/.]\d", match[0]):
        if month > 12 and day <= 12:
            day, month = month, day
        elif day <= 12 and day != month:
            return ""
    try:
        if named.get("year"):
            return date(int(named["year"]), month, day).isoformat()
        return _next(written, month, day)
    except ValueError:
        return ""


def _next(written: date | None, month: int, day: int) -> str:
    """The next such day after a mail was written; "" if that is unknown, or too far away.

    Raises: ValueError for a day that the month does not have
    """
    if written is None:
        return ""
    found = date(written.year, month, day)
    if found < written:
        found = date(written.year + 1, month, day)
    return found.isoformat() if found - written <= timedelta(days=FARTHEST_DAYS) else ""


def _date(head: MailHead) -> date | None:
    try:
        return parsedate_to_datetime(head.first("date")[:100]).date()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
