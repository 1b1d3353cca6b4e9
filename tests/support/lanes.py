"""Which of many alike tests belong to the quick lane, and which to a sweep; which tests begin the complete lane; which
files each process of the quick lane reads."""

from collections.abc import Iterable, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any, TypeVar

import pytest

T = TypeVar("T")

MOST_ALIKE = 3
"""Cases of one test in the quick lane."""
OF_NO_LANE = ("slow", "mail", "browser")
"""The marks of what the quick lane leaves out anyway."""


def thinned(values: Iterable[Any], every: int) -> list[Any]:
    """Parameters of which each `every`-th is in the quick lane, beginning with the first; the others are `slow`."""
    return [value if at % every == 0 else slow(value) for at, value in enumerate(values)]


def sampled(values: Iterable[Any], every: int) -> list[Any]:
    """Parameters of which each `every`-th is in every run, beginning with the first; the others are tried with
    `--sweep`: more seeds, scenarios and cases of what the sample shows."""
    return [value if at % every == 0 else marked(value, pytest.mark.sweep) for at, value in enumerate(values)]


def slow(value: Any) -> Any:
    """A parameter, a tuple of several, or a `pytest.param`, whose tests are `slow`."""
    return marked(value, pytest.mark.slow)


def marked(value: Any, mark: pytest.MarkDecorator) -> Any:
    """A parameter, a tuple of several, or a `pytest.param`, with a mark more."""
    if isinstance(value, type(pytest.param())):
        return pytest.param(*value.values, marks=[*value.marks, mark], id=value.id)
    return pytest.param(*(value if type(value) is tuple else (value,)), marks=mark)


def without_sweeps(items: list[pytest.Item]) -> list[pytest.Item]:
    """Take the tests of sweeps out of a list; those that were taken."""
    taken = [item for item in items if item.get_closest_marker("sweep")]
    if taken:
        items[:] = [item for item in items if not item.get_closest_marker("sweep")]
    return taken


def beyond_the_first_few(items: Iterable[pytest.Item]) -> list[pytest.Item]:
    """The tests of the quick lane that are one case too many: of each test MOST_ALIKE stay, spread over its cases."""
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        if isinstance(item, pytest.Function) and not any(item.get_closest_marker(mark) for mark in OF_NO_LANE):
            cases.setdefault(f"{item.parent and item.parent.nodeid}::{item.originalname}", []).append(item)
    return [item for alike in cases.values() for item in without(alike, spread(len(alike), MOST_ALIKE))]


def spread(count: int, most: int) -> set[int]:
    """So many of the numbers below `count`, at most, at equal distances and beginning with 0."""
    return {at * count // most for at in range(most)} if count > most else {*range(count)}


def share(files: Iterable[Path], part: int, parts: int) -> set[Path]:
    """Every `parts`-th of some files, by name: alike ones, which stand beside each other, are in different shares."""
    return {*sorted(files)[part::parts]}


def without(items: Sequence[pytest.Item], places: set[int]) -> list[pytest.Item]:
    """All but the items at some places."""
    return [item for at, item in enumerate(items) if at not in places]


def long_ones_first(items: Sequence[pytest.Item], parts: int) -> list[pytest.Item]:
    """The same tests; each of `parts` equal parts begins with `long` ones. Those of a folder stay together: they share
    servers."""
    folders: dict[Path, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("long"):
            folders.setdefault(item.path.parent, []).append(item)
    return dealt([item for item in items if not item.get_closest_marker("long")], [*folders.values()], parts)


def dealt(others: Sequence[T], groups: Sequence[Sequence[T]], parts: int) -> list[T]:
    """All values in `parts` parts, equal as far as the groups allow; each begins with its share of the groups."""
    heads = [[*chain.from_iterable(groups[part::parts])] for part in range(parts)]
    found, rest = list[T](), iter(others)
    left = len(others) + sum(map(len, heads))
    for part, head in enumerate(heads):
        size = (left - len(found)) // (parts - part)
        found += [*head, *islice(rest, max(0, size - len(head)))]
    return [*found, *rest]
