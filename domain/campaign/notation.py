"""Read an order line of a campaign, in English or French, and write it.

Verbs are case-insensitive, their accents optional; forces, groups and elements come out in capitals, areas, entrants
and troops in small letters (CAM-ORD-01).
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any
from unicodedata import normalize

from domain.basics.errors import Refusal
from domain.basics.spelling import plain_word
from domain.campaign.orders import (
    ALL,
    BOTH,
    DRAW,
    FATES,
    FORMS,
    FRENCH,
    FRENCH_DOING,
    QUALITIES,
    CampaignOrder,
    aliases,
)
from domain.log.limits import unfit_text
from domain.mechanics.notation import PARSE, Reader

LONGEST_LINE, LONGEST_TEXT, LONGEST_NAME = 1200, 800, 80
"""Characters of a line, of what it says in words, and of a name."""
MOST_LINES = 200
"""Lines of one message."""
MOST_DAYS = 400
_SMALL = re.compile(r"[a-z][a-z0-9-]{0,19}")
_THING = re.compile(r"[a-z][a-z0-9_-]{0,39}")
_CAPITAL = re.compile(r"[A-Z][A-Z0-9-]{0,19}")
_ELEMENT = re.compile(r"(?:[A-Z][A-Z0-9-]{0,19}:)?[A-Z][A-Z0-9-]{0,19}")
_BOARD = re.compile(r"[1-9][0-9]{0,3}\.[1-9][0-9]{0,5}(?:\.2)?")
_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")
_DAYS = re.compile(r"([1-9][0-9]{0,2})[dDjJ]")
_SCENARIO = re.compile(r"[a-z0-9][a-z0-9_/-]{0,79}")
_ALIASES = aliases()


def is_entrant_id(word: str) -> bool:
    """Whether a word may be the id of an entrant or an alliance, as far as its letters go."""
    return _SMALL.fullmatch(word) is not None


def read_order(line: str) -> CampaignOrder:
    """The order in a line.

    Raises: Refusal core.parse
    """
    words = _LineWords(normalize("NFC", line))
    verb = words.need(FORMS)
    order = CampaignOrder(verb, **_parts(words, FORMS[verb]))
    words.end()
    return order


def read_orders(text: str) -> tuple[CampaignOrder, ...]:
    """The orders in a text, one a line: all can be read, or none is given (design.md 7).

    Raises: Refusal core.parse
    """
    lines = [line for line in text.splitlines() if line.partition("#")[0].strip()]
    if len(lines) > MOST_LINES:
        raise Refusal("core.parse", PARSE, line=lines[MOST_LINES][:LONGEST_NAME], word="", expected=["end"])
    return tuple(map(read_order, lines))


@lru_cache(len(FORMS))
def slots_of(form: str) -> tuple[tuple[str, bool], ...]:
    """The parts of a form, each with whether it may be left out."""
    return tuple((part.strip("[]"), part.startswith("[")) for part in form.split())


def _parts(words: "_LineWords", form: str) -> dict[str, Any]:
    """What stands behind a verb, by the name of the part."""
    found: dict[str, Any] = {}
    for part, may_lack in slots_of(form):
        if part.islower():
            words.need((part,))
        elif not may_lack or words.has(part):
            found[part.lower()] = _READERS[part](words)
    return found


class _LineWords(Reader):
    """The words of a line of a campaign."""

    def __init__(self, line: str) -> None:
        super().__init__(line, _ALIASES, LONGEST_LINE)

    def has(self, part: str) -> bool:
        """Whether a part that may be left out stands here."""
        if part == "BECAUSE":
            return self.peek() == "because"
        return self.peek() in QUALITIES if part == "QUALITY" else self.more()

    def small(self) -> str:
        return self.matching(_SMALL, "the id of an entrant", str.lower)

    def word_or(self, *keywords: str) -> str:
        """One of these words, or else an entrant."""
        return self.take(*keywords) or self.small()

    def capitals(self) -> str:
        return self.matching(_CAPITAL, "an id", str.upper)

    def thing(self) -> str:
        return self.matching(_THING, "a name in small letters", str.lower)

    def board(self) -> str:
        return self.matching(_BOARD, "a board", str)

    def whole(self) -> int:
        return int(self.matching(_NUMBER, "a number", str))

    def positive(self) -> int:
        """A number from 1 on; nothing is read if it is not one."""
        if self.peek() == "0":
            raise self.unreadable("a number")
        return self.whole()

    def days(self) -> int:
        """A time like `7d`, in French `7j`."""
        found = _DAYS.fullmatch(self.peek())
        if found is None or int(found[1]) > MOST_DAYS:
            raise self.unreadable("a time like 7d")
        self.next()
        return int(found[1])

    def many(self, pattern: re.Pattern[str]) -> tuple[str, ...]:
        """One name in capitals or more, up to a word that is none, or that names a fate."""
        found = [self.matching(pattern, "an id", str.upper)]
        while self.more() and self.peek() not in FATES:
            found.append(self.matching(pattern, "an id", str.upper))
        return tuple(found)

    def name(self) -> str:
        """A name of one word or more, up to a word of the line that comes after names, or to its end."""
        found = [self.next()]
        while self.more() and self.peek() not in ("to", "because"):
            found.append(self.next())
        return self._fit(" ".join(found), LONGEST_NAME, "a name")

    def one(self) -> str:
        """A name of one word."""
        return self._fit(self.next(), LONGEST_NAME, "a name")

    def text(self) -> str:
        return self._fit(" ".join(self.rest()), LONGEST_TEXT, "a text of at most 800 characters")

    def because(self) -> str:
        """The reason of a ruling; of `parce que` both words."""
        if plain_word(self.next()) == "parce" and self.peek() == "que":
            self.next()
        return self.text()

    def fates(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        found: list[tuple[str, tuple[str, ...]]] = []
        while self.more():
            found.append((self.need(FATES), self.many(_ELEMENT)))
        return tuple(found)

    def _fit(self, text: str, longest: int, what: str) -> str:
        if not text or len(text) > longest or unfit_text(text):
            raise self.unreadable(what)
        return text


_READERS: Mapping[str, Callable[[_LineWords], Any]] = {
    "ENTRANT": _LineWords.small,
    "OTHER": _LineWords.small,
    "NAME": _LineWords.name,
    "FIRST": _LineWords.one,
    "SECOND": _LineWords.one,
    "BOARD": _LineWords.board,
    "FORCE": _LineWords.capitals,
    "GROUP": _LineWords.capitals,
    "TROOP": _LineWords.thing,
    "QUALITY": lambda words: words.need(QUALITIES),
    "ID": _LineWords.capitals,
    "IDS": lambda words: words.many(_CAPITAL),
    "AREA": _LineWords.thing,
    "ONWARD": _LineWords.thing,
    "ROUND": _LineWords.positive,
    "DAYS": _LineWords.days,
    "POINTS": _LineWords.positive,
    "EVENT": _LineWords.positive,
    "LOSER": lambda words: words.word_or(BOTH),
    "WINNER": lambda words: words.word_or(DRAW),
    "KEPT": lambda words: (words.whole(), words.whole()),
    "FATES": _LineWords.fates,
    "SCENARIO": lambda words: words.matching(_SCENARIO, "a scenario", str.lower),
    "DOING": lambda words: words.need(FRENCH_DOING),
    "TO": lambda words: words.word_or(ALL),
    "TEXT": _LineWords.text,
    "BECAUSE": _LineWords.because,
}


# --- writing


def write_order(order: CampaignOrder, lang: str = "en") -> str:
    """An order as a line, in a language; the English one is canonical."""
    said = _word(order.verb, lang)
    for part, _ in slots_of(FORMS[order.verb]):
        value = _word(part, lang) if part.islower() else _written(part, getattr(order, part.lower()), lang)
        said += f" {value}" if value else ""
    return said


def _word(word: str, lang: str) -> str:
    return FRENCH.get(word, word) if lang == "fr" else word


def _written(part: str, value: Any, lang: str) -> str:
    if part == "DAYS":
        return f"{value}{'j' if lang == 'fr' else 'd'}"
    if part == "FATES":
        return " ".join(f"{_word(fate, lang)} {' '.join(ids)}" for fate, ids in value)
    if part == "BECAUSE":
        return f"{_word('because', lang)} {value}" if value else ""
    if part == "DOING":
        return FRENCH_DOING[value] if lang == "fr" else str(value)
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return _word(value, lang) if value in (ALL, BOTH, DRAW, *QUALITIES) else str(value or "")
