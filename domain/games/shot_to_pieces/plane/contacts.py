"""Which bases stand in contact: abutting, rear and front contact, and groups (STP-GEO-08, STP-ACT-05)."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from domain.games.shot_to_pieces.plane.angles import HALF, difference
from domain.games.shot_to_pieces.plane.base import FINE_BITS, KEPT, Base, FinePoint, frame, local
from domain.games.shot_to_pieces.plane.gaps import is_surely_apart, measured
from domain.games.shot_to_pieces.plane.shapes import segments_square

PARALLEL = 500
"""The largest angle between the facings of bases in contact."""
BESIDE = 50
"""The largest gap between edges that abut, or of a rear contact."""
STRUCK = 10
"""The largest gap of a front contact."""

Flank = Literal["left", "right"]
Edge = Literal["front", "right", "rear", "left"]
EDGES: tuple[Edge, ...] = ("front", "right", "rear", "left")


def edge_of(base: Base, name: Edge) -> tuple[FinePoint, FinePoint]:
    """The two corners of an edge, clockwise about the base."""
    around, at = frame(base).corners, EDGES.index(name)
    return around[at], around[(at + 1) % 4]


def edge_gap(base: Base, edge: Edge, other: Base, other_edge: Edge) -> int:
    """The distance of an edge of one base and an edge of another."""
    square, parts = segments_square(edge_of(base, edge), edge_of(other, other_edge))
    return measured(square, parts << 2 * FINE_BITS)


@lru_cache(maxsize=KEPT)
def abuts(base: Base, other: Base) -> Flank | None:
    """The flank of a base on which another abuts it: side by side, facing alike; None if it does not."""
    if is_surely_apart(base, other, BESIDE + 1) or difference(base.facing, other.facing) > PARALLEL:
        return None
    flanks: tuple[tuple[Flank, Flank], ...] = (("left", "right"), ("right", "left"))
    for mine, its in flanks:
        if edge_gap(base, mine, other, its) <= BESIDE:
            least = min(base.depth, other.depth)
            shared = min(_shared(base, edge_of(other, its), 1), _shared(other, edge_of(base, mine), 1))
            if 2 * shared >= least:
                return mine
    return None


@lru_cache(maxsize=KEPT)
def is_behind(rear: Base, front: Base) -> bool:
    """Whether the first base is in rear contact with the second: behind it, facing alike."""
    if is_surely_apart(rear, front, BESIDE + 1) or difference(rear.facing, front.facing) > PARALLEL:
        return False
    is_near = edge_gap(rear, "front", front, "rear") <= BESIDE
    return is_near and 2 * _shared(front, edge_of(rear, "front"), 0) >= front.width


def strikes(base: Base, other: Base) -> bool:
    """Whether the front edge of a base is in front contact with any edge of an enemy."""
    return not is_surely_apart(base, other, STRUCK + 1) and any(
        edge_gap(base, "front", other, edge) <= STRUCK for edge in EDGES
    )


def are_front_to_front(one: Base, other: Base) -> bool:
    """Whether two bases that face each other have their front edges in contact (STP-MEL-19)."""
    if is_surely_apart(one, other, STRUCK + 1) or difference(one.facing, other.facing) < HALF - PARALLEL:
        return False
    return edge_gap(one, "front", other, "front") <= STRUCK


def are_opposite_ways_side_by_side(one: Base, other: Base) -> bool:
    """Whether flank edges of two bases that face opposite ways are within 0.5 cm (STP-MEL-17)."""
    if is_surely_apart(one, other, BESIDE + 1) or difference(one.facing, other.facing) < HALF - PARALLEL:
        return False
    flanks: tuple[Flank, ...] = ("left", "right")
    return any(edge_gap(one, mine, other, its) <= BESIDE for mine in flanks for its in flanks)


def in_contact(one: Base, other: Base) -> bool:
    """Whether two friends are in lateral or rear contact."""
    return abuts(one, other) is not None or is_behind(one, other) or is_behind(other, one)


def is_chain(bases: Sequence[Base]) -> bool:
    """Whether bases hang together by contacts (STP-ACT-05)."""
    left, reached = list(bases[1:]), list(bases[:1])
    while reached:
        base = reached.pop()
        found = [other for other in left if in_contact(base, other)]
        left = [other for other in left if other not in found]
        reached += found
    return not left


def _shared(base: Base, edge: tuple[FinePoint, FinePoint], axis: Literal[0, 1]) -> int:
    """The length that an edge of another base has in common with a base, across its facing (0) or along it (1)."""
    seen_from = frame(base)
    half = (seen_from.half_width, seen_from.half_depth)[axis]
    places = [local(seen_from, corner)[axis] for corner in edge]
    shared = min(half, max(places)) - max(-half, min(places))
    return measured(shared * shared, seen_from.square << 2 * FINE_BITS) if shared > 0 else 0
