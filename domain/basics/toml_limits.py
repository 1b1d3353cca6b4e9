"""Bounds a player's TOML before anything parses it: its size, and how deep it nests.

`tomllib` keeps every prefix of a dotted key, so the memory for one key grows with the square of its dots, and it
descends once for each bracket. The scan here is linear, whatever the text: it knows strings and comments, and reads
what is no TOML up to the place where the parser will refuse it.
"""

import re

FILE_LIMIT = 32 * 1024  # bytes in UTF-8; the largest packaged scenario has a quarter of it
DEPTH_LIMIT = 8  # dots of a key, and brackets within each other

_TOKEN = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+(?:"{3,5}|\Z)'  # a string of several lines may end with quotes of its own
    r"|'''(?:[^']|'(?!''))*+(?:'{3,5}|\Z)"
    r'|"(?:[^"\\\n]|\\.)*+"?'
    r"|'[^'\n]*+'?"
    r"|#[^\n]*+"
    r"|[.\[\]{}=,\n]",
    re.DOTALL,
)


def is_too_large(text: str) -> bool:
    """Whether a text has more bytes than a file may have."""
    return len(text) > FILE_LIMIT or len(text.encode("utf-8", "surrogatepass")) > FILE_LIMIT


def is_too_deep(text: str) -> bool:
    """Whether a key has too many dots, or brackets lie too deep within each other; the text may be anything."""
    dots = open_brackets = 0
    for found in _TOKEN.finditer(text):
        token = found[0]
        if token == ".":
            dots += 1
            if dots > DEPTH_LIMIT:
                return True
        elif token in ("[", "{"):
            dots = 0
            open_brackets += 1
            if open_brackets > DEPTH_LIMIT:
                return True
        elif token in ("]", "}"):
            dots = 0
            open_brackets -= 1
        elif token in ("=", ",", "\n"):
            dots = 0
    return False
