"""Sort the lines of a reply to a letter: orders, words for the other player, and what is neither.

People greet, thank, joke and sign above and below their orders. A line that is not an order, and does not look like one
(`domain.scripts.likeness`), is left out, and its writer is told. A line that looks like one stays: if it cannot be
read, nothing is played. A slip of the pen that can mean one order alone is that order (`domain.scripts.slips`), and its
writer is told. Numbers stand for the orders of the letter's list, and "usual" for the standing orders that it offers.

The result depends on the text and on the list alone, never on the battle as it stands now: a mail that is processed
again after a crash gives the same orders.
"""

import re
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.contract.ruleset import Ruleset
from domain.contract.script_words import words_of
from domain.scripts.likeness import HEADS, Vocabulary, looks_like_order, names_in, vocabulary
from domain.scripts.reading import Unreadable, contributes
from domain.scripts.rulings import join_rulings
from domain.scripts.slips import Names, mended, mended_script
from domain.scripts.tidying import MOST_AT_ONCE, stripped, without_note
from server.mail.desk.commands import command_of
from server.mail.desk.vocabulary import END
from server.mail.incoming.copied import MOST_ASKED, LetterList, ListReading
from server.mail.incoming.doubting import GO, is_parting, may_be_order, parted
from server.mail.numbering import ListedOrders
from server.mail.verdict import MailReading, MailRequest
from server.play.scripts import read_script
from server.spelling.words import folded

MOST_SORTED = 400
"""Lines of a reply that are sorted; the rest of a longer one stays as it is."""
MOST_MENDED = 8
"""Lines of a reply that are searched for a slip."""
BLOCK, SAY = "message", "say"
USUAL = frozenset({"usual", "the usual", "usuel", "usuelle", "usuelles", "habituel", "habituelles"})
URGENT = frozenset({"urgent", "urgents", "urgentes", "letters urgent", "lettres urgentes"})
"""The word for letters that ask something, no others; it may stand among orders."""
WITHIN = frozenset({"else", "else-if", "end-if"})

_NUMBERS = re.compile(r"(?:#?([1-9]\d{0,2})[.):]?(?:[\s,;&+]+|(?:and|et|then|puis)\s+|$))", re.I)
_MARKED = re.compile(r"^\s*#\s?\d", re.M)
_LISTED = re.compile(r"\(?#?\d{1,3}[.):\]]\s*(?=\S)")
_SMALL = re.compile(
    r"(?<!\w)(?:and|then|first|next|now|finally|please|pls|et|puis|ensuite|enfin|maintenant|svp|stp|bitte)(?!\w)[:,]?",
    re.I,
)
"""Small words among numbers: \"first 65, and then 3 please\"."""
_BETWEEN = re.compile(r"\s*[,;]\s+|\s+/\s+|\s+(?:and|then|et|puis)\s+(?:then\s+|puis\s+)?|\s*(?:->|=>|\u2192)\s*", re.I)
_JOIN = re.compile(r"^(?:and|et|then|puis)\s+", re.I)


class SortedReply(Struct, frozen=True):
    """`orders`: the lines to be played; `left_out`: prose, in its order; `above`: that part of it which stands above
    the first order; `words`: what is to be said to the other player; `unknown`: the lines with numbers that the
    letter's list does not have; `mended`: mistyped lines, each with the order that it means, and "usual" with each of
    its orders; `asked`: lines with more than one reading, each with the orders that it may mean; `waiting`:
    the lines from the first that ends something on, if it is in doubt what the mail means (`doubting`);
    `is_urgent`: whether letters are wished that ask something, and no others."""

    orders: str
    left_out: tuple[str, ...] = ()
    above: str = ""
    words: str = ""
    unknown: tuple[str, ...] = ()
    mended: tuple[tuple[str, str], ...] = ()
    asked: tuple[tuple[str, tuple[str, ...]], ...] = ()
    waiting: str = ""
    is_urgent: bool = False

    @property
    def requests(self) -> tuple[MailRequest, ...]:
        """What is wished beside the orders: words for the other player, fewer letters."""
        said = (MailRequest("say", (self.words,)),) if self.words else ()
        return (*said, MailRequest("letters", ("urgent",))) if self.is_urgent else said

    @property
    def has_orders(self) -> bool:
        """Whether anything is left that may be played."""
        lines = (*self.orders.split("\n"), *self.waiting.split("\n"))
        return any(line.strip() and not contributes(line) for line in lines)


def sorted_reply(text: str, ruleset: Ruleset, letter: ListedOrders) -> SortedReply:
    """Sort a reply to a letter with a list of orders."""
    sorter = _Sorter(ruleset, letter)
    if not _MARKED.search(text) and _reads(ruleset, text) and not sorter.renames(text):
        return SortedReply(text)
    return sorter.sort(text)


def with_below(reading: MailReading, above: SortedReply) -> MailReading:
    """A reply with what stands within or below its quote, if `above`, what stands above, has nothing to be played:
    people greet above a quote and answer below it."""
    if not reading.below or above.orders.strip() or above.unknown:
        return reading
    own = {line.strip() for line in reading.below.split("\n")}
    rest = tuple(line for line in reading.dropped if line.strip() not in own)
    return replace(reading, text=f"{reading.text}\n\n{reading.below}".strip(), dropped=rest, below="")


def _reads(ruleset: Ruleset, text: str) -> bool:
    """Whether a text can be read as it stands, and gives orders."""
    try:
        return read_script(text, ruleset.read, senses=ruleset.orders.senses, preview=True).gives_orders
    except (Unreadable, Refusal):
        return False


class _Sorter:
    """Reads line by line. `has_ended`: prose has come below an order; numbers below it are those of a telephone."""

    def __init__(self, ruleset: Ruleset, letter: ListedOrders) -> None:
        self._ruleset = ruleset
        self._listed = letter.orders
        self._usual = letter.usual
        self._legal = frozenset(letter.orders)
        units = letter.named
        self._names = Names(names_in(letter.orders) | units, units)
        self._list = LetterList(ruleset, letter)
        self._words: Vocabulary = vocabulary(ruleset)
        self._orders: list[str] = []
        self._left: list[str] = []
        self._above: list[str] = []
        self._said: list[str] = []
        self._unknown: list[str] = []
        self._asked: list[tuple[str, tuple[str, ...]]] = []
        self._mended: list[tuple[str, str]] = []
        self._searched = 0
        self._last = ""
        self._has_orders = self._has_ended = self._has_conditions = False
        self._has_parted = self._is_doubtful = self._is_urgent = False
        self._waiting = letter.waiting

    def sort(self, text: str) -> SortedReply:
        lines = join_rulings(text.split("\n"))
        at = 0
        while at < min(len(lines), MOST_SORTED):
            name = command_of(lines[at].split(maxsplit=1)[0]) if lines[at].split() else ""
            if name in (SAY, BLOCK):
                at = self._say(lines, at, name == BLOCK)
            else:
                self._line(lines[at])
                at += 1
        self._orders += lines[at:]
        orders, waiting = "\n".join(self._orders).strip("\n"), ""
        if self._is_doubtful:
            orders, waiting = parted(orders, self._ruleset, self._names.units)
        return SortedReply(
            orders,
            tuple(self._left),
            "\n".join(self._above),
            "\n\n".join(self._said),
            tuple(self._unknown),
            tuple(self._mended),
            tuple(self._asked),
            waiting,
            self._is_urgent,
        )

    def renames(self, text: str) -> bool:
        """Whether a line of a text is an order to a unit that is not in the battle, and must mean another."""
        found = any(self._renamed(line) is not None for line in text.split("\n")[:MOST_SORTED])
        self._searched, self._is_doubtful = 0, False
        return found

    def _line(self, line: str) -> None:
        if not line.strip() or contributes(line):
            self._orders.append(line)
        elif folded(stripped(line)) in URGENT:
            self._is_urgent = True
        elif self._waiting and folded(stripped(line.partition("#")[0])) in GO:
            self._mended += [(stripped(line.partition("#")[0]), order) for order in self._waiting]
            self._orders += self._waiting
            self._has_orders = True
        elif self._usual and folded(stripped(line.partition("#")[0])) in USUAL:
            self._mended += [(stripped(line.partition("#")[0]), order) for order in self._usual]
            self._orders += self._usual
            self._has_orders = True
        elif (self._is_marked(line) or not self._is_readable(line)) and (orders := self._numbered(line)) is not None:
            self._orders += orders
            self._has_orders = True
            self._last = orders[-1] if orders else self._last
        elif line.lstrip().startswith("#"):
            self._orders.append(line)
        elif (found := self._renamed(line)) is not None:
            self._take(line, found)
        elif self._is_readable(line):
            self._order(line)
        elif (found := self._meant(line)) is not None:
            self._take(line, found)
        elif looks_like_order(line, self._words, self._names.all):
            self._order(line)
        else:
            self._left.append(line.strip())
            self._has_parted |= is_parting(line)
            if not self._has_parted:
                self._is_doubtful |= may_be_order(line, self._words, self._names.units, self._list.kind_words)
            if not self._has_orders:
                self._above.append(line.strip())
            self._has_ended = self._has_orders

    def _meant(self, line: str) -> ListReading | None:
        """What a line means that is no order as it stands: by the letter's list, without a slip, or part by part."""
        if (found := self._list.read(line)) is not None:
            return found if found.orders or not self._has_ended else None
        if order := self._without_slip(line):
            return ListReading((order,))
        parts = [part.strip() for part in _BETWEEN.split(stripped(line)) if part.strip()]
        if not 1 < len(parts) <= MOST_AT_ONCE:
            return None
        readings = [self._part(part) for part in parts]
        if not any(readings) or not all(readings):
            return None
        asked = next((reading.asked for reading in readings if reading and reading.asked), ())
        orders = tuple(order for reading in readings if reading for order in reading.orders)
        return ListReading(() if asked else orders, asked)

    def _part(self, part: str) -> ListReading | None:
        """One of several orders on a line."""
        if order := self._order_behind(part):
            return ListReading((order,))
        if (orders := self._numbered(part)) is not None:
            return ListReading(tuple(orders)) if orders else None
        if (found := self._list.read(part)) is not None:
            return found
        order = self._without_slip(part)
        return ListReading((order,)) if order else None

    def _take(self, line: str, found: ListReading) -> None:
        """Play what a line means, or note between what it leaves the choice."""
        if found.asked:
            self._asked.append((line.strip(), found.asked[:MOST_ASKED]))
            return
        self._mended += [(line.strip(), order) for order in found.orders]
        for order in found.orders:
            self._order(order)

    def _order(self, line: str) -> None:
        self._orders.append(line)
        self._has_orders = True
        self._last = line if _reads(self._ruleset, line) else self._last

    def _renamed(self, line: str) -> ListReading | None:
        """What is meant by a line that can be read, but is an order to a unit that is not in the battle: `R21 ahead`
        for R12, `bowmen ahead` for the bowmen; None if it is nothing of that kind."""
        orders = self._ruleset.orders
        if not self._names.units:
            return None
        try:
            order = orders.write(orders.parse(stripped(line)), "en")
        except Refusal:
            return None
        if not self._names.is_to_unknown(order):
            return None
        if (said := self._list.read(line)) is not None:
            return said
        if self._searched == MOST_MENDED:
            return None
        self._searched += 1
        found = mended(line, self._ruleset, self._words, self._names, self._legal)
        self._is_doubtful |= bool(found)  # another name than the one that is written
        return ListReading((found,)) if found and not self._names.is_to_unknown(found) else None

    def _without_slip(self, line: str) -> str:
        """The one order that a mistyped line can mean, "" if there is none; the first lines are searched, no more."""
        if not self._listed or self._searched == MOST_MENDED:
            return ""
        name, _, rest = stripped(line).partition(" ")
        if name.rstrip(":").upper() in self._names.all and (order := self._order_behind(rest)) in self._legal:
            return order  # copied from the list with the name of the one it is for: "G1 join R5"
        self._searched += 1
        found = mended(line, self._ruleset, self._words, self._names, self._legal)
        return found or mended_script(line, self._ruleset, self._words, self._names)

    def _is_marked(self, line: str) -> bool:
        """Whether a line is a comment as it stands, and a number of the list to its writer."""
        return line.lstrip().startswith("#")

    def _is_readable(self, line: str) -> bool:
        """Whether it can be read, at the top, below an order, or within a block of conditions."""
        key = next((word.key for word in words_of(line.partition(":")[0])), "")
        if key in WITHIN:
            return self._has_conditions
        tries = [line]
        if self._last and key in HEADS:
            tries += [f"{self._last}\n{line}", f"{self._last}\n{line}\nend if"]
        is_readable = any(_reads(self._ruleset, text) for text in tries)
        self._has_conditions |= is_readable and key == "if"
        return is_readable

    def _numbered(self, line: str) -> list[str] | None:
        """The orders that the numbers of a line stand for, and the order behind them; None if it is none of this."""
        numbers, at = list[int](), 0
        if (mark := _LISTED.match(line.strip())) and _reads(self._ruleset, line.strip()[mark.end() :]):
            return None  # a list of the writer's own
        said = stripped(line) if not _NUMBERS.match(line.strip()) else without_note(line.strip().rstrip(" .!;,"))
        if not re.search(r"[^\W\d]", plain := " ".join(_SMALL.sub(" ", said).split())):
            said = plain.strip(" ,;.")
        while found := _NUMBERS.match(said, at):
            numbers.append(int(found[1]))
            at = found.end()
            if joined := _JOIN.match(said[at:]):
                at += joined.end()
        rest = said[at:].strip()
        if not numbers or not self._listed:
            return None
        if rest and len(numbers) == 1 and (order := self._list.exact(numbers[0], rest)):
            return [order]
        behind = self._order_behind(rest)
        if rest and not behind and self._list.is_about(rest) and any(number > len(self._listed) for number in numbers):
            self._unknown.append(line.strip())
            return []
        if (rest and not behind) or self._has_ended:
            return None
        if any(number > len(self._listed) for number in numbers):
            if not behind and self._has_orders and len(numbers) == 1:
                return None  # a postcode, a day: an order stands above
            self._unknown.append(line.strip())
            return []
        orders = [self._listed[number - 1] for number in numbers]
        if len(numbers) == 1 and names_in(behind.split()[:1]):
            return [behind]  # a line of the letter, with its number
        return orders if behind in ("", orders[-1]) else [*orders, behind]

    def _order_behind(self, rest: str) -> str:
        """The order in the words behind numbers, in canonical notation; `end` is the one order of the list that begins
        so, or else the last of it."""
        if not rest:
            return ""
        ruleset = self._ruleset
        for text in (rest, stripped(rest)):
            try:
                return ruleset.write(ruleset.read(text), "en")
            except Refusal:
                continue
        word = folded(rest)
        begun = [order for order in self._listed if order.split()[0] in (word, "end" if word in END else word)]
        return begun[-1] if len(begun) == 1 else ""

    def _say(self, lines: Sequence[str], at: int, is_block: bool) -> int:
        """Take up the words from a line `say …` to a blank line or an order, or of a `message` block to its `end`;
        returns the line after them."""
        first = lines[at].strip().partition(" ")[2].strip()
        words = [first] if first else []
        at += 1
        while at < len(lines):
            line = lines[at].strip()
            if (is_block and folded(line) in END) or (not is_block and not line):
                at += 1
                break
            if not is_block and (self._numbered(line) is not None or self._is_readable(line)):
                break
            words.append(line)
            at += 1
        self._said.append("\n".join(words).strip())
        return at
