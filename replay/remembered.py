"""Remembers what was made from frozen objects, by the objects themselves.

From one moment of a battle to the next most of a scene are the very same objects, and what is made of them (words,
drawings) costs far more than they do. The room is counted in bytes; what was made first makes room.
"""

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

V = TypeVar("V")


class Remembered(Generic[V]):
    """Values made from objects that never change. `size_of` estimates the bytes that a value takes, with what it was
    made from. `by_value`: the objects can be hashed, and equal ones count as the same (a process that gets its scenes
    from another never sees one twice); that takes longer."""

    def __init__(self, most_bytes: int, size_of: Callable[[V], int], *, by_value: bool = False) -> None:
        self.bytes = 0
        self._most_bytes = most_bytes
        self._size_of = size_of
        self._by_value = by_value
        self._kept: dict[Hashable, tuple[tuple[object, ...], V]] = {}

    def get(self, objects: tuple[object, ...], how: Hashable, make: Callable[[], V]) -> V:
        """What `make` makes from these objects; `how` is what it depends on besides, by value."""
        key = (*map(id, objects), how)
        found = self._kept.get(key)
        if found is not None:
            return found[1]
        if self._by_value:
            equal = (objects, how)
            found = self._kept.get(equal)
            value = make() if found is None else found[1]
            self._keep(equal, objects, value)
        else:
            value = make()
        self._keep(key, objects, value)  # the objects stay alive with it, so that their ids are not given to others
        return value

    def _keep(self, key: Hashable, objects: tuple[object, ...], value: V) -> None:
        if key in self._kept:
            return
        self._kept[key] = objects, value
        self.bytes += self._size_of(value)
        while self.bytes > self._most_bytes and self._kept:
            _, oldest = self._kept.pop(next(iter(self._kept)))
            self.bytes -= self._size_of(oldest)
