"""What may be known of a battle: by a side, by a case, by a statistician?"""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from domain.game import SIDES
from domain.rulesets.to_the_strongest.state import State, general_box, general_unit


def known(state: State, side: str) -> State:
    """The state without what the other side alone may know: its standing orders (section 30).

    `side` "" is a stranger, who knows neither side's.
    """
    standing = tuple(order for order in state.standing if order.side == side)
    return state if len(standing) == len(state.standing) else replace(state, standing=standing)


def final(state: State) -> dict[str, Any]:
    """Every key that a case may check (section 32), for all units and generals."""
    waiting = state.waiting
    return {
        "medals": {side: state.armies[side].medals for side in SIDES},
        "winner": state.winner,
        "active": state.active,
        "phase": state.phase,
        "turn": state.turn,
        "units": {
            unit.id: {
                "box": unit.box,
                "facing": unit.facing,
                "disorder": unit.losses,
                "alive": unit.alive,
                "ammo": unit.ammo,
                "lance": unit.lance,
                "pilum": unit.pilum,
                "formation": unit.formation,
                "off": unit.alive and not unit.box,
            }
            for unit in state.units.values()
        },
        "generals": {
            general.id: {
                "box": general_box(state, general),
                "alive": general.alive,
                "wound": general.wound,
                "unit": general_unit(general),
            }
            for general in state.generals.values()
        },
        "waiting": {"side": waiting.side, "kind": waiting.kind, "unit": waiting.unit} if waiting else None,
    }


def tally(state: State) -> dict[str, int]:
    """The medals each side has left (TTS-MED-04)."""
    return {side: state.armies[side].medals for side in SIDES}


def stacked(case: Mapping[str, Any]) -> dict[str, list[int]]:
    """The stacked decks of a case, by scope of the draws (TTS-CASE-01)."""
    decks = case.get("cards", {})
    return {f"draw:{side}": list(decks.get(side, ())) for side in SIDES}
