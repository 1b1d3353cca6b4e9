"""Conditions of standing orders and scripts: `if … and not … or … unless …`.

A condition is read from words, kept as plain values, judged, and written back. `not` binds closest, then `and`, then
`or`; `unless` comes last and makes exceptions. A single test belongs to its owner, who passes in what reads one and
what judges one. Tests in words, which a game lists in a vocabulary, are read, bounded and compared here.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Generic, TypeVar

from msgspec import Struct

from domain.basics.errors import Refusal
from domain.mechanics.notation import PARSE, Reader

T = TypeVar("T")
Part = tuple[bool, T]
"""A test, after whether it is negated."""
Alternatives = tuple[tuple[Part[T], ...], ...]
"""Alternatives, each a group of parts that must hold together."""
Take = Callable[..., str]
"""Takes the next word if it is one of the keywords given; otherwise it reads nothing, and returns ""."""
CONNECTIVES = ("and", "or", "unless")
MOST_TESTS = 24
"""The number of tests in one condition; more than a standing order ever had room for, so that each stays readable."""


class Condition(Struct, Generic[T], frozen=True, gc=False):
    """Required and excluded alternatives; an empty condition always holds.

    `text` is the condition as it was written, if its owner shows it again in those words.
    """

    wanted: Alternatives[T] = ()
    barred: Alternatives[T] = ()
    text: str = ""


ALWAYS: Condition[Any] = Condition()


# --- reading


def read_condition(take: Take, read_part: Callable[[], Part[T]], rule: str = PARSE) -> Condition[T]:
    """Read the next condition, if there is one: `[if TESTS] [unless TESTS]`.

    `read_part` reads one test, and whether a word within it negates it.

    Raises: Refusal core.condition-too-long, with `rule`; what `read_part` raises
    """

    def part() -> Part[T]:
        before = bool(take("not"))
        inside, test = read_part()
        return before != inside, test

    alternatives = partial(_separated, take, "or", partial(_separated, take, "and", part))
    wanted = alternatives() if take("if") else ()
    barred: Alternatives[T] = ()
    if take("unless"):
        take("if")  # the French say `sauf si`
        barred = alternatives()
    condition = Condition(wanted, barred)
    if (count := sum(1 for _ in tests_of(condition))) > MOST_TESTS:
        raise Refusal("core.condition-too-long", rule, most=MOST_TESTS, given=count)
    return condition


def _separated(take: Take, keyword: str, read: Callable[[], T]) -> tuple[T, ...]:
    found = [read()]
    while take(keyword):
        found.append(read())
    return tuple(found)


# --- judging


def holds(condition: Condition[T], is_so: Callable[[T], bool]) -> bool:
    """Whether a condition holds; `is_so` answers for each test."""
    wanted = not condition.wanted or _any(condition.wanted, is_so)
    return wanted and not _any(condition.barred, is_so)


def _any(alternatives: Alternatives[T], is_so: Callable[[T], bool]) -> bool:
    return any(all(negated != is_so(test) for negated, test in together) for together in alternatives)


def tests_of(condition: Condition[T]) -> Iterator[T]:
    """Every test of a condition, in the order of its words."""
    return (test for together in (*condition.wanted, *condition.barred) for _, test in together)


# --- numbers

MOST = 9999
"""The highest number that a comparison can name."""
_RELATIONS = {
    **dict.fromkeys(("", "="), (0, 0)),
    **dict.fromkeys(("more-than", "above", ">"), (1, MOST)),
    **dict.fromkeys(("at-least", ">=", "≥"), (0, MOST)),
    **dict.fromkeys(("less-than", "below", "<"), (-MOST, -1)),
    **dict.fromkeys(("at-most", "<=", "≤"), (-MOST, 0)),
}
"""Where a relation begins and ends, counted from its number."""
_AFTER = {"or-more": "at-least", "or-less": "at-most"}


def bounds(keys: Sequence[str]) -> tuple[int, int] | None:
    """The least and the most that a comparison allows: `more than 7`, `at most 6`, `7 or less`, `< 3`, `7`; None if it
    is not a comparison. A relation may be several words, or one with hyphens."""
    *relation, number = [key for key in keys if key not in ("is", "a")] or [""]
    if number in _AFTER and len(relation) == 1:
        relation, number = [_AFTER[number]], relation[0]
    ends = _RELATIONS.get("-".join(relation))
    if ends is None or not (number.isascii() and number.isdecimal()) or len(number) > len(str(MOST)):
        return None
    return max(0, int(number) + ends[0]), min(MOST, int(number) + ends[1])


# --- tests in words

Test = tuple[str, ...]
"""One test, as its canonical words: `("heavier",)`, `("needs", "at", "most", "6")`."""
Vocabulary = Mapping[str, Callable[[Reader], tuple[str, ...]]]
"""The first words of tests, each with the function that reads the words after it."""


def read_known(reader: Reader, vocabulary: Vocabulary) -> Condition[Test]:
    """Read the next condition with the tests of a vocabulary.

    Raises: Refusal (core.parse) where a test cannot be read
    """

    def read_part() -> Part[Test]:
        word = reader.need(tuple(vocabulary))
        return False, (word, *vocabulary[word](reader))

    return read_condition(reader.take, read_part)


def no_more(reader: Reader) -> tuple[str, ...]:
    """A test of one word."""
    return ()


def bounded(lowest: int, highest: int) -> Callable[[Reader], tuple[str, ...]]:
    """A test of a number: `at most N` or `at least N`, with N between two bounds, both included."""

    def read(reader: Reader) -> tuple[str, ...]:
        reader.need(("at",))
        relation = reader.need(("most", "least"))
        exactly = bounds([reader.peek()])
        if exactly is None or not lowest <= exactly[0] <= highest or reader.number() is None:
            raise reader.unreadable(f"a number from {lowest} to {highest}")
        return ("at", relation, str(exactly[0]))

    return read


def within(test: Test, number: int) -> bool:
    """Whether a number is within the bounds of a test that was read with `bounded`."""
    limits = bounds(test[1:])
    return limits is not None and limits[0] <= number <= limits[1]


def words_of_condition(condition: Condition[Test]) -> tuple[str, ...]:
    """The canonical words of a condition; () for an empty one."""
    words: list[str] = []
    for keyword, alternatives in (("if", condition.wanted), ("unless", condition.barred)):
        joint = keyword
        for together in alternatives:
            for negated, test in together:
                words += (joint, *("not",) * negated, *test)
                joint = "and"
            joint = "or"
    return tuple(words)


# --- contradictions


def can_hold(condition: Condition[Test], excludes: Callable[[Test, Test], bool]) -> bool:
    """Whether a condition is free of plain contradictions.

    It is not if every alternative that it requires implies the opposite of one of its own parts, or an excluded
    alternative. `excludes` tells whether two tests of the game exclude each other; bounds of one number are
    compared here.
    """

    def is_possible(together: Sequence[Part[Test]]) -> bool:
        opposites = (((not negated, test),) for negated, test in together)
        return not any(
            all(any(_implies(one, other, excludes) for one in together) for other in barred)
            for barred in (*condition.barred, *opposites)
        )

    return any(map(is_possible, condition.wanted or ((),)))


def _implies(one: Part[Test], other: Part[Test], excludes: Callable[[Test, Test], bool]) -> bool:
    """Whether a part of a condition implies another."""
    limits, wider = _limits(one), _limits(other)
    (negated, test), (is_opposite, same) = one, other
    if limits and wider and test[0] == same[0]:
        return wider[0] <= limits[0] and limits[1] <= wider[1]
    if test == same:
        return negated == is_opposite
    return is_opposite and not negated and excludes(test, same)


def _limits(part: Part[Test]) -> tuple[int, int] | None:
    """The bounds of a part that is about a number; a negated one begins where the other ends."""
    negated, test = part
    limits = bounds(test[1:])
    if limits is None or not negated:
        return limits
    least, most = limits
    return (0, least - 1) if most == MOST else (most + 1, MOST)
