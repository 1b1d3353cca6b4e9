"""Chapter MOV, turning: turn, swap places, or change formation within a box."""

from typing import Any

from msgspec import field
from msgspec.structs import replace

from domain.basics.commands import Command
from domain.basics.errors import Refusal
from domain.engine.judge import Judge
from domain.events.battle import Event
from domain.games.to_the_strongest.chapters.activation import ActivationPlan, difficulties
from domain.games.to_the_strongest.chapters.movement import TABLE, Route, plan_route
from domain.games.to_the_strongest.chapters.zones import HELD, holders, require_free
from domain.games.to_the_strongest.sequence import phases_of
from domain.games.to_the_strongest.state.state import State, Unit, comrade, kind, with_unit
from domain.mechanics.square import LEFT_OF, REVERSE, RIGHT_OF, box_at, frame

FORMATIONS = {"shieldwall": "shieldwall", "tortoise": "tortoise", "dismounted": "dismount"}
"""Formation to the flag that a type needs for it (TTS-MOV-10)."""


# --- commands


class Turn(Command, frozen=True, gc=False, tag="turn"):
    """Turn left, right, about, or to a facing; riders may go one box ahead after it."""

    PHASES = phases_of("turn")

    unit: str
    turn: str
    then_ahead: bool = False


class Swap(Command, frozen=True, gc=False, tag="swap"):
    """Change places with the other unit of the box; riders may go one box ahead after it."""

    PHASES = phases_of("swap")

    unit: str
    then_ahead: bool = False


class Form(Command, frozen=True, gc=False, tag="form"):
    """Take a formation."""

    PHASES = phases_of("form")

    unit: str
    formation: str


# --- plans


def plan_turn(state: State, unit: Unit, command: Turn) -> ActivationPlan:
    """A turn in the box, for riders with a box ahead after it (TTS-MOV-06)."""
    facing = {"left": LEFT_OF[unit.facing], "right": RIGHT_OF[unit.facing], "about": REVERSE[unit.facing]}.get(
        command.turn, command.turn
    )
    if command.then_ahead and kind(unit).speed < 2:
        raise Refusal(
            "tts.illegal-move", TABLE, unit=unit.id, box=unit.box, speed=kind(unit).speed, way="turn then ahead"
        )
    if facing == unit.facing:
        raise Refusal("tts.same-facing", "TTS-MOV-06", unit=unit.id, facing=facing)
    turned = {"unit": unit.id, "facing": facing, "alone": command.then_ahead}
    if command.then_ahead:
        path = (box_at(state.board, unit.box, facing, 1, 0),)
        plan = plan_route(state, unit, Route(path, facing), "turn", "turn")
        return replace(plan, then=(("turn", turned), *plan.then))
    held_by = holders(state, unit)
    if held_by and all(frame(unit.box, facing, other.box) != (1, 0) for other in held_by):
        boxes = [other.box for other in held_by]
        raise Refusal(
            "tts.must-face-holder", HELD, unit=unit.id, facing=facing, holders=[u.id for u in held_by], boxes=boxes
        )
    other = comrade(state, unit)
    if other and not kind(unit).light and not kind(other).light and state.boxes[unit.box][0] == other.id:
        raise Refusal(
            "tts.facing-mismatch",
            "TTS-MOV-06",
            unit=unit.id,
            box=unit.box,
            facing=facing,
            other=other.id,
            other_facing=other.facing,
        )
    return ActivationPlan(unit, "turn", difficulties(state, unit, turning="turn", artillery=True), (("turn", turned),))


def plan_swap(state: State, unit: Unit, command: Swap) -> ActivationPlan:
    """Front and rear unit of a box change places (TTS-MOV-07)."""
    if command.then_ahead and kind(unit).speed < 2:
        raise Refusal(
            "tts.illegal-move", TABLE, unit=unit.id, box=unit.box, speed=kind(unit).speed, way="swap then ahead"
        )
    require_free(state, unit)
    turning = "" if "free_swap" in kind(unit).flags else "swap"
    if command.then_ahead:
        path = (box_at(state.board, unit.box, unit.facing, 1, 0),)
        plan = plan_route(state, unit, Route(path, unit.facing), "swap", turning)
    else:
        plan = ActivationPlan(unit, "swap", difficulties(state, unit, turning=turning), ())
    if comrade(state, unit) is None:
        raise Refusal("tts.alone-in-box", "TTS-MOV-07", unit=unit.id, box=unit.box)
    return replace(plan, then=(("swap", {"unit": unit.id}), *plan.then))


def plan_form(state: State, unit: Unit, command: Form) -> ActivationPlan:
    """A change of formation (TTS-MOV-10)."""
    require_free(state, unit)
    flag = FORMATIONS.get(command.formation)
    final = unit.formation == "dismounted"
    if final or command.formation == unit.formation or (flag and flag not in kind(unit).flags):
        raise Refusal(
            "tts.no-such-formation", "TTS-MOV-10", unit=unit.id, formation=command.formation, present=unit.formation
        )
    formed = {"unit": unit.id, "formation": command.formation}
    return ActivationPlan(unit, "form", difficulties(state, unit, formation=True), (("form", formed),))


# --- events


class UnitTurned(Event, frozen=True, gc=False):
    """A unit faces another way."""

    RULE = "TTS-MOV-06"

    unit: str
    box: str
    from_: str = field(name="from")
    to: str


class UnitsSwapped(Event, frozen=True, gc=False):
    """Front and rear unit of a box have changed places."""

    RULE = "TTS-MOV-07"

    unit: str
    with_: str = field(name="with")
    box: str


class FormationChanged(Event, frozen=True, gc=False):
    """A unit stands in another formation."""

    RULE = "TTS-MOV-10"
    TOLD_BY = "to"

    unit: str
    from_: str = field(name="from")
    to: str


# --- steps


def step_turn(judge: Judge[State], *, unit: str, facing: str, alone: bool) -> None:
    """Turn a unit; a formed front unit turns the formed rear one too (TTS-MOV-06)."""
    turning = judge.state.units[unit]
    other = comrade(judge.state, turning)
    judge.emit(UnitTurned(unit, turning.box, turning.facing, facing), turning.side)
    if other and not alone and not kind(turning).light and not kind(other).light:
        judge.emit(UnitTurned(other.id, other.box, other.facing, facing), other.side)


def step_swap(judge: Judge[State], *, unit: str) -> None:
    """Front and rear change places."""
    swapping = judge.state.units[unit]
    other = comrade(judge.state, swapping)
    assert other is not None
    judge.emit(UnitsSwapped(unit, other.id, swapping.box), swapping.side)


def step_form(judge: Judge[State], *, unit: str, formation: str) -> None:
    """Take the formation."""
    forming = judge.state.units[unit]
    judge.emit(FormationChanged(unit, forming.formation, formation), forming.side)


# --- evolutions


def on_unit_turned(state: State, event: UnitTurned) -> State:
    return with_unit(state, replace(state.units[event.unit], facing=event.to, shifted=True))


def on_units_swapped(state: State, event: UnitsSwapped) -> State:
    return replace(state, boxes={**state.boxes, event.box: state.boxes[event.box][::-1]})


def on_formation_changed(state: State, event: FormationChanged) -> State:
    return with_unit(state, replace(state.units[event.unit], formation=event.to))


EVOLUTIONS: dict[Any, Any] = {
    UnitTurned: on_unit_turned,
    UnitsSwapped: on_units_swapped,
    FormationChanged: on_formation_changed,
}
STEPS: dict[str, Any] = {"turn": step_turn, "swap": step_swap, "form": step_form}
PLANS: dict[Any, Any] = {Turn: plan_turn, Swap: plan_swap, Form: plan_form}
