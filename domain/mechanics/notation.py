"""Read a line of orders, in English or with French words.

A line is words; a `#` starts a comment. Keywords are case-insensitive and their accents optional;
an alias table turns French words into the English ones. Ids, boxes and hexes are shown in capitals.
Lengths and angles may have decimals; they are read as whole numbers of the game's smallest unit. What
a word means depends on its position, so the reader is asked for a keyword, an id or a number.
"""

import re
from collections.abc import Callable, Collection, Mapping

from domain.basics.errors import Refusal
from domain.basics.spelling import plain_word
from domain.mechanics import hex as hexes

PARSE = "CORE-PARSE"
_ID = re.compile(r"[A-Z][A-Z0-9-]*")
_BOX = re.compile(r"[A-Z]\d+")
_INT = re.compile(r"\d{1,4}")
_DECIMAL = re.compile(r"(-?)(\d{1,6})(?:[.](\d{1,6}))?")
_HEX_BY_NUMBERS = re.compile(r"(\d{1,2}),(\d{1,2})")
LONGEST_LINE = 200


def words_of(line: str) -> tuple[str, ...]:
    """The words of a line; a slash stands alone, a comment is dropped."""
    return tuple(line.partition("#")[0].replace("/", " / ").split())


def decimal(word: str, places: int) -> int | None:
    """A number with at most `places` decimals, in units of the last one; None if the word is not one.

    `decimal("12.5", 1)` is 125: 12.5 centimetres in millimetres, or 12.5° in tenths.
    """
    found = _DECIMAL.fullmatch(word)
    if not found or len(found[3] or "") > places:
        return None
    units = int(found[2] + (found[3] or "").ljust(places, "0"))
    return -units if found[1] else units


def decimal_text(units: int, places: int) -> str:
    """How `decimal` writes a number: `decimal_text(125, 1)` is "12.5", `decimal_text(120, 1)` is "12"."""
    whole, part = divmod(abs(units), int(10**places))
    shown = f"{whole}.{part:0{places}}".rstrip("0").rstrip(".") if part else str(whole)
    return f"-{shown}" if units < 0 else shown


class Reader:
    """The words of one order, read from the left; a `Refusal` (core.parse) says what was expected.

    Shape: `longest` the characters that a line may have
    """

    def __init__(self, line: str, aliases: Mapping[str, str], longest: int = LONGEST_LINE) -> None:
        self.line = line[:LONGEST_LINE]
        self._words = words_of(line)
        self._aliases = aliases
        self._at = 0
        if not self._words or len(line) > longest:
            raise self.unreadable(f"an order of at most {longest} characters")

    def unreadable(self, *expected: str) -> Refusal:
        """The refusal to raise when no reading fits."""
        word = self._words[self._at] if self._at < len(self._words) else ""
        return Refusal("core.parse", PARSE, line=self.line, word=word, expected=list(expected))

    def peek(self) -> str:
        """The next word as an English keyword, in lower case; "" at the end."""
        if self._at >= len(self._words):
            return ""
        word = plain_word(self._words[self._at])
        return self._aliases.get(word, word)

    def take(self, *keywords: str) -> str:
        """The next word if it is one of these keywords, else "" (and nothing is read)."""
        word = self.peek()
        if word and word in keywords:
            self._at += 1
            return word
        return ""

    def need(self, keywords: Collection[str]) -> str:
        """The next word, which must be one of these keywords."""
        word = self.take(*keywords)
        if not word:
            raise self.unreadable(*keywords)
        return word

    def facing(self, facings: Collection[str] = ("N", "E", "S", "W")) -> str:
        """A facing, in capitals; the valid ones depend on the grid."""
        return self.need([facing.lower() for facing in facings]).upper()

    def id(self, what: str) -> str:
        """An id, in capitals."""
        return self.matching(_ID, what)

    def box(self) -> str:
        """The name of a box, on any board, in capitals."""
        return self.matching(_BOX, "a box")

    def hex(self) -> str:
        """The name of a hex, on any board: `E6`, or by column and row, `4,6`."""
        word = self._word().upper()
        numbers = _HEX_BY_NUMBERS.fullmatch(word)
        name = hexes.name_at(int(numbers[1]), int(numbers[2])) if numbers else word
        if name not in hexes.XY:
            raise self.unreadable("a hex")
        self._at += 1
        return name

    def decimal(self, what: str, places: int) -> int:
        """A number with at most `places` decimals, in units of the last one."""
        units = decimal(self._word(), places)
        if units is None:
            raise self.unreadable(what)
        self._at += 1
        return units

    def degrees(self, places: int) -> int:
        """An angle from 0 to 360 degrees, in units of its last decimal; 360 is 0."""
        units, circle = decimal(self._word(), places), int(360 * 10**places)
        if units is None or not 0 <= units <= circle:
            raise self.unreadable("degrees from 0 to 360")
        self._at += 1
        return units % circle

    def point(self, places: int) -> tuple[int, int]:
        """A point of a table, `x,y` without a space, in units of the last decimal."""
        east, _, north = self._word().partition(",")
        x, y = decimal(east, places), decimal(north, places)
        if x is None or y is None:
            raise self.unreadable("a point x,y")
        self._at += 1
        return x, y

    def number(self) -> int | None:
        """The next word as a whole number; None if it is not one."""
        if self._at < len(self._words) and _INT.fullmatch(self._words[self._at]):
            self._at += 1
            return int(self._words[self._at - 1])
        return None

    def matching(self, pattern: re.Pattern[str], what: str, form: Callable[[str], str] = str.upper) -> str:
        """The next word in a form of its letters, which must match."""
        word = form(self._word())
        if not pattern.fullmatch(word):
            raise self.unreadable(what)
        self._at += 1
        return word

    def next(self) -> str:
        """The next word as it stands; "" at the end."""
        word = self._word()
        self._at += bool(word)
        return word

    def rest(self) -> tuple[str, ...]:
        """All remaining words."""
        words = self._words[self._at :]
        self._at = len(self._words)
        return words

    def more(self) -> bool:
        """Whether any words remain."""
        return self._at < len(self._words)

    def end(self) -> None:
        """Refuse any remaining words."""
        if self.more():
            raise self.unreadable("the end of the line")

    def _word(self) -> str:
        return self._words[self._at] if self.more() else ""
