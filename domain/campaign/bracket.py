"""The bracket of a knock-out: who meets whom in each round, and who of two goes on (CAM-CUP-08, -09)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from domain.campaign.boards import BoardResult, Points, points_of

NOBODY = ""
"""A free slot: its neighbour goes on without a battle."""
By = Literal["battle", "default", "kept", "lot", ""]


class Decided(Struct, frozen=True, gc=False):
    """The one of a pair who goes on, and by what; nobody where both are to blame for a default."""

    winner: str
    how: By


class BracketRound(Struct, frozen=True):
    """The pairs of a round in order of slots, not yet as south and north, and who goes on without an opponent."""

    pairs: tuple[tuple[str, str], ...]
    byes: tuple[str, ...]


def slots(entrants: Sequence[str]) -> tuple[str, ...]:
    """The first round for entrants in the order of their rank numbers; neighbours meet (CAM-CUP-08).

    Numbers above that of the last entrant are free slots.
    """
    numbers = [1]
    while len(numbers) < len(entrants):
        size = 2 * len(numbers)
        numbers = [number for each in numbers for number in (each, size + 1 - each)]
    return tuple(entrants[number - 1] if number <= len(entrants) else NOBODY for number in numbers)


def bracket_round(at: Sequence[str]) -> BracketRound:
    """The round of the slots. In later rounds a slot is free where nobody went on, or who did has left."""
    neighbours = list(zip(at[::2], at[1::2], strict=True))
    pairs = tuple((one, other) for one, other in neighbours if one and other)
    return BracketRound(pairs, tuple(one or other for one, other in neighbours if bool(one) != bool(other)))


def next_slots(at: Sequence[str], winners: Mapping[frozenset[str], str]) -> tuple[str, ...]:
    """The slots of the next round: winners keep their order (CAM-CUP-08).

    Shape: `winners` by pair, whichever of them is south
    """
    neighbours = zip(at[::2], at[1::2], strict=True)
    return tuple(winners[frozenset(pair)] if all(pair) else pair[0] or pair[1] for pair in neighbours)


def decided(results: Sequence[BoardResult], cast: Callable[[], int], points: Points | None = None) -> Decided:
    """The one who goes on from the boards of a pair: points, then what was kept, then the lot (CAM-CUP-09, -10).

    Shape: one board, or two legs; `cast` gives 0 for south of the first leg, 1 for north, and is asked if need be
    """
    pair = results[0].place.pair
    if all(result.is_default and not result.winner for result in results):
        return Decided(NOBODY, "default")
    won = _ahead(pair, [sum(points_of(result, each, points or Points()) for result in results) for each in pair])
    if won:
        return Decided(won, "default" if all(result.is_default for result in results) else "battle")
    more = _ahead(pair, [sum(result.margin(each) for result in results) for each in pair])
    return Decided(more, "kept") if more else Decided(pair[cast()], "lot")


def _ahead(pair: tuple[str, str], figures: Sequence[int]) -> str:
    south, north = figures
    return pair[0] if south > north else pair[1] if north > south else NOBODY
