"""TTS-STR-04: units in ambush, whom they stop, and when they show themselves.

Hidden units are in no box of the board: they hold nobody, nobody aims at them, and no rule that checks
the other side's orders considers them. Only execution does: a move that would enter their box
ends before it, and a unit that ends a move near them sees them.
"""

from collections.abc import Collection
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from domain.engine.judge import Judge
from domain.events.battle import Event, Text
from domain.games.to_the_strongest.chapters.armed import emit_triggered
from domain.games.to_the_strongest.state.state import (
    HOME_ROW_FACING,
    Ambush,
    HiddenPlacement,
    State,
    Unit,
    enemies_in,
    enemy,
    kind,
    units_in,
    with_army,
    with_unit_in,
)
from domain.games.to_the_strongest.state.stratagems import STRATAGEMS
from domain.mechanics.square import king_distance

SHOWN = STRATAGEMS["ambush"].rule
NEAR = STRATAGEMS["ambush"].numbers["shown"]
"""Boxes (king distance) within which an enemy sees an ambush."""


# --- events


class UnitDeployed(Event, frozen=True, gc=False, kw_only=True):
    """A unit has its place on the board, `place` in its box (TTS-STK-03). All of it is private in a
    blind deployment."""

    RULE = "TTS-DEP-02"

    unit: Text = UNSET
    box: Text = UNSET
    facing: Text = UNSET
    place: Text = UNSET
    sealed: Text = UNSET


# --- rules


def ambushes_in(state: State, box: str, side: str) -> tuple[Ambush, ...]:
    """The ambushes of a side in a box."""
    return tuple(ambush for ambush in state.ambushes if ambush.box == box and ambush.side == side)


def hidden_units(state: State, box: str, side: str) -> tuple[Unit, ...]:
    """The units of a side that hide in a box."""
    return tuple(state.units[name] for ambush in ambushes_in(state, box, side) for name in ambush.units)


def ambush_of(state: State, unit: str) -> Ambush | None:
    """The ambush that a unit lies in."""
    return next(iter(ambushes_of(state, (unit,))), None)


def ambushes_of(state: State, units: Collection[str]) -> list[Ambush]:
    """The ambushes in which units lie, each once."""
    return [ambush for ambush in state.ambushes if not set(units).isdisjoint(ambush.units)]


def way_to_ambush(state: State, side: str, path: tuple[str, ...]) -> tuple[str, ...]:
    """The part of a path that lies before the first box with an enemy, hidden or just shown."""
    for at, box in enumerate(path):
        if box and (enemies_in(state, box, side) or hidden_units(state, box, enemy(side))):
            return path[:at]
    return path


def with_shown(state: State, units: Collection[str]) -> State:
    """The state in which the ambushes of units have shown themselves: orders to them are planned on it, because they
    show themselves before the card of an order (TTS-STR-04)."""
    for ambush in ambushes_of(state, units):
        state = replace(state, ambushes=tuple(other for other in state.ambushes if other is not ambush))
        for name in ambush.units:
            unit = state.units[name]
            state = with_unit_in(state, replace(unit, facing=_facing_shown(state, unit, ambush.box)), ambush.box)
    return state


def _facing_shown(state: State, unit: Unit, box: str) -> str:
    """Towards the enemy, or the same way as a formed comrade (TTS-STK-04)."""
    comrades = () if kind(unit).light else units_in(state, box)
    return next((other.facing for other in comrades if not kind(other).light), HOME_ROW_FACING[unit.side])


# --- happening


def show(judge: Judge[State], ambush: Ambush) -> None:
    """The units of an ambush show themselves, all at once."""
    emit_triggered(judge, ambush.side, "ambush", ambush.units[0], ambush)
    for name in ambush.units:
        place = "rear" if judge.state.boxes.get(ambush.box) else "front"
        facing = _facing_shown(judge.state, judge.state.units[name], ambush.box)
        judge.emit(UnitDeployed(unit=name, box=ambush.box, facing=facing, place=place), ambush.side)


def alarm(judge: Judge[State], unit: str) -> None:
    """A unit has ended a move: the enemy's ambushes within a box of it show themselves."""
    moved = judge.state.units[unit]
    for ambush in judge.state.ambushes:
        if moved.box and ambush.side != moved.side and king_distance(moved.box, ambush.box) <= NEAR:
            show(judge, ambush)


# --- evolutions


def on_unit_deployed(state: State, event: UnitDeployed) -> State:
    """A unit stands where it was put; the first one of a step of deployment chooses its corps."""
    if not (event.unit and event.box and event.facing):
        return state
    unit = replace(state.units[event.unit], facing=event.facing)
    n = state.n + 1
    if state.phase == "deployment":
        if state.options.blind_deployment:
            was = state.units[unit.id]
            place = "front" if state.boxes.get(was.box, ("",))[0] == unit.id else "rear"
            veil = HiddenPlacement(n, unit.side, "unit", unit.id, was.box, was.facing, place)
            state = replace(state, veiled=(*state.veiled, veil))
        state = with_army(state, replace(state.armies[unit.side], opened=unit.corps))
    return with_unit_in(state, unit, event.box, event.place or "rear")


EVOLUTIONS: dict[Any, Any] = {UnitDeployed: on_unit_deployed}
