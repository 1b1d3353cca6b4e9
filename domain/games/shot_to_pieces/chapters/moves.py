"""Chapter MOV, the moves of single units: turn, move, back, about, beside, prolong (STP-MOV-01 to -06, -15)."""

from collections.abc import Callable, Mapping
from typing import Any

from domain.basics.errors import Refusal
from domain.engine.judge import unknown_id
from domain.games.shot_to_pieces.chapters.checks import own_unit, target_of
from domain.games.shot_to_pieces.chapters.course import StepOrder
from domain.games.shot_to_pieces.chapters.moving import (
    Movement,
    StraightMove,
    carry_out,
    fit,
    payment_for,
    require_possible,
    require_whole_battalions,
)
from domain.games.shot_to_pieces.chapters.paces import (
    MARCH,
    ground_cost,
    is_on_road,
    reach,
    require_at_most,
    require_tactical,
)
from domain.games.shot_to_pieces.chapters.shifts import PROLONGED_HCM
from domain.games.shot_to_pieces.plane.angles import HALF, bearing, fraction, turned
from domain.games.shot_to_pieces.plane.base import Base, about_flank, beside, faced, moved
from domain.games.shot_to_pieces.plane.contacts import is_behind
from domain.games.shot_to_pieces.state.commands import NONE, About, Back, Beside, Face, Heading, MoveStraight, Prolong
from domain.games.shot_to_pieces.state.figures import figures, has, period_of
from domain.games.shot_to_pieces.state.ground import cover_of, is_behind_line
from domain.games.shot_to_pieces.state.profiles import FOOT, MOUNTED, SKIRMISHERS
from domain.games.shot_to_pieces.state.state import State, Unit, place_of
from domain.games.shot_to_pieces.state.vocabulary import CHARGES, LEFT, MOVES
from domain.mechanics.plane import distance as apart

SQUARE = "square"
CRAB_HDEG = 2250
"""The largest angle between facing and direction (STP-MOV-02)."""

Shifting = Face | MoveStraight | Back | About | Beside | Prolong
"""What moves or turns a unit."""


# --- headings


def heading_of(state: State, unit: Unit, heading: Heading | None) -> int:
    """Where a unit would face; towards its own place it keeps its facing (STP-ORD-02).

    Raises: Refusal core.unknown-id
    """
    if heading is None:
        return unit.facing
    if heading.to == "bearing":
        return turned(heading.angle, 0)
    if heading.to == "at":
        return _towards(state, unit, heading.unit)
    return turned(unit.facing, {"left": -heading.angle, "right": heading.angle, "about": HALF}[heading.to])


def _towards(state: State, unit: Unit, name: str) -> int:
    if name in state.units:
        place = state.units[name].at
    elif name in state.generals:
        place = place_of(state, state.generals[name])
    else:
        raise unknown_id(name)
    return unit.facing if place == unit.at else bearing(unit.at, place)


def drifted(facing: int, side: str, angle: int) -> int:
    """The direction so far to a side of a facing."""
    return turned(facing, -angle if side == LEFT else angle if side else 0)


# --- the shifts of each kind of order, tested up to their length


def _face(state: State, unit: Unit, command: Face) -> StraightMove:
    there = faced(unit.base, heading_of(state, unit, command.heading))
    return StraightMove(unit.id, there, there, 0, "order", "STP-MOV-02", there, goes=False)


def _move(state: State, unit: Unit, command: MoveStraight) -> StraightMove:
    """Straight on, or up to 22.5 degrees aside; a square in any direction (STP-EMP-06)."""
    start = faced(unit.base, heading_of(state, unit, command.face))
    is_wide = command.angle > CRAB_HDEG and unit.formation != SQUARE
    if is_wide and not may_slip(state, unit):
        raise Refusal("stp.bad-direction", "STP-MOV-02", unit=unit.id, angle=command.angle, allowed=CRAB_HDEG)
    heading = drifted(start.facing, command.side, command.angle)
    end = _gone(state, unit, start, heading, command.distance, half=is_wide)
    return StraightMove(unit.id, start, end, command.distance, "order", "STP-MOV-02", start, engages=command.engage)


def may_slip(state: State, unit: Unit) -> bool:
    """Whether a unit stands behind a line or cover, and so may go at a wider angle, half as far (STP-INT-26)."""
    return bool(cover_of(state, unit)) or any(is_behind_line(ground, unit) for ground in state.terrain)


def _back(state: State, unit: Unit, command: Back) -> StraightMove:
    is_skirmisher = figures(state, unit).arm in SKIRMISHERS
    rule = "STP-MOV-05" if is_skirmisher else "STP-MOV-06"
    if not may_back(state, unit):
        raise Refusal("stp.cannot-back", rule, unit=unit.id)
    heading = turned(unit.facing, HALF)
    end = moved(unit.base, heading, command.distance)
    cost = command.distance + ground_cost(state, unit.base, end)
    require_at_most(unit, cost, backing(state, unit), rule)
    require_tactical(state, unit, unit.base, heading, command.distance, cost)
    return StraightMove(unit.id, unit.base, end, command.distance, "back", rule, unit.base, is_back=True)


def may_back(state: State, unit: Unit) -> bool:
    """Whether a unit may draw away facing the enemy (STP-MOV-05, -06, STP-EMP-05, -06)."""
    arm, switches = figures(state, unit).arm, period_of(state).switches
    if arm in SKIRMISHERS or unit.formation == SQUARE:
        return True
    if unit.formation == MARCH:
        return False
    is_line = switches.line_back_third and unit.formation == "line" and arm in FOOT
    return bool(switches.back) or is_line or has(state, unit, "back3")


def backing(state: State, unit: Unit) -> int:
    """How far a unit may draw away facing the enemy, 0 for not at all."""
    most, back = reach(state, unit), period_of(state).switches.back
    if not may_back(state, unit):
        return 0
    if figures(state, unit).arm in SKIRMISHERS or unit.formation == SQUARE:
        return most
    return min(back, most) if back else fraction(most, 1, 3)


def _about(state: State, unit: Unit, command: About) -> StraightMove:
    """Foot turns on the spot, cavalry on a flank; that takes nothing of the move, but is an order (STP-MOV-03,
    STP-INT-47)."""
    rule = "STP-MOV-03"
    if figures(state, unit).arm not in MOUNTED:
        if command.side:
            raise Refusal("stp.bad-direction", rule, unit=unit.id)
        start = faced(unit.base, unit.facing + HALF)
    elif not command.side:
        raise Refusal("stp.flank-needed", rule, unit=unit.id)
    else:
        start = about_flank(unit.base, is_left=command.side == LEFT)
    distance = max(0, command.distance)
    end = _gone(state, unit, start, start.facing, distance)
    goes = command.distance != NONE or start.at != unit.at
    return StraightMove(unit.id, start, end, distance, "about", rule, start, turn_rule=rule, goes=goes)


def _beside(state: State, unit: Unit, command: Beside) -> StraightMove:
    rule = "STP-MOV-04"
    friend = own_unit(state, unit.side, command.friend)
    if not (friend.here and is_behind(unit.base, friend.base)):
        raise Refusal("stp.not-behind", rule, unit=unit.id, friend=friend.id)
    end = beside(unit.base, friend.base, is_left=command.side == LEFT)
    start = faced(unit.base, end.facing)
    return StraightMove(unit.id, start, end, apart(unit.at, end.at), "beside", rule, start, beside=friend.id)


def _prolong(state: State, unit: Unit, command: Prolong) -> StraightMove:
    rule = "STP-MOV-15"
    if figures(state, unit).arm != "art":
        raise Refusal("stp.not-artillery", rule, unit=unit.id)
    end = moved(unit.base, command.bearing, command.distance)
    require_at_most(unit, command.distance + ground_cost(state, unit.base, end), PROLONGED_HCM, rule)
    return StraightMove(unit.id, unit.base, end, command.distance, "prolong", rule, unit.base)


def _gone(state: State, unit: Unit, start: Base, heading: int, length: int, *, half: bool = False) -> Base:
    """Where a straight leg ends, if it is within the allowance.

    Raises: Refusal stp.too-far
    """
    end = moved(start, heading, length)
    allowed = reach(state, unit, is_on_road=is_on_road(state, start.at, end.at))
    cost = length + ground_cost(state, start, end)
    require_at_most(unit, cost, allowed // 2 if half else allowed)
    require_tactical(state, unit, start, heading, length, cost)
    return end


SHIFTS: Mapping[type, Callable[[State, Unit, Any], StraightMove]] = {
    Face: _face,
    MoveStraight: _move,
    Back: _back,
    About: _about,
    Beside: _beside,
    Prolong: _prolong,
}
WHYS: Mapping[type, str] = {
    Face: "face",
    MoveStraight: "move",
    Back: "back",
    About: "about",
    Beside: "beside",
    Prolong: "prolong",
}
"""What the points of an order are paid for."""


def shift_of(state: State, unit: Unit, command: Shifting) -> StraightMove:
    """What a unit would do by an order, within its allowance.

    Raises: Refusal stp.bad-direction, stp.flank-needed, stp.cannot-back, stp.not-artillery, stp.not-behind, stp.too-far
    """
    return SHIFTS[type(command)](state, unit, command)


# --- orders


def require_known(state: State, side: str, command: Shifting) -> None:
    """Refuse ids that an order names beside that of its own unit.

    Raises: Refusal core.unknown-id, core.not-yours, stp.not-an-enemy, stp.target-gone
    """
    unit = own_unit(state, side, command.unit)
    heading = (
        command.heading if isinstance(command, Face) else command.face if isinstance(command, MoveStraight) else None
    )
    heading_of(state, unit, heading)
    if isinstance(command, Beside):
        own_unit(state, side, command.friend)
    if isinstance(command, MoveStraight) and command.engage:
        target_of(state, unit, command.engage)


def plan_shift(state: State, side: str, command: Shifting) -> Movement:
    """The order of one unit.

    Raises: Refusal of shot-to-pieces.md 3 for moves, in its order
    """
    require_known(state, side, command)
    (unit,) = fit(state, side, command.unit)
    require_whole_battalions(state, (unit,))
    return planned(state, shift_of(state, unit, command), WHYS[type(command)])


def planned(state: State, shift: StraightMove, why: str) -> Movement:
    """A shift of a unit that is fit for an order, if nothing is in its way and it can be paid for.

    Raises: Refusal, as `plan_shift` does
    """
    shifts = require_possible(state, [shift])
    return Movement(shifts, payment_for(state, shifts, why))


STEP_ORDERS: dict[type, StepOrder] = {kind: StepOrder((MOVES,), plan_shift, carry_out) for kind in SHIFTS} | {
    Face: StepOrder((CHARGES, MOVES), plan_shift, carry_out)
}
