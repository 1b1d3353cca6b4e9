"""What a side has kept of its strength at the end of a battle, and who wins a battle that is cut off."""

from collections.abc import Sequence

from domain.basics.seats import SOUTH_AND_NORTH

SOUTH, NORTH = SOUTH_AND_NORTH.names
WHOLE = 1000
"""Shares are thousandths."""
APART = 50
"""Shares that differ by no more are a draw, where a battle is cut off (CAM-TIM-06)."""
GIVEN_UP = frozenset({"resignation", "time"})
"""Ends by which the loser has kept nothing (CAM-STD-02)."""


def share(now: int, start: int) -> int:
    """What is left, in thousandths, rounded down; 0 of nothing."""
    return WHOLE * max(now, 0) // start if start else 0


def kept(how: str, winner: str, start: Sequence[int], now: Sequence[int]) -> tuple[int, int]:
    """The shares of south and of north (CAM-STD-02).

    Who resigned or ran out of time has kept nothing: giving up early must not hurt the winner's margin.

    Shape: `winner` a side, or empty; `start` and `now` the tallies of south, then of north
    """
    lost = how in GIVEN_UP and bool(winner)
    south, north = (
        0 if lost and winner != side else share(left, begun)
        for side, left, begun in zip((SOUTH, NORTH), now, start, strict=True)
    )
    return south, north


def adjudicated(start: Sequence[int], now: Sequence[int]) -> tuple[str, tuple[int, int]]:
    """Winner and shares of a battle that is cut off: the higher share wins if more than 50 apart (CAM-TIM-06).

    Shape: the winner is a side, or empty
    """
    south, north = share(now[0], start[0]), share(now[1], start[1])
    winner = "" if abs(south - north) <= APART else SOUTH if south > north else NORTH
    return winner, (south, north)
