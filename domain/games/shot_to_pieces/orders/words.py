"""The words of one order line, read from the left: numbers with two decimals, bearings, ids in capitals."""

import re

from domain.games.shot_to_pieces.state.commands import Point
from domain.games.shot_to_pieces.state.vocabulary import READ_AS
from domain.mechanics.notation import Reader

_NUMBER = re.compile(r"(\d{1,5})(?:[.,](\d{1,2}))?")
_CHOICE = re.compile(r"\d{1,2}|[A-Z][A-Z0-9-]*")
CIRCLE = 36000
"""A full turn in 1/100 degree."""


class OrderWords(Reader):
    """The words of one order; a `Refusal` (core.parse) says what was expected."""

    def __init__(self, line: str) -> None:
        super().__init__(line, READ_AS)

    def hundredths(self, what: str) -> int:
        """A number with at most two decimals, in hundredths: `12,5` is 1250."""
        found = _NUMBER.fullmatch(self._word())
        if not found:
            raise self.unreadable(what)
        self._at += 1
        return int(found[1]) * 100 + int((found[2] or "").ljust(2, "0"))

    def is_number(self) -> bool:
        """Whether the next word is a number."""
        return _NUMBER.fullmatch(self._word()) is not None

    def length(self) -> int:
        """A length in centimetres, in 1/100 cm."""
        return self.hundredths("a length in centimetres")

    def angle(self) -> int:
        """An angle of at most a full turn, in 1/100 degree."""
        at = self._at
        angle = self.hundredths("an angle in degrees")
        if angle > CIRCLE:
            self._at = at
            raise self.unreadable("degrees from 0 to 360")
        return angle

    def bearing(self) -> int:
        """A compass bearing in 1/100 degree; 360 is 0."""
        return self.angle() % CIRCLE

    def place(self) -> Point:
        """Two lengths: x and y of a point."""
        return self.length(), self.length()

    def choice(self) -> str:
        """A whole number, or an id in capitals."""
        return self.matching(_CHOICE, "a number or an id")

    def skip(self, word: str) -> None:
        """Pass over a word that may be left out."""
        self.take(word)
