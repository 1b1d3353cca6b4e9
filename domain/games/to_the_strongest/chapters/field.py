"""TTS-MOV-11 and -12: leaving the field and coming back."""

from typing import Any

from msgspec import field
from msgspec.structs import replace

from domain.basics.commands import Command
from domain.basics.errors import Refusal
from domain.engine.judge import Judge
from domain.events.battle import Event
from domain.games.to_the_strongest.chapters.activation import ActivationPlan, difficulties
from domain.games.to_the_strongest.chapters.ambushes import alarm, ambushes_in, show
from domain.games.to_the_strongest.chapters.generals import RIDES
from domain.games.to_the_strongest.chapters.geometry import is_rough_to_enter
from domain.games.to_the_strongest.chapters.medals import general_medals, give_back, pay
from domain.games.to_the_strongest.chapters.movement import arrive, require_open_way
from domain.games.to_the_strongest.chapters.turns import LEFT_IN_ENEMY_TURN, LEFT_IN_OWN_TURN, flank_of
from domain.games.to_the_strongest.chapters.wounds import GeneralJoined
from domain.games.to_the_strongest.chapters.zones import require_free
from domain.games.to_the_strongest.sequence import phases_of
from domain.games.to_the_strongest.state.state import (
    Flank,
    General,
    State,
    Unit,
    corps_general,
    enemy,
    general_unit,
    kind,
    with_unit_in,
)
from domain.mechanics.square import REVERSE, XY, king_distance

LEAVES = "TTS-MOV-11"
RETURNS = "TTS-MOV-12"
ENTERS = "TTS-STR-05"
OWN_EDGE = {"south": "S", "north": "N"}
"""The base edge of each side (TTS-GEO-02)."""


# --- commands


class Leave(Command, frozen=True, gc=False, tag="leave"):
    """Leave the field over the own edge."""

    PHASES = phases_of("leave")

    unit: str


class Return(Command, frozen=True, gc=False, tag="return"):
    """Come back onto the field, into an edge box."""

    PHASES = phases_of("return")

    unit: str
    box: str


# --- rules


def edge_of(state: State, box: str, edge: str) -> bool:
    """Whether a box lies on an edge (N E S W) of the board."""
    x, y = XY[box]
    columns, rows = state.board
    return {"S": y == 0, "N": y == rows - 1, "W": x == 0, "E": x == columns - 1}[edge]


def companions(state: State, unit: Unit) -> list[General]:
    """The generals who leave and return with a unit (TTS-MED-06)."""
    return [g for g in state.generals.values() if g.alive and general_unit(g) == unit.id]


# --- plans


def plan_leave(state: State, unit: Unit, command: Leave) -> ActivationPlan:
    require_free(state, unit)
    edge = OWN_EDGE[unit.side]
    if not edge_of(state, unit.box, edge):
        raise Refusal("tts.not-on-edge", LEAVES, unit=unit.id, box=unit.box, edge=edge)
    rough = is_rough_to_enter(state, unit.box)
    factors = difficulties(state, unit, backwards=True, rough=rough, artillery=True)
    return ActivationPlan(
        unit, "leave", factors, (("leave", {"unit": unit.id, "box": unit.box, "edge": edge, "cause": "order"}),)
    )


def plan_return(state: State, unit: Unit, command: Return) -> ActivationPlan:
    if unit.box:
        raise Refusal("tts.not-off-field", RETURNS, unit=unit.id, box=unit.box)
    flank = flank_of(state, unit)
    if flank:
        return _plan_flank_entry(state, unit, command, flank)
    if not unit.left_edge:  # never deployed: there was no place left for it
        raise Refusal("tts.unit-gone", "TTS-DIS-03", unit=unit.id, off=True)
    facing = REVERSE[unit.left_edge]
    require_open_way(state, unit, command.box, (command.box,), facing)
    if not edge_of(state, command.box, unit.left_edge) or king_distance(command.box, unit.left_box) > 1:
        raise Refusal(
            "tts.not-on-edge", RETURNS, unit=unit.id, box=command.box, left=unit.left_box, edge=unit.left_edge
        )
    if unit.off_turns == LEFT_IN_OWN_TURN:
        raise Refusal("tts.too-early", RETURNS, unit=unit.id)
    factors = difficulties(state, unit, rough=is_rough_to_enter(state, command.box), returning=True)
    step = ("return", {"unit": unit.id, "box": command.box, "facing": facing})
    return ActivationPlan(unit, "return", factors, (step,))


def _plan_flank_entry(state: State, unit: Unit, command: Return, flank: Flank) -> ActivationPlan:
    """A unit on a flank march enters on any box of the edge column, facing inwards (TTS-STR-05)."""
    facing = REVERSE[flank.edge]
    require_open_way(state, unit, command.box, (command.box,), facing)
    if not edge_of(state, command.box, flank.edge):
        raise Refusal("tts.not-on-edge", ENTERS, unit=unit.id, box=command.box, left="", edge=flank.edge)
    if not flank.arrived:
        raise Refusal("tts.too-early", ENTERS, unit=unit.id)
    factors = difficulties(state, unit, rough=is_rough_to_enter(state, command.box), returning=True)
    return ActivationPlan(
        unit, "return", factors, (("return", {"unit": unit.id, "box": command.box, "facing": facing}),)
    )


# --- events


class UnitLeftField(Event, frozen=True, gc=False):
    """A unit is off the field, over an edge (N E S W); it may come back for a while."""

    RULE = LEAVES
    TOLD_BY = "cause"

    unit: str
    from_: str = field(name="from")
    cause: str  # order evade
    edge: str


class UnitReturned(Event, frozen=True, gc=False):
    """A unit is back, behind whoever stands in the box."""

    RULE = RETURNS

    unit: str
    box: str
    facing: str


# --- steps


def step_leave(judge: Judge[State], *, unit: str, box: str, edge: str, cause: str) -> None:
    """The unit goes, and pays; then a general with it (TTS-MED-06)."""
    leaving = judge.state.units[unit]
    rule = LEAVES if cause == "order" else "TTS-EVD-06"
    judge.emit(UnitLeftField(unit, box, cause, edge), leaving.side, rule)
    pay(judge, leaving.side, kind(leaving).av, "left", unit)
    for general in companions(judge.state, leaving):
        pay(judge, leaving.side, general_medals(general), "left", general.id)


def step_return(judge: Judge[State], *, unit: str, box: str, facing: str) -> None:
    """The unit is back with its medals, and a general with it (TTS-MED-06). An ambush keeps it off its
    box, and so off the field (TTS-STR-04)."""
    returning = judge.state.units[unit]
    hidden = ambushes_in(judge.state, box, enemy(returning.side))
    if hidden:
        for ambush in hidden:
            show(judge, ambush)
        return
    flank = flank_of(judge.state, returning)
    judge.emit(UnitReturned(unit, box, facing), returning.side)
    if flank:
        _bring_general(judge, returning)
    give_back(judge, returning.side, returning.paid, unit)
    for general in companions(judge.state, returning):
        give_back(judge, returning.side, general.paid, general.id)
    alarm(judge, unit)
    arrive(judge, judge.state.units[unit])


def _bring_general(judge: Judge[State], unit: Unit) -> None:
    """A detached general arrives with the first unit of their flank march (TTS-STR-05)."""
    general = corps_general(judge.state, unit)
    if general and not general.attached and not general.riding and not general.box:
        judge.emit(GeneralJoined(general.id, unit.id, "ride"), unit.side, RIDES)


# --- evolutions


def on_unit_left_field(state: State, event: UnitLeftField) -> State:
    """Set how long it may stay away, which depends on whose turn it left in (TTS-MOV-12)."""
    turns = LEFT_IN_OWN_TURN if event.cause == "order" else LEFT_IN_ENEMY_TURN
    unit = replace(state.units[event.unit], off_turns=turns, left_box=event.from_, left_edge=event.edge)
    return with_unit_in(state, unit, "")


def on_unit_returned(state: State, event: UnitReturned) -> State:
    unit = replace(state.units[event.unit], facing=event.facing, off_turns=0, left_box="", left_edge="")
    return with_unit_in(state, unit, event.box)


EVOLUTIONS: dict[Any, Any] = {UnitLeftField: on_unit_left_field, UnitReturned: on_unit_returned}
STEPS: dict[str, Any] = {"leave": step_leave, "return": step_return}
PLANS: dict[Any, Any] = {Leave: plan_leave, Return: plan_return}
