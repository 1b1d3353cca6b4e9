"""What a case may check of a state, and what decides who wins (PRG-CASE-01 … -03)."""

from typing import Any

from domain.engine.state import SIDES
from domain.games.singidunum.state.board import in_order
from domain.games.singidunum.state.state import State, Unit, ambush_of


def final(state: State) -> dict[str, Any]:
    """Plain values of the state; a unit in ambush is told where it lies."""
    return {
        "half_vp": dict(state.half_vp),
        "burned": in_order(state.burned),
        "units": {name: _unit(state, unit) for name, unit in state.units.items()},
    }


def _unit(state: State, unit: Unit) -> dict[str, Any]:
    ambush = ambush_of(state, unit.id)
    return {
        "hex": ambush.hex if ambush else unit.hex,
        "state": "activated" if unit.activated else "available",
        "alive": unit.alive,
        "fled": unit.fled,
        "no_burn": unit.no_burn,
    }


def strength(state: State) -> dict[str, int]:
    """The units that each side has left (PRG-VP-10)."""
    return {side: sum(unit.side == side and unit.alive for unit in state.units.values()) for side in SIDES}


def tally(state: State) -> dict[str, int]:
    """The victory points of each side, in halves (PRG-VP-10)."""
    return {side: state.half_vp.get(side, 0) for side in SIDES}
