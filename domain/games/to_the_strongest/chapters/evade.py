"""Chapter EVD: who may evade a charge, on which card, and where to."""

from typing import Any

from msgspec import UNSET, field
from msgspec.structs import replace

from domain.basics.commands import Command
from domain.basics.errors import Refusal
from domain.engine.judge import Judge
from domain.engine.state import unchanged
from domain.events.battle import Event
from domain.games.to_the_strongest.chapters.ambushes import alarm
from domain.games.to_the_strongest.chapters.cards import draw
from domain.games.to_the_strongest.chapters.course import Course, Plain, course_of
from domain.games.to_the_strongest.chapters.decisions import DecisionAsked, DecisionMade, put_question, take_answer
from domain.games.to_the_strongest.chapters.generals import follow
from domain.games.to_the_strongest.chapters.geometry import (
    is_diagonal_blocked,
    is_held_by_enemy,
    is_impassable,
    is_rough,
)
from domain.games.to_the_strongest.chapters.losses import destroy_outright
from domain.games.to_the_strongest.chapters.movement import move_unit
from domain.games.to_the_strongest.chapters.stacking import has_room, others_in, way_left
from domain.games.to_the_strongest.sequence import phases_of
from domain.games.to_the_strongest.state.state import State, Unit, enemies_in, kind, with_unit_in
from domain.mechanics.square import REVERSE, box_by, step_between

NEEDED = {(True, False): 3, (True, True): 5, (False, False): 5, (False, True): 7}
"""Card needed by (evader mounted, charger mounted) (TTS-EVD-02)."""
NEEDED_IN_ROUGH = 3


# --- commands


class Evade(Command, frozen=True, gc=False, tag="evade"):
    """Answer whether a charged unit evades; `facing` keeps or reverses the one it has."""

    PHASES = phases_of("evade")
    ANSWERS = "evade"

    yes: bool
    facing: str = ""


# --- rules


def may_evade(unit: Unit, aspect: str) -> bool:
    """Whether a unit is able to evade by its type and state (TTS-EVD-01)."""
    profile = kind(unit)
    return profile.light or ("evade" in profile.flags and not unit.losses and aspect == "front")


def must_evade(state: State, unit: Unit, charger: Unit) -> bool:
    """Whether a light in the open is charged by a non-light (TTS-EVD-03)."""
    in_the_open = not is_rough(state, unit.box) and unit.box not in state.camps
    return kind(unit).light and not kind(charger).light and in_the_open


def evade_needed(state: State, unit: Unit, charger: Unit) -> int:
    """The evade card needed: 3–5–7 (TTS-EVD-02)."""
    profile = kind(unit)
    if profile.foot and is_rough(state, unit.box):
        return NEEDED_IN_ROUGH
    return NEEDED[profile.mounted, kind(charger).mounted]


def evade_path(state: State, unit: Unit, origin: str, boxes: int) -> tuple[str, ...] | None:
    """Where an evade leads: the boxes entered, ("",) off the board, None if it is barred.

    Rule: TTS-EVD-05, -06, whatever the zones of control (TTS-ZOC-07): straight on in
          the direction of the charge; a light may pass through a first box that is barred only by
          friends without room
    """
    step = step_between(origin, unit.box)
    first = box_by(state.board, unit.box, *step)
    if not first:
        return ("",)
    if _is_barred(state, unit, unit.box, first):
        return None
    second = box_by(state.board, first, *step)
    beyond = bool(second) and not _is_barred(state, unit, first, second) and _fits(state, unit, second)
    if not _fits(state, unit, first):
        return (first, second) if beyond and kind(unit).light else None
    return (first, second) if beyond and boxes > 1 else (first,)


def _is_barred(state: State, unit: Unit, start: str, box: str) -> bool:
    return (
        is_impassable(state, box)
        or is_held_by_enemy(state, box, unit.side)
        or is_diagonal_blocked(state, unit.side, start, box)
    )


def _fits(state: State, unit: Unit, box: str) -> bool:
    return has_room(state, unit, others_in(state, unit, box))


def evade_facing(state: State, unit: Unit, goal: str, wished: str) -> str:
    """The facing after an evade: reversed, or as wished, or that of a formed friend (TTS-EVD-05)."""
    if not kind(unit).light:
        for friend in others_in(state, unit, goal):
            if not kind(friend).light:
                return friend.facing
    return wished or REVERSE[unit.facing]


def evade_reach(unit: Unit) -> int:
    """Boxes of an evade: foot 1, mounted 2 (TTS-EVD-05)."""
    return 2 if kind(unit).mounted else 1


# --- decisions


def decide_evade(judge: Judge[State], side: str, command: Evade) -> None:
    waiting = judge.state.waiting
    assert waiting is not None
    unit = judge.state.units[waiting.unit]
    allowed = (unit.facing, REVERSE[unit.facing])
    if command.facing and command.facing not in allowed:
        raise Refusal("tts.bad-facing", "TTS-EVD-05", unit=unit.id, facing=command.facing, allowed=list(allowed))
    answer = "yes" if command.yes else "no"
    take_answer(judge, DecisionMade(side, "evade", unit.id, answer, False, facing=command.facing or UNSET))


# --- events


class EvadeSucceeded(Event, frozen=True, gc=False):
    """A charged unit slips away; `to` is "" off the board."""

    RULE = "TTS-EVD-02"

    unit: str
    needed: int
    card: int
    from_: str = field(name="from")
    to: str
    path: tuple[str, ...]
    facing: str
    place: str = "rear"


class EvadeFailed(Event, frozen=True, gc=False):
    """A charged unit does not get away: it is struck without reply (TTS-EVD-07)."""

    RULE = "TTS-EVD-02"

    unit: str
    needed: int
    card: int


# --- steps


def step_evade(judge: Judge[State], *, course: Plain) -> None:
    """Decide whether the target may, must or will evade (TTS-EVD-01, -03, -04), once in each charge (TTS-EVD-09)."""
    charge = course_of(course)
    state = judge.state
    charger, unit = state.units[charge.unit], state.units[charge.target]
    possible = may_evade(unit, charge.aspect) and evade_path(state, unit, charger.box, evade_reach(unit)) is not None
    if must_evade(state, unit, charger):
        if possible:
            judge.push("evading", course=charge.plain(), answer="yes", facing="")
        else:
            _stand_to_be_attacked(judge, charge, reply=False)
            destroy_outright(judge, unit, "no-evade")
        return
    if not possible:
        _stand_to_be_attacked(judge, charge)
        return
    needed = evade_needed(state, unit, charger)
    question = DecisionAsked(unit.side, "evade", unit.id, ("yes", "no"), needed=needed, charger=charger.id)
    put_question(judge, question, "evading", course=charge.plain())


def step_evading(judge: Judge[State], *, course: Plain, answer: str, facing: str) -> None:
    """Draw the evade card, if the unit evades (TTS-EVD-02)."""
    charge = course_of(course)
    if answer == "no":
        _stand_to_be_attacked(judge, charge)
        return
    charger, unit = judge.state.units[charge.unit], judge.state.units[charge.target]
    needed = evade_needed(judge.state, unit, charger)
    card = draw(judge, unit.side, "evade", unit.id)
    if card < needed:
        judge.emit(EvadeFailed(unit.id, needed, card), unit.side)
        judge.push("follow-up", course=charge.plain())
        judge.push("second", course=charge.plain())
        judge.push("slip-back", course=charge.plain(), facing=facing)
        judge.push("attack", course=charge.plain())
        return
    _get_away(judge, charger, unit, needed, card, facing)
    charge = replace(charge, evaded=True)
    if enemies_in(judge.state, charge.box, charger.side):
        judge.push("follow-up", course=charge.plain())
        judge.push("second", course=charge.plain())
    else:
        judge.push("pursue", course=charge.plain())
    if not judge.state.units[unit.id].box:
        edge = _edge_left_over(judge.state, unit, charger.box)
        judge.push("leave", unit=unit.id, box=unit.box, edge=edge, cause="evade")


def _stand_to_be_attacked(judge: Judge[State], charge: Course, reply: bool = True) -> None:
    """The target stays: closing fire, attack, reply, second unit, follow-up (TTS-MEL-04)."""
    judge.push("follow-up", course=charge.plain())
    judge.push("second", course=charge.plain())
    if reply:
        judge.push("reply", unit=charge.unit, target=charge.target, aspect=charge.aspect)
        judge.push("attack", course=charge.plain())
        judge.push("closing", course=charge.plain())


def _get_away(judge: Judge[State], charger: Unit, unit: Unit, needed: int, card: int, wished: str) -> None:
    path = way_left(judge.state, unit, evade_path(judge.state, unit, charger.box, evade_reach(unit)) or ())
    goal = path[-1] if path else unit.box
    facing = evade_facing(judge.state, unit, goal, wished)
    entered = tuple(box for box in path if box)
    judge.emit(EvadeSucceeded(unit.id, needed, card, unit.box, goal, entered, facing), unit.side)
    if goal:
        follow(judge, unit, unit.box)
        alarm(judge, unit.id)


def _edge_left_over(state: State, unit: Unit, origin: str) -> str:
    """The edge over which a unit evades; off a corner it is the base edge row (TTS-MOV-12)."""
    columns, rows = step_between(origin, unit.box)
    if not box_by(state.board, unit.box, 0, rows):
        return "N" if rows > 0 else "S"
    return "E" if columns > 0 else "W"


def step_slip_back(judge: Judge[State], *, course: Plain, facing: str) -> None:
    """A unit that failed to evade and lives ends one box back, if it can (TTS-EVD-07)."""
    charge = course_of(course)
    charger, unit = judge.state.units[charge.unit], judge.state.units[charge.target]
    if not unit.alive:
        return
    path = evade_path(judge.state, unit, charger.box, 1)
    if path and path[-1]:
        move_unit(judge, unit, path, evade_facing(judge.state, unit, path[-1], facing), "evade")


# --- evolutions


def on_evade_succeeded(state: State, event: EvadeSucceeded) -> State:
    unit = replace(state.units[event.unit], facing=event.facing)
    return with_unit_in(state, unit, event.to, event.place)


EVOLUTIONS: dict[Any, Any] = {EvadeSucceeded: on_evade_succeeded, EvadeFailed: unchanged}
STEPS: dict[str, Any] = {"evade": step_evade, "evading": step_evading, "slip-back": step_slip_back}
DECISIONS: dict[Any, Any] = {Evade: decide_evade}
