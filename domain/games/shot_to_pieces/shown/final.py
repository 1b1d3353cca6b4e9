"""What a case may check of a battle, member by member (STP-CASE-01, -02), and what decides who wins."""

from typing import Any

from domain.engine.state import OTHER, SIDES
from domain.games.shot_to_pieces.chapters.closing import lost_halves
from domain.games.shot_to_pieces.state.state import State, place_of


def final(state: State) -> dict[str, Any]:
    """The state as plain values."""
    return {
        "step": state.step,
        "units": {
            unit.id: {
                "at": list(unit.at),
                "facing": unit.facing,
                "shaken": len(unit.shaken),
                "brittle": unit.brittle,
                "alive": unit.alive,
                "formation": unit.formation,
                "engaged": unit.engaged,
                "off": unit.off,
            }
            for unit in state.units.values()
        },
        "corps": {
            corps.id: {
                "ap": corps.ap,
                "order": corps.order,
                "broken": corps.broken,
                "loss_halves": corps.loss_halves,
            }
            for corps in state.corps.values()
        },
        "generals": {
            general.id: {"at": list(place_of(state, general)), "unit": general.unit, "alive": general.alive}
            for general in state.generals.values()
        },
    }


def strength(state: State) -> dict[str, int]:
    """The loss points that each side can still bear before all its corps are broken, in halves (STP-WIN-02)."""
    return {
        side: sum(max(corps.threshold_halves - corps.loss_halves, 0) for corps in state.corps_of(side))
        for side in SIDES
    }


def tally(state: State) -> dict[str, int]:
    """The loss points that each side has inflicted, in halves (STP-WIN-02)."""
    return {side: lost_halves(state, OTHER[side]) for side in SIDES}
