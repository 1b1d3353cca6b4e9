"""What the answers to disputed questions say of the table: where an attacked unit may go, and why a shot is hard."""

from typing import Any

from domain.events.battle import Event
from domain.games.singidunum.chapters.reaction import AttackDeclared
from domain.games.singidunum.chapters.retreats import retreat_barred_by
from domain.games.singidunum.chapters.shooting import ShotDeclared
from domain.games.singidunum.state.state import State, neighbours, touching

LEGAL = "legal"


def circumstances(state: State, event: Event) -> dict[str, Any]:
    """What an event says of the table around it, in the state before it.

    Shape: of an attack the hexes beside the target, `legal` for a refusal or by what bars them; of a shot `maluses`
           (number), `touched_by` and `over` (friends of the shooter)
    """
    if isinstance(event, AttackDeclared):
        return _ways_back(state, event)
    if isinstance(event, ShotDeclared):
        return _hindrances(state, event)
    return {}


def _ways_back(state: State, event: AttackDeclared) -> dict[str, list[str]]:
    target = state.units[event.target]
    causes = [state.units[name].hex for name in event.attackers]
    found: dict[str, list[str]] = {}
    for hex_ in neighbours(state, target.hex):
        found.setdefault(retreat_barred_by(state, target, causes, hex_) or LEGAL, []).append(hex_)
    return found


def _hindrances(state: State, event: ShotDeclared) -> dict[str, Any]:
    side = state.units[event.unit].side
    return {
        "maluses": len(event.factors),
        "touched_by": [unit.id for unit in touching(state, event.hex, side)],
        "over": [state.places[hex_] for hex_ in event.via if hex_ in state.places],
    }
