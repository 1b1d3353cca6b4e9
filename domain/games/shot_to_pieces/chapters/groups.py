"""Chapter ACT, groups: one order to several units in contact (STP-ACT-05, STP-MOV-07, STP-ORD-05).

`TOGETHER` says what members may do each with its own action: in which steps, and how it is planned and carried out.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.engine.judge import Judge
from domain.games.shot_to_pieces.chapters import formations
from domain.games.shot_to_pieces.chapters.charge_groups import declare_all, plan_charges
from domain.games.shot_to_pieces.chapters.charges import Onset
from domain.games.shot_to_pieces.chapters.checks import own_unit, require_here
from domain.games.shot_to_pieces.chapters.course import StepOrder
from domain.games.shot_to_pieces.chapters.moves import CRAB_HDEG, SHIFTS, drifted, require_known, shift_of
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
    ground_cost,
    is_on_road,
    reach,
    require_at_most,
    require_tactical,
)
from domain.games.shot_to_pieces.plane.base import Base, moved
from domain.games.shot_to_pieces.plane.contacts import is_chain
from domain.games.shot_to_pieces.plane.paths import wheel_length, wheeled
from domain.games.shot_to_pieces.state.commands import Action, ChangeFormation, Charge, Face, MoveAsGroup, Together
from domain.games.shot_to_pieces.state.state import State, Unit
from domain.games.shot_to_pieces.state.vocabulary import CHARGES, FORMING, LEFT, MOVES

GROUPED, MOVING = "STP-ACT-05", "STP-MOV-07"
WHY = "group"


class Kind(Struct, frozen=True):
    """A kind of action that members of a group may do together."""

    steps: tuple[str, ...]
    plan: Callable[[State, str, Sequence[Any]], Any]
    carry_out: Callable[[Judge[State], str, Any], None]


def require_group(state: State, units: Sequence[Unit]) -> None:
    """Refuse who is no group: units of one corps in a chain of contacts.

    Raises: Refusal stp.not-a-group
    """
    names = [unit.id for unit in units]
    corps = {unit.corps for unit in units}
    if len(set(names)) < len(names) or len(corps) > 1 or not is_chain([unit.base for unit in units]):
        raise Refusal("stp.not-a-group", GROUPED, unit=names[0], units=names)
    require_whole_battalions(state, units)


# --- the same move for all


def plan_group(state: State, side: str, command: MoveAsGroup) -> Movement:
    """A group moves as one, after a wheel if there is one.

    Raises: Refusal of shot-to-pieces.md 3 for moves, in its order
    """
    units = fit(state, side, *command.units)
    require_group(state, units)
    if command.angle > CRAB_HDEG:
        raise Refusal("stp.bad-direction", "STP-MOV-02", unit=units[0].id, angle=command.angle, allowed=CRAB_HDEG)
    shifts = require_possible(state, _shifts(state, units, command), is_rigid=True)
    return Movement(shifts, payment_for(state, shifts, WHY))


def _shifts(state: State, units: Sequence[Unit], command: MoveAsGroup) -> list[StraightMove]:
    """What each member does, if it is within the allowance of the slowest (STP-MOV-07, STP-GEO-20)."""
    bases = [unit.base for unit in units]
    straight, is_left = max(0, command.distance), command.wheel == LEFT
    crab = drifted(0, command.side, command.angle)
    turned, ends = bases, _advanced(bases, straight, crab)
    length = straight
    if command.wheel:
        turned = list(wheeled(bases, command.wheel_angle, is_left=is_left))
        ends = list(wheeled(bases, command.wheel_angle, is_left=is_left, length=straight, crab=crab))
        length += wheel_length(bases, command.wheel_angle, is_left=is_left)
    slowest = min(
        reach(state, unit, is_on_road=is_on_road(state, start.at, end.at))
        for unit, start, end in zip(units, turned, ends, strict=True)
    )
    heading = drifted(turned[0].facing, command.side, command.angle)
    found = []
    for unit, start, end in zip(units, turned, ends, strict=True):
        cost = length + ground_cost(state, start, end)
        require_at_most(unit, cost, slowest, MOVING)
        require_tactical(state, unit, start, heading, straight, cost)
        found.append(StraightMove(unit.id, start, end, length, WHY, MOVING, unit.base))
    return found


def _advanced(bases: Sequence[Base], length: int, crab: int) -> list[Base]:
    return [moved(base, bases[0].facing + crab, length) for base in bases]


# --- each with its own action


def plan_together(state: State, side: str, command: Together) -> tuple[Kind, Any]:
    """Each member does its own action, all of one kind, for one order (STP-ACT-05).

    Raises: Refusal stp.mixed-orders, and those of the kind of action
    """
    kind = TOGETHER.get(_kind(command))
    if kind is None:
        raise Refusal("stp.mixed-orders", GROUPED, unit=command.actions[0].unit)
    return kind, kind.plan(state, side, command.actions)


def carry_out_together(judge: Judge[State], side: str, planned: tuple[Kind, Any]) -> None:
    """As the kind of action is carried out."""
    kind, plan = planned
    kind.carry_out(judge, side, plan)


def _kind(command: Together) -> type[Action]:
    return type(command.actions[0])


def steps_of(command: Together) -> tuple[str, ...]:
    """The steps in which such an action may be given."""
    kind = TOGETHER.get(_kind(command))
    return kind.steps if kind else (MOVES,)


def require_one_kind(actions: Sequence[Action]) -> None:
    """Refuse actions of different kinds.

    Raises: Refusal stp.mixed-orders
    """
    kinds = {type(action) for action in actions}
    if len(kinds) > 1:
        raise Refusal("stp.mixed-orders", GROUPED, unit=actions[0].unit)


def _plan_shifts(state: State, side: str, actions: Sequence[Any]) -> Movement:
    for action in actions:
        if type(action) in SHIFTS:
            require_known(state, side, action)
    units = fit(state, side, *(action.unit for action in actions))
    require_group(state, units)
    require_one_kind(actions)
    shifts = [shift_of(state, unit, action) for unit, action in zip(units, actions, strict=True)]
    grouped = [replace(shift, cause=WHY, rule=MOVING) for shift in shifts]
    known = require_possible(state, grouped)
    return Movement(known, payment_for(state, known, WHY))


def _plan_forms(state: State, side: str, actions: Sequence[Any]) -> formations.Forming:
    units = fit(state, side, *(action.unit for action in actions))
    require_group(state, units)
    require_one_kind(actions)
    return formations.plan_forming(state, side, actions, WHY)


def _plan_charges(state: State, side: str, actions: Sequence[Any]) -> tuple[Onset, ...]:
    units = [own_unit(state, side, action.unit) for action in actions]
    for unit in units:
        require_here(unit)
    require_group(state, units)
    require_one_kind(actions)
    return plan_charges(state, side, actions)


TOGETHER: Mapping[type, Kind] = {
    **{kind: Kind((MOVES,), _plan_shifts, carry_out) for kind in SHIFTS},
    Face: Kind((CHARGES, MOVES), _plan_shifts, carry_out),
    Charge: Kind((CHARGES,), _plan_charges, declare_all),
    ChangeFormation: Kind((FORMING,), _plan_forms, formations.carry_out),
}
STEP_ORDERS = {
    MoveAsGroup: StepOrder((MOVES,), plan_group, carry_out),
    Together: StepOrder(steps_of, plan_together, carry_out_together),
}
