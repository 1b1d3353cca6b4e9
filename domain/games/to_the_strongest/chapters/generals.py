"""Chapter GEN: how generals move, ride along, and save themselves.

The consequences of a failed save, of a lost unit or a lost corps are in `wounds.py`.
"""

from typing import Any

from msgspec import field
from msgspec.structs import replace

from domain.basics.commands import Command
from domain.basics.errors import Refusal
from domain.engine.judge import Judge, off_board, unknown_id
from domain.engine.state import unchanged
from domain.events.battle import Event
from domain.games.to_the_strongest.chapters.ambushes import hidden_units
from domain.games.to_the_strongest.chapters.cards import draw
from domain.games.to_the_strongest.chapters.decisions import own_general, own_unit
from domain.games.to_the_strongest.chapters.geometry import is_diagonal_blocked, is_held_by_enemy, is_impassable
from domain.games.to_the_strongest.chapters.wounds import GeneralJoined, lose_general, wound
from domain.games.to_the_strongest.sequence import phases_of
from domain.games.to_the_strongest.state.state import (
    General,
    State,
    Unit,
    army_units,
    enemy,
    general_box,
    is_on_board,
    with_general,
)
from domain.mechanics.square import XY, boxes_within, king_distance

MOVED = "TTS-GEN-02"
RIDES = "TTS-GEN-03"
BRILLIANT_MOVE, MOUNTED_MOVE, FOOT_MOVE = 3, 2, 1
FLIGHT = 3
"""Boxes within which a general run over finds a unit of their corps (TTS-GEN-09)."""
SERIOUS_SAVE, TOUGH_SAVE, PLAIN_SAVE = 5, 3, 2


# --- commands


class MoveGeneral(Command, frozen=True, gc=False, tag="general-to"):
    """A command move; with `unit` the general rides along with it from then on."""

    PHASES = phases_of("general-to")

    general: str
    box: str
    unit: str = ""


class Ride(Command, frozen=True, gc=False, tag="general-with"):
    """Go with a unit in the general's box whenever it moves; "" is to stay alone."""

    PHASES = phases_of("general-with")

    general: str
    unit: str = ""


# --- rules


def save_of_general(general: General) -> int:
    """The card a general needs to survive a hit (TTS-GEN-01, -05)."""
    if general.wound == "serious":
        return SERIOUS_SAVE
    tough = not {"heroic", "great"}.isdisjoint(general.traits)
    return (TOUGH_SAVE if tough else PLAIN_SAVE) + (general.wound == "light")


def command_reach(general: General) -> int:
    """Boxes of a command move (TTS-GEN-02)."""
    if "brilliant" in general.traits:
        return BRILLIANT_MOVE
    return MOUNTED_MOVE if general.mounted else FOOT_MOVE


def reachable_boxes(state: State, general: General, start: str) -> set[str]:
    """Where a command move can end: no impassable box, no enemy unit, no squeezing through.

    Rule: TTS-GEN-02, TTS-GEO-12; zones of control and stacking do not apply to generals
    """
    reached, edge = {start}, {start}
    for _ in range(command_reach(general)):
        edge = {
            box
            for from_box in edge
            for box in boxes_within(state.board, from_box, 1)
            if box not in reached
            and not is_impassable(state, box)
            and not is_held_by_enemy(state, box, general.side)
            and not is_diagonal_blocked(state, general.side, from_box, box)
        }
        reached |= edge
    return reached - {start}


def may_command(state: State, general: General) -> bool:
    """Whether a general may make a command move now: their corps is open, or was the last one to end, or has no
    unit left (TTS-GEN-02)."""
    army = state.armies[general.side]
    if army.opened == general.corps or not any(state.units[u].alive for u in army.corps[general.corps].units):
        return True
    return not army.opened and bool(army.ended) and army.ended[-1] == general.corps


def require_command_move(state: State, side: str, command: MoveGeneral) -> General:
    """Refuse a command move that the rules forbid (TTS-GEN-02), in the order of to-the-strongest.md 3."""
    general, company = _own_general_and_company(state, side, command.general, command.unit)
    if not is_on_board(state, command.box):
        raise off_board(command.box)
    _require_detached(state, general)
    if general.moved:
        raise Refusal("tts.general-moved", MOVED, general=general.id)
    if not may_command(state, general):
        raise Refusal("tts.general-not-his-corps", MOVED, general=general.id, corps=general.corps)
    start = general_box(state, general)
    distance, reach = king_distance(start, command.box), command_reach(general)
    if distance > reach:
        raise Refusal("tts.general-too-far", MOVED, general=general.id, box=command.box, distance=distance, reach=reach)
    if command.box not in reachable_boxes(state, general, start):
        raise Refusal("tts.general-path", MOVED, general=general.id, box=command.box, start=start)
    if company and company.box != command.box:
        raise _no_company(general, company, command.box)
    return general


def require_ride(state: State, side: str, command: Ride) -> General:
    """Refuse to ride with a unit that is not in the general's box (TTS-GEN-03)."""
    general, company = _own_general_and_company(state, side, command.general, command.unit)
    _require_detached(state, general)
    box = general_box(state, general)
    if company and company.box != box:
        raise _no_company(general, company, box)
    return general


def _own_general_and_company(state: State, side: str, name: str, unit: str) -> tuple[General, Unit | None]:
    """A general of the side, and the unit to go with, if any; unknown ids before foreign ones."""
    if name in state.generals and unit and unit not in state.units:
        raise unknown_id(unit)
    return own_general(state, side, name), own_unit(state, side, unit) if unit else None


def _require_detached(state: State, general: General) -> None:
    """Refuse a general who is dead, off the field, or attached to a unit."""
    require_on_field(state, general)
    if general.attached:
        raise Refusal("tts.general-attached", "TTS-GEN-04", general=general.id, unit=general.attached)


def require_on_field(state: State, general: General) -> None:
    """Refuse a general who is dead (TTS-GEN-07), or off the field: with a unit (TTS-GEN-04), or not yet on it."""
    if not general.alive:
        raise Refusal("tts.general-gone", "TTS-GEN-07", general=general.id, off=False)
    if not general_box(state, general):
        raise Refusal("tts.general-gone", "TTS-GEN-04", general=general.id, off=True)


def _no_company(general: General, unit: Unit, box: str) -> Refusal:
    return Refusal("tts.general-no-such-company", RIDES, general=general.id, unit=unit.id, box=box, unit_box=unit.box)


# --- decisions


def decide_move_general(judge: Judge[State], side: str, command: MoveGeneral) -> None:
    general = require_command_move(judge.state, side, command)
    judge.push("endcheck")
    start = general_box(judge.state, general)
    goal = (
        command.box
        if not hidden_units(judge.state, command.box, enemy(side))
        else _short_of(judge.state, general, command.box)
    )
    judge.emit(GeneralMoved(general.id, start, goal, "command"), side, MOVED)
    if command.unit:
        judge.emit(GeneralJoined(general.id, command.unit, "ride"), side, RIDES)


def _short_of(state: State, general: General, goal: str) -> str:
    """Where a general stops before a box in which an ambush lies (TTS-STR-04)."""
    start = general_box(state, general)
    reached = {start, *reachable_boxes(state, general, start)}
    near = [box for box in boxes_within(state.board, goal, 1) if box in reached]
    return min(near, key=lambda box: (king_distance(start, box), XY[box]))


def decide_ride(judge: Judge[State], side: str, command: Ride) -> None:
    general = require_ride(judge.state, side, command)
    judge.push("endcheck")
    judge.emit(GeneralJoined(general.id, command.unit, "ride"), side, RIDES)


def follow(judge: Judge[State], unit: Unit, start: str) -> None:
    """Generals riding with a unit that has moved go with it (TTS-GEN-03)."""
    for general in judge.state.generals.values():
        if general.riding == unit.id and general.alive:
            judge.emit(GeneralMoved(general.id, start, judge.state.units[unit.id].box, "rides"), unit.side, RIDES)


def overrun(judge: Judge[State], unit: Unit) -> None:
    """Enemy generals alone in the box where a unit has ended its move save and flee, or are lost.

    Rule: TTS-GEN-09
    """
    box = unit.box
    for general in tuple(judge.state.generals.values()):
        if (
            general.side == unit.side
            or not general.alive
            or not general.detached
            or general_box(judge.state, general) != box
        ):
            continue
        needed = save_of_general(general)
        card = draw(judge, general.side, "general-save", general.id)
        if card < needed:
            judge.emit(GeneralSaveFailed(general.id, needed, card), general.side)
            lose_general(judge, general.id, "overrun", "TTS-GEN-09")
            continue
        judge.emit(GeneralSaved(general.id, needed, card), general.side)
        refuge = refuge_of(judge.state, general, box)
        if refuge:
            judge.emit(GeneralMoved(general.id, box, refuge.box, "flees"), general.side, "TTS-GEN-09")
        else:
            lose_general(judge, general.id, "overrun", "TTS-GEN-09")


def refuge_of(state: State, general: General, box: str) -> Unit | None:
    """The unit to which a general flees who was run over in a box (TTS-GEN-09); None if there is none near."""
    own = [u for u in army_units(state, general.side) if u.corps == general.corps and u.box]
    near = [(king_distance(box, u.box), at, u) for at, u in enumerate(own)]
    distance, _, unit = min(near, default=(FLIGHT + 1, 0, None))
    return unit if distance <= FLIGHT else None


# --- events


class GeneralSaved(Event, frozen=True, gc=False):
    """A hit, or being run over, survived."""

    RULE = "TTS-GEN-05"

    general: str
    needed: int
    card: int


class GeneralSaveFailed(Event, frozen=True, gc=False):
    """The general's save failed."""

    RULE = "TTS-GEN-05"

    general: str
    needed: int
    card: int


class GeneralMoved(Event, frozen=True, gc=False):
    """A general goes from box to box."""

    RULE = MOVED
    TOLD_BY = "cause"

    general: str
    from_: str = field(name="from")
    to: str
    cause: str  # command rides flees


# --- steps


def step_general_save(judge: Judge[State], *, general: str) -> None:
    """A general in a box where a unit was hit saves, or draws for a wound (TTS-GEN-05, -06)."""
    save_or_wound(judge, general, save_of_general(judge.state.generals[general]), "general-save")


def save_or_wound(judge: Judge[State], general: str, needed: int, purpose: str) -> None:
    """Draw a general's save; if it fails, draw for a wound (TTS-GEN-07)."""
    struck = judge.state.generals[general]
    card = draw(judge, struck.side, purpose, general)
    if card >= needed:
        judge.emit(GeneralSaved(general, needed, card), struck.side)
    else:
        judge.emit(GeneralSaveFailed(general, needed, card), struck.side)
        wound(judge, general)


# --- evolutions


def on_general_moved(state: State, event: GeneralMoved) -> State:
    """A command move ends riding; it and flight change nothing else."""
    general = replace(state.generals[event.general], box=event.to)
    if event.cause == "command":
        general = replace(general, moved=True, riding="")
    return with_general(state, general)


EVOLUTIONS: dict[Any, Any] = {
    GeneralSaved: unchanged,
    GeneralSaveFailed: unchanged,
    GeneralMoved: on_general_moved,
}
STEPS: dict[str, Any] = {"general-save": step_general_save}
DECISIONS: dict[Any, Any] = {MoveGeneral: decide_move_general, Ride: decide_ride}
