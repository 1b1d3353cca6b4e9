"""Fold typographic characters to what a plain keyboard writes.

Phones and word processors change what honest users type: quotes and dashes become typographic, spaces become
unbreakable, invisible marks creep in. Only this is undone: letters with accents stay what they are
(composed, NFC), and so does every word of a phrase. The wide letters of East Asian keyboards become narrow ones.
"""

import re
import unicodedata

_SPACES = "\t\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_NOTHING = "\u00ad\u061c\u180e\u200b\u200c\u2060\u2061\u2062\u2063\u2064\ufeff"
_DIRECTIONS = "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_SINGLE = "\u2018\u2019\u201a\u201b\u2032\u02bc\u00b4"
_DOUBLE = "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb"
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63"
_CONTROLS = [code for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in "\t\n"]
_TABLE: dict[int, str] = {
    **dict.fromkeys(_CONTROLS, ""),
    **dict.fromkeys(map(ord, _SPACES), " "),
    **dict.fromkeys(map(ord, _NOTHING + _DIRECTIONS), ""),
    **dict.fromkeys(map(ord, _SINGLE), "'"),
    **dict.fromkeys(map(ord, _DOUBLE), '"'),
    **dict.fromkeys(map(ord, _DASHES), "-"),
    **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
    0x2026: "...",
}
_LINE_ENDS = re.compile("\r\n|[\r\n\x0b\x0c\x85\u2028\u2029]")


def fold(line: str) -> str:
    """A line as typed, with a phone's changes undone. The zero-width joiner stays: it is part of some letters."""
    return unicodedata.normalize("NFC", line.translate(_TABLE))


def lines_of(text: str) -> list[str]:
    """Split a text into lines at any kind of line ending."""
    return _LINE_ENDS.split(text)
