"""What ground a unit stands in, the cover that it has, and what blocks a fire lane (STP-GAP-13, STP-GEO-11)."""

from collections.abc import Sequence

from domain.games.shot_to_pieces.plane.base import FINE, corners, fine, front_centre
from domain.games.shot_to_pieces.plane.gaps import measured
from domain.games.shot_to_pieces.plane.shapes import segments_square
from domain.games.shot_to_pieces.state.kept import Kept
from domain.games.shot_to_pieces.state.state import Cover, Ground, State, Unit
from domain.mechanics.outline import box_of, holds, meet
from domain.mechanics.plane import Point

WALKED_BEHIND = 50
"""How near a linear obstacle must be to the base of who stands behind it."""
MOST_TABLES, MOST_POINTS = 64, 1 << 12
"""Tables of which it is kept what lies where, and points of each."""
RANKS: dict[str, int] = {"": 0, "light": 1, "hard": 2}


class Survey:
    """The terrain of a table as it is looked up: where which ground lies, what bars fire between two places, what
    covers."""

    def __init__(self, terrain: tuple[Ground, ...]) -> None:
        self.outlined = tuple((box_of(ground.outline), ground) for ground in terrain if ground.outline)
        self.barring = tuple(ground for ground in terrain if ground.kind in ("wood", "building", "hill"))
        self.covering = tuple(
            (box_of(ground.line), ground) for ground in terrain if ground.cover and not ground.outline and ground.line
        )
        self._at: dict[Point, tuple[Ground, ...]] = {}

    def at(self, point: Point) -> tuple[Ground, ...]:
        """The pieces of ground whose outline holds a point, its border included."""
        found = self._at.get(point)
        if found is None:
            x, y = point
            found = tuple(
                ground
                for (west, south, east, north), ground in self.outlined
                if west <= x <= east and south <= y <= north and holds(ground.outline, point)
            )
            if len(self._at) >= MOST_POINTS:
                self._at = {}
            self._at[point] = found
        return found


SURVEYS: Kept[tuple[Ground, ...], Survey] = Kept(Survey, MOST_TABLES)


def grounds_at(state: State, at: Point) -> Sequence[Ground]:
    """The pieces of ground whose outline holds a point, its border included."""
    return SURVEYS.of(state.terrain).at(at)


def is_in_building(state: State, unit: Unit) -> bool:
    """Whether a unit's centre is in a building (STP-BLD-02)."""
    return any(ground.kind == "building" for ground in grounds_at(state, unit.at)) if state.terrain else False


def level_of(state: State, unit: Unit) -> int:
    """The contour level of a unit's centre (STP-GEO-11)."""
    return max((ground.level for ground in grounds_at(state, unit.at)), default=0)


def cover_of(state: State, unit: Unit, enemy: Unit | None = None) -> Cover:
    """The cover of a unit, the best that it has: its own, that of the ground it stands in, or of a line that it stands
    behind, as seen by an enemy.

    Rule: STP-FAC-21, -54. A line covers whose base is within 0.5 cm of it, if it crosses the way from the enemy's front
          centre to the unit's centre
    """
    if not state.terrain:
        return unit.cover
    survey = SURVEYS.of(state.terrain)
    (x, y), far = unit.at, WALKED_BEHIND + (unit.base.width + unit.base.depth + 1) // 2 + 1
    found = [unit.cover, *(ground.cover for ground in survey.at(unit.at))]
    found += [
        ground.cover
        for (west, south, east, north), ground in survey.covering
        if west - far <= x <= east + far and south - far <= y <= north + far and is_behind_line(ground, unit, enemy)
    ]
    return max(found, key=lambda cover: RANKS[cover])


def is_behind_line(ground: Ground, unit: Unit, enemy: Unit | None = None) -> bool:
    """Whether a piece of ground is a line within 0.5 cm of a unit's base, and before an enemy between the two."""
    if len(ground.line) != 2:
        return False
    start, end = ground.line
    around = corners(unit.base)
    ends = fine(start), fine(end)
    found = [segments_square((around[at - 1], corner), ends) for at, corner in enumerate(around)]
    if min(measured(square, parts * FINE * FINE) for square, parts in found) > WALKED_BEHIND:
        return False
    if enemy is None:
        return True
    return meet((front_centre(enemy.base), unit.at), (start, end))


def blocking_outlines(state: State, firer: Unit, target: Unit) -> tuple[tuple[Point, ...], ...]:
    """The outlines that block the lane between two units: woods and buildings that hold neither, and hills higher than
    both (STP-GAP-13, STP-GEO-18)."""
    survey = SURVEYS.of(state.terrain)
    here, there = survey.at(firer.at), survey.at(target.at)
    held = {ground.id for ground in (*here, *there)}
    highest = max((ground.level for ground in (*here, *there)), default=0)
    return tuple(
        ground.outline
        for ground in survey.barring
        if (ground.level > highest if ground.kind == "hill" else ground.id not in held)
    )
