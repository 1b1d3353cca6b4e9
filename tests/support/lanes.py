"""Which of many alike tests belong to the quick lane."""

from collections.abc import Iterable
from typing import Any

import pytest


def thinned(values: Iterable[Any], every: int) -> list[Any]:
    """Parameters of which each `every`-th is in the quick lane, beginning with the first; the others are `slow`."""
    return [value if at % every == 0 else slow(value) for at, value in enumerate(values)]


def slow(value: Any) -> Any:
    """A parameter, a tuple of several, or a `pytest.param`, whose tests are `slow`."""
    if isinstance(value, type(pytest.param())):
        return pytest.param(*value.values, marks=[*value.marks, pytest.mark.slow], id=value.id)
    return pytest.param(*(value if type(value) is tuple else (value,)), marks=pytest.mark.slow)
