"""Orders that a player may have meant who points at a unit and a hex, so that the rules can say why not."""

from collections.abc import Sequence

from domain.games.singidunum.state.state import State
from domain.mechanics import hex as hexes


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
