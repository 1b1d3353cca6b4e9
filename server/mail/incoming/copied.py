"""Read a line that was copied from the list of a letter, or says one of its orders in the words of the letter.

A letter prints `R1 bowmen C3: 13 charge B4 90%; 14 ahead`. People send back `13 charge B4`, `[13] charge B4 90%`,
`R1 bowmen charge B4`, `bowmen charge B4`, `C3-B4`, `charge R1`, or the whole line. A number counts only with
words that are those of its order, and words without a name only where one unit alone is meant. What has two readings
is neither: its writer is asked (`ListReading.asked`).
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from domain.basics.errors import Refusal
from domain.basics.spelling import plain_word
from domain.contract.ruleset import Ruleset
from domain.scripts.likeness import LANGUAGES, one_slip
from domain.scripts.slips import Names
from domain.scripts.tidying import FILLERS, stripped, without_note
from replay.telling.words import order_in
from replay.telling.words.catalogue import find
from server.mail.numbering import ListedOrders

MOST_TIMES = 5
"""How often `x3` may repeat an order."""
LONGEST = 200
"""Characters of a line that is compared with the list."""
MOST_ASKED = 4
"""Orders that a question names."""
SMALL = FILLERS | frozenset(
    (
        *("of", "my", "our", "a", "an", "go", "goes", "to", "will", "should", "at", "with"),
        *("le", "la", "les", "l", "de", "du", "des", "d", "mon", "ma", "vers", "va", "vont", "avec"),
    )
)
"""Words that make no difference between two orders of a list."""

_AROUND = " \t.,;*_`\"'"
_MARKS = re.compile(r"^(?:[-*+\u2022\u00b7]\s+|[\u2022\u00b7]\s*)+")
_BAR = re.compile(r"^[\s*+_`\"'\u2022\u00b7-]*\|\s*")
_ODDS = re.compile(r"\s*\(?(?<![\w.])\d{1,3} ?%\)?")
_PLACES_LEFT = re.compile(r"\s*(?:\(\+\d+\)|[;,]?\s*\+\d+\s*$)")
_ITEM = re.compile(r"^[\[(#]*\s*(\d{1,3})(?:\s*[\])}]+)?\s*(?:[.:)=]|[-\u2013\u2014](?=\s))?\s+(\D.*)$")
_LABEL = re.compile(r"^([^\d:]*[^:]*?)\s?:\s+(?=[\[(#]*\d)")
_BETWEEN = re.compile(r"\s*[,;]\s+")
_NAMES = re.compile(r"\s*(?:,|&|\+|/|\band\b|\bet\b)\s*|\s+", re.I)
_TIMES = re.compile(r"\s*(?:[x\u00d7*]\s?(\d)|\b(\d)\s?[x\u00d7]|(\btwice\b|\bdeux fois\b))\s*$", re.I)
_GLUED = re.compile(r"(?<=[^\W\d]{3})(\d)$")
_PLACES = re.compile(
    r"^([A-Za-z]{1,2}\d{1,2})\s*(?:-|\u2013|\u2014|->|=>|\u2192|>|\bto\b|\bvers\b|\s)\s*([A-Za-z]{1,2}\d{1,2})$"
)
_APART = re.compile(r"[\s,:;=>()\[\]\"'`*_~.!?|\u2019-]+")
_LOOKS = str.maketrans({"I": "1", "l": "1", "O": "0", "o": "0"})


class ListReading(Struct, frozen=True):
    """`orders` in canonical notation; or, if they are empty, those between which a line leaves the choice."""

    orders: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()


class LetterList:
    """The list of a letter, by the words in which it prints its orders."""

    def __init__(self, ruleset: Ruleset, letter: ListedOrders) -> None:
        self._ruleset = ruleset
        self._letter = letter
        self._own = {*letter.kinds, *filter(None, letter.units)}
        self._units = letter.named
        self._by_order: dict[str, tuple[str, ...]] = {}
        self._rows: list[tuple[str, str, frozenset[tuple[str, ...]]]] | None = None

    def read(self, line: str) -> ListReading | None:
        """What a line that cannot be read as it stands means by the list; None if nothing shows that it is about it."""
        if len(line) > LONGEST or not self._letter.orders:
            return None
        is_copied = bool(_BAR.match(line))
        said = _PLACES_LEFT.sub("", _ODDS.sub("", _BAR.sub("", line.replace("\u00a0", " ").replace("\u202f", " "))))
        said = without_note(_MARKS.sub("", said.partition("  #")[0].strip(_AROUND))).strip(_AROUND)
        if items := self._items(said, is_copied):
            return items
        return next(filter(None, (read(self, stripped(said)) for read in _READINGS)), None)

    # --- by number

    def _items(self, said: str, is_copied: bool) -> ListReading | None:
        """A line of the list as it is printed, or a number with the words of its order."""
        label = _LABEL.match(said)
        parts = [_ITEM.match(part.strip()) for part in _BETWEEN.split(said[label.end() if label else 0 :]) if part]
        found = [self._numbered(int(part[1]), part[2], label[1] if label else "") for part in parts if part]
        readings = [reading for reading in found if reading is not None]
        if not readings or len(readings) != len(parts):
            return None
        orders = tuple(order for reading in readings for order in reading.orders)
        if len(readings) > 1 and (is_copied or label or any(not reading.orders for reading in readings)):
            return ListReading(asked=orders or readings[0].asked)
        return readings[0] if len(readings) == 1 else ListReading(orders)

    def exact(self, number: int, words: str) -> str:
        """The order with a number, if the words behind it are those that the letter prints there; else \"\"."""
        found = self._numbered(number, _PLACES_LEFT.sub("", _ODDS.sub("", words)), "")
        return found.orders[0] if found and found.orders else ""

    def _numbered(self, number: int, words: str, label: str) -> ListReading | None:
        if not 0 < number <= len(self._letter.orders):
            return None
        order, unit, printed = self._table()[number - 1]
        said = self._without_label(_tokens(words), unit)
        if label and unit and unit.casefold() not in _tokens(label):
            unit = ""
        if said in printed:
            return ListReading((order,))
        near = [row for row in printed if _is_near(said, row)]
        rivals = {other for other, of, texts in self._table() if of == unit and other != order and said in texts}
        if not rivals and (near or any(said and row[: len(said)] == said for row in printed)):
            return ListReading((order,))
        if rivals or self.is_about(words):
            return ListReading(asked=(order, *sorted(rivals)))
        return None

    def is_about(self, words: str) -> bool:
        """Whether words behind a number are those of orders: prose begins with numbers, too."""
        said = _tokens(_ODDS.sub("", words))
        known = {word for _, _, texts in self._table() for text in texts for word in text}
        return bool(said) and all(word in known for word in said)

    # --- by name

    def _plain(self, said: str) -> ListReading | None:
        """An order without the odds that the letter prints behind it."""
        order = self._order(said)
        is_unknown = bool(self._units) and Names(frozenset(), self._units).is_to_unknown(order) if order else True
        return None if is_unknown else ListReading((order,))

    def _several(self, said: str) -> ListReading | None:
        """`R1 and R2 ahead`: each of them."""
        words = [word for word in _NAMES.split(said) if word]
        names = []
        while words and (name := self._name(words[0])):
            names.append(name)
            words = words[1:]
        if len(names) < 2 or not words:
            return None
        orders = [self._order(f"{name} {' '.join(words)}") or self._by_words(name, words) for name in names]
        return ListReading(tuple(orders)) if all(orders) else None

    def _named(self, said: str) -> ListReading | None:
        """`R1 bowmen ahead`, `RI ahead`, `charge R4`; `R1 ahead x2`, `R1 ahead2`."""
        times, said = _times(said)
        words = self._content(said)
        if len(words) < 2:
            return None
        name, rest = self._name(words[0]), words[1:]
        if not name and (last := self._name(words[-1])) in self._own:
            name, rest = last, words[:-1]
        if not name or any(self._name(word) in self._own for word in rest[:1]):
            return None
        if rest and rest[0].isdigit() and 0 < int(rest[0]) <= len(self._letter.orders):  # a line of many units
            order, unit, _ = self._table()[int(rest[0]) - 1]
            is_it = unit == name and (len(rest) == 1 or self.exact(int(rest[0]), " ".join(rest[1:])))
            return ListReading((order,)) if is_it else None
        rest = self._without_words_of(name, rest)
        glued = _GLUED.search(rest[-1]) if rest else None
        if glued:
            return self._twice(name, [*rest[:-1], rest[-1][: glued.start()]], int(glued[1]), is_glued=True)
        return self._twice(name, rest, times)

    def _twice(self, name: str, rest: Sequence[str], times: int, *, is_glued: bool = False) -> ListReading | None:
        order = self._order(f"{name} {' '.join(rest)}") or self._by_words(name, rest)
        if times == 1:
            return ListReading((order,)) if order else None
        farther = self._order(f"{name} {' '.join(rest)} {times}")
        if farther in self._letter.orders and (is_glued or not order):
            return ListReading((farther,))
        if is_glued or not order or farther in self._letter.orders:
            return ListReading(asked=tuple(filter(None, (order, farther)))) if order or farther else None
        return ListReading((order,) * times)

    def _of_kind(self, said: str) -> ListReading | None:
        """`bowmen ahead`, `The cavalry goes ahead`: an order to the one unit of its kind."""
        words = self._content(said)
        if not words or self._name(words[0]):
            return None
        plain = [_singular(plain_word(word.strip(",:."))) for word in words]
        best: list[str] = []
        length = 0
        for unit in self._letter.kinds:
            kind = {_singular(word) for word in self._label_words(unit)}
            count = next((at for at, word in enumerate(plain) if word not in kind), len(plain))
            if count >= max(length, 1):
                best = [*(best if count == length else ()), unit]
                length = count
        rest = words[length:]
        if not best or not rest:
            return None
        found = {unit: self._order(f"{unit} {' '.join(rest)}") or self._by_words(unit, rest) for unit in best}
        orders = tuple(order for order in found.values() if order)
        if len(best) == 1 or not orders:
            return ListReading(orders) if orders else None
        return ListReading(asked=orders)

    def _places(self, said: str) -> ListReading | None:
        """`E2-E3`: the unit that stands there goes there."""
        found = _PLACES.match(said)
        if found is None:
            return None
        here, there = found[1].upper(), found[2].upper()
        letter = self._letter
        ways = [
            order
            for order, unit, end in zip(letter.orders, letter.units, letter.ends, strict=False)
            if end == there and letter.cells.get(unit) == here and not order.startswith("group ")
        ]
        plain = tuple(way for way in ways if not any(way.startswith(f"{other} ") for other in ways))
        if len(plain) == 1:  # the others do something more on the way
            return ListReading(plain)
        return ListReading(asked=plain) if ways else None

    def _by_side(self, said: str) -> ListReading | None:
        """`End of turn`: an order of the list that is to nobody."""
        orders = {order for order, unit, texts in self._table() if not unit and _tokens(said) in texts}
        return ListReading(tuple(orders)) if len(orders) == 1 else None

    # --- words

    def _content(self, said: str) -> list[str]:
        """The words that matter; a small one may be a name: `A shoot`."""
        words = said.split()
        kept = words[:1] if words and words[0].strip(",:") in self._units else []
        return kept + [word for word in words[len(kept) :] if plain_word(word.strip(",:")) not in SMALL]

    def _name(self, word: str) -> str:
        """The name that a word is, also with a letter that looks like its digit: RI for R1."""
        plain = word.strip(",:;.").upper()
        if plain in self._units:
            return plain
        raw = word.strip(",:;.")
        looks = (raw[:1] + raw[1:].translate(_LOOKS)).upper()
        return looks if looks in self._units else ""

    def _without_words_of(self, unit: str, words: Sequence[str]) -> list[str]:
        """The words behind a name without those that say what it is and where."""
        label, kept = self._label_words(unit), list(words)
        while len(kept) > 1 and set(_tokens(kept[0])) <= label:
            kept = kept[1:]
        return kept

    def _without_label(self, said: tuple[str, ...], unit: str) -> tuple[str, ...]:
        if unit and said[:1] == (unit.casefold(),):
            label = self._label_words(unit)
            said = said[1:]
            while len(said) > 1 and said[0] in label:
                said = said[1:]
        return said

    def _label_words(self, unit: str) -> frozenset[str]:
        """The words that say what a unit is and where, in every language."""
        kind = self._letter.kinds.get(unit, "")
        named = (find(f"type.{kind}", lang) or "" for lang in LANGUAGES if kind)
        return frozenset(_tokens(" ".join((*named, self._letter.cells.get(unit, "")))))

    @property
    def kind_words(self) -> frozenset[str]:
        """The words for what the reader's units are, in every language."""
        return frozenset(word for unit in self._letter.kinds for word in self._label_words(unit) if len(word) > 3)

    def _by_words(self, unit: str, words: Sequence[str]) -> str:
        """The one order of the list to a unit in these words, with one slip at most."""
        said = _tokens(" ".join(words))
        own = [(order, texts) for order, of, texts in self._table() if of == unit]
        for fits in (lambda text: said == text, lambda text: _is_near(said, text)):
            orders = {order for order, texts in own if any(map(fits, texts))}
            if orders:
                return orders.pop() if len(orders) == 1 else ""
        return ""

    def _order(self, text: str) -> str:
        """A text in canonical notation, \"\" if it is no order."""
        try:
            return self._ruleset.write(self._ruleset.read(text), "en")
        except Refusal:
            return ""

    def _table(self) -> list[tuple[str, str, frozenset[tuple[str, ...]]]]:
        """Each order with its unit, and the words of it in every language, with and without that unit."""
        if self._rows is None:
            self._rows = list(self._made())
        return self._rows

    def _made(self) -> Iterator[tuple[str, str, frozenset[tuple[str, ...]]]]:
        units = self._letter.units or ("",) * len(self._letter.orders)
        for order, unit in zip(self._letter.orders, units, strict=False):
            texts = set[tuple[str, ...]]()
            for lang in LANGUAGES:
                words = _tokens(order_in(self._ruleset, order, lang))
                name = unit.casefold()
                texts.add(words)
                if name in words[:3] and not words[0].startswith(("group",)):
                    texts.add(words[words.index(name) + 1 :])
            yield order, unit, frozenset(texts)


_READINGS = (
    LetterList._plain,
    LetterList._several,
    LetterList._named,
    LetterList._places,
    LetterList._of_kind,
    LetterList._by_side,
)


def _times(said: str) -> tuple[int, str]:
    """How often a line says that its order is to be given, and the line without that."""
    found = _TIMES.search(said)
    if found is None:
        return 1, said
    times = int(found[1] or found[2] or 2)
    return (times, said[: found.start()]) if 1 < times <= MOST_TIMES else (1, said)


def _tokens(text: str) -> tuple[str, ...]:
    """The words of a text that tell one order from another, plain."""
    return tuple(word for word in _APART.split(plain_word(text)) if word and word not in SMALL)


def _is_near(said: Sequence[str], text: Sequence[str]) -> bool:
    """Whether words are those of a text with one slip at most, in a word that is long enough."""
    if len(said) != len(text):
        return False
    slips = [(one, other) for one, other in zip(said, text, strict=True) if one != other]
    return len(slips) < 2 and all(not _digits((one,)) and one_slip(one, other) for one, other in slips)


def _digits(words: Iterable[str]) -> str:
    return "".join(letter for word in words for letter in word if letter.isdigit())


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") else word
