"""Which of many alike tests belong to the quick lane."""

from collections.abc import Iterable
from typing import Any

import pytest


def thinned(values: Iterable[Any], every: int) -> list[Any]:
    """Parameters of which each `every`-th is in the quick lane; the others are `slow`."""
    return [value if at % every == 0 else slow(value) for at, value in enumerate(values)]


def slow(value: Any) -> Any:
    """A parameter, or a tuple of several, whose tests are `slow`."""
    return pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=pytest.mark.slow)
