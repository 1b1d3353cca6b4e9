"""Lines of a battle file: the one spelling, and the limits (docs/record-format.md 1)."""

import json
import re
import unicodedata
from datetime import datetime
from typing import Any

LONGEST_LINE, LONGEST_TEXT, DEEPEST = 1 << 20, 1 << 16, 32
LARGEST = (1 << 53) - 1
STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
TIME = re.compile(r"[2-9]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII)
LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
HOST = re.compile(rf"({LABEL}(?:\.{LABEL})*)(?::([1-9]\d{{0,4}}))?", re.ASCII)
BATTLE = re.compile("[A-Za-z0-9][A-Za-z0-9-]{0,63}")
PLAYER = re.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


class Wrong(Exception):
    """A fault of event `n`."""

    def __init__(self, n: int, kind: str) -> None:
        super().__init__(n, kind)
        self.n, self.kind = n, kind


def canonical(value: object) -> bytes:
    """The one spelling of a value."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def read(n: int, line: bytes) -> dict[str, Any]:
    """The object in the line of event `n`, or of the header with 0."""
    if len(line) > LONGEST_LINE:
        raise Wrong(n, "line-too-long")
    if _is_too_deep(line):
        raise Wrong(n, "too-deep")
    text = _text(n, line)
    numbers: list[str] = NUMBER.findall(STRING.sub('""', text))
    large = [one for one in numbers if len(one) > 17 or abs(int(one) if one.lstrip("-").isdecimal() else 0) > LARGEST]
    try:
        value = json.loads(
            text, parse_int=lambda digits: int(digits) if len(digits) < 4000 else 0, parse_constant=_none
        )
        spelled = canonical(value)
    except ValueError:  # also half of a character
        raise Wrong(n, "not-json") from None
    if any(set(one) & set(".eE") for one in numbers):
        raise Wrong(n, "float")
    if spelled != line and not any(len(one) >= 4000 for one in large):
        raise Wrong(n, "not-canonical")
    if large:
        raise Wrong(n, "integer-too-large")
    _require_fit(n, value)
    if not isinstance(value, dict):
        raise Wrong(n, "not-canonical")
    return value


def _none(name: str) -> Any:
    raise ValueError(name)


def _is_too_deep(line: bytes) -> bool:
    depth, at, is_text = 0, 0, False
    for at in (found.start() for found in re.finditer(rb'\\["\\]|["\[\]{}]', line)):
        byte = line[at : at + 1]
        if byte == b"\\":
            continue
        if byte == b'"':
            is_text = not is_text
        elif not is_text:
            depth += 1 if byte in b"[{" else -1
            if depth > DEEPEST:
                return True
    return False


def _text(n: int, line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError as reason:
        before = re.sub(r"\\.", "", line[: reason.start].decode())
        is_text = before.count('"') % 2 and b'"' in line[reason.start :]
        raise Wrong(n, "not-utf-8" if is_text else "not-json") from None


def _require_fit(n: int, value: object) -> None:
    if isinstance(value, str):
        _require_text(n, value)
    elif isinstance(value, dict):
        for key in value:
            if not key.isascii():
                raise Wrong(n, "key-not-ascii")
            if len(key) > LONGEST_TEXT:
                raise Wrong(n, "string-too-long")
        for one in value.values():
            _require_fit(n, one)
    elif isinstance(value, list):
        for one in value:
            _require_fit(n, one)


def _require_text(n: int, text: str) -> None:
    if len(text.encode()) > LONGEST_TEXT:
        raise Wrong(n, "string-too-long")
    if any(unicodedata.category(one) in ("Cn", "Cs") for one in text if one > "\x7f"):  # Python 3.11 has Unicode 14.0
        raise Wrong(n, "unassigned")
    if not unicodedata.is_normalized("NFC", text):
        raise Wrong(n, "string-not-nfc")


def is_time(text: str) -> bool:
    """Whether a text is a moment of the calendar, from the year 2000 on."""
    try:
        return TIME.fullmatch(text) is not None and bool(datetime.fromisoformat(text[:-1]))
    except ValueError:
        return False


def is_battle(text: str) -> bool:
    """Whether a text is the id of a battle."""
    return BATTLE.fullmatch(text) is not None


def is_player(text: object) -> bool:
    """Whether a value is the id of a player."""
    return isinstance(text, str) and PLAYER.fullmatch(text) is not None


def is_host(text: str) -> bool:
    """Whether a text is the name of a host."""
    found = HOST.fullmatch(text)
    return found is not None and len(found[1]) <= 253 and int(found[2] or 1) <= 65535
