"""Charges as lines: contact distance, the edge struck, the place of a charger (STP-GEO-16, STP-MEL-08, STP-CHG-10)."""

from functools import lru_cache

from domain.games.shot_to_pieces.plane.angles import HALF, QUARTER, SCALE, turned, vector
from domain.games.shot_to_pieces.plane.base import FINE_BITS, KEPT, Base, FinePoint, frame, local, offset, rounded
from domain.games.shot_to_pieces.plane.contacts import EDGES, Edge
from domain.mechanics.plane import Vector, nearest

TURNS: dict[Edge, int] = {"front": HALF, "right": -QUARTER, "rear": 0, "left": QUARTER}
"""How the facing of a charger is turned from that of its target, by the edge struck."""
Share = tuple[int, int]
"""A fraction with a positive denominator."""


@lru_cache(maxsize=KEPT)
def contact_distance(base: Base, heading: int, target: Base) -> int | None:
    """How far a base goes straight along a heading until it touches another; None if it never does (STP-GEO-16)."""
    step = vector(heading)
    start: Share = (0, 1)
    end: Share | None = None
    for across in _axes(base, target):
        mine, its = _spread(base, across), _spread(target, across)
        speed = step[0] * across[0] + step[1] * across[1]
        if not speed:
            if mine[0] > its[1] or mine[1] < its[0]:
                return None
            continue
        enter, leave = (its[0] - mine[1], its[1] - mine[0]) if speed > 0 else (mine[0] - its[1], mine[1] - its[0])
        parts = abs(speed)
        if enter * start[1] > start[0] * parts:
            start = (enter, parts)
        if end is None or leave * end[1] < end[0] * parts:
            end = (leave, parts)
    if end is not None and start[0] * end[1] > end[0] * start[1]:
        return None
    return nearest(start[0] * SCALE, start[1] << FINE_BITS)


def struck_edge(base: Base, target: Base) -> Edge | None:
    """The edge of a target that the forward ray from a front centre meets first; None if it meets none.

    A ray through a corner of the front meets the front (STP-MEL-08: "before any other edge").
    """
    seen_from = frame(target)
    x, y = local(seen_from, offset(base, 0, base.depth))
    sine, cosine = vector(base.facing)
    dx = sine * seen_from.cosine - cosine * seen_from.sine
    dy = sine * seen_from.sine + cosine * seen_from.cosine
    wide, deep = seen_from.half_width, seen_from.half_depth
    met: list[tuple[Share, int]] = []
    for at, (place, going, half, aside, drift, limit) in enumerate(
        (
            (y, dy, deep, x, dx, wide),
            (x, dx, wide, y, dy, deep),
            (-y, -dy, deep, x, dx, wide),
            (-x, -dx, wide, y, dy, deep),
        )
    ):
        # from outside, towards the edge: it is met after (place - half) / -going
        if place >= half and going < 0 and abs(aside * -going + drift * (place - half)) <= limit * -going:
            met.append(((place - half, -going), at))
    if not met:
        return None
    first = met[0]
    for other in met[1:]:
        if other[0][0] * first[0][1] < first[0][0] * other[0][1]:
            first = other
    return EDGES[first[1]]


def aligned(charger: Base, target: Base, edge: Edge, places_right: int = 0) -> Base:
    """A charger flush on an edge of its target, its front centre on the middle of it, or so many of its own frontages
    to its right (STP-CHG-10)."""
    facing = turned(target.facing, TURNS[edge])
    middle = _middle(target, edge)
    sine, cosine = vector(facing)
    right, back = 2 * places_right * charger.width, -charger.depth
    at = middle[0] + right * cosine + back * sine, middle[1] - right * sine + back * cosine
    return Base(rounded(at), facing, charger.width, charger.depth)


def aligned_places(charger: Base, target: Base, edge: Edge) -> tuple[Base, Base, Base]:
    """Where a charger may end, the best first: the middle of the edge, then beside it, the nearer to its start first.

    Two equally near: the one on its right.
    """
    right, left = aligned(charger, target, edge, 1), aligned(charger, target, edge, -1)
    beside = sorted((right, left), key=lambda place: _square_between(place, charger))
    return aligned(charger, target, edge), beside[0], beside[1]


def _square_between(one: Base, other: Base) -> int:
    return (one.at[0] - other.at[0]) ** 2 + (one.at[1] - other.at[1]) ** 2


def _middle(target: Base, edge: Edge) -> FinePoint:
    right, ahead = {
        "front": (0, target.depth),
        "right": (target.width, 0),
        "rear": (0, -target.depth),
        "left": (-target.width, 0),
    }[edge]
    return offset(target, right, ahead)


def _axes(one: Base, other: Base) -> list[Vector]:
    """The directions of the sides of two bases."""
    found = [vector(one.facing), vector(other.facing)]
    return [axis for sine, cosine in found for axis in ((sine, cosine), (cosine, -sine))]


def _spread(base: Base, axis: Vector) -> tuple[int, int]:
    """How far a base reaches along a direction: its least and largest place."""
    places = [x * axis[0] + y * axis[1] for x, y in frame(base).corners]
    return min(places), max(places)
