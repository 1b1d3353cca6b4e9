"""Chapter ZOC: control zones, grazes and the interdiction by cavalry, as tests on moves, formations and charges.

A trajectory is a base at its start, after its orientation, and at its end. Every `require_…` refuses by one code.
"""

from collections.abc import Iterable, Iterator, Sequence

from domain.basics.errors import Refusal
from domain.games.shot_to_pieces.plane.angles import bearing, difference
from domain.games.shot_to_pieces.plane.base import Base, fine, fine_front_centre
from domain.games.shot_to_pieces.plane.gaps import distance, is_closer, is_surely_apart
from domain.games.shot_to_pieces.plane.ground import crossings, enters
from domain.games.shot_to_pieces.plane.lanes import is_lane_clear
from domain.games.shot_to_pieces.plane.paths import is_surely_clear, passes_closer, passing_distance
from domain.games.shot_to_pieces.plane.strikes import struck_edge
from domain.games.shot_to_pieces.plane.zones import CONTROL, touches_control_zone
from domain.games.shot_to_pieces.state.figures import figures, has, period_of
from domain.games.shot_to_pieces.state.ground import blocking_outlines, cover_of
from domain.games.shot_to_pieces.state.state import State, Unit, with_unit

GRAZE_HCM = 500
INTERDICTED_HCM, SQUARE_HCM = 1000, 500
FLANK_HDEG = 4500
"""An enemy farther than this from the facing of a unit has its flank (STP-ZOC-09)."""
Enemies = Sequence[Unit] | None
"""The enemies that may be near, where somebody knows that the others are not; None for all."""
RELEASED_PHASES = 2
"""Cavalry that has broken off is released in that phase and the next, until its own next one (STP-MEL-10)."""


# --- control zones


def has_control_zone(state: State, unit: Unit) -> bool:
    """Whether a unit has one: not released cavalry, nor units of broken corps (STP-ZOC-01)."""
    return state.k - unit.released_k >= RELEASED_PHASES and not state.corps[unit.corps].broken


def touches_zone_of(state: State, owner: Unit, base: Base) -> bool:
    """Whether a base touches the control zone of a unit; that of a square is all round (STP-ZOC-01, STP-EMP-06)."""
    if is_surely_apart(owner.base, base, CONTROL) or not has_control_zone(state, owner):
        return False
    if owner.formation == "square":
        return touches_control_zone(owner.base, base, all_round=square_reach(state))
    return touches_control_zone(owner.base, base)


def square_reach(state: State) -> int:
    """How far the control zone of a square reaches, all round (STP-EMP-06, STP-INT-15)."""
    own = period_of(state).switches.square_zone if state.options.square_zone == "own" else CONTROL
    return own or CONTROL


def controlling(state: State, unit: Unit, base: Base, near: Enemies = None) -> Iterator[Unit]:
    """The enemies whose control zone a base touches."""
    return (enemy for enemy in _among(state, unit, near) if touches_zone_of(state, enemy, base))


def near_leg(around: Iterable[Unit], unit: Unit, start: Base, end: Base, origin: Base) -> tuple[Unit, ...]:
    """The enemies among some units that may be closer than 10 cm to a trajectory, or to where it began."""
    return tuple(
        enemy
        for enemy in around
        if enemy.side != unit.side
        and (not is_surely_clear(start, end, enemy.base, CONTROL) or not is_surely_apart(origin, enemy.base, CONTROL))
    )


def _among(state: State, unit: Unit, near: Enemies) -> Sequence[Unit]:
    return state.enemies(unit) if near is None else near


def shows_flank(base: Base, enemy: Base) -> bool:
    """Whether an enemy's front centre is more than 45 degrees off the facing of a base (STP-ZOC-09)."""
    return difference(bearing(fine(base.at), fine_front_centre(enemy)), base.facing) > FLANK_HDEG


def require_no_flank_shown(state: State, unit: Unit, *bases: Base, near: Enemies = None) -> None:
    """Refuse who would show its flank in an enemy control zone, at any of the places given (STP-ZOC-03, -09).

    Raises: Refusal stp.flank-in-zoc
    """
    if unit.formation == "square":
        return
    for base in bases:
        for enemy in controlling(state, unit, base, near):
            if shows_flank(base, enemy.base):
                raise Refusal("stp.flank-in-zoc", "STP-ZOC-09", unit=unit.id, enemy=enemy.id)


def threatens(state: State, enemy: Unit, unit: Unit) -> bool:
    """Whether a unit is threatened on its flank or rear by an enemy as it stands (STP-ZOC-04, -10, STP-INT-45)."""
    if is_surely_apart(enemy.base, unit.base, CONTROL):
        return False
    if enemy.shaken or enemy.engaged or unit.formation == "square" or not touches_zone_of(state, enemy, unit.base):
        return False
    return struck_edge(enemy.base, unit.base) in ("left", "right", "rear") and is_closer(enemy.base, unit.base, CONTROL)


def require_not_immobilised(state: State, unit: Unit) -> None:
    """Refuse who is threatened on its flank.

    Raises: Refusal stp.immobilised
    """
    for enemy in state.enemies(unit):
        if threatens(state, enemy, unit):
            raise Refusal("stp.immobilised", "STP-ZOC-04", unit=unit.id, enemy=enemy.id)


def require_outside_zones(state: State, unit: Unit, *bases: Base) -> None:
    """Refuse a change of formation in an enemy control zone that nothing obstructs (STP-FRM-04, STP-ZOC-06).

    Raises: Refusal stp.in-zoc
    """
    for base in bases:
        for enemy in controlling(state, unit, base):
            if not _is_obstructed(state, enemy, unit, base):
                raise Refusal("stp.in-zoc", "STP-FRM-04", unit=unit.id, enemy=enemy.id)


def _is_obstructed(state: State, owner: Unit, unit: Unit, base: Base) -> bool:
    """Whether other bases or terrain bar every lane from the owner of a zone to a base."""
    others = [one.base for one in state.units.values() if one.here and one.id not in (owner.id, unit.id)]
    near = [one for one in others if is_closer(one, base, CONTROL)]
    outlines = blocking_outlines(state, owner, unit) if state.terrain else ()
    is_square = owner.formation == "square"
    return not is_lane_clear(owner.base, base, near, outlines, is_square=is_square)


# --- grazes (STP-ZOC-02, -14)


def grazed(
    state: State, unit: Unit, start: Base, end: Base, origin: Base | None = None, near: Enemies = None
) -> Iterator[Unit]:
    """The unengaged enemies that a trajectory passes at less than 5 cm; none that was closer already and is no nearer
    at the end. `origin`: where the unit stood before a wheel."""
    for enemy in _among(state, unit, near):
        if not enemy.engaged and _comes_near(start, end, enemy.base, GRAZE_HCM, origin or start):
            yield enemy


def require_no_graze(
    state: State,
    unit: Unit,
    start: Base,
    end: Base,
    engaged: str = "",
    *,
    origin: Base | None = None,
    near: Enemies = None,
) -> None:
    """Refuse a trajectory that grazes an enemy other than the one that it engages by fire (STP-ORD-04).

    Raises: Refusal stp.graze
    """
    for enemy in grazed(state, unit, start, end, origin, near):
        if enemy.id != engaged:
            passing = passing_distance(start, end, enemy.base)
            raise Refusal("stp.graze", "STP-ZOC-02", unit=unit.id, enemy=enemy.id, distance=passing, allowed=GRAZE_HCM)


def _comes_near(start: Base, end: Base, enemy: Base, limit: int, origin: Base) -> bool:
    """Whether a trajectory passes closer than a limit; not if it began closer and ends no nearer."""
    if not passes_closer(start, end, enemy, limit):
        return False
    before = distance(origin, enemy)
    return before >= limit or distance(end, enemy) < before


# --- interdiction by cavalry (STP-ZOC-07, -11, -12, -13)


def interdiction(state: State, unit: Unit) -> int:
    """How far a unit has to keep from cavalry as it is now, 0 for not at all; a square half as far, with an option
    (STP-ZOC-13, STP-INT-15)."""
    arm = figures(state, unit).arm
    is_foot = arm == "skm" or (arm == "inf" and period_of(state).switches.cavalry_interdicts_foot)
    if not is_foot or has(state, unit, "meets-cav"):
        return 0
    if unit.formation == "square":
        return SQUARE_HCM if state.options.square_zone == "cavalry" else 0
    return INTERDICTED_HCM


def interdicting(
    state: State, unit: Unit, start: Base, end: Base, origin: Base | None = None, near: Enemies = None
) -> Iterator[Unit]:
    """The enemy cavalry to which a trajectory comes too near, unless cover or an obstacle protects it."""
    limit = interdiction(state, unit)
    cavalry = [one for one in _among(state, unit, near) if figures(state, one).arm == "cav"] if limit else []
    if not cavalry:
        return
    arrived = Unit(unit.id, unit.side, unit.corps, unit.type, unit.status, end, unit.formation, unit.key)
    if (unit.cover and start.at == end.at) or cover_of(state, arrived):
        return
    for enemy in cavalry:
        is_near = _comes_near(start, end, enemy.base, limit, origin or start)
        if is_near and not _is_kept_off(state, enemy.base, end):
            yield enemy


def require_not_interdicted(
    state: State, unit: Unit, start: Base, end: Base, *, origin: Base | None = None, near: Enemies = None
) -> None:
    """Refuse unprotected foot that comes too near to cavalry.

    Raises: Refusal stp.interdicted
    """
    for enemy in interdicting(state, unit, start, end, origin, near):
        params = {"distance": passing_distance(start, end, enemy.base), "allowed": interdiction(state, unit)}
        raise Refusal("stp.interdicted", "STP-ZOC-07", unit=unit.id, enemy=enemy.id, **params)


def require_no_cavalry_near(state: State, unit: Unit, formed: Unit) -> None:
    """Refuse a change of formation where cavalry interdicts the unit, as it is or as it would be (STP-FRM-04).

    Raises: Refusal stp.interdicted
    """
    limit = max(interdiction(state, unit), interdiction(with_unit(state, formed), formed))
    if not limit:
        return
    for enemy in () if cover_of(state, unit) else state.enemies(unit):
        if figures(state, enemy).arm != "cav":
            continue
        near = min(distance(unit.base, enemy.base), distance(formed.base, enemy.base))
        if near < limit and not _is_kept_off(state, enemy.base, unit.base):
            params = {"distance": near, "allowed": limit}
            raise Refusal("stp.interdicted", "STP-ZOC-07", unit=unit.id, enemy=enemy.id, **params)


def _is_kept_off(state: State, cavalry: Base, base: Base) -> bool:
    """Whether an obstacle blocks the way of cavalry: a line that it would cross, or ground that it cannot enter, on
    the straight line of the centres."""
    for ground in state.terrain:
        if ground.line and crossings(cavalry.at, base.at, [(ground.line[0], ground.line[1])]):
            return True
        if ground.kind in ("impassable", "water", "building") and enters(cavalry.at, base.at, ground.outline):
            return True
    return False
