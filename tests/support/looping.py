"""What a test loops over: a test whose checks all stand in a loop must not pass because the loop is empty."""

from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")


def some(found: Iterable[T]) -> list[T]:
    """All that was found, which must be something."""
    listed = list(found)
    assert listed, "nothing was found to check"
    return listed
