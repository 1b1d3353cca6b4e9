"""Name the order that a mistyped line can only have meant.

A slip is two neighbouring letters exchanged, or one letter more, less or wrong in a word of the game. A line is mended
only if all readings of it with one slip undone come to the same order, or one alone of them names nothing but what the
letter names. A guess between two is left to its writer (`domain.scripts.likeness.meant` names one then). Numbers and
names are never guessed: `R2` may be no slip for `R3`.
"""

from collections.abc import Iterator
from itertools import pairwise

from domain.engine.commands import AcceptDraw, OfferDraw, Resign
from domain.engine.errors import Refusal
from domain.mechanics.notation import plain_word
from domain.ruleset import Ruleset
from domain.scripts.likeness import Vocabulary, names_in, one_slip
from domain.scripts.tidying import stripped, tidied

ENDING = (Resign, OfferDraw, AcceptDraw)
LONGEST = 60
"""Characters of a line that is mended: an order is no longer."""


def mended(line: str, ruleset: Ruleset, words: Vocabulary, known: frozenset[str], listed: frozenset[str]) -> str:
    """The order that a line must mean, in canonical notation; "" if there is none, or more than one.

    `known`: the names of the battle, and those in the orders of the letter, `listed`. What names another is not mended,
    nor is what ends a battle: nobody resigns by a slip.
    """
    said = stripped(line)
    if len(said) > LONGEST:
        return ""
    orders = {order for text in _undone(said, words) if (order := _order(text, ruleset))}
    if len(orders) > 1:
        orders = {order for order in orders if names_in([order]) <= known}
    if len(orders) != 1:
        return ""
    (order,) = orders
    if isinstance(ruleset.orders.parse(order), ENDING):
        return ""
    names = names_in([order])
    return order if order in listed or not names or names & known else ""


def _undone(said: str, words: Vocabulary) -> Iterator[str]:
    """The line with one slip undone, in every way."""
    for at, (one, other) in enumerate(pairwise(said)):
        if one != other:
            yield said[:at] + other + one + said[at + 2 :]
    parts = said.split()
    for at, part in enumerate(parts):
        plain = plain_word(part)
        for word in words.all if plain not in words.all else ():
            if one_slip(plain, word):
                yield " ".join((*parts[:at], word, *parts[at + 1 :]))


def _order(text: str, ruleset: Ruleset) -> str:
    for reading in ((text,), *tidied(text)):
        if len(reading) == 1:
            try:
                return ruleset.orders.write(ruleset.orders.parse(reading[0]), "en")
            except Refusal:
                continue
    return ""
