"""The conditions of scripts, and whether one holds.

A condition is data: alternatives (`or`) of tests that hold together (`and`), each possibly negated (`not`). It is
judged by a `ScriptView`: what one side knows of the battle at one moment, and what its last order has caused.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from msgspec import Struct

from domain.engine.commands import Command
from domain.engine.decide import require_allowed
from domain.engine.errors import Refusal
from domain.ruleset import Ruleset
from domain.scripts.senses import FAILS, PASSES, REFUSED, Outcome, Senses
from domain.scripts.words import Word, bounds, raw_text, words_of

SCRIPT = "CORE-SCRIPT"
MOST_TESTS = 8
"""The number of tests that one condition may have."""
UNKNOWN = frozenset({"core.unknown-id", "core.not-yours", "core.off-board"})
"""Refusals that mean that a condition names something that does not exist."""


class It(Struct, frozen=True, tag=True, gc=False):
    """`it fails`: a result of the last order."""

    result: str


class Card(Struct, frozen=True, tag=True, gc=False):
    """`last card is 7 or more`: the value of its card, from `least` to `most`."""

    least: int
    most: int


class Needs(Struct, frozen=True, tag=True, gc=False):
    """`R1 ahead needs at most 6`: what the draw of an order must reach; "" means the order of the same line."""

    order: str
    least: int
    most: int


class Told(Struct, frozen=True, tag=True, gc=False):
    """`R1 is disordered`: a test of the game's own."""

    test: tuple[str, ...]


Test = It | Card | Needs | Told


class Condition(Struct, frozen=True, gc=False):
    """One of the alternatives must hold: all its tests, negated where the first of a pair is true."""

    any_of: tuple[tuple[tuple[bool, Test], ...], ...]
    text: str


class ScriptView(Protocol):
    """What a script may look at: `known` is the state as `side` knows it, at one moment."""

    @property
    def ruleset(self) -> Ruleset: ...
    @property
    def side(self) -> str: ...
    @property
    def known(self) -> Any: ...
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


def read_condition(text: str, grammar: Grammar) -> Condition:
    """Parse a condition.

    Raises: Refusal core.bad-condition, core.nothing-before, core.needs-what; core.parse of an order in it
    """
    return condition_of(words_of(text), grammar)


def condition_of(words: Sequence[Word], grammar: Grammar) -> Condition:
    """The condition written in these words."""
    count = 1 + sum(word.key in ("or", "and") for word in words)
    if count > MOST_TESTS:
        raise Refusal("core.condition-too-long", SCRIPT, most=MOST_TESTS, given=count)
    any_of = tuple(
        tuple(_test(tuple(part), grammar) for part in _split(together, "and")) for together in _split(words, "or")
    )
    return Condition(any_of, raw_text(words))


def _split(words: Sequence[Word], key: str) -> list[list[Word]]:
    parts: list[list[Word]] = [[]]
    for word in words:
        if word.key == key:
            parts.append([])
        else:
            parts[-1].append(word)
    return parts


def _test(words: tuple[Word, ...], grammar: Grammar) -> tuple[bool, Test]:
    denied = bool(words) and words[0].key == "not"
    words = words[1:] if denied else words
    for at in range(1, len(words)):
        if words[at].key == "not" and words[at - 1].key == "is":
            denied, words = not denied, (*words[:at], *words[at + 1 :])
            break
    return denied, _plain_test(words, grammar)


def _plain_test(words: tuple[Word, ...], grammar: Grammar) -> Test:
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
    if keys[:1] == ("last-card",) and (limits := bounds(keys[1:])):
        _require_order_before(words, grammar)
        return Card(*limits)
    if (test := grammar.senses.read_test(keys)) is not None:
        return Told(test)
    raise Refusal("core.bad-condition", SCRIPT, text=raw_text(words))


def _needs(words: tuple[Word, ...], at: int, grammar: Grammar) -> Needs:
    limits = bounds([word.key for word in words[at + 1 :]])
    if limits is None:
        raise Refusal("core.bad-condition", SCRIPT, text=raw_text(words))
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


def holds(condition: Condition, sight: ScriptView, last: Callable[[], Outcome], subject: str = "") -> bool:
    """Whether a condition holds. `last` returns the outcome of the last order, `subject` is the order of the line.

    Raises: Refusal for a unit, general or box that does not exist
    """
    return any(
        all(denied != _is_so(test, sight, last, subject) for denied, test in together) for together in condition.any_of
    )


def _is_so(test: Test, sight: ScriptView, last: Callable[[], Outcome], subject: str) -> bool:
    if isinstance(test, It):
        return test.result in last().results
    if isinstance(test, Card):
        card = last().card
        return bool(card) and test.least <= card <= test.most
    if isinstance(test, Needs):
        needed = needed_now(sight, test.order or subject)
        return needed is not None and test.least <= needed <= test.most
    return sight.ruleset.orders.senses.holds(sight.known, sight.side, test.test)


def needed_now(sight: ScriptView, order: str) -> int | None:
    """What the draw of an order must reach, as far as its side knows; None if the order would be refused.

    Raises: Refusal for a unit, general or box that does not exist
    """
    ruleset = sight.ruleset
    command = ruleset.orders.parse(order)
    try:
        require_allowed(ruleset, sight.known, sight.side, command)
        if ruleset.orders.senses.needed is not None:
            return ruleset.orders.senses.needed(sight.known, sight.side, command)
    except Refusal as refusal:
        if refusal.code in UNKNOWN:
            raise
        return None
    text = ruleset.orders.write(command, "en")
    listed = ruleset.orders.options(sight.known, sight.side)
    return next((option.needed for option in listed if option.order == text), None)
