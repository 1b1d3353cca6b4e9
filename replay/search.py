"""Find events of a log by the words of their sentences and by fields: `unit:R1 type:CardDrawn "in the flank" luck>0.5`.

All that is asked for must hold. Words are parts of the sentence, as somebody types them: without capitals, accents and
fine apostrophes; quotation marks keep a phrase together. `FIELD:VALUE` compares a member of the event (`FIELDS`), and a
number may be asked for by how large it is (`NUMBERS`): `luck<-1`.

An index is built once, of sentences that somebody has made already, and may grow with the log; a search looks at each
event, which takes a few milliseconds for thousands of them.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from operator import eq, ge, gt, le, lt
from typing import Any

from msgspec import UNSET, Struct, to_builtins

from domain.events.battle import BattleOpened, CardDrawn, DieRolled, OrderAccepted
from domain.log.record import Recorded
from replay.telling.words import ENGLISH, phrase

FIELDS = ("by", "card", "die", "rule", "type", "unit")
"""What can be asked for by name: the author (south, north, server …); the number or the name of the card drawn; the
value of the die rolled; the rule and the type, or how they begin; who or what is named, as R1."""
NUMBERS = ("luck",)
"""What can be measured: the luck of a side in its draws that an event settles, in the game's tally, with a point or a
comma. An event that settles nothing has none."""
MEASURES: dict[str, Callable[[Fraction, Fraction], bool]] = {":": eq, "=": eq, "<": lt, "<=": le, ">": gt, ">=": ge}
"""How a number is measured."""
UNASKED = frozenset({"command", "pending", "seen", "value", "key", "signature"})
"""Members that name nothing a reader would look for, or name again what the text of an order says."""

_TERM = re.compile(r'(?P<field>[^\W\d]+)(?P<sign>[:<>=]+)(?P<of>"[^"]*"?|\S*)|"(?P<phrase>[^"]*)"?|(?P<word>\S+)')
_NUMBER = re.compile(r"[+-]?\d{1,9}(?:[.,]\d{1,9})?", re.ASCII)
_NAME = re.compile(r"[\w-]+")
_FOLDED = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "\N{NO-BREAK SPACE}": " "})


class BadSearch(Exception):
    """A search that means nothing; the text is a sentence."""


class Term(Struct, frozen=True):
    """What must hold of an event: `value` is folded (`folded`); `field` is "" for words of the sentence. Of a number
    `sign` says how it is measured."""

    field: str
    value: str
    sign: str = ":"


class SearchEntry(Struct, frozen=True):
    """An event as it can be found: its sentence and fields folded, `named` all that it names, `drawn` how its card or
    die can be called."""

    n: int
    said: str
    by: str
    rule: str
    type: str
    named: frozenset[str]
    card: tuple[str, ...] = ()
    die: str = ""
    luck: tuple[Fraction, ...] = ()

    def meets(self, term: Term) -> bool:
        """Whether this is so of the event."""
        match term.field:
            case "":
                return term.value in self.said
            case "by":
                return self.by == term.value
            case "card":
                return term.value in self.card
            case "die":
                return self.die == term.value
            case "luck":
                return any(MEASURES[term.sign](luck, Fraction(term.value)) for luck in self.luck)
            case "rule":
                return self.rule.startswith(term.value)
            case "type":
                return self.type.startswith(term.value)
            case _:
                return term.value in self.named


class SearchIndex:
    """The events of a log as they can be found, in their order."""

    def __init__(self) -> None:
        self._entries: list[SearchEntry] = []

    def __len__(self) -> int:
        return len(self._entries)

    def add(self, recorded: Recorded, said: str, luck: tuple[Fraction, ...] = ()) -> None:
        """Take in the next event with its sentence, and the luck of each side in the draws that it settles."""
        self._entries.append(_entry(recorded, said, luck))

    def find(self, terms: Iterable[Term]) -> list[int]:
        """The numbers of the events of which all terms hold, the first event first."""
        found = self._entries
        for term in terms:
            found = [entry for entry in found if entry.meets(term)]
        return [entry.n for entry in found]


def read_search(text: str, lang: str = ENGLISH) -> tuple[Term, ...]:
    """What somebody looks for; () for nothing, which every event meets.

    Raises:  BadSearch
    """
    return tuple(_terms(text.translate(_FOLDED), lang))


def folded(text: str) -> str:
    """A text as it is compared: without capitals, accents and fine punctuation."""
    if not text.isascii():
        parts = unicodedata.normalize("NFKD", text.translate(_FOLDED))
        text = "".join(letter for letter in parts if not unicodedata.combining(letter))
    return text.casefold()


def _terms(text: str, lang: str) -> Iterator[Term]:
    for found in _TERM.finditer(text):
        if found["field"] is None:
            value = folded(found["word"] or found["phrase"] or "")
            if value:
                yield Term("", value)
            continue
        field, sign, value = folded(found["field"]), found["sign"], folded(found["of"].strip('"'))
        if (field not in NUMBERS or sign not in MEASURES) and (field not in FIELDS or sign != ":"):
            known = ", ".join([*(f"{name}:" for name in FIELDS), *(f"{name}>" for name in NUMBERS)])
            raise BadSearch(phrase("search.unknown", {"found": found.group(), "known": known}, lang))
        if not value:
            raise BadSearch(phrase("search.empty", {"field": f"{field}{sign}"}, lang))
        if field in NUMBERS:
            if not _NUMBER.fullmatch(value):
                raise BadSearch(phrase("search.number", {"found": found.group(), "field": field}, lang))
            value = value.replace(",", ".")
        yield Term(field, value, sign)


# --- what an event can be found by


def _entry(recorded: Recorded, said: str, luck: tuple[Fraction, ...]) -> SearchEntry:
    event: Any = recorded.event
    card: tuple[str, ...] = ()
    if isinstance(event, CardDrawn) and event.card is not UNSET:
        code = event.card.casefold()
        card = (code, "10" if code.startswith("10") else code[:1])
    return SearchEntry(
        recorded.n,
        folded(said),
        recorded.by.casefold(),
        recorded.rule.casefold(),
        recorded.type.casefold(),
        frozenset(_named(event)),
        card,
        str(event.value) if isinstance(event, DieRolled) else "",
        luck,
    )


def _named(event: Any) -> Iterator[str]:
    """Whom and what an event names, in an order or in its members; the opening would name all there is."""
    if isinstance(event, BattleOpened):
        return
    if isinstance(event, OrderAccepted):
        if isinstance(event.text, str):
            yield from _NAME.findall(event.text.casefold())
        return
    for name in event.__struct_fields__:
        value = getattr(event, name)
        if name in UNASKED or value is UNSET or isinstance(value, int):
            continue
        yield from (value.casefold(),) if isinstance(value, str) else _texts(to_builtins(value))


def _texts(value: Any) -> Iterator[str]:
    """The texts in plain data, at any depth; the names of members are not among them."""
    if isinstance(value, str):
        yield value.casefold()
    elif isinstance(value, dict):
        yield from (text for member, inner in value.items() if member not in UNASKED for text in _texts(inner))
    elif isinstance(value, (list, tuple)):
        yield from (text for inner in value for text in _texts(inner))
