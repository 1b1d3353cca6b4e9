"""What ground a unit stands in, the cover that it has, and what blocks a fire lane (STP-GAP-13, STP-GEO-11)."""

from collections.abc import Iterator

from domain.games.shot_to_pieces.plane.base import FINE, corners, fine, front_centre
from domain.games.shot_to_pieces.plane.gaps import measured
from domain.games.shot_to_pieces.plane.shapes import segments_square
from domain.games.shot_to_pieces.state.state import Cover, Ground, State, Unit
from domain.mechanics.outline import holds, meet
from domain.mechanics.plane import Point

WALKED_BEHIND = 50
"""How near a linear obstacle must be to the base of who stands behind it."""
RANKS: dict[str, int] = {"": 0, "light": 1, "hard": 2}


def grounds_at(state: State, at: Point) -> Iterator[Ground]:
    """The pieces of ground whose outline holds a point, its border included."""
    return (ground for ground in state.terrain if ground.outline and holds(ground.outline, at))


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
    found: list[Cover] = [unit.cover]
    for ground in state.terrain:
        if ground.cover and (holds(ground.outline, unit.at) if ground.outline else is_behind_line(ground, unit, enemy)):
            found.append(ground.cover)
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
    highest = -1
    found = []
    for ground in state.terrain:
        if ground.kind in ("wood", "building"):
            if not (holds(ground.outline, firer.at) or holds(ground.outline, target.at)):
                found.append(ground.outline)
        elif ground.kind == "hill":
            if highest < 0:
                highest = max(level_of(state, firer), level_of(state, target))
            if ground.level > highest:
                found.append(ground.outline)
    return tuple(found)
