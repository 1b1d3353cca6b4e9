"""What a cup has at a moment: its entrants, the boards that were set, what came of them, and who had none.

Pairing, sides and standings are functions of these values and of nothing else.
"""

from collections.abc import Mapping, Set
from typing import Literal

from msgspec import Struct

LEGS = (1, 2)
WITHOUT_OPPONENT = ("bye", "absent")


class Points(Struct, frozen=True):
    """What a board or a bye is worth (CAM-STD-01)."""

    win: int = 2
    draw: int = 1
    loss: int = 0
    bye: int = 2


class Place(Struct, frozen=True):
    """Where two entrants meet. `name` is `ROUND.NUMBER`, that of a second leg ends in `.2`: `2.3`, `1.1.2`."""

    name: str
    round: int
    south: str
    north: str

    @property
    def leg(self) -> int:
        """1, or 2 for the return with sides changed (CAM-CUP-10)."""
        return 2 if self.name.count(".") > 1 else 1

    @property
    def pair(self) -> tuple[str, str]:
        """South, then north."""
        return self.south, self.north

    def other(self, entrant: str) -> str:
        """The opponent of one of the two."""
        return self.north if entrant == self.south else self.south


class BoardResult(Struct, frozen=True):
    """What came of a board. `winner` is an entrant, or empty: a draw, or a default of both.

    Shape: `kept` of south, then of north, in thousandths (CAM-STD-02); `losers` are those who caused a default
    """

    place: Place
    winner: str
    how: str = ""
    kept: tuple[int, int] = (0, 0)
    is_default: bool = False
    losers: tuple[str, ...] = ()

    def margin(self, entrant: str) -> int:
        """What one of the two kept, less what the other did."""
        south, north = self.kept
        return south - north if entrant == self.place.south else north - south


class Idle(Struct, frozen=True):
    """An entrant without an opponent in a round: a bye, or absent, which counts as lost (CAM-STD-03)."""

    entrant: str
    round: int
    kind: Literal["bye", "absent"]


class Contest(Struct, frozen=True):
    """All that pairing and standings ask for.

    Shape: `entrants` in the order of their rank numbers, which count from 1 (CAM-RND-02); `places` those that were set,
    also those still fought; `left` are entrants who have left, `struck` those whose results count for nobody
    (CAM-PPL-04); `taken` the points that an umpire took
    """

    entrants: tuple[str, ...]
    places: tuple[Place, ...] = ()
    outcomes: tuple[BoardResult, ...] = ()
    idle: tuple[Idle, ...] = ()
    left: Set[str] = frozenset()
    struck: Set[str] = frozenset()
    taken: Mapping[str, int] = {}
    points: Points = Points()


def points_of(outcome: BoardResult, entrant: str, points: Points) -> int:
    """What a board gives one of its two entrants. A default gives what a bye gives to its winner (CAM-STD-01)."""
    if outcome.winner == entrant:
        return points.bye if outcome.is_default else points.win
    return points.loss if outcome.winner or outcome.is_default else points.draw


def places_of(round_number: int, pairs: tuple[tuple[str, str], ...], legs: int = 1) -> tuple[Place, ...]:
    """The places of a round in order of boards; with two legs each pair meets twice, sides changed (CAM-CUP-10).

    Shape: `pairs` south, then north
    """
    places: list[Place] = []
    for number, (south, north) in enumerate(pairs, 1):
        name = f"{round_number}.{number}"
        places.append(Place(name, round_number, south, north))
        if legs == max(LEGS):
            places.append(Place(f"{name}.2", round_number, north, south))
    return tuple(places)
