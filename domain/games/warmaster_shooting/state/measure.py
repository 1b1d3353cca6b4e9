"""Chapter GEO: the outlines of stands, how far they are apart, what they touch, and how high they stand.

Corners are taken to the thousandth of a millimetre, every test after that is exact (WMS-GEO-06). What players compare
is the measured distance in whole millimetres (WMS-GEO-05).
"""

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache

from domain.games.warmaster_shooting.state.state import Stand, StandBase, State, TableArea, TerrainArea, Unit
from domain.mechanics import outline as outlines
from domain.mechanics.outline import Outline
from domain.mechanics.plane import FINE, Point, corners, measured

TOUCHING = 1
"""The largest measured distance of what is in contact (WMS-GEO-05)."""
KEPT = 1 << 14


@lru_cache(maxsize=KEPT)
def outline(base: StandBase) -> Outline:
    """The corners of a base in thousandths of a millimetre: left and right of the front, right and left of the rear."""
    return corners(base.at, base.facing, base.width, base.depth, fine=FINE)


@lru_cache(maxsize=KEPT)
def _distance(one: StandBase, other: StandBase) -> int:
    return measured(outlines.square_gap(outline(one), outline(other)) / FINE**2)


def distance(one: Stand, other: Stand) -> int:
    """The measured distance of two stands in mm (WMS-GEO-04, -05)."""
    return _distance(one.base, other.base)


def may_be_within(one: StandBase, other: StandBase, millimetres: int) -> bool:
    """Whether two bases may be that near, by their places and sizes alone: most are not, and need not be measured."""
    reach = one.width + one.depth + other.width + other.depth + millimetres
    return abs(one.at[0] - other.at[0]) <= reach and abs(one.at[1] - other.at[1]) <= reach


def distance_to(stand: Stand, unit: Unit) -> int:
    """The measured distance from a stand to the nearest stand of a unit."""
    return min(distance(stand, other) for other in unit.standing)


def distance_of(one: Unit, other: Unit) -> int:
    """The measured distance of two units: the least over their stands (WMS-GEO-04)."""
    return min(distance_to(stand, other) for stand in one.standing)


def touches(stand: Stand, unit: Unit) -> bool:
    """Whether a stand is in contact with a unit; a corner is enough."""
    return any(
        may_be_within(stand.base, other.base, TOUCHING) and distance(stand, other) <= TOUCHING
        for other in unit.standing
    )


def in_contact(one: Unit, other: Unit) -> bool:
    """Whether two units are in contact."""
    return any(touches(stand, other) for stand in one.standing)


def overlap(one: StandBase, other: StandBase) -> bool:
    """Whether two bases share an area (WMS-GEO-06)."""
    return may_be_within(one, other, 0) and outlines.overlap(outline(one), outline(other))


def stands_on(base: StandBase, area: TerrainArea) -> bool:
    """Whether a base shares an area with a piece of ground."""
    return outlines.overlap(outline(base), fine(area.polygon))


def is_in(base: StandBase, area: TerrainArea) -> bool:
    """Whether the centre of a base lies in a piece of ground, border included (WMS-GEO-07)."""
    polygon = tuple((2 * x, 2 * y) for x, y in fine(area.polygon))
    return outlines.holds(polygon, _double_centre(base))


def height(state: State, base: StandBase) -> int:
    """The height of a base: the highest hill that holds its centre, 0 outside hills (WMS-GEO-07)."""
    return max((area.height for area in state.areas if area.kind == "hill" and is_in(base, area)), default=0)


def is_on_table(base: StandBase, board: TableArea) -> bool:
    """Whether no part of a base leaves the table."""
    west, south = board.origin[0] * FINE, board.origin[1] * FINE
    east, north = west + board.width * FINE, south + board.height * FINE
    return all(west <= x <= east and south <= y <= north for x, y in outline(base))


def nearest_stand(stand: Stand, among: Iterable[Stand]) -> Stand:
    """The nearest of some stands; of several equally near the first."""
    return min(among, key=lambda other: distance(stand, other))


@lru_cache(maxsize=KEPT)
def fine(points: Outline) -> Outline:
    """Points of the table in thousandths of a millimetre."""
    return tuple((x * FINE, y * FINE) for x, y in points)


def _double_centre(base: StandBase) -> Point:
    """Twice the centre of a base, in thousandths of a millimetre: the middle of the diagonal."""
    left, _, rear, _ = outline(base)
    return left[0] + rear[0], left[1] + rear[1]


def centre(base: StandBase) -> tuple[Fraction, Fraction]:
    """The centre of a base in thousandths of a millimetre."""
    x, y = _double_centre(base)
    return Fraction(x, 2), Fraction(y, 2)
