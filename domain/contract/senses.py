"""What a script may ask of a game: what just happened, and how things stand.

A game answers only from what a side knows. A script cannot ask for anything it leaves out.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from domain.basics.commands import Command
from domain.events.battle import Event

FAILS, PASSES, REFUSED = "fails", "passes", "refused"
MISSES = "misses"
"""Said besides by games in which an order may pass and strike nothing: what was shot at is not hit."""


class Outcome(Struct, frozen=True, gc=False):
    """What became of an order: words like `fails`, `passes`, and the value of its card or die (0: none was drawn)."""

    results: frozenset[str] = frozenset()
    drawn: int = 0


NOTHING = Outcome()


def _nothing(side: str, events: Sequence[Event]) -> Outcome:
    return NOTHING


def _no_test(words: tuple[str, ...]) -> tuple[str, ...] | None:
    return None


def _never(known: Any, side: str, test: tuple[str, ...]) -> bool:
    return False


class Senses(Struct, frozen=True):
    """The game's answers. All are pure.

    `outcome` reads the events that a side's order has caused so far, as that side may see them; `results` are words it
    may use besides `fails` and `passes`. `needed` is what the draw of an order must reach (0: nothing is drawn),
    or a Refusal; if it is absent, the options are searched. `read_test` turns the words of a condition of the game's
    own (`r1 is disordered`) into plain values, or None; `holds` tells whether such a test is true, or refuses an
    unknown id.
    """

    outcome: Callable[[str, Sequence[Event]], Outcome] = _nothing
    results: frozenset[str] = frozenset()
    needed: Callable[[Any, str, Command], int] | None = None
    read_test: Callable[[tuple[str, ...]], tuple[str, ...] | None] = _no_test
    holds: Callable[[Any, str, tuple[str, ...]], bool] = _never
    examples: tuple[str, ...] = ()
    """Conditions of the game's own, as the help shows them."""
    orders: tuple[str, ...] = ()
    """Two order lines, as the help on scripts shows them."""
    policy: Mapping[str, str] = {}
    """A line that answers a question in advance, as the help shows it, by language."""
    words: Mapping[str, str] = {}
    """Other words for those of results and tests, above all of other languages; lower case, without accents."""


NO_QUERIES = Senses()
"""For a game that offers nothing to scripts."""
