"""Remembers what was made from frozen objects, by the objects themselves.

From one moment of a battle to the next most of a scene are the very same objects, and what is made of them (words,
drawings) costs far more than they do. The room is counted in bytes; what was made first makes room.
"""

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

V = TypeVar("V")


class Remembered(Generic[V]):
    """Values made from objects that never change. `size_of` estimates the bytes that a value takes, with what it was
    made from."""

    def __init__(self, most_bytes: int, size_of: Callable[[V], int]) -> None:
        self.bytes = 0
        self._most_bytes = most_bytes
        self._size_of = size_of
        self._kept: dict[Hashable, tuple[tuple[object, ...], V]] = {}

    def get(self, objects: tuple[object, ...], how: Hashable, make: Callable[[], V]) -> V:
        """What `make` makes from these very objects; `how` is what it depends on besides, by value."""
        key = (*map(id, objects), how)
        found = self._kept.get(key)
        if found is not None:
            return found[1]
        value = make()
        self._kept[key] = objects, value  # they stay alive with it, so that their ids are not given to others
        self.bytes += self._size_of(value)
        while self.bytes > self._most_bytes and self._kept:
            _, oldest = self._kept.pop(next(iter(self._kept)))
            self.bytes -= self._size_of(oldest)
        return value
