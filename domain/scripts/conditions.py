"""The tests that a condition of a script may have: read, and judged.

`and`, `or`, `not` and `unless` are those of every condition (`domain.mechanics.conditions`). A test is data; it is
judged by a `ScriptView`: what one side knows of the battle at one moment, and what its last order has caused.
"""

from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import Any, Protocol

from msgspec import Struct
from msgspec.structs import replace

from domain.basics.commands import Command
from domain.basics.errors import Refusal
from domain.contract.option import Option
from domain.contract.ruleset import Ruleset
from domain.contract.script_words import Word, raw_text
from domain.contract.senses import FAILS, PASSES, REFUSED, Outcome, Senses
from domain.mechanics.conditions import CONNECTIVES, Condition, Part, bounds, read_condition
from domain.run.decide import require_allowed

SCRIPT = "CORE-SCRIPT"
UNKNOWN = frozenset({"core.unknown-id", "core.not-yours", "core.off-board"})
"""Refusals that mean that a condition names something that does not exist."""


class It(Struct, frozen=True, tag=True, gc=False):
    """`it fails`: a result of the last order."""

    result: str


class LastDraw(Struct, frozen=True, tag=True, gc=False):
    """`last draw is 7 or more`: the value of its card or die, from `least` to `most`."""

    least: int
    most: int


class Needs(Struct, frozen=True, tag=True, gc=False):
    """`R1 ahead needs at most 6`: what the draw of an order must reach; "" means the order of the same line."""

    order: str
    least: int
    most: int


class GameTest(Struct, frozen=True, tag=True, gc=False):
    """`R1 is disordered`: a test of the game's own."""

    test: tuple[str, ...]


Test = It | LastDraw | Needs | GameTest


class ScriptView(Protocol):
    """What a script may look at: `known` is the state as `side` knows it, at one moment."""

    @property
    def ruleset(self) -> Ruleset: ...
    @property
    def side(self) -> str: ...
    @property
    def known(self) -> Any: ...
    @property
    def options(self) -> Sequence[Option]:
        """The orders that the side may give now. To list them may take long: listed once for a state."""

    def it(self, first: int) -> Outcome:
        """The outcome of the events from `first` on."""


# --- reading


class Grammar(Struct, frozen=True):
    """What a condition may consist of: the game's orders and tests; `it` after an order, and whether the line has
    an order that a bare `needs` refers to."""

    parse: Callable[[str], Command]
    senses: Senses
    after_order: bool = True
    about_order: bool = False


def condition_of(words: Sequence[Word], grammar: Grammar) -> Condition[Test]:
    """The condition written in these words, which follow an `if` or `until`.

    Raises: Refusal core.bad-condition, core.condition-too-long, core.nothing-before, core.needs-what; core.parse of an
            order in it
    """
    left = [Word("if", ""), *words]

    def take(*keywords: str) -> str:
        return left.pop(0).key if left and left[0].key in keywords else ""

    def read_part() -> Part[Test]:
        said = tuple(takewhile(lambda word: word.key not in CONNECTIVES, left))  # an order may be among them
        del left[: len(said)]
        for at in range(1, len(said)):
            if said[at].key == "not" and said[at - 1].key == "is":
                return True, _test((*said[:at], *said[at + 1 :]), grammar)
        return False, _test(said, grammar)

    condition = read_condition(take, read_part, SCRIPT)
    if left:
        raise _not_one(left, grammar)
    return replace(condition, text=raw_text(words))


def _test(words: tuple[Word, ...], grammar: Grammar) -> Test:
    keys = tuple(grammar.senses.words.get(word.key, word.key) for word in words)
    if "needs" in keys:
        return _needs(words, keys.index("needs"), grammar)
    if keys == ("it-fails",):
        keys = ("it", FAILS)
    if keys[:1] == ("it",):
        result = keys[-1] if len(keys) == 2 or keys[1:-1] == ("is",) else ""
        if result in {FAILS, PASSES, REFUSED, *grammar.senses.results}:
            _require_order_before(words, grammar)
            return It(result)
    if keys[:1] == ("last-draw",) and (limits := bounds(keys[1:])):
        _require_order_before(words, grammar)
        return LastDraw(*limits)
    if (test := grammar.senses.read_test(keys)) is not None:
        return GameTest(test)
    raise _not_one(words, grammar)


def _not_one(words: Sequence[Word], grammar: Grammar) -> Refusal:
    """The refusal of words that are not a condition, with examples of the game."""
    examples = [f"`{example}`" for example in grammar.senses.examples]
    return Refusal("core.bad-condition", SCRIPT, text=raw_text(words), examples=examples)


def _needs(words: tuple[Word, ...], at: int, grammar: Grammar) -> Needs:
    limits = bounds([word.key for word in words[at + 1 :]])
    if limits is None:
        raise _not_one(words, grammar)
    order = raw_text(words[:at])
    if order in ("it", "il"):
        order = ""
    if order:
        grammar.parse(order)
    elif not grammar.about_order:
        raise Refusal("core.needs-what", SCRIPT, text=raw_text(words))
    return Needs(order, *limits)


def _require_order_before(words: tuple[Word, ...], grammar: Grammar) -> None:
    if not grammar.after_order:
        raise Refusal("core.nothing-before", SCRIPT, text=raw_text(words))


# --- judging


def is_so(test: Test, view: ScriptView, last: Callable[[], Outcome], subject: str = "") -> bool:
    """Whether a test is true. `last` returns the outcome of the last order, `subject` is the order of the line.

    Raises: Refusal for a unit, general or box that does not exist
    """
    if isinstance(test, It):
        return test.result in last().results
    if isinstance(test, LastDraw):
        drawn = last().drawn
        return bool(drawn) and test.least <= drawn <= test.most
    if isinstance(test, Needs):
        needed = needed_now(view, test.order or subject)
        return needed is not None and test.least <= needed <= test.most
    return view.ruleset.orders.senses.holds(view.known, view.side, test.test)


def needed_now(view: ScriptView, order: str) -> int | None:
    """What the draw of an order must reach, as far as its side knows; None if the order would be refused.

    Raises: Refusal for a unit, general or box that does not exist
    """
    ruleset = view.ruleset
    command = ruleset.orders.parse(order)
    try:
        require_allowed(ruleset, view.known, view.side, command)
        if ruleset.orders.senses.needed is not None:
            return ruleset.orders.senses.needed(view.known, view.side, command)
    except Refusal as refusal:
        if refusal.code in UNKNOWN:
            raise
        return None
    text = ruleset.orders.write(command, "en")
    return next((option.needed for option in view.options if option.order == text), None)
