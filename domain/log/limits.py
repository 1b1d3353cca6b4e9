"""What a battle file may hold: how much, how deep, which text, which names and times.

The same limits bind writer and reader (docs/record-format.md). The functions here answer for one value; who refuses,
and how, is the caller's: a file gets a fault (`domain.log.canonical`, `domain.log.record`), a player a refusal before
anything is written.

What could harm a reader is found before the JSON is parsed: the length of a line, and its nesting by counting brackets.
Ordinary lines pay for a count and no more. Text is judged by our own table of Unicode 14.0, not by that of the
interpreter; of what is assigned there, every later version makes the same normal form.
"""

import re
from functools import cache, lru_cache
from unicodedata import is_normalized

from domain.log.unicode_14 import UNASSIGNED

NESTING_LIMIT = 32  # objects and arrays within each other; the one that a line is counts as the first
LINE_LIMIT = 1 << 20  # bytes of a line, without its line feed
STRING_LIMIT = 1 << 16  # bytes of a string or key in UTF-8, without its quotes and before it is escaped
EVENTS_LIMIT = 1 << 20
INTEGER_LIMIT = 1 << 53  # integers are smaller than this, and larger than its negative

_OPENING = b"[{"
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))

_BATTLE = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,63}", re.A)
_PLAYER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", re.A)
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_HOST = re.compile(rf"(?P<name>{_LABEL}(?:\.{_LABEL})*)(?::(?P<port>[1-9]\d{{0,4}}))?", re.A)
_HOST_LENGTH, _LAST_PORT = 253, 65535

_TIME = re.compile(
    r"(?P<year>[2-9]\d{3})-"
    r"(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)"
    r"|02-(?:0[1-9]|1\d|2[0-8]|(?P<leap>29)))"
    r"T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z",
    re.A,
)


def is_deeper(line: bytes, levels: int = NESTING_LIMIT) -> bool:
    """Whether the JSON of a line nests deeper than `levels`; the line may be anything."""
    unescaped = line.replace(b"\\\\", b"").replace(b'\\"', b"")
    outside_strings = b"".join(unescaped.split(b'"')[::2])
    depth = 0
    for mark in outside_strings.translate(None, _NO_BRACKETS):
        depth += 1 if mark in _OPENING else -1
        if depth > levels:
            return True
    return False


def unfit_text(text: str) -> str:
    """Why a text cannot stand in a log: `string-too-long`, `unassigned`, `string-not-nfc`; "" if it can."""
    if text.isascii():
        return "string-too-long" if len(text) > STRING_LIMIT else ""
    if len(text.encode("utf-8", "surrogatepass")) > STRING_LIMIT:
        return "string-too-long"
    if _unassigned().search(text):
        return "unassigned"
    return "" if is_normalized("NFC", text) else "string-not-nfc"


@lru_cache(256)
def is_time(at: str) -> bool:
    """Whether a text is a moment of the log: UTC with milliseconds, a day of the calendar, 2000 or later."""
    found = _TIME.fullmatch(at)
    if found is None or not found["leap"]:
        return found is not None
    year = int(found["year"])
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def is_battle(name: str) -> bool:
    """Whether a text can be the id of a battle."""
    return _BATTLE.fullmatch(name) is not None


def is_player(name: str) -> bool:
    """Whether a text can be the id of a player."""
    return _PLAYER.fullmatch(name) is not None


def is_host(name: str) -> bool:
    """Whether a text can be a host: a DNS name in lower case, with a port if it has one."""
    found = _HOST.fullmatch(name)
    return found is not None and len(found["name"]) <= _HOST_LENGTH and int(found["port"] or 1) <= _LAST_PORT


@cache
def _unassigned() -> re.Pattern[str]:
    """Finds a code point that Unicode 14.0 has not assigned."""
    runs = [[chr(int(point, 16)) for point in run.split("-")] for run in UNASSIGNED.split()]
    return re.compile("[" + "".join("-".join(map(re.escape, run)) for run in runs) + "]")
