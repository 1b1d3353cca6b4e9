"""Which letters a name may have: those of one script in common use, as UTS 39 advises ("highly restrictive").

What is refused says why, so that a page can tell: the letter, or the scripts that are mixed.
"""

import unicodedata
from itertools import groupby
from typing import Any

from server.spelling.looks import is_invisible, look_of
from server.spelling.tables import scripts

PUNCTUATION = frozenset("’‘“”«»–·…")
"""What a name may have beside ASCII, letters, marks and digits."""
SHARED = frozenset({"Zyyy", "Zinh"})
TOGETHER = (
    frozenset({"Latn", "Hani", "Hira", "Kana"}),
    frozenset({"Latn", "Hani", "Bopo"}),
    frozenset({"Latn", "Hani", "Hang"}),
)
"""The scripts that Japanese, Chinese and Korean write beside each other."""
MOST_MARKS = 4
"""Marks above one letter (UTS 39, 5.4); polytonic Greek needs three."""


def flaw_in(name: str) -> dict[str, Any]:
    """What is wrong with the letters of a name in NFC: `fault` and what it is about; {} for nothing.

    Faults: `invisible`, `letter` (not in use in names), `mixed` (scripts), `digits` (of several scripts), `marks` (too
    many above one letter), `empty` (neither letter nor digit).
    """
    known = scripts()
    for letter in name:
        if is_invisible(letter):
            return {"fault": "invisible", "point": _named(letter)}
        if not (letter.isascii() or letter in known or letter in PUNCTUATION):
            return {"fault": "letter", "letter": letter, "point": _named(letter)}
    used = {known[letter] for letter in name if letter in known} - SHARED
    if len(used) > 1 and not any(used <= some for some in TOGETHER):
        return {"fault": "mixed", "scripts": sorted(used)}
    if len({ord(letter) - unicodedata.digit(letter) for letter in name if letter.isdecimal()}) > 1:
        return {"fault": "digits"}
    marks = groupby(unicodedata.normalize("NFD", name), lambda letter: unicodedata.category(letter) in ("Mn", "Me"))
    if any(is_mark and len([*some]) > MOST_MARKS for is_mark, some in marks):
        return {"fault": "marks", "most": MOST_MARKS}
    return {} if look_of(name) else {"fault": "empty"}


def _named(letter: str) -> str:
    """A letter as Unicode counts it."""
    return f"U+{ord(letter):04X}"
