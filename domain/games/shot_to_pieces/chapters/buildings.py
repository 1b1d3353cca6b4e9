"""Chapters MEL, BLD: who wins a melee against a unit in cover takes it (STP-MEL-14, STP-BLD-01)."""

from msgspec import Struct

from domain.basics.errors import Refusal
from domain.engine.judge import Judge
from domain.events.battle import Event
from domain.games.shot_to_pieces.chapters.checks import own_unit, require_here, require_in_order
from domain.games.shot_to_pieces.chapters.course import StepOrder
from domain.games.shot_to_pieces.chapters.moves import heading_of
from domain.games.shot_to_pieces.chapters.shifts import UnitOriented
from domain.games.shot_to_pieces.plane.base import faced
from domain.games.shot_to_pieces.plane.gaps import overlap
from domain.games.shot_to_pieces.state.commands import Occupy
from domain.games.shot_to_pieces.state.ground import cover_of
from domain.games.shot_to_pieces.state.state import Cover, State, changed, phase_of, units_here
from domain.games.shot_to_pieces.state.vocabulary import CHARGES

RULE = "STP-BLD-01"


class BuildingOccupied(Event, frozen=True, gc=False, rename={"from_": "from"}):
    """A unit has taken the cover of the unit that it has beaten."""

    RULE = RULE

    unit: str
    from_: str
    cover: Cover


class Turning(Struct, frozen=True, gc=False):
    """A unit that may turn in what it took."""

    unit: str
    facing: int


def occupy_taken(judge: Judge[State]) -> None:
    """At the end of a turn every unit that has won against a unit in cover has that cover, in the order of the
    scenario."""
    first = phase_of(judge.state, judge.state.first, judge.state.turn)
    for name in judge.state.units:
        state = judge.state
        unit = state.units[name]
        if not unit.here or unit.beat_k < first:
            continue
        loser = state.units[unit.beat]
        cover = cover_of(state, loser, unit)
        if cover:
            judge.emit(BuildingOccupied(name, loser.id, cover), unit.side)


def plan_occupy(state: State, side: str, command: Occupy) -> Turning:
    """The facing in what was taken, free, in the next own phase (STP-ORD-09).

    Raises: Refusal stp.not-eligible, stp.overlap, and those of every order
    """
    unit = own_unit(state, side, command.unit)
    require_here(unit)
    facing = heading_of(state, unit, command.heading)
    require_in_order(state, unit)
    if unit.occupies_k != state.k:
        raise Refusal("stp.not-eligible", RULE, unit=unit.id)
    there = faced(unit.base, facing)
    for other in units_here(state):
        if other.id != unit.id and overlap(there, other.base):
            raise Refusal("stp.overlap", "STP-GEO-02", unit=unit.id, by=other.id)
    return Turning(unit.id, there.facing)


def occupy(judge: Judge[State], side: str, turning: Turning) -> None:
    """The unit turns; that is no order of movement."""
    unit = judge.state.units[turning.unit]
    judge.emit(UnitOriented(unit.id, unit.facing, turning.facing, unit.at, occupies=True), side, RULE)


def on_building_occupied(state: State, event: BuildingOccupied) -> State:
    unit = state.units[event.unit]
    return changed(state, unit.id, cover=event.cover, occupies_k=phase_of(state, unit.side, state.turn + 1))


STEP_ORDERS = {Occupy: StepOrder((CHARGES,), plan_occupy, occupy)}
EVOLUTIONS = {BuildingOccupied: on_building_occupied}
