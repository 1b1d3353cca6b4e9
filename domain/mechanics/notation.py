"""Read a line of orders, in English or with French words.

A line is words; a `#` starts a comment. Keywords are case-insensitive and their accents optional;
an alias table turns French words into the English ones. Ids and boxes are shown in capitals. What
a word means depends on where it stands, so the reader is asked for a keyword or for an id.
"""

import re
import unicodedata
from collections.abc import Collection, Mapping
from functools import cache

from domain.engine.errors import Refusal

PARSE = "CORE-PARSE"
_ID = re.compile(r"[A-Z][A-Z0-9-]*")
_BOX = re.compile(r"[A-Z]\d+")
_INT = re.compile(r"\d{1,4}")
LONGEST_LINE = 200


@cache
def plain_word(word: str) -> str:
    """A word without accents, in lower case."""
    decomposed = unicodedata.normalize("NFKD", word.casefold())
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def words_of(line: str) -> tuple[str, ...]:
    """The words of a line; a slash stands alone, a comment is dropped."""
    return tuple(line.partition("#")[0].replace("/", " / ").split())


class Reader:
    """The words of one order, read from the left; a `Refusal` (core.parse) tells what was expected."""

    def __init__(self, line: str, aliases: Mapping[str, str]) -> None:
        self.line = line[:LONGEST_LINE]
        self._words = words_of(line)
        self._aliases = aliases
        self._at = 0
        if not self._words or len(line) > LONGEST_LINE:
            raise self.unreadable("an order of at most 200 characters")

    def unreadable(self, *expected: str) -> Refusal:
        """The refusal to raise where no reading is left."""
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

    def facing(self) -> str:
        """A facing N E S W."""
        return self.need(("n", "e", "s", "w")).upper()

    def id(self, what: str) -> str:
        """An id, in capitals."""
        return self._matching(_ID, what)

    def box(self) -> str:
        """The name of a box, on whichever board, in capitals."""
        return self._matching(_BOX, "a box")

    def number(self) -> int | None:
        """A whole number, if one stands next."""
        if self._at < len(self._words) and _INT.fullmatch(self._words[self._at]):
            self._at += 1
            return int(self._words[self._at - 1])
        return None

    def rest(self) -> tuple[str, ...]:
        """All words that are left."""
        words = self._words[self._at :]
        self._at = len(self._words)
        return words

    def more(self) -> bool:
        """Whether words are left."""
        return self._at < len(self._words)

    def end(self) -> None:
        """Refuse words left over."""
        if self.more():
            raise self.unreadable("the end of the line")

    def _matching(self, pattern: re.Pattern[str], what: str) -> str:
        word = self._words[self._at].upper() if self.more() else ""
        if not pattern.fullmatch(word):
            raise self.unreadable(what)
        self._at += 1
        return word
