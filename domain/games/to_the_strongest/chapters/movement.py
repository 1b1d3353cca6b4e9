"""Chapter MOV: where a unit may go in one activation, and the difficulty of the path.

Turns, swaps and formations are in `turning.py`.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from domain.basics.commands import Command
from domain.basics.errors import Refusal
from domain.engine.judge import Judge
from domain.events.battle import Event
from domain.games.to_the_strongest.chapters.activation import ActivationPlan, PathCosts, difficulties
from domain.games.to_the_strongest.chapters.ambushes import alarm
from domain.games.to_the_strongest.chapters.camps import take_camp
from domain.games.to_the_strongest.chapters.generals import follow, overrun
from domain.games.to_the_strongest.chapters.geometry import (
    crosses_obstacle,
    is_diagonal_blocked,
    is_impassable,
    is_rough_to_enter,
)
from domain.games.to_the_strongest.chapters.stacking import (
    others_in,
    place_on_entering,
    require_no_enemy,
    require_room,
    require_same_facing,
    way_left,
)
from domain.games.to_the_strongest.chapters.zones import require_free, require_free_path
from domain.games.to_the_strongest.sequence import phases_of
from domain.games.to_the_strongest.state.state import State, Unit, kind, units_in, with_unit_in
from domain.mechanics.modifiers import Factors
from domain.mechanics.square import REVERSE, box_at, frame

TABLE = "TTS-MOV-02"
WAYS = {
    "ahead": (1, 0),
    "ahead-left": (1, -1),
    "ahead-right": (1, 1),
    "left": (0, -1),
    "right": (0, 1),
    "back": (-1, 0),
}


# --- commands


class Move(Command, frozen=True, gc=False, tag="move"):
    """Go `boxes` in a direction; `then_ahead` adds the straight box after a diagonal one."""

    PHASES = phases_of("move")

    unit: str
    way: str
    boxes: int = 1
    facing: str = ""
    then_ahead: bool = False


class MoveTo(Command, frozen=True, gc=False, tag="move-to"):
    """Go to a box by whichever row of the table leads there; `via` names a box on the way."""

    PHASES = phases_of("move-to")

    unit: str
    box: str
    facing: str = ""
    via: str = ""


class Pass(Command, frozen=True, gc=False, tag="pass"):
    """A light goes through friends, ahead or back, into the box beyond."""

    PHASES = phases_of("pass")

    unit: str
    way: str


# --- rules


class Route(Struct, frozen=True, gc=False):
    """A row of the table of moves, laid on the board: boxes entered ("" off the board)."""

    path: tuple[str, ...]
    facing: str
    diagonal: bool = False
    sideways: bool = False
    backwards: bool = False


def route_along(state: State, unit: Unit, offsets: tuple[tuple[int, int], ...], facing: str = "") -> Route:
    """The route over boxes at (ahead, right) of a unit; `facing` is the one at the end, "" if not known yet."""
    path = tuple(box_at(state.board, unit.box, unit.facing, a, r) if unit.box else "" for a, r in offsets)
    ahead, right = offsets[0]
    return Route(path, facing, ahead == 1 and right != 0, ahead == 0, ahead < 0)


def offsets_of(unit: Unit, way: str, boxes: int, then_ahead: bool) -> tuple[tuple[int, int], ...]:
    """The row of the table for a direction; refuse one that the table does not have (TTS-MOV-02)."""
    ahead, right = WAYS[way]
    profile = kind(unit)
    barred = right and "straight_only" in profile.flags
    if then_ahead and not (barred or profile.speed < 2 or ahead != 1 or not right or boxes != 1):
        return (1, right), (2, right)
    if then_ahead or barred or not 1 <= boxes <= (1 if right else profile.speed):
        far = boxes + then_ahead
        raise Refusal("tts.illegal-move", TABLE, unit=unit.id, box=unit.box, speed=profile.speed, boxes=far, way=way)
    return tuple((ahead * count, right) for count in range(1, boxes + 1))


def require_facing(unit: Unit, facing: str, backwards: bool) -> str:
    """The facing at the end of a move; it may be asked for only when moving back (TTS-MOV-05)."""
    if facing and (not backwards or facing not in (unit.facing, REVERSE[unit.facing])):
        raise Refusal("tts.bad-facing", "TTS-MOV-05", unit=unit.id, facing=facing, allowed=_facings(unit, backwards))
    return facing or unit.facing


def _facings(unit: Unit, backwards: bool) -> list[str]:
    return [unit.facing, REVERSE[unit.facing]] if backwards else []


def require_open_way(
    state: State, unit: Unit, start: str, path: tuple[str, ...], facing: str, passing: bool = False
) -> None:
    """Refuse a path that leaves the board, is barred, or ends where there is no room.

    Rule: TTS-MOV-03, -04, TTS-GEO-12, TTS-STK-01, -02, -04; the first code in the order of section
          29 over the whole path. `passing`: the boxes on the way need no room (TTS-MOV-08).
    """
    for box in path:
        if not box:
            raise Refusal("tts.leaves-board", "TTS-MOV-03", unit=unit.id, box=start)
    for box in path:
        if is_impassable(state, box):
            raise Refusal("tts.impassable", "TTS-MOV-03", unit=unit.id, box=box)
    for box in path:
        require_no_enemy(state, unit, box)
    for came_from, box in zip((start, *path), path, strict=False):
        if is_diagonal_blocked(state, unit.side, came_from, box):
            raise Refusal("tts.diagonal-blocked", "TTS-GEO-12", unit=unit.id, box=box, start=came_from)
    if not passing:
        for box in path[:-1]:
            if not may_pass_through(unit, others_in(state, unit, box)):
                require_room(state, unit, box)
    require_room(state, unit, path[-1])
    require_same_facing(state, unit, path[-1], facing)


def may_pass_through(unit: Unit, occupants: Sequence[Unit]) -> bool:
    """Whether a unit may go through friends in a box (TTS-MOV-08)."""
    return kind(unit).light or all(kind(other).light for other in occupants)


def path_costs(state: State, start: str, path: tuple[str, ...]) -> PathCosts:
    """Whether a path touches rough ground or a camp, and whether it crosses an obstacle."""
    steps = zip((start, *path), path, strict=False)
    return {
        "rough": any(is_rough_to_enter(state, box) for box in (start, *path)),
        "obstacle": bool(state.edges) and any(crosses_obstacle(state, box, other) for box, other in steps),
    }


# --- plans


def plan_move(state: State, unit: Unit, command: Move) -> ActivationPlan:
    """A move by direction (TTS-MOV-02)."""
    offsets = offsets_of(unit, command.way, command.boxes, command.then_ahead)
    facing = require_facing(unit, command.facing, offsets[0][0] < 0)
    return plan_route(state, unit, route_along(state, unit, offsets, facing))


def plan_move_to(state: State, unit: Unit, command: MoveTo) -> ActivationPlan:
    """A move by its goal: the row of the table that leads there (TTS-MOV-02)."""
    goal = frame(unit.box, unit.facing, command.box)
    offsets = _row_leading_to(unit, goal)
    if offsets is None:
        raise Refusal("tts.illegal-move", TABLE, unit=unit.id, box=unit.box, speed=kind(unit).speed, goal=command.box)
    route = route_along(state, unit, offsets)
    if command.via and command.via not in route.path:
        raise Refusal("tts.bad-path", TABLE, unit=unit.id, via=command.via, path=list(route.path))
    facing = require_facing(unit, command.facing, route.backwards)
    return plan_route(state, unit, replace(route, facing=facing))


def _row_leading_to(unit: Unit, goal: tuple[int, int]) -> tuple[tuple[int, int], ...] | None:
    ahead, right = goal
    profile = kind(unit)
    if right and ("straight_only" in profile.flags or abs(right) > 1 or ahead < 0):
        return None
    if not 0 < max(abs(ahead), abs(right)) <= profile.speed:
        return None
    if right:
        return ((1, right), (2, right)) if ahead == 2 else ((ahead, right),)
    sign = 1 if ahead > 0 else -1
    return tuple((sign * count, 0) for count in range(1, abs(ahead) + 1))


def plan_route(state: State, unit: Unit, route: Route, action: str = "move", turning: str = "") -> ActivationPlan:
    """Check a route against zones, board and room; compute its difficulty."""
    if not route.backwards:
        require_free(state, unit)
    require_free_path(state, unit, route.path[:-1])
    require_open_way(state, unit, unit.box, route.path, route.facing)
    factors = difficulties(
        state,
        unit,
        diagonal=route.diagonal,
        sideways=route.sideways,
        backwards=route.backwards,
        turning=turning,
        artillery=True,
        **path_costs(state, unit.box, route.path),
    )
    return ActivationPlan(unit, action, factors, (go(unit, route.path, route.facing),))


def go(unit: Unit, path: tuple[str, ...], facing: str, cause: str = "order") -> tuple[str, dict[str, Any]]:
    """The step that moves a unit along a path, and what it meets at the end."""
    return "go", {"unit": unit.id, "path": list(path), "facing": facing, "cause": cause}


def plan_pass(state: State, unit: Unit, command: Pass) -> ActivationPlan:
    """A light passes through friends into the box beyond (TTS-MOV-08)."""
    sign = 1 if command.way == "ahead" else -1
    path = route_along(state, unit, ((sign, 0), (2 * sign, 0))).path
    require_free(state, unit)
    require_free_path(state, unit, path[:-1])
    require_open_way(state, unit, unit.box, path, unit.facing, passing=True)
    if not kind(unit).light:
        raise Refusal("tts.not-light", "TTS-MOV-08", unit=unit.id)
    if not units_in(state, path[0]):
        raise Refusal("tts.nobody-to-pass", "TTS-MOV-08", unit=unit.id, box=path[0])
    factors = _pass_factors(state, unit, path, sign < 0)
    return ActivationPlan(unit, "pass", factors, (go(unit, path, unit.facing, "pass"),))


def _pass_factors(state: State, unit: Unit, path: tuple[str, ...], backwards: bool) -> Factors:
    return difficulties(state, unit, backwards=backwards, **path_costs(state, unit.box, path))


# --- events


class UnitMoved(Event, frozen=True, gc=False):
    """A unit goes from box to box. `path` are the boxes entered, `facing` the one after the move,
    `place` front or rear of the last box (TTS-STK-03)."""

    RULE = "TTS-MOV-01"
    TOLD_BY = "cause"

    unit: str
    from_: str = field(name="from")
    to: str
    path: tuple[str, ...]
    facing: str
    cause: str  # order shoot pass group march charge follow-up pursuit evade stratagem
    place: str = "rear"


RULE_OF_CAUSE = {
    "order": "TTS-MOV-01",
    "shoot": "TTS-SHT-09",
    "pass": "TTS-MOV-08",
    "group": "TTS-GRP-03",
    "march": "TTS-GRP-10",
    "charge": "TTS-MEL-02",
    "follow-up": "TTS-MEL-14",
    "pursuit": "TTS-EVD-08",
    "evade": "TTS-EVD-07",
    "stratagem": "TTS-STR-03",
}


# --- steps


def move_unit(judge: Judge[State], unit: Unit, path: tuple[str, ...], facing: str, cause: str) -> Unit:
    """Move a unit and the generals riding with it; return the unit where it now stands.

    Rule: TTS-STR-04: a hidden enemy lets no unit into its box, and shows itself to those near it
    """
    path = way_left(judge.state, unit, path, facing)
    if not path:
        alarm(judge, unit.id)
        return judge.state.units[unit.id]
    start, goal = unit.box, path[-1]
    came_from = path[-2] if len(path) > 1 else start
    place = (
        "rear"
        if cause in ("evade", "pass") and units_in(judge.state, goal)
        else place_on_entering(judge.state, goal, came_from)
    )
    judge.emit(UnitMoved(unit.id, start, goal, path, facing, cause, place), unit.side, RULE_OF_CAUSE[cause])
    follow(judge, unit, start)
    alarm(judge, unit.id)
    return judge.state.units[unit.id]


def step_go(judge: Judge[State], *, unit: str, path: list[str], facing: str, cause: str) -> None:
    """Move a unit; then generals run over, a camp taken (TTS-GEN-09, TTS-CMP-06). A unit does not move if
    elephants that it shot have destroyed it (TTS-MEL-18)."""
    if not judge.state.units[unit].box:
        return
    moved = move_unit(judge, judge.state.units[unit], tuple(path), facing, cause)
    arrive(judge, moved)
    if moved.box in path[1:]:
        judge.push("exertion", units=[unit])


def arrive(judge: Judge[State], unit: Unit) -> None:
    """Apply what a unit meets at the end of a move other than an evade."""
    overrun(judge, unit)
    take_camp(judge, unit)


# --- evolutions


def on_unit_moved(state: State, event: UnitMoved) -> State:
    unit = replace(state.units[event.unit], facing=event.facing, shifted=True)
    return with_unit_in(state, unit, event.to, event.place)


EVOLUTIONS: dict[Any, Any] = {UnitMoved: on_unit_moved}
STEPS: dict[str, Any] = {"go": step_go}
PLANS: dict[Any, Any] = {Move: plan_move, MoveTo: plan_move_to, Pass: plan_pass}
