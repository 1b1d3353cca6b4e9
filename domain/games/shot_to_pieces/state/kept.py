"""What is worked out once of a value that never changes: of the terrain of a table, of the units of a state.

It is kept by the identity of that value, which is held with it, so that no other can take its place; it is no part of
the state, and whoever asks gets the same answer whether it was kept or not.
"""

from collections.abc import Callable
from typing import Generic, TypeVar

Whole = TypeVar("Whole")
Made = TypeVar("Made")


class Kept(Generic[Whole, Made]):
    """What `make` returns of a value, for the last `most` values or fewer."""

    def __init__(self, make: Callable[[Whole], Made], most: int) -> None:
        self._make, self._most = make, most
        self._found: dict[int, tuple[Whole, Made]] = {}

    def of(self, whole: Whole) -> Made:
        """What is made of a value."""
        found = self._found.get(id(whole))
        if found is not None:
            return found[1]
        if len(self._found) >= self._most:
            self.forget()
        made = self._make(whole)
        self._found[id(whole)] = whole, made
        return made

    def forget(self) -> None:
        """Keep nothing."""
        self._found = {}
