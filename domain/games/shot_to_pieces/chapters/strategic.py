"""Chapter MOV, strategic moves: which corps may (STP-MOV-12)."""

from domain.games.shot_to_pieces.plane.gaps import is_closer
from domain.games.shot_to_pieces.state.state import Corps, State

FRICTION_HCM = 4000
"""Nearer than this to an enemy is the friction zone."""


def strategic_corps(state: State) -> tuple[str, ...]:
    """The corps of both sides of which no unit is in the friction zone, in the order of the scenario."""
    return tuple(corps.id for corps in state.corps.values() if _is_apart(state, corps))


def _is_apart(state: State, corps: Corps) -> bool:
    units = state.under(corps.id)
    if corps.broken or not units:
        return False
    enemies = state.enemies(units[0])
    return not any(is_closer(unit.base, enemy.base, FRICTION_HCM) for unit in units for enemy in enemies)
