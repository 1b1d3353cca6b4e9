"""The values that a case may check, and the tally for statistics."""

from collections.abc import Mapping
from typing import Any

from domain.engine.state import SIDES
from domain.games.to_the_strongest.chapters.phases import standing_box
from domain.games.to_the_strongest.state.state import State, general_box, general_unit


def final(state: State) -> dict[str, Any]:
    """Every key that a case may check (tests/cases/README.md), for all units and generals (TTS-CASE-02, -03)."""
    return {
        "medals": {side: state.armies[side].medals for side in SIDES},
        "units": {
            unit.id: {
                "box": standing_box(state, unit),
                "facing": unit.facing,
                "disorder": unit.losses,
                "alive": unit.alive,
                "ammo": unit.ammo,
                "lance": unit.lance,
                "pilum": unit.pilum,
                "formation": unit.formation,
                "off": unit.alive and not standing_box(state, unit),
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
    }


def tally(state: State) -> dict[str, int]:
    """The medals each side has left (TTS-MED-04)."""
    return {side: state.armies[side].medals for side in SIDES}


def stacked(case: Mapping[str, Any]) -> dict[str, list[int | str]]:
    """The stacked decks of a case (TTS-CASE-01)."""
    decks = case.get("cards", {})
    return {deck: list(decks.get(deck, ())) for deck in (*SIDES, "terrain", "stratagem")}
