"""What an umpire may set: units and their faces, points, burned hexes, who is to act, the end of a turn.

Checked is what holds between any two orders, not how anything could have come there (docs/corrections.md).
"""

from typing import Any, ClassVar

from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.contract.settable import RULE, Setting, require_count
from domain.engine.judge import off_board, unknown_id
from domain.engine.state import OTHER, SIDES
from domain.events.battle import Event, TurnBegan, TurnEnded
from domain.games.singidunum.chapters.points import on_unit_eliminated
from domain.games.singidunum.state.board import FOREST
from domain.games.singidunum.state.roster import is_barred_from_forest
from domain.games.singidunum.state.state import (
    State,
    Unit,
    ambush_at,
    goal,
    is_flight_hex,
    is_in_base,
    own,
    terrain_class,
    with_unit,
)
from domain.mechanics import hex as hexes
from domain.mechanics.notation import Reader, decimal_text

FACES = ("available", "activated")
HALVES = 1000
"""The most half points that can be set."""
FRENCH = {
    "hex": "hex",
    "available": "disponible",
    "activated": "activée",
    "points": "points",
    "burned": "brûlé",
    "intact": "intact",
    "active": "actif",
}


# --- lines


class SetHex(Setting, frozen=True, gc=False):
    """`set SHI-1 hex E6`: a unit stands there; one that was lost, or had fled, is back."""

    unit: str
    hex: str


class SetFace(Setting, frozen=True, gc=False):
    """`set SHI-1 activated`, `available`."""

    unit: str
    face: str


class RemoveCounter(Setting, frozen=True, gc=False):
    """`set SHI-1 removed`."""

    unit: str


class SetHalfPoints(Setting, frozen=True, gc=False):
    """`set points south 3.5`; kept in halves."""

    side: str
    half_points: int


class SetBurned(Setting, frozen=True, gc=False):
    """`set hex E0 burned`, `intact`."""

    hex: str
    burned: bool


class SetActive(Setting, frozen=True, gc=False):
    """`set active south`: the next action is this side's."""

    side: str


def read(reader: Reader) -> Setting:
    """A line behind `set`."""
    if reader.take("active"):
        return SetActive(reader.need(SIDES))
    if reader.take("points"):
        side, tenths = reader.need(SIDES), reader.decimal("points, whole or with .5", 1)
        if tenths < 0 or tenths % 5:
            raise reader.unreadable("points, whole or with .5")
        return SetHalfPoints(side, tenths // 5)
    if reader.take("hex"):
        return SetBurned(reader.hex(), reader.need(("burned", "intact")) == "burned")
    unit = reader.id("the id of a unit, `hex`, `points`, `active`, `turn` or `decision`")
    what = reader.need(("hex", *FACES, "removed"))
    if what == "hex":
        return SetHex(unit, reader.hex())
    return RemoveCounter(unit) if what == "removed" else SetFace(unit, what)


def write(setting: Any) -> list[str]:
    """The words behind `set`."""
    match setting:
        case SetHex(unit, hex_):
            return [unit, "hex", hex_]
        case SetFace(unit, face):
            return [unit, face]
        case RemoveCounter(unit):
            return [unit, "removed"]
        case SetHalfPoints(side, half_points):
            return ["points", side, decimal_text(5 * half_points, 1)]
        case SetBurned(hex_, burned):
            return ["hex", hex_, "burned" if burned else "intact"]
        case _:
            return ["active", setting.side]


# --- facts


class UnitPlaced(Event, frozen=True, gc=False):
    """A unit stands on a hex."""

    RULE: ClassVar[str] = RULE

    unit: str
    hex: str


class UnitRemoved(Event, frozen=True, gc=False):
    """A unit is gone; `hex` is where it stood, "" if it had fled."""

    RULE: ClassVar[str] = RULE

    unit: str
    hex: str


class FaceSet(Event, frozen=True, gc=False):
    """A unit lies on its activated face, or not."""

    RULE: ClassVar[str] = RULE

    unit: str
    activated: bool


class PointsSet(Event, frozen=True, gc=False):
    """A side has so many points, in halves, and not `before`."""

    RULE: ClassVar[str] = RULE

    side: str
    before: int
    half_points: int


class HexSet(Event, frozen=True, gc=False):
    """A hex of a base is burned, or not."""

    RULE: ClassVar[str] = RULE

    hex: str
    burned: bool


class ActiveSet(Event, frozen=True, gc=False):
    """The next action is that of a side."""

    RULE: ClassVar[str] = RULE

    side: str


FACTS: frozenset[type[Event]] = frozenset({UnitPlaced, UnitRemoved, FaceSet, PointsSet, HexSet, ActiveSet})


def decide(state: State, setting: Any) -> tuple[Event, ...]:
    """The facts of a line, from the state as everybody knows it.

    Raises: Refusal core.unknown-id, core.off-board, core.correct-number, singidunum.unit-gone,
            singidunum.correct-unseen, singidunum.correct-base
    """
    return (_decided(state, setting),)


def _decided(state: State, setting: Any) -> Event:
    match setting:
        case SetHex(unit, hex_):
            _require_hex(state, hex_)
            return UnitPlaced(_visible(state, unit).id, hex_)
        case SetFace(unit, face):
            return FaceSet(_in_play(state, unit).id, face == "activated")
        case RemoveCounter(unit):
            there = _visible(state, unit)
            if not there.alive:
                raise Refusal("singidunum.unit-gone", "PRG-SEQ-02", unit=unit, fled=False)
            return UnitRemoved(unit, there.hex)
        case SetHalfPoints(side, half_points):
            require_count(half_points, 0, HALVES)
            return PointsSet(side, state.half_vp[side], half_points)
        case SetBurned(hex_, burned):
            _require_hex(state, hex_)
            if not is_in_base(state, hex_):
                raise Refusal("singidunum.correct-base", "PRG-VP-04", hex=hex_)
            return HexSet(hex_, burned)
        case _:
            return ActiveSet(setting.side)


def _visible(state: State, name: str) -> Unit:
    """A unit that everybody sees, or that is gone: none that lies in ambush."""
    if name not in state.units:
        raise unknown_id(name)
    unit = state.units[name]
    if unit.in_play and not unit.hex:
        raise Refusal("singidunum.correct-unseen", "PRG-EXT-TER-02", unit=name)
    return unit


def _in_play(state: State, name: str) -> Unit:
    unit = _visible(state, name)
    if not unit.in_play:
        raise Refusal("singidunum.unit-gone", "PRG-SEQ-02", unit=name, fled=unit.fled)
    return unit


def _require_hex(state: State, hex_: str) -> None:
    if not hexes.on_board(state.board, hex_):
        raise off_board(hex_)


# --- the end of a turn


def end_turn(state: State) -> tuple[Event, ...]:
    """The turn is over, and the side that did not start it starts the next; nothing burns.

    Raises: Refusal core.correct-turn where the battle would end
    """
    points = max(state.half_vp.values())
    is_last = state.turn >= state.options.turn_limit or points >= 2 * goal(state.options)
    if is_last or not any(any(own(state, side)) for side in SIDES):
        raise Refusal("core.correct-turn", RULE, fault="limit")
    return TurnEnded(state.mover, state.turn), TurnBegan(OTHER[state.mover], state.turn + 1)


# --- what holds between two orders


def require(state: State) -> None:
    """Each unit has a hex of its own, where it may stand.

    Raises: Refusal singidunum.correct-taken, singidunum.correct-ground
    """
    for unit in state.units.values():
        if not (unit.hex and unit.in_play):
            continue
        if state.places.get(unit.hex) != unit.id or ambush_at(state, unit.hex):
            raise Refusal("singidunum.correct-taken", "PRG-BRD-05", unit=unit.id, hex=unit.hex)
        is_forest = terrain_class(state, unit.hex) == FOREST
        if is_flight_hex(state, unit.hex) or (is_forest and is_barred_from_forest(unit.type)):
            raise Refusal("singidunum.correct-ground", "PRG-MOV-08", unit=unit.id, hex=unit.hex)


# --- evolutions


def on_unit_placed(state: State, event: UnitPlaced) -> State:
    """Two units may be on one hex until the next of the facts; then their places are noted anew."""
    state = with_unit(state, replace(state.units[event.unit], hex=event.hex, alive=True, fled=False))
    others = {unit.hex: unit.id for unit in state.units.values() if unit.hex}
    return replace(state, places={**others, event.hex: event.unit})


def on_face_set(state: State, event: FaceSet) -> State:
    return with_unit(state, replace(state.units[event.unit], activated=event.activated))


def on_points_set(state: State, event: PointsSet) -> State:
    return replace(state, half_vp={**state.half_vp, event.side: event.half_points})


def on_hex_set(state: State, event: HexSet) -> State:
    burned = state.burned | {event.hex} if event.burned else state.burned - {event.hex}
    return replace(state, burned=burned)


def on_active_set(state: State, event: ActiveSet) -> State:
    return replace(state, active=event.side, passes=0)


EVOLUTIONS: dict[Any, Any] = {
    UnitPlaced: on_unit_placed,
    UnitRemoved: on_unit_eliminated,
    FaceSet: on_face_set,
    PointsSet: on_points_set,
    HexSet: on_hex_set,
    ActiveSet: on_active_set,
}
