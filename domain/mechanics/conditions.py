"""Conditions of standing orders: `if … and … or … unless …`.

A condition is read from the words of an order line, kept as plain values, and written back. The game
supplies the tests: its vocabulary reads them, and it answers whether each one
holds. `and` binds closer than `or`; `unless` makes exceptions to `if`.
"""

from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct

from domain.mechanics.notation import Reader

Test = tuple[str, ...]
"""One test, as its canonical words: `("heavier",)`, `("needs", "at", "most", "6")`."""
Alternatives = tuple[tuple[Test, ...], ...]
"""Alternatives, each a group of tests that must hold together."""
Vocabulary = Mapping[str, Callable[[Reader], tuple[str, ...]]]
"""The first words of tests, each with the function that reads the words after it."""

MOST, LEAST = "most", "least"


class Condition(Struct, frozen=True, gc=False):
    """Required and excluded tests; an empty condition always holds."""

    wanted: Alternatives = ()
    barred: Alternatives = ()


ALWAYS = Condition()


# --- reading


def read_condition(reader: Reader, vocabulary: Vocabulary) -> Condition:
    """Read the next condition, if there is one: `[if TESTS] [unless TESTS]`.

    Raises: Refusal (core.parse) where a test cannot be read
    """
    wanted = _alternatives(reader, vocabulary) if reader.take("if") else ()
    barred: Alternatives = ()
    if reader.take("unless"):
        reader.take("if")  # the French say `sauf si`
        barred = _alternatives(reader, vocabulary)
    return Condition(wanted, barred)


def _alternatives(reader: Reader, vocabulary: Vocabulary) -> Alternatives:
    found = [_together(reader, vocabulary)]
    while reader.take("or"):
        found.append(_together(reader, vocabulary))
    return tuple(found)


def _together(reader: Reader, vocabulary: Vocabulary) -> tuple[Test, ...]:
    tests = [_test(reader, vocabulary)]
    while reader.take("and"):
        tests.append(_test(reader, vocabulary))
    return tuple(tests)


def _test(reader: Reader, vocabulary: Vocabulary) -> Test:
    word = reader.need(tuple(vocabulary))
    return (word, *vocabulary[word](reader))


def no_more(reader: Reader) -> tuple[str, ...]:
    """A test of one word."""
    return ()


def bounded(lowest: int, highest: int) -> Callable[[Reader], tuple[str, ...]]:
    """A test of a number: `at most N` or `at least N`, with N between two bounds, both included."""

    def read(reader: Reader) -> tuple[str, ...]:
        reader.need(("at",))
        relation = reader.need((MOST, LEAST))
        word = reader.peek()
        if not (word.isascii() and word.isdecimal() and lowest <= int(word) <= highest):
            raise reader.unreadable(f"a number from {lowest} to {highest}")
        return ("at", relation, str(reader.number()))

    return read


# --- writing


def words_of_condition(condition: Condition) -> tuple[str, ...]:
    """The canonical words of a condition; () for an empty one."""
    parts = (("if", condition.wanted), ("unless", condition.barred))
    return tuple(word for key, alternatives in parts if alternatives for word in (key, *_joined(alternatives)))


def _joined(alternatives: Alternatives) -> Iterable[str]:
    for at, together in enumerate(alternatives):
        if at:
            yield "or"
        for place, test in enumerate(together):
            if place:
                yield "and"
            yield from test


# --- asking


def holds(condition: Condition, is_so: Callable[[Test], bool]) -> bool:
    """Whether a condition holds; `is_so` answers for each test."""
    wanted = not condition.wanted or _any(condition.wanted, is_so)
    return wanted and not _any(condition.barred, is_so)


def _any(alternatives: Alternatives, is_so: Callable[[Test], bool]) -> bool:
    return any(all(map(is_so, together)) for together in alternatives)


def within(test: Test, number: int) -> bool:
    """Whether a number is within the bound of a test made with `bounded`."""
    relation, bound = test[-2], int(test[-1])
    return number <= bound if relation == MOST else number >= bound


def tests_of(condition: Condition) -> Iterable[Test]:
    """Every test of a condition, in the order of its words."""
    return (test for alternatives in (condition.wanted, condition.barred) for tests in alternatives for test in tests)


# --- contradictions


def can_hold(condition: Condition, excludes: Callable[[Test, Test], bool]) -> bool:
    """Whether a condition is free of plain contradictions.

    It is not if every alternative it requires has two tests that exclude each other, or implies an excluded
    alternative. `excludes` tells whether two tests of the game exclude each other; bounds of one number are
    compared here.
    """
    wanted = condition.wanted or ((),)
    return any(_is_possible(tests, excludes) and not _is_barred(tests, condition.barred) for tests in wanted)


def _is_possible(tests: tuple[Test, ...], excludes: Callable[[Test, Test], bool]) -> bool:
    return not any(_bounds_exclude(one, other) or excludes(one, other) for one in tests for other in tests)


def _is_barred(tests: tuple[Test, ...], barred: Alternatives) -> bool:
    return any(all(any(_implies(test, other) for test in tests) for other in together) for together in barred)


def _bounds_exclude(one: Test, other: Test) -> bool:
    if not (_bound(one) and _bound(other)) or one[0] != other[0]:
        return False
    return one[-2] == LEAST and other[-2] == MOST and int(one[-1]) > int(other[-1])


def _implies(one: Test, other: Test) -> bool:
    """Whether one test implies another."""
    if _bound(one) and _bound(other) and one[:-1] == other[:-1]:
        return within(other, int(one[-1]))
    return one == other


def _bound(test: Test) -> bool:
    return len(test) > 2 and test[1] == "at" and test[2] in (MOST, LEAST)
