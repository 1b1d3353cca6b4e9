"""What a case may check of a battle (WMS-CASE-01 … -03), and what decides who wins."""

from typing import Any

from domain.engine.state import SIDES
from domain.games.warmaster_shooting.chapters.turns import points
from domain.games.warmaster_shooting.state.state import State


def final(state: State) -> dict[str, Any]:
    """The state as plain values."""
    return {
        "units": {
            unit.id: {
                "stands": [stand.id for stand in unit.standing],
                "alive": unit.alive,
                "confused": unit.confused,
                "engaged": unit.engaged,
                "wounds": unit.charge_open if unit.charging else unit.open,
                "shot": unit.shot,
            }
            for unit in state.units.values()
        },
        "stands": {
            stand.id: {"at": list(stand.base.at), "facing": stand.base.facing, "alive": stand.alive}
            for unit in state.units.values()
            for stand in unit.stands
        },
    }


def strength(state: State) -> dict[str, int]:
    """The stands that each side has left (WMS-WIN-01)."""
    return {side: sum(len(unit.standing) for unit in state.units.values() if unit.side == side) for side in SIDES}


def tally(state: State) -> dict[str, int]:
    """The points that each side has scored (WMS-WIN-01)."""
    return {side: points(state, side) for side in SIDES}
