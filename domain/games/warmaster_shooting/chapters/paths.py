"""Chapter DRV, the path: how far a unit goes as a block along a direction, and what stops it (WMS-DRV-10 … -13)."""

from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from domain.games.warmaster_shooting.state.measure import (
    TOUCHING,
    centre,
    distance,
    distance_to,
    is_on_table,
    may_be_within,
    outline,
    overlap,
    stands_on,
)
from domain.games.warmaster_shooting.state.state import (
    Stand,
    StandBase,
    State,
    TerrainArea,
    Unit,
    moved,
    stand_in,
    units_on_table,
)
from domain.mechanics.outline import gap
from domain.mechanics.plane import UNIT, ExactPoint, bearing, measured, nearest
from domain.mechanics.plane import direction as unit_vector

SHORT_OF_ENEMY = 10
"""A unit stops 1 cm short of an enemy, in mm (WMS-DRV-10)."""
STOPPING = ("impassable", "lake")

Way = tuple[int, int]
"""A direction as a vector of whole numbers, of any length."""


class Walk(Struct, frozen=True, gc=False):
    """How far a unit gets, in mm, and why no farther: "" if nothing stops it, `edge` if the next step leaves the table.
    `friend` is the one in the way; `passed` are the friends it goes through, in scenario order."""

    gone: int
    stop: Literal["", "enemy", "blocked", "impassable", "edge"] = ""
    friend: str = ""
    passed: tuple[str, ...] = ()


# --- directions


def direction(unit: Unit, shooters: Sequence[Stand]) -> Way:
    """Away from the nearest stand that has shot at a unit: from the nearest point of that stand to the nearest of the
    unit, or from centre to centre where they touch.

    Rule: WMS-DRV-04, WMS-INT-10: the first by shooting order, then by the order of the unit's stands
    """
    shooter = min(shooters, key=lambda stand: distance_to(stand, unit))
    nearest = min(unit.standing, key=lambda stand: distance(shooter, stand))
    if distance(shooter, nearest) <= TOUCHING:
        return way(centre(shooter.base), centre(nearest.base))
    return way(*gap(outline(shooter.base), outline(nearest.base)).ends)


def way(one: ExactPoint, other: ExactPoint) -> Way:
    """The direction from one point to another; north, if they are the same."""
    dx, dy = Fraction(other[0] - one[0]), Fraction(other[1] - one[1])
    parts = dx.denominator * dy.denominator
    return (int(dx * parts), int(dy * parts)) if dx or dy else (0, 1)


def heading(along: Way) -> int:
    """The bearing of a direction, in tenths of a degree."""
    return bearing((0, 0), along)


def shift(along: Way, millimetres: int) -> tuple[int, int]:
    """The displacement after so many millimetres, each coordinate to the nearest, halves away from zero."""
    square = along[0] ** 2 + along[1] ** 2

    def rounded(part: int) -> int:
        length = measured(Fraction(millimetres**2 * part**2, square))
        return length if part >= 0 else -length

    return rounded(along[0]), rounded(along[1])


# --- walking


def walk(state: State, unit: Unit, along: Way, most: int, passing: Collection[str]) -> Walk:
    """Let a unit go millimetre by millimetre (WMS-DRV-13).

    Shape: `passing` are friends that make way; a walk that meets another friend ends before it, with its id as `friend`
    """
    others = [other for other in units_on_table(state) if other.id != unit.id and _may_meet(unit, other, most)]
    areas = [area for area in state.areas if area.kind in STOPPING]
    before = unit
    passed: set[str] = set()
    for step in range(1, most + 1):
        there = moved(unit, *shift(along, step))
        met: set[str] = set()
        for other in others:
            is_enemy = other.side != unit.side
            if is_enemy or other.engaged:
                if _comes_too_near(before, there, other):
                    return _walked(state, step, "enemy" if is_enemy else "blocked", other, passed)
            elif _overlap(there, other):
                if other.id not in passing:
                    return _walked(state, step, "blocked", other, passed)
                met.add(other.id)
        if any(stands_on(stand.base, area) for stand in there.standing for area in areas):
            return _walked(state, step, "impassable", None, passed)
        if not all(is_on_table(stand.base, state.board) for stand in there.standing):
            return _walked(state, step, "edge", None, passed)
        before, passed = there, passed | met
    return _walked(state, most + 1, "", None, passed)


def _walked(
    state: State,
    step: int,
    stop: Literal["", "enemy", "blocked", "impassable", "edge"],
    other: Unit | None,
    passed: Collection[str],
) -> Walk:
    return Walk(step - 1, stop, other.id if other else "", tuple(name for name in state.units if name in passed))


def make_room(state: State, friend: Unit, driven: Unit, along: Way) -> tuple[int, int] | None:
    """How a friend moves out of the final place of a unit that was driven through it: the same way until just in
    contact, at most its full pace; None if it cannot (WMS-DRV-12).

    Shape: `driven` as it stands in the end
    """
    others = [other for other in units_on_table(state) if other.id not in (friend.id, driven.id)]
    areas = [area for area in state.areas if area.kind in STOPPING]
    for step in range(friend.kind.pace + 1):
        dx, dy = shift(along, step)
        there = moved(friend, dx, dy)
        if step and not _is_free(state, there, others, areas):
            return None
        if not _overlap(there, driven):
            return dx, dy
    return None


def _is_free(state: State, unit: Unit, others: Sequence[Unit], areas: Sequence[TerrainArea]) -> bool:
    return (
        not any(_overlap(unit, other) for other in others)
        and not any(stands_on(stand.base, area) for stand in unit.standing for area in areas)
        and all(is_on_table(stand.base, state.board) for stand in unit.standing)
    )


def _overlap(one: Unit, other: Unit) -> bool:
    return any(overlap(a.base, b.base) for a in one.standing for b in other.standing)


def _comes_too_near(before: Unit, there: Unit, other: Unit) -> bool:
    """Whether a stand comes nearer than 1 cm, and nearer than one step before (WMS-DRV-13)."""
    for was, stand in zip(before.standing, there.standing, strict=True):
        if not any(may_be_within(stand.base, one.base, SHORT_OF_ENEMY) for one in other.standing):
            continue
        apart = distance_to(stand, other)
        if apart < SHORT_OF_ENEMY and apart < distance_to(was, other):
            return True
    return False


def _may_meet(unit: Unit, other: Unit, most: int) -> bool:
    reach = most + SHORT_OF_ENEMY + 2 * max(_size(stand.base) for stand in (*unit.standing, *other.standing))
    return any(
        abs(one.base.at[0] - two.base.at[0]) <= reach and abs(one.base.at[1] - two.base.at[1]) <= reach
        for one in unit.standing
        for two in other.standing
    )


def _size(base: StandBase) -> int:
    return base.width + base.depth


def poses(unit: Unit, led_by: str, legs: Sequence[tuple[int, int, int]]) -> Iterator[Unit]:
    """The unit at every tested pose of a charge: the start, every full centimetre of each leg, its end before and after
    the pivot (WMS-CCF-10).

    Shape: a leg is the place at its end of the stand that leads, `led_by`, x and y in mm, and the facing it takes
    there, −1 to keep it. Counter-charge fire may have removed that stand since
    """
    here = unit
    yield here
    for x, y, facing in legs:
        start = stand_in(here, led_by).base.at
        dx, dy = x - start[0], y - start[1]
        length = leg_length(start, (x, y))
        for step in range(10, length, 10):
            yield moved(here, *shift((dx, dy), step))
        here = moved(here, dx, dy)
        yield here
        if facing >= 0 and facing != stand_in(here, led_by).base.facing:
            here = pivoted(here, led_by, facing)
            yield here


def leg_length(one: tuple[int, int], other: tuple[int, int]) -> int:
    """The measured length of a leg in mm."""
    return measured((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2)


def pivoted(unit: Unit, led_by: str, facing: int) -> Unit:
    """A unit turned as a block around the front of the stand that leads, coordinates to the nearest millimetre."""
    first = stand_in(unit, led_by).base
    turn = (facing - first.facing) % 3600
    return replace(
        unit, stands=tuple(replace(stand, cover="", base=_turned(stand.base, first, turn)) for stand in unit.stands)
    )


def _turned(base: StandBase, pivot: StandBase, turn: int) -> StandBase:
    east, north = base.at[0] - pivot.at[0], base.at[1] - pivot.at[1]
    sine, cosine = unit_vector(turn)
    at = (
        pivot.at[0] + nearest(east * cosine + north * sine, UNIT),
        pivot.at[1] + nearest(north * cosine - east * sine, UNIT),
    )
    return replace(base, at=at, facing=(base.facing + turn) % 3600)
