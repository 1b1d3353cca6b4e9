"""RowMap by name, as an immutable mapping that shares what it has in common with the one before it.

A cup may have a thousand entrants and thousands of boards, and each event changes one of them. A change here copies one
path of a tree, whatever the size.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Generic, TypeVar

R = TypeVar("R")

_BITS = 5
_MASK = (1 << _BITS) - 1

_Node = dict[Any, Any]
"""A node of the level below it by five bits of the hash of a name; on the third level the rows that share ten bits, by
name. Never changed once it is in a mapping."""


class RowMap(Mapping[str, R], Generic[R]):
    """Maps names to rows; it is walked in the order of names."""

    __slots__ = ("_root",)

    def __init__(self, rows: Mapping[str, R] | None = None) -> None:
        self._root: _Node = {}
        for name, row in (rows or {}).items():
            self._root = _set(self._root, name, row)

    def with_row(self, name: str, row: R) -> "RowMap[R]":
        """The same with a row, which may take the place of another of that name."""
        return self._map_of(_set(self._root, name, row))

    def without(self, name: str) -> "RowMap[R]":
        """The same without a row, which need not be there."""
        return self._map_of(_cut(self._root, name)) if name in self else self

    def __getitem__(self, name: str) -> R:
        place = hash(name)
        try:
            row: R = self._root[place & _MASK][place >> _BITS & _MASK][name]
        except KeyError:
            raise KeyError(name) from None
        return row

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(name for node in self._root.values() for rows in node.values() for name in rows))

    def __len__(self) -> int:
        return sum(len(rows) for node in self._root.values() for rows in node.values())

    def __repr__(self) -> str:
        return f"RowMap({dict(self)})"

    @staticmethod
    def _map_of(root: _Node) -> "RowMap[R]":
        made: RowMap[R] = RowMap.__new__(RowMap)
        made._root = root
        return made


def _set(root: _Node, name: str, row: Any) -> _Node:
    """The root with a row: one node of each level is copied."""
    place = hash(name)
    first, second = place & _MASK, place >> _BITS & _MASK
    root = root.copy()
    node = root[first].copy() if first in root else {}
    rows = node[second].copy() if second in node else {}
    rows[name] = row
    node[second] = rows
    root[first] = node
    return root


def _cut(root: _Node, name: str) -> _Node:
    """The root without a row, which it has."""
    place = hash(name)
    first, second = place & _MASK, place >> _BITS & _MASK
    root, node, rows = root.copy(), root[first].copy(), root[first][second].copy()
    del rows[name]
    node[second] = rows
    root[first] = node
    return root
