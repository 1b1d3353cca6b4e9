"""Why two meet, why somebody has a bye, and why one stands above another: as data, which pages and letters tell."""

from collections.abc import Sequence, Set

from msgspec import Struct

from domain.campaign.boards import Contest, places_of
from domain.campaign.sides import south_by
from domain.campaign.standings import Figure, TableRow
from domain.campaign.swiss import Contender, Passed, contenders_of, pair_round

LEFT, POINTS, LOTS = "left", "points", "lots"
"""What decides beside the tie-breaks: that one has left, the points, and the rank numbers behind all columns."""


class PairReason(Struct, frozen=True):
    """Why two meet (CAM-CUP-03 … -07): `first` was next in order and took `second`, having passed over those nearer.

    Shape: `level` of the round; `sides` what made one of them south: `balance latest rank`
    """

    board: str
    first: Contender
    second: Contender
    level: int
    passed: tuple[Passed, ...]
    sides: str


class ByeReason(Struct, frozen=True):
    """Why an entrant has the bye (CAM-CUP-05): `asked` before it were others, whom the rest could not spare."""

    entrant: Contender
    level: int
    asked: tuple[Passed, ...]


class RoundReasons(Struct, frozen=True):
    """A Swiss round explained: each pair in order of boards, and the bye if there is one."""

    pairs: tuple[PairReason, ...]
    bye: ByeReason | None


class Above(Struct, frozen=True):
    """What puts one above another (CAM-STD-04): `left`, `points`, the name of a tie-break, or `lots`.

    Shape: `upper` and `lower` the figures that differ, with their boards; none for what is no tie-break
    """

    by: str
    upper: Figure | None = None
    lower: Figure | None = None


def why_round(
    contest: Contest, round_number: int, apart: Sequence[tuple[str, str]] = (), absent: Set[str] = frozenset()
) -> RoundReasons:
    """Why a round of a Swiss cup was paired so, from what there was before it."""
    contenders = {each.entrant: each for each in contenders_of(contest, absent)}
    paired = pair_round(list(contenders.values()), round_number, apart)
    places = places_of(round_number, paired.pairs)
    pairs: list[PairReason] = []
    for place, passed in zip(places, paired.passed, strict=True):
        first, second = sorted((contenders[each] for each in place.pair), key=lambda each: each.order)
        sides = south_by(first.record, second.record, round_number)[1]
        pairs.append(PairReason(place.name, first, second, paired.level, passed, sides))
    bye = ByeReason(contenders[paired.bye], paired.level, paired.spared) if paired.bye else None
    return RoundReasons(tuple(pairs), bye)


def why_above(upper: TableRow, lower: TableRow, contest: Contest) -> Above:
    """What puts a row of the table above another below it."""
    if (upper.entrant in contest.left) != (lower.entrant in contest.left):
        return Above(LEFT)
    if upper.points != lower.points:
        return Above(POINTS)
    for one, other in zip(upper.figures, lower.figures, strict=True):
        if one.value != other.value:
            return Above(one.name, one, other)
    return Above(LOTS)
