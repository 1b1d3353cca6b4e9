"""Refuse mails too large or too nested to parse.

Bytes and lines are counted with a few linear searches. Python's parser is quadratic in some places (parameters of a
Content-Type, blocks of a delivery report, lines times depth), so each of them has its limit here.
"""

import re

MOST_BYTES = 1024 * 1024
MOST_LINES = 20_000
MOST_HEAD = 32 * 1024
MOST_FIELD = 8 * 1024
MOST_CONTENT_FIELD = 1024
MOST_CONTENT_FIELDS = 10 * 1024
MOST_BOUNDARIES = 200
MOST_REPORT_LINES = 5_000
MOST_PARTS = 50
MOST_DEPTH = 20
MOST_TEXT = 64 * 1024
MOST_TEXT_LINES = 2_000
MOST_HTML = 256 * 1024
MOST_TAGS = 10_000
MOST_HTML_DEPTH = 200

_BOUNDARY = re.compile(rb"^--", re.M)
_CONTENT = re.compile(rb"^content-[a-z-]{1,40}[ \t]*:[^\n]*(?:\n[ \t][^\n]*)*", re.M | re.I)
_SMUGGLED = re.compile(rb"^\.\n(?:(?:ehlo|helo|lhlo|rset|noop|quit)\b[^\n]{0,300}\n){0,4}mail from:", re.M | re.I)


class Capped(Exception):
    """A mail that is not read any further. `why` is its code in `Reading.why`."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def plain(raw: bytes) -> bytes:
    """The bytes with one kind of line end, and without NULs and leading blank lines."""
    return raw.replace(b"\0", b"").replace(b"\r\n", b"\n").replace(b"\r", b"\n").lstrip(b"\n")


def require_small(content: bytes) -> None:
    """Refuse a mail whose structure would cost too much; `content` is `plain`.

    Raises: Capped `lines`, `boundaries`, `content-fields`, `report`, `smuggled`
    """
    lines = content.count(b"\n")
    if lines > MOST_LINES:
        raise Capped("lines")
    if _SMUGGLED.search(content):
        raise Capped("smuggled")
    folded = content.lower()
    if b"boundary" in folded and sum(1 for _ in _BOUNDARY.finditer(content)) > MOST_BOUNDARIES:
        raise Capped("boundaries")
    total = 0
    for field in _CONTENT.finditer(content):
        length = field.end() - field.start()
        total += length
        if length > MOST_CONTENT_FIELD or total > MOST_CONTENT_FIELDS:
            raise Capped("content-fields")
    if b"delivery-status" in folded and lines > MOST_REPORT_LINES:
        raise Capped("report")
