"""The luck in a battle as a reader is told it: sums, its course, the draws that mattered most.

`luck_of` has a row for each draw that put something at stake; everything here is made from those rows, leaving out what
a rewind took back. Amounts are in the game's tally (`Presentation.tallied`).
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import TypeVar

from domain.basics.seats import SOUTH_AND_NORTH, Seats
from projections.luck import LuckRow, SideLuck, by_side, luck_of

__all__ = [
    "LuckRow",
    "SideLuck",
    "amount",
    "brought",
    "by_side",
    "counted",
    "course",
    "largest",
    "luck_of",
    "of_events",
    "sums",
]

K = TypeVar("K", bound=Hashable)


def counted(rows: Iterable[LuckRow]) -> list[LuckRow]:
    """The rows that no rewind has taken back."""
    return [row for row in rows if not row.voided]


def sums(rows: Iterable[LuckRow], key: Callable[[LuckRow], K]) -> dict[K, Fraction]:
    """The luck of each unit, turn …, in its side's own draws: `sums(rows, lambda row: (row.side, row.unit))`."""
    found: dict[K, Fraction] = {}
    for row in counted(rows):
        found[key(row)] = found.get(key(row), Fraction(0)) + row.luck
    return found


def of_events(rows: Iterable[LuckRow]) -> dict[int, tuple[Fraction, ...]]:
    """The luck of each side in the draws that an event settles, by event; what a rewind took back is among it."""
    found: dict[int, dict[str, Fraction]] = {}
    for row in rows:
        sides = found.setdefault(row.settled, {})
        sides[row.side] = sides.get(row.side, Fraction(0)) + row.luck
    return {n: tuple(sides.values()) for n, sides in found.items()}


def course(rows: Sequence[LuckRow], side: str, seats: Seats = SOUTH_AND_NORTH) -> list[tuple[int, Fraction]]:
    """What luck has brought a side until then, after each event that settled something; of two sides the other's is the
    opposite."""
    standing = counted(rows)
    signed = (brought(row, side, seats) for row in standing)
    return list(dict(zip((row.settled for row in standing), accumulate(signed), strict=True)).items())


def brought(row: LuckRow, side: str, seats: Seats = SOUTH_AND_NORTH) -> Fraction:
    """What the luck in a draw has brought a side: all of it in its own draws, else its share of the loss."""
    return row.luck if row.side == side else -row.luck / (len(seats) - 1)


def largest(rows: Iterable[LuckRow], most: int) -> list[LuckRow]:
    """The draws with the most luck, good or bad, the largest first; of two equal ones the earlier."""
    return sorted(counted(rows), key=lambda row: (-abs(row.luck), row.settled, row.place))[:most]


def amount(luck: Fraction, mark: str = ".") -> str:
    """An amount with its sign and two decimals, rounded half away from 0: `+0.62`, `-1.00`; `0.00` has no sign."""
    hundredths = (abs(luck) * 200 + 1) // 2
    sign = "" if not hundredths else "-" if luck < 0 else "+"
    return f"{sign}{hundredths // 100}{mark}{hundredths % 100:02}"
