"""Captions for what is on the board and for the state of a battle. All are messages: the words are the catalogue's."""

from collections.abc import Iterator
from typing import Any

from domain.basics.message import Message
from domain.engine.state import SIDES
from domain.games.singidunum.chapters.decisions import SECRET_PHASES
from domain.games.singidunum.state.state import AmbushMarker, State, Unit, available, goal, ground

Params = dict[str, Any]


def unit_title(unit: Unit, *, hidden: bool) -> Message:
    """A unit for somebody who cannot see its counter."""
    told: Params = {
        "unit": unit.id,
        "type": unit.type,
        "side": unit.side,
        "force": unit.force,
        "activated": unit.activated,
        "abilities": list(unit.abilities),
        "hidden": hidden,
    }
    return Message("singidunum.title-unit", told)


def ambush_title(ambush: AmbushMarker) -> Message:
    """A marker under which something may lie."""
    return Message("singidunum.title-ambush", {"hex": ambush.hex, "side": ambush.side})


def hex_title(state: State, hex_: str, kind: str, zone: str) -> Message:
    """A hex, its terrain, and the side that may deploy there."""
    return Message("singidunum.title-hex", {"hex": hex_, "ground": kind, "of": ground(state, hex_).side, "zone": zone})


def captions(state: State) -> tuple[tuple[str, Message], ...]:
    """The side to act, then for each side its points, its units that may still act, and those that are gone."""
    return (("", _headline(state)), *_by_side(state))


def _headline(state: State) -> Message:
    if state.winner is not None:
        if not state.winner:
            return Message("singidunum.caption-drawn", {"how": state.how})
        return Message("singidunum.caption-won", {**side_named(state, state.winner), "how": state.how})
    if state.phase != "turns" or not state.turn:
        done = sorted(state.done)
        return Message("singidunum.caption-phase", {"phase": state.phase, "done": done[0] if done else ""})
    told = {**side_named(state, state.active), "turn": state.turn, "limit": state.options.turn_limit}
    waiting = state.waiting
    if waiting:
        told |= {"asked_side": waiting.side, "question": waiting.kind, "unit": waiting.unit}
    return Message("singidunum.caption-turn", told)


def _by_side(state: State) -> Iterator[tuple[str, Message]]:
    for side in SIDES:
        units = [unit for unit in state.units.values() if unit.side == side]
        told: Params = {
            **side_named(state, side),
            "quarters": 2 * state.half_vp.get(side, 0),
            "goal": goal(state.options),
            "ready": len(available(state, side)),
        }
        yield side, Message("singidunum.caption-points", told)
        hidden = {ambush.unit for ambush in state.ambushes}
        waiting = [unit.id for unit in units if unit.in_play and not unit.hex and unit.id not in hidden]
        if waiting and state.phase in SECRET_PHASES:
            yield side, Message("singidunum.caption-waiting", {"units": waiting})
        lost = [unit.id for unit in units if not unit.alive]
        fled = [unit.id for unit in units if unit.fled]
        if lost or fled:
            yield side, Message("singidunum.caption-gone", {"lost": lost, "fled": fled})


def side_named(state: State, side: str) -> Params:
    """A side, and the name of its army if it has one."""
    name = state.names.get(side, "")
    return {"side": side, "army": name if name.casefold() != side else ""}
