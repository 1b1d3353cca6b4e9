"""Chapter MOV, allowances: how far a unit may move, and what ground costs (STP-MOV-08, -10, -12, -13, STP-GEO-21)."""

from functools import lru_cache
from typing import NamedTuple

from domain.basics.errors import Refusal
from domain.games.shot_to_pieces.chapters.strategic import FRICTION_HCM
from domain.games.shot_to_pieces.plane.angles import half_again
from domain.games.shot_to_pieces.plane.base import Base, moved
from domain.games.shot_to_pieces.plane.ground import Line, enters, extra_cost, lies_in
from domain.games.shot_to_pieces.plane.paths import passes_closer
from domain.games.shot_to_pieces.state.figures import figures
from domain.games.shot_to_pieces.state.state import Ground, Point, State, Unit
from domain.mechanics.outline import Outline

CAPS = {
    ("inf", "militia"): (1000, 700),
    ("inf", "reserve"): (1200, 800),
    ("cav", "militia"): (2000, 1400),
    ("cav", "reserve"): (2000, 1400),
}
"""The most that units of a status move, in column and in LINE (STP-MOV-10)."""
MARCH = "march"


# --- allowances


def pace(state: State, unit: Unit) -> int:
    """What a unit moves without any increase."""
    kind = figures(state, unit)
    is_line = unit.formation in ("line", "square")
    length = kind.line if is_line and kind.line else kind.move
    cap = CAPS.get((kind.arm, unit.status))
    return min(length, cap[1 if is_line and kind.line else 0]) if cap else length


def allowance(state: State, unit: Unit) -> int:
    """The tactical allowance in the formation that a unit has: a march column moves half as far again."""
    length = pace(state, unit)
    return half_again(length) if unit.formation == MARCH else length


def reach(state: State, unit: Unit, *, is_on_road: bool = False, is_tactical: bool = False) -> int:
    """What a unit may still move: march column, road and strategic move do not add up (STP-MOV-13), and a change of
    formation has left only a part of it (STP-ACT-09). `is_tactical`: as if it were no strategic move."""
    is_strategic = state.corps[unit.corps].strategic
    is_longer = unit.formation == MARCH or (is_strategic and not is_tactical)
    if unit.form_k != state.k:
        length = pace(state, unit)
        return half_again(length) if is_longer or is_on_road else length
    left = unit.left_hcm
    if is_strategic and is_tactical and unit.formation != MARCH:
        left = 2 * left // 3
    return half_again(left) if is_on_road and not is_longer else left


# --- ground


class Passable(NamedTuple):
    """The terrain of a table by what it does to a leg."""

    slow: tuple[Outline, ...]
    lines: tuple[Line, ...]
    roads: tuple[Outline, ...]
    barred: tuple[Outline, ...]


@lru_cache(maxsize=64)
def passable(terrain: tuple[Ground, ...]) -> Passable:
    """The terrain by what it does to a leg (STP-GEO-21)."""

    def outlines(*kinds: str) -> tuple[Outline, ...]:
        return tuple(ground.outline for ground in terrain if ground.kind in kinds)

    lines = tuple((ground.line[0], ground.line[1]) for ground in terrain if ground.line)
    return Passable(outlines("rough", "wood"), lines, outlines("road"), outlines("impassable", "water"))


def ground_cost(state: State, start: Base, end: Base) -> int:
    """What a leg costs beyond its length: slow ground, and the depth of the base for each line crossed."""
    if not state.terrain:
        return 0
    found = passable(state.terrain)
    return extra_cost(start.at, end.at, start.depth, found.slow, found.lines)


def is_on_road(state: State, start: Point, end: Point) -> bool:
    """Whether all of a leg lies on one road."""
    return bool(state.terrain) and any(lies_in(start, end, road) for road in passable(state.terrain).roads)


def is_barred(state: State, start: Point, end: Point) -> bool:
    """Whether a leg enters what nobody can enter, or a building that burns (STP-EVT-15)."""
    if not state.terrain:
        return False
    closed = (ground.outline for ground in state.terrain if ground.id in state.closed)
    return any(enters(start, end, outline) for outline in (*passable(state.terrain).barred, *closed))


# --- tests


def require_at_most(unit: Unit, cost: int, allowed: int, rule: str = "STP-MOV-01") -> None:
    """Refuse what is beyond an allowance.

    Raises: Refusal stp.too-far
    """
    if cost > allowed:
        raise Refusal("stp.too-far", rule, unit=unit.id, distance=cost, allowed=allowed)


def require_tactical(state: State, unit: Unit, start: Base, heading: int, length: int, cost: int) -> None:
    """Refuse a strategic move that is in the friction zone when it has used up its tactical allowance (STP-MOV-12).

    Shape: `length` along the heading from `start`; `cost` what the whole move costs
    Raises: Refusal stp.too-far
    """
    if not state.corps[unit.corps].strategic:
        return
    end = moved(start, heading, length)
    tactical = reach(state, unit, is_on_road=is_on_road(state, start.at, end.at), is_tactical=True)
    if cost <= tactical:
        return
    spent = moved(start, heading, max(0, length - (cost - tactical)))
    for enemy in state.enemies(unit):
        if passes_closer(spent, end, enemy.base, FRICTION_HCM):
            raise Refusal("stp.too-far", "STP-MOV-12", unit=unit.id, distance=cost, allowed=tactical, enemy=enemy.id)
