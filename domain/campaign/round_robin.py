"""The table by which everybody meets everybody once (CAM-CUP-02)."""

from collections.abc import Sequence

from msgspec import Struct


class TableRound(Struct, frozen=True):
    """A round of the table. Shape: `pairs` south, then north; `free` has no opponent, or is empty"""

    pairs: tuple[tuple[str, str], ...]
    free: str


def table_rounds(entrants: Sequence[str]) -> tuple[TableRound, ...]:
    """All rounds for entrants in the order of their rank numbers (CAM-CUP-02).

    An odd number gets a free place as its last: whoever meets it has no battle, no bye and no points in that round.
    """
    size = len(entrants) + len(entrants) % 2
    return tuple(_table_round(entrants, size, number) for number in range(1, size))


def _table_round(entrants: Sequence[str], size: int, number: int) -> TableRound:
    """A round by rank numbers: the last one stays, the others turn about it."""
    around = size - 1
    numbers = [(number, size) if number % 2 else (size, number)]
    for board in range(1, size // 2):
        a, b = (number - 1 + board) % around + 1, (number - 1 - board) % around + 1
        numbers.append((a, b) if board % 2 else (b, a))
    pairs = [(south, north) for south, north in numbers if max(south, north) <= len(entrants)]
    free = entrants[number - 1] if len(entrants) % 2 else ""
    return TableRound(tuple((entrants[south - 1], entrants[north - 1]) for south, north in pairs), free)
