"""Which of two is south (CAM-CUP-07)."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from domain.campaign.boards import Place

SOUTH_SIGN, NORTH_SIGN, NO_SIGN = "S", "N", "-"


class SideRecord(Struct, frozen=True, gc=False):
    """The sides of an entrant in earlier rounds, first legs alone: `S`, `N`, or `-` without a board; and its rank."""

    rank: int
    sides: str = ""

    @property
    def balance(self) -> int:
        """Souths minus norths."""
        return self.sides.count(SOUTH_SIGN) - self.sides.count(NORTH_SIGN)

    @property
    def latest(self) -> str:
        """The side of the latest round in which it had one; empty if it never had."""
        return self.sides.replace(NO_SIGN, "")[-1:]


BALANCE, LATEST, RANK = "balance", "latest", "rank"
"""What decides the sides: how often each was south, who was north last, the rank numbers."""


def is_south(one: SideRecord, other: SideRecord, round_number: int) -> bool:
    """Whether the first of two is south (CAM-CUP-07)."""
    return south_by(one, other, round_number)[0]


def south_by(one: SideRecord, other: SideRecord, round_number: int) -> tuple[bool, str]:
    """Whether the first of two is south, and what decides it (CAM-CUP-07).

    South is who has been south less often; else who was north when the other was south; else the lower rank number in
    odd rounds, the higher one in even rounds.
    """
    if one.balance != other.balance:
        return one.balance < other.balance, BALANCE
    if {one.latest, other.latest} == {SOUTH_SIGN, NORTH_SIGN}:
        return one.latest == NORTH_SIGN, LATEST
    return (one.rank < other.rank) == bool(round_number % 2), RANK


def side_records(entrants: Sequence[str], places: Sequence[Place]) -> dict[str, SideRecord]:
    """The record of each entrant, from all boards that were set (CAM-CUP-07): also defaults, and those still fought.

    Shape: `entrants` in the order of their rank numbers
    """
    rounds = max((place.round for place in places), default=0)
    signs = {entrant: [NO_SIGN] * rounds for entrant in entrants}
    for place in places:
        if place.leg == 1:
            signs[place.south][place.round - 1] = SOUTH_SIGN
            signs[place.north][place.round - 1] = NORTH_SIGN
    return {entrant: SideRecord(rank, "".join(signs[entrant])) for rank, entrant in enumerate(entrants, 1)}


def seated(
    pairs: Sequence[tuple[str, str]], records: Mapping[str, SideRecord], round_number: int
) -> tuple[tuple[str, str], ...]:
    """Each pair as south, then north."""
    return tuple(
        (one, other) if is_south(records[one], records[other], round_number) else (other, one) for one, other in pairs
    )
