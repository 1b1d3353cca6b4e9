"""Orders that a player may have meant who points at a unit and a hex, so that the rules can say why not."""

from collections.abc import Sequence

from domain.games.singidunum.state.state import State
from domain.mechanics import hex as hexes

PAIR = 2
"""Units that attack together."""


def tried(state: State, unit: str, hex_: str) -> Sequence[str]:
    """The orders to a unit that lead to a hex, or attack who stands there; for "" the one that all may be given."""
    if unit not in state.units or (hex_ and not hexes.on_board(state.board, hex_)):
        return ()
    if state.phase != "turns":
        return (f"deploy {unit} {hex_}",) if hex_ else ()
    if not hex_:
        return (f"{unit} stay",)
    other = state.units.get(state.places.get(hex_, ""))
    if other is None or other.side == state.units[unit].side:
        return (f"{unit} to {hex_}",)
    attacks = (f"{unit} attack {other.id}", f"{unit} shoot {other.id}")
    return attacks[::-1] if state.units[unit].profile.shoots else attacks


def tried_together(state: State, side: str, units: Sequence[str]) -> Sequence[str]:
    """A double attack of two units, on the nearest enemy first; of more or fewer there is none (PRG-CBT-02)."""
    places = [state.units[name].hex for name in units if name in state.units]
    if state.phase != "turns" or len(units) != PAIR or len(places) != PAIR or not all(places):
        return ()
    enemies = [unit for unit in state.units.values() if unit.side != side and unit.hex]
    enemies.sort(key=lambda unit: sum(hexes.distance(place, unit.hex) for place in places))
    return tuple(f"double {units[0]} {units[1]} attack {enemy.id}" for enemy in enemies)
