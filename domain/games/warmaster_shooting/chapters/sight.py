"""Chapters LOS and ARC: whether a stand may shoot at another: range, fire arc, line of sight.

A stand shoots over an edge, its front or, where its profile is two-sided, its rear (WMS-ARC-04). All three conditions
must hold for the same stand of the target, over the same edge.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

from domain.games.warmaster_shooting.state.measure import distance, fine, height, outline
from domain.games.warmaster_shooting.state.profiles import TWO_SIDED, TroopKind
from domain.games.warmaster_shooting.state.state import Stand, StandBase, State, TerrainArea, Unit
from domain.mechanics import outline as outlines
from domain.mechanics.outline import Outline
from domain.mechanics.plane import FINE, Point, Sector

Edge = Literal["front", "rear"]
EDGES: tuple[Edge, ...] = ("front", "rear")
HALVES = 2 * FINE
"""Sight is taken in halves of a thousandth of a millimetre: the middle of an edge is exact there."""
LEAST_CUT = 2 * HALVES
"""A stand cuts a line that runs inside it for more than 2 mm (WMS-LOS-06)."""
MOST_WOOD = 20 * HALVES
"""What may be seen of a wood from its edge, or within it: 2 cm (WMS-LOS-04, -05)."""
BLINDING = ("wood", "built")


def edge_to(state: State, shooter: Unit, stand: Stand, unit: Unit, target: Stand) -> Edge | None:
    """The edge over which a stand can shoot at a stand of another unit, the front if both will do; None for neither.

    Rule: WMS-ARC-03, WMS-LOS-01; border cases belong to arc and range (WMS-GEO-06)
    """
    profile = shooter.kind
    if not profile.shots or distance(stand, target) > profile.range:
        return None
    edges = EDGES if TWO_SIDED in profile.flags else EDGES[:1]
    return next(
        (
            edge
            for edge in edges
            if in_arc(profile, stand.base, edge, target.base, state.options.arc_slope)
            and sees(state, stand, edge, unit, target)
        ),
        None,
    )


def reachable(state: State, shooter: Unit, stand: Stand, unit: Unit) -> tuple[Stand, ...]:
    """The stands of a unit at which a stand can shoot."""
    return tuple(target for target in unit.standing if edge_to(state, shooter, stand, unit, target))


# --- arcs


@lru_cache(maxsize=1 << 13)
def in_arc(profile: TroopKind, base: StandBase, edge: Edge, target: StandBase, slope: int) -> bool:
    """Whether any point of a base lies in the fire arc over an edge.

    Rule: WMS-ARC-01 a wedge that opens by `slope` hundredths, WMS-ARC-02 a rectangle for artillery
    """
    left, right = firing_edge(base, edge)
    arc = Sector(
        at=((left[0] + right[0]) // 2, (left[1] + right[1]) // 2),
        heading=base.facing + (1800 if edge == "rear" else 0),
        width=base.width * HALVES,
        slope=(slope, 100) if profile.arc == "wedge" else (0, 1),
    )
    return arc.meets(_halves(outline(target)))


# --- lines of sight


def sees(state: State, stand: Stand, edge: Edge, unit: Unit, target: Stand) -> bool:
    """Whether the whole of a firing edge sees a stand of a unit.

    Rule: WMS-LOS-02: each corner, and the middle, reaches one of the eight points of the target ahead of the edge
    """
    board = state.options.los_points, tuple(_blockers(state, stand, unit, target))
    heights = height(state, stand.base), height(state, target.base)
    areas = tuple(area for area in state.areas if _may_hide(area, max(heights)))
    return _sees(stand.base, edge, target.base, *board, areas)


@lru_cache(maxsize=1 << 13)
def _sees(
    base: StandBase,
    edge: Edge,
    target: StandBase,
    points: str,
    blockers: tuple[StandBase, ...],
    areas: tuple[TerrainArea, ...],
) -> bool:
    ends = firing_edge(base, edge)
    froms = ends if points == "corners" else (ends[0], middle(*ends), ends[1])
    ahead = [point for point in reference_points(target) if _is_ahead(ends, point)]
    outlines_of = tuple(_halves(outline(blocker)) for blocker in blockers)
    return all(any(is_clear(outlines_of, areas, from_, to) for to in ahead) for from_ in froms)


def is_clear(blockers: tuple[Outline, ...], areas: tuple[TerrainArea, ...], one: Point, other: Point) -> bool:
    """Whether nothing cuts the line between two points (WMS-LOS-03 … -06)."""
    square = (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2
    for blocker in blockers:
        part = _inside(blocker, one, other)
        if part and (part[1] - part[0]) ** 2 * square > LEAST_CUT**2:
            return False
    for area in areas:
        part = _inside(_doubled(fine(area.polygon)), one, other)
        if part is None:
            continue
        at_an_end = part[0] == 0 or part[1] == 1
        if area.kind == "hill" or not at_an_end or (part[1] - part[0]) ** 2 * square > MOST_WOOD**2:
            return False
    return True


def firing_edge(base: StandBase, edge: Edge) -> tuple[Point, Point]:
    """The ends of an edge, left and right as seen by whoever looks over it, in halves of a thousandth of a
    millimetre."""
    front_left, front_right, rear_right, rear_left = _halves(outline(base))
    return (front_left, front_right) if edge == "front" else (rear_right, rear_left)


def reference_points(base: StandBase) -> Iterator[Point]:
    """The four corners of a base, and the middles of its edges."""
    points = _halves(outline(base))
    for at, corner in enumerate(points):
        yield corner
        yield middle(points[at - 1], corner)


def middle(one: Point, other: Point) -> Point:
    """The middle of an edge whose ends are even numbers."""
    return (one[0] + other[0]) // 2, (one[1] + other[1]) // 2


def _blockers(state: State, stand: Stand, unit: Unit, target: Stand) -> Iterator[StandBase]:
    """Every stand that may hide the target: not the shooter, not those of its unit (WMS-LOS-03), none far away."""
    spans = [_span(stand.base, target.base, axis) for axis in (0, 1)]
    for other in state.units.values():
        if other.id != unit.id:
            for one in other.stands:
                x, y = one.base.at
                reach = one.base.width + one.base.depth
                if (
                    one.alive
                    and one.id != stand.id
                    and spans[0][0] - reach <= x <= spans[0][1] + reach
                    and spans[1][0] - reach <= y <= spans[1][1] + reach
                ):
                    yield one.base


def _span(one: StandBase, other: StandBase, axis: int) -> tuple[int, int]:
    """From where to where two bases reach along an axis at most, in mm."""
    ends = [base.at[axis] + sign * (base.width + base.depth) for base in (one, other) for sign in (-1, 1)]
    return min(ends), max(ends)


def _may_hide(area: TerrainArea, above: int) -> bool:
    return area.kind in BLINDING or (area.kind == "hill" and area.height > above)


def _is_ahead(edge: tuple[Point, Point], point: Point) -> bool:
    (ax, ay), (bx, by) = edge
    return (bx - ax) * (point[1] - ay) - (by - ay) * (point[0] - ax) > 0


def _inside(outline: Outline, one: Point, other: Point) -> outlines.Share | None:
    """The part of a line inside an outline; the box around the line first, which most outlines miss."""
    for axis in (0, 1):
        low, high = min(one[axis], other[axis]), max(one[axis], other[axis])
        if max(point[axis] for point in outline) <= low or min(point[axis] for point in outline) >= high:
            return None
    return outlines.inside(outline, one, other)


@lru_cache(maxsize=1 << 13)
def _halves(points: Outline) -> Outline:
    return _doubled(points)


def _doubled(points: Outline) -> Outline:
    return tuple((2 * x, 2 * y) for x, y in points)
