"""Chapter MOV, allowances: how far a unit may move, and what ground costs (STP-MOV-08, -10, -12, -13, STP-GEO-21)."""

from domain.basics.errors import Refusal
from domain.games.shot_to_pieces.chapters.strategic import FRICTION_HCM
from domain.games.shot_to_pieces.plane.angles import half_again
from domain.games.shot_to_pieces.plane.base import Base, moved
from domain.games.shot_to_pieces.plane.ground import enters, extra_cost, lies_in
from domain.games.shot_to_pieces.plane.paths import passes_closer
from domain.games.shot_to_pieces.state.figures import figures
from domain.games.shot_to_pieces.state.kept import Kept
from domain.games.shot_to_pieces.state.state import Ground, Point, State, Unit
from domain.mechanics.outline import Box, Outline, box_of, is_box_clear

CAPS = {
    ("inf", "militia"): (1000, 700),
    ("inf", "reserve"): (1200, 800),
    ("cav", "militia"): (2000, 1400),
    ("cav", "reserve"): (2000, 1400),
}
"""The most that units of a status move, in column and in LINE (STP-MOV-10)."""
MARCH = "march"
MOST_TABLES, MOST_LEGS = 64, 1 << 13
"""Tables of which the cost of legs is kept, and legs of each."""


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
    """What a unit may still move: half as far again in march column, on a road or in a strategic move (STP-WW1-03), and
    these do not add up (STP-MOV-13, STP-INT-03); a change of formation has left only a part of it (STP-ACT-09).
    `is_tactical`: as if it were no strategic move."""
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


class Ways:
    """The terrain of a table by what it does to a leg (STP-GEO-21), each piece with its box."""

    def __init__(self, terrain: tuple[Ground, ...]) -> None:
        def outlines(*kinds: str) -> tuple[tuple[Box, Outline], ...]:
            return tuple((box_of(ground.outline), ground.outline) for ground in terrain if ground.kind in kinds)

        self.slow = outlines("rough", "wood")
        self.roads = outlines("road")
        self.barred = outlines("impassable", "water")
        lines = [(ground.line[0], ground.line[1]) for ground in terrain if ground.line]
        self.lines = tuple((box_of(line), line) for line in lines)
        self._costs: dict[tuple[Point, Point, int], int] = {}

    def cost(self, start: Point, end: Point, depth: int) -> int:
        """The allowance that a leg of a base of a depth uses up beyond its length."""
        leg = start, end, depth
        if leg not in self._costs:
            if len(self._costs) >= MOST_LEGS:
                self._costs = {}
            slow = [outline for box, outline in self.slow if not is_box_clear(box, start, end)]
            lines = [line for box, line in self.lines if not is_box_clear(box, start, end)]
            self._costs[leg] = extra_cost(start, end, depth, slow, lines) if slow or lines else 0
        return self._costs[leg]


WAYS: Kept[tuple[Ground, ...], Ways] = Kept(Ways, MOST_TABLES)


def ground_cost(state: State, start: Base, end: Base) -> int:
    """What a leg costs beyond its length: slow ground, and the depth of the base for each line crossed."""
    return WAYS.of(state.terrain).cost(start.at, end.at, start.depth) if state.terrain else 0


def is_on_road(state: State, start: Point, end: Point) -> bool:
    """Whether all of a leg lies on one road."""
    return bool(state.terrain) and any(
        not is_box_clear(box, start, start) and lies_in(start, end, road) for box, road in WAYS.of(state.terrain).roads
    )


def is_barred(state: State, start: Point, end: Point) -> bool:
    """Whether a leg enters what nobody can enter, or a building that burns (STP-EVT-15)."""
    if not state.terrain:
        return False
    barred = WAYS.of(state.terrain).barred
    if any(not is_box_clear(box, start, end) and enters(start, end, outline) for box, outline in barred):
        return True
    return any(enters(start, end, ground.outline) for ground in state.terrain if ground.id in state.closed)


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
