"""A number for each of some events, as an immutable mapping that shares what it has in common with the one before it.

What a battle remembers of its sealed events changes with many events of a log. To copy it each time would cost the
square of their number; here a change copies one path of a tree, whatever the size.
"""

from collections.abc import Iterator, Mapping
from typing import Any

_BITS, _LEVELS = 6, 4  # 24 bits, more than a log has events
_MASK = (1 << _BITS) - 1
_SHIFTS = tuple(_BITS * level for level in reversed(range(_LEVELS)))

_Node = dict[int, Any]
"""Up to 64 nodes of the level below it, or values; never changed once it is in a map."""


class EventMap(Mapping[int, int]):
    """Maps events, by n, to numbers."""

    __slots__ = ("_root", "_size")

    def __init__(self) -> None:
        self._root: _Node = {}
        self._size = 0

    def with_event(self, n: int, value: int) -> "EventMap":
        """The same with event `n`, which may be there already.

        Raises:  IndexError beyond 2^24 - 1
        """
        if not 0 <= n < 1 << _BITS * _LEVELS:
            raise IndexError(n)
        return self._map_of(_set(self._root, n, value, 0), self._size + (n not in self))

    def without(self, n: int) -> "EventMap":
        """The same without event `n`, which need not be there."""
        return self._map_of(_cut(self._root, n, 0), self._size - 1) if n in self else self

    def __getitem__(self, n: int) -> int:
        node: Any = self._root if 0 <= n < 1 << _BITS * _LEVELS else {}
        try:
            for shift in _SHIFTS:
                node = node[n >> shift & _MASK]
        except KeyError:
            raise KeyError(n) from None
        number: int = node
        return number

    def __iter__(self) -> Iterator[int]:
        return _numbers(self._root, 0, 0)

    def __len__(self) -> int:
        return self._size

    def __repr__(self) -> str:
        return f"EventMap({dict(self)})"

    @staticmethod
    def _map_of(root: _Node, size: int) -> "EventMap":
        made = EventMap()
        made._root, made._size = root, size
        return made


def _set(node: _Node, n: int, value: int, level: int) -> _Node:
    place = n >> _SHIFTS[level] & _MASK
    below = value if level == _LEVELS - 1 else _set(node.get(place, {}), n, value, level + 1)
    return {**node, place: below}


def _cut(node: _Node, n: int, level: int) -> _Node:
    """The node without event `n`, which it has; nothing below it is left empty."""
    place = n >> _SHIFTS[level] & _MASK
    below = {} if level == _LEVELS - 1 else _cut(node[place], n, level + 1)
    rest = {at: each for at, each in node.items() if at != place}
    return {**rest, place: below} if below else rest


def _numbers(node: _Node, start: int, level: int) -> Iterator[int]:
    for place in sorted(node):
        n = start | place << _SHIFTS[level]
        if level == _LEVELS - 1:
            yield n
        else:
            yield from _numbers(node[place], n, level + 1)
