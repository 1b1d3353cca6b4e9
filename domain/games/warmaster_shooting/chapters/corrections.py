"""What an umpire may set: places, losses and marks of units and stands, the phase, the end of a turn.

Checked is what holds between any two orders, not how anything could have come there (docs/corrections.md).
"""

from collections.abc import Callable
from itertools import combinations
from typing import Any

from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.contract.settable import RULE, Setting, require_count
from domain.engine.judge import unknown_id
from domain.engine.state import OTHER, SIDES
from domain.events.battle import Event, TurnBegan, TurnEnded
from domain.games.warmaster_shooting.chapters.charges import KEPT_FACING, StandEnd
from domain.games.warmaster_shooting.chapters.drive_back import UnitConfused
from domain.games.warmaster_shooting.chapters.losses import UnitDestroyed
from domain.games.warmaster_shooting.chapters.paths import pivoted
from domain.games.warmaster_shooting.chapters.set_lines import RemoveStand, SetMark, SetPhase, SetStandPlace, SetWounds
from domain.games.warmaster_shooting.chapters.turns import UnitRecovered, WoundsDiscarded
from domain.games.warmaster_shooting.state.measure import is_on_table, overlap
from domain.games.warmaster_shooting.state.state import State, Unit, moved, stand_in, unit_of, units_on_table, with_unit

SET = "set"
"""The `cause` of what an umpire sets."""


# --- facts


class StandsPlaced(Event, frozen=True, gc=False):
    """Stands of a unit are where they are put; cover that the scenario gave them is left behind."""

    RULE = RULE

    unit: str
    stands: tuple[StandEnd, ...]


class StandSet(Event, frozen=True, gc=False):
    """A stand is on the table, or lost."""

    RULE = RULE

    unit: str
    stand: str
    alive: bool


class WoundsSet(Event, frozen=True, gc=False):
    """A unit has so many wounds that are not used up; of the side that charges, those of counter-charge fire."""

    RULE = RULE

    unit: str
    open: int


class ShotSet(Event, frozen=True, gc=False):
    """A unit has shot in this phase, or may still."""

    RULE = RULE

    unit: str
    shot: bool


class EngagedSet(Event, frozen=True, gc=False):
    """A unit is in combat, or free."""

    RULE = RULE

    unit: str
    engaged: bool


class PhaseSet(Event, frozen=True, gc=False):
    """The battle is in a phase."""

    RULE = RULE

    phase: str


FACTS: frozenset[type[Event]] = frozenset(
    {
        *(StandsPlaced, StandSet, WoundsSet, ShotSet, EngagedSet, PhaseSet),
        *(UnitConfused, UnitRecovered, UnitDestroyed, WoundsDiscarded),
    }
)


def decide(state: State, setting: Any) -> tuple[Event, ...]:
    """The facts of a line.

    Raises: Refusal core.unknown-id, wms.unit-gone, wms.correct-stand, wms.correct-phase, core.correct-number
    """
    return _DECIDED[type(setting)](state, setting)


def _place(state: State, setting: SetStandPlace) -> tuple[Event, ...]:
    at = (setting.x, setting.y)
    if setting.name not in state.units:
        return _place_stand(state, setting)
    unit = _living(state, setting.name)
    first = unit.lead.base
    there = moved(unit, at[0] - first.at[0], at[1] - first.at[1])
    if setting.facing != KEPT_FACING:
        there = pivoted(there, unit.lead.id, setting.facing)
    return (StandsPlaced(unit.id, tuple(StandEnd(one.id, *one.base.at, one.base.facing) for one in there.stands)),)


def _place_stand(state: State, setting: SetStandPlace) -> tuple[Event, ...]:
    unit = _unit_of(state, setting.name)
    stand = stand_in(unit, setting.name)
    facing = stand.base.facing if setting.facing == KEPT_FACING else setting.facing
    placed = StandsPlaced(unit.id, (StandEnd(stand.id, setting.x, setting.y, facing),))
    return (placed,) if stand.alive else (placed, StandSet(unit.id, stand.id, True))


def _remove(state: State, setting: RemoveStand) -> tuple[Event, ...]:
    """The stands go, and with the last one the unit."""
    if setting.name in state.units:
        unit = _living(state, setting.name)
        gone = unit.standing
    else:
        unit = _unit_of(state, setting.name)
        gone = (stand_in(unit, setting.name),)
        if not gone[0].alive:
            raise Refusal("wms.correct-stand", "WMS-CAS-02", stand=setting.name)
    facts: tuple[Event, ...] = tuple(StandSet(unit.id, stand.id, False) for stand in gone)
    return facts if len(gone) < len(unit.standing) else (*facts, UnitDestroyed(unit.id, SET))


def _mark(state: State, setting: SetMark) -> tuple[Event, ...]:
    unit, mark = _living(state, setting.unit), setting.mark
    match mark:
        case "confused":
            return (UnitConfused(unit.id, SET),)
        case "steady":
            return (UnitRecovered(unit.id),)
        case "shot" | "ready":
            return (ShotSet(unit.id, mark == "shot"),)
        case _:
            return (EngagedSet(unit.id, mark == "engaged"),)


def _wounds(state: State, setting: SetWounds) -> tuple[Event, ...]:
    unit = _living(state, setting.unit)
    total = unit.charge_total if unit.side == state.active else unit.total
    require_count(setting.number, 0, min(total, unit.kind.hits - 1))
    return (WoundsSet(unit.id, setting.number),)


def _phase(state: State, setting: SetPhase) -> tuple[Event, ...]:
    if setting.phase == "command" and not state.options.command_phase:
        raise Refusal("wms.correct-phase", RULE, fault="none")
    return (PhaseSet(setting.phase),)


_DECIDED: dict[type[Setting], Callable[[State, Any], tuple[Event, ...]]] = {
    SetStandPlace: _place,
    RemoveStand: _remove,
    SetMark: _mark,
    SetWounds: _wounds,
    SetPhase: _phase,
}


def _living(state: State, name: str) -> Unit:
    if name not in state.units:
        raise unknown_id(name)
    unit = state.units[name]
    if not unit.alive:
        raise Refusal("wms.unit-gone", "WMS-CAS-03", unit=name)
    return unit


def _unit_of(state: State, stand: str) -> Unit:
    unit = unit_of(state, stand)
    if unit is None:
        raise unknown_id(stand)
    return unit


# --- the end of a turn


def end_turn(state: State) -> tuple[Event, ...]:
    """The turn is over and the other side's begins, with what no die decides: wounds left over are dropped, and where
    there is no command phase the confused units of the next side recover.

    Raises: Refusal core.correct-turn where the battle would end
    """
    if state.t >= state.options.turns:
        raise Refusal("core.correct-turn", RULE, fault="limit")
    side, follows = state.active, OTHER[state.active]
    first = "command" if state.options.command_phase else "shooting"
    dropped = [WoundsDiscarded(unit.id, unit.open) for unit in units_on_table(state) if unit.open]
    recovered = [UnitRecovered(unit.id) for unit in state.of(follows) if unit.confused]
    return (
        *dropped,
        *(recovered if first == "shooting" else ()),
        *((PhaseSet(first),) if state.phase != first else ()),
        TurnEnded(side, state.turn),
        TurnBegan(follows, state.turn + (follows == state.first)),
    )


# --- what holds between two orders


def require(state: State) -> None:
    """Nobody overlaps or leaves the table, wounds that suffice have removed a stand, and a side is to order something.

    Raises: Refusal core.correct-end, wms.correct-phase, wms.off-table, wms.correct-overlap, wms.correct-wounds
    """
    if not all(state.of(side) for side in SIDES):
        raise Refusal("core.correct-end", RULE)
    if state.phase == "drive-back":
        raise Refusal("wms.correct-phase", RULE, fault="drive-back")
    units = tuple(units_on_table(state))
    for unit in units:
        if not all(is_on_table(stand.base, state.board) for stand in unit.standing):
            raise Refusal("wms.off-table", "WMS-GEO-01", unit=unit.id)
        if max(unit.open, unit.charge_open) >= unit.kind.hits:
            raise Refusal("wms.correct-wounds", "WMS-CAS-01", unit=unit.id, hits=unit.kind.hits)
    for one, other in combinations(units, 2):
        if any(overlap(a.base, b.base) for a in one.standing for b in other.standing):
            raise Refusal("wms.correct-overlap", "WMS-GEO-06", unit=one.id, by=other.id)


# --- evolutions


def on_stands_placed(state: State, event: StandsPlaced) -> State:
    unit = state.units[event.unit]
    places = {placed.stand: placed for placed in event.stands}
    stands = tuple(
        replace(stand, cover="", base=replace(stand.base, at=(to.x, to.y), facing=to.facing))
        if (to := places.get(stand.id))
        else stand
        for stand in unit.stands
    )
    return with_unit(state, replace(unit, stands=stands))


def on_stand_set(state: State, event: StandSet) -> State:
    unit = state.units[event.unit]
    stands = tuple(replace(one, alive=event.alive) if one.id == event.stand else one for one in unit.stands)
    return with_unit(state, replace(unit, stands=stands))


def on_wounds_set(state: State, event: WoundsSet) -> State:
    unit = state.units[event.unit]
    if unit.side == state.active:
        return with_unit(state, replace(unit, charge_open=event.open))
    return with_unit(state, replace(unit, open=event.open))


def on_shot_set(state: State, event: ShotSet) -> State:
    return with_unit(state, replace(state.units[event.unit], shot=event.shot))


def on_engaged_set(state: State, event: EngagedSet) -> State:
    """A free unit touches nobody."""
    state = with_unit(state, replace(state.units[event.unit], engaged=event.engaged))
    if event.engaged:
        return state
    return replace(state, contacts={name: touched for name, touched in state.contacts.items() if name != event.unit})


def on_phase_set(state: State, event: PhaseSet) -> State:
    return replace(state, phase=event.phase)


EVOLUTIONS = {
    StandsPlaced: on_stands_placed,
    StandSet: on_stand_set,
    WoundsSet: on_wounds_set,
    ShotSet: on_shot_set,
    EngagedSet: on_engaged_set,
    PhaseSet: on_phase_set,
}
