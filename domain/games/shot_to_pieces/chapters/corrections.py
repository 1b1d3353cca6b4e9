"""What an umpire may set: places, losses, markers and formations of units, points and orders of corps.

Checked is what holds between any two orders, not how anything could have come there (docs/corrections.md). The end of
a phase is not set: it rolls dice.
"""

from collections.abc import Callable
from itertools import combinations
from typing import Any

from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.contract.settable import RULE, Setting, require_count
from domain.engine.judge import unknown_id
from domain.engine.state import SIDES
from domain.events.battle import Event
from domain.games.shot_to_pieces.chapters.checks import require_here
from domain.games.shot_to_pieces.chapters.formations import formations_of
from domain.games.shot_to_pieces.chapters.results import LIMIT, UnitDestroyed
from domain.games.shot_to_pieces.chapters.set_lines import (
    KEPT,
    LoseUnit,
    SetBrittle,
    SetOrder,
    SetOrderPoints,
    SetPlace,
    SetShaken,
    SetUnitFormation,
)
from domain.games.shot_to_pieces.plane.base import Base, is_on_table
from domain.games.shot_to_pieces.plane.gaps import overlap
from domain.games.shot_to_pieces.state.figures import period_of
from domain.games.shot_to_pieces.state.footprints import base_size
from domain.games.shot_to_pieces.state.melees import out_of_melee
from domain.games.shot_to_pieces.state.state import (
    General,
    Point,
    Shaken,
    State,
    Unit,
    changed,
    units_here,
    with_corps,
    with_general,
)
from domain.games.shot_to_pieces.state.vocabulary import RETREAT, TURNS

SET = "set"
"""The `cause` of what an umpire sets."""
MOST_POINTS = 20
SLIGHT = 2
"""How deep bases in contact may overlap by the rounding of their places."""


# --- facts


class UnitPlaced(Event, frozen=True, gc=False):
    """A unit stands where it is put; whoever is moved is out of its melee."""

    RULE = RULE

    unit: str
    at: Point
    facing_hdeg: int


class GeneralPlaced(Event, frozen=True, gc=False):
    """A general is where they are put, with no unit."""

    RULE = RULE

    general: str
    at: Point


class MarkersSet(Event, frozen=True, gc=False):
    """A unit has so many markers; SHAKEN lasts to the end of phase `until`, 0 for none."""

    RULE = RULE

    unit: str
    shaken: int
    brittle: int
    until: int


class FormationSet(Event, frozen=True, gc=False):
    """A unit is in a formation, with the figures of a type."""

    RULE = RULE

    unit: str
    formation: str
    key: str


class PointsSet(Event, frozen=True, gc=False):
    """A corps has so many points left."""

    RULE = RULE

    corps: str
    ap: int


class OrderSet(Event, frozen=True, gc=False):
    """A corps has a general order."""

    RULE = RULE

    corps: str
    order: str


FACTS: frozenset[type[Event]] = frozenset(
    {UnitPlaced, GeneralPlaced, MarkersSet, FormationSet, PointsSet, OrderSet, UnitDestroyed}
)
PHASES = frozenset({TURNS})


def decide(state: State, setting: Any) -> tuple[Event, ...]:
    """The facts of a line.

    Raises: Refusal core.unknown-id, core.correct-number, stp.unit-gone, stp.general-gone, stp.bad-formation,
            stp.corps-broken
    """
    return _DECIDED[type(setting)](state, setting)


def _place(state: State, setting: SetPlace) -> tuple[Event, ...]:
    at = (setting.x, setting.y)
    if setting.name in state.generals:
        return (GeneralPlaced(_general(state, setting.name).id, at),)
    unit = _unit(state, setting.name)
    return (UnitPlaced(unit.id, at, unit.facing if setting.facing == KEPT else setting.facing),)


def _remove(state: State, setting: LoseUnit) -> tuple[Event, ...]:
    unit = _unit(state, setting.unit)
    return (UnitDestroyed(unit.id, SET, unit.at),)


def _shaken(state: State, setting: SetShaken) -> tuple[Event, ...]:
    unit = _unit(state, setting.unit)
    if setting.state == "steady":
        return (MarkersSet(unit.id, 0, unit.brittle, 0),)
    require_count(1 + unit.brittle, 0, LIMIT)
    return (MarkersSet(unit.id, 1, unit.brittle, state.k + 1),)


def _brittle(state: State, setting: SetBrittle) -> tuple[Event, ...]:
    unit = _unit(state, setting.unit)
    shaken = len(unit.shaken)
    require_count(setting.number, 0, LIMIT - shaken)
    until = max((marker.until for marker in unit.shaken), default=0)
    return (MarkersSet(unit.id, shaken, setting.number, until),)


def _formation(state: State, setting: SetUnitFormation) -> tuple[Event, ...]:
    unit = _unit(state, setting.unit)
    allowed = formations_of(state, unit)
    if setting.formation not in allowed:
        params = {"formation": setting.formation, "allowed": sorted(allowed)}
        raise Refusal("stp.bad-formation", "STP-FRM-01", unit=unit.id, **params)
    return (FormationSet(unit.id, setting.formation, allowed[setting.formation]),)


def _points(state: State, setting: SetOrderPoints) -> tuple[Event, ...]:
    _require_corps(state, setting.corps)
    require_count(setting.number, 0, MOST_POINTS)
    return (PointsSet(setting.corps, setting.number),)


def _order(state: State, setting: SetOrder) -> tuple[Event, ...]:
    _require_corps(state, setting.corps)
    return (OrderSet(setting.corps, setting.order),)


_DECIDED: dict[type[Setting], Callable[[State, Any], tuple[Event, ...]]] = {
    SetPlace: _place,
    LoseUnit: _remove,
    SetShaken: _shaken,
    SetBrittle: _brittle,
    SetUnitFormation: _formation,
    SetOrderPoints: _points,
    SetOrder: _order,
}


def _unit(state: State, name: str) -> Unit:
    unit = state.units.get(name)
    if unit is None:
        raise unknown_id(name)
    require_here(unit)
    return unit


def _general(state: State, name: str) -> General:
    general = state.generals[name]
    if not (general.alive and general.placed):
        raise Refusal("stp.general-gone", "STP-GAP-07", general=name)
    return general


def _require_corps(state: State, name: str) -> None:
    corps = state.corps.get(name)
    if corps is None:
        raise unknown_id(name)
    if corps.order == RETREAT:
        raise Refusal("stp.corps-broken", "STP-MOR-03", corps=name)


# --- what holds between two orders


def require(state: State) -> None:
    """Nobody overlaps or leaves the table, and both sides have units.

    Raises: Refusal core.correct-end, stp.leaves-table, stp.overlap
    """
    if not all(state.of(side) for side in SIDES):
        raise Refusal("core.correct-end", RULE)
    board = state.board
    for unit in units_here(state):
        if not is_on_table(unit.base, board.width, board.height):
            raise Refusal("stp.leaves-table", "STP-GEO-01", unit=unit.id)
    for general in state.generals.values():
        x, y = general.at
        if general.placed and not general.unit and not (0 <= x <= board.width and 0 <= y <= board.height):
            raise Refusal("stp.leaves-table", "STP-GEO-01", general=general.id)
    for one, other in combinations(units_here(state), 2):
        if overlap(_lean(one.base), _lean(other.base)):
            raise Refusal("stp.overlap", "STP-GEO-02", unit=one.id, by=other.id)


def _lean(base: Base) -> Base:
    """A base without what the rounding of places may add to it."""
    return Base(base.at, base.facing, base.width - 2 * SLIGHT, base.depth - 2 * SLIGHT)


# --- evolutions


def on_unit_placed(state: State, event: UnitPlaced) -> State:
    base = state.units[event.unit].base
    state = out_of_melee(state, event.unit)
    charges = tuple(one for one in state.charges if event.unit not in (one.unit, one.target))
    placed = replace(base, at=event.at, facing=event.facing_hdeg)
    return changed(replace(state, charges=charges), event.unit, base=placed)


def on_general_placed(state: State, event: GeneralPlaced) -> State:
    return with_general(state, event.general, at=event.at, unit="")


def on_markers_set(state: State, event: MarkersSet) -> State:
    return changed(state, event.unit, shaken=(Shaken(event.until, "fire"),) * event.shaken, brittle=event.brittle)


def on_formation_set(state: State, event: FormationSet) -> State:
    unit = state.units[event.unit]
    size = base_size(period_of(state).types[event.key].arm, event.formation, state.options.base_sizes)
    base = Base(unit.at, unit.facing, *size)
    return changed(state, unit.id, base=base, formation=event.formation, key=event.key)


def on_points_set(state: State, event: PointsSet) -> State:
    corps = state.corps[event.corps]
    return with_corps(state, corps.id, ap=event.ap, rolled=max(corps.rolled, event.ap))


def on_order_set(state: State, event: OrderSet) -> State:
    return with_corps(state, event.corps, order=event.order, goal=None)


EVOLUTIONS = {
    UnitPlaced: on_unit_placed,
    GeneralPlaced: on_general_placed,
    MarkersSet: on_markers_set,
    FormationSet: on_formation_set,
    PointsSet: on_points_set,
    OrderSet: on_order_set,
}
