"""Name the order that a mistyped line can only have meant.

A slip is two neighbouring letters exchanged, a space left out, or one letter more, less or wrong in a word of the game.
A line is mended only if all readings of it with one slip undone come to the same order, or one alone of them names
nothing but what the letter names, or one alone of these stands in the letter. A guess between two is left to its writer
(`domain.scripts.likeness.meant` names one then). Numbers and names are never guessed: `R2` may be no slip for `R3`;
only two digits of a name that nobody has are put right, if somebody has the other.
"""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct

from domain.basics.commands import AcceptDraw, OfferDraw, Resign
from domain.basics.errors import Refusal
from domain.basics.spelling import plain_word
from domain.contract.ruleset import Ruleset
from domain.scripts.likeness import SCRIPT_WORDS, Vocabulary, names_in, one_slip
from domain.scripts.program import GiveOrder, Instruction, Policy, Repeat
from domain.scripts.reading import Unreadable, read
from domain.scripts.tidying import stripped, tidied

ENDING = (Resign, OfferDraw, AcceptDraw)
LONGEST, LONGEST_SCRIPT = 60, 100
"""Characters of a line that is mended: an order is no longer; of one with conditions."""
_ROMAN = re.compile(r"[IVX]+")
LEAST_WORDS = 2
"""Words of the script language that a line without a colon must have to be searched for a slip in them."""


class Names(Struct, frozen=True):
    """The names in a letter. `all`: in its orders, and of the units and leaders that its reader sees; `units`: these
    alone, empty if the letter does not tell."""

    all: frozenset[str]
    units: frozenset[str] = frozenset()

    def is_to_unknown(self, order: str) -> bool:
        """Whether an order in canonical notation is one to a unit that is not in the battle."""
        subject = order.split(maxsplit=1)[0]
        return bool(self.units) and subject not in self.units and subject in names_in([order])


def mended(line: str, ruleset: Ruleset, words: Vocabulary, known: Names, listed: frozenset[str]) -> str:
    """The order that a line must mean, in canonical notation; "" if there is none, or more than one.

    `known`: the names of the letter; `listed`: its orders. What names another unit is not mended, nor is what ends a
    battle: nobody resigns by a slip.
    """
    said = stripped(line)
    if len(said) > LONGEST:
        return ""
    orders = {order for text in _undone(said, words.all) if (order := _order(text, ruleset))}
    if len(orders) > 1:
        orders = {order for order in orders if not known.is_to_unknown(order)}
    if len(orders) > 1:
        orders = {order for order in orders if names_in([order]) <= known.all}
    if len(orders) > 1:
        orders &= listed
    if len(orders) != 1:
        return ""
    (order,) = orders
    if isinstance(ruleset.orders.parse(order), ENDING) or known.is_to_unknown(order):
        return ""
    if not _has_all(said, order, known):
        return ""
    names = names_in([order])
    return order if order in listed or not names or names & known.all else ""


def _has_all(said: str, order: str, known: Names) -> bool:
    """Whether an order has all units and all digits of what was said: half of what was meant is no mending of it."""
    named = {word for word in said.upper().replace(",", " ").split() if word in known.units}
    if not named <= set(order.split()):
        return False
    is_roman = any(_ROMAN.fullmatch(word) for word in order.split())
    return is_roman or Counter(filter(str.isdigit, said)) <= Counter(filter(str.isdigit, order))


def mended_script(line: str, ruleset: Ruleset, words: Vocabulary, known: Names) -> str:
    """The same of a line that says more than an order, `on replay: yes if …`: the line without its slip, "" if there is
    none, or more than one."""
    said = stripped(line)
    plain = {plain_word(part.strip(":,")) for part in said.split()}
    if len(said) > LONGEST_SCRIPT or (":" not in said and len(plain & SCRIPT_WORDS) < LEAST_WORDS):
        return ""
    found: list[tuple[tuple[Instruction, ...], str]] = []
    for text in _undone(said, words.all | SCRIPT_WORDS):
        program = _program(text, ruleset)
        if program and names_in([text]) <= known.all and all(program != other for other, _ in found):
            found.append((program, text))
    return found[0][1] if len(found) == 1 else ""


def _program(text: str, ruleset: Ruleset) -> tuple[Instruction, ...]:
    """What a line says to do; () if it cannot be read, or could end the battle."""
    try:
        program = read(text, ruleset.orders.parse, ruleset.orders.senses).program
    except (Unreadable, Refusal):
        return ()
    orders = [step.text for step in program if isinstance(step, GiveOrder | Repeat)]
    orders += [answer.order for step in program if isinstance(step, Policy) for answer in step.answers]
    return () if any(isinstance(ruleset.orders.parse(order), ENDING) for order in orders) else program


def _undone(said: str, words: frozenset[str]) -> Iterator[str]:
    """The line with one slip undone, in every way."""
    for at, (one, other) in enumerate(pairwise(said)):
        if one != other:
            yield said[:at] + other + one + said[at + 2 :]
    for at in range(1, len(said)):
        if said[at - 1] != " " != said[at] and not said[at].isdigit():  # no name is two words
            yield f"{said[:at]} {said[at:]}"
    parts = said.split()
    for at, part in enumerate(parts):
        core = part.strip(":,")
        plain = plain_word(core)
        for word in words if plain and plain not in words else ():
            if one_slip(plain, word):
                yield " ".join((*parts[:at], part.replace(core, word, 1), *parts[at + 1 :]))


def _order(text: str, ruleset: Ruleset) -> str:
    for reading in ((text,), *tidied(text)):
        if len(reading) == 1:
            try:
                return ruleset.orders.write(ruleset.orders.parse(reading[0]), "en")
            except Refusal:
                continue
    return ""
