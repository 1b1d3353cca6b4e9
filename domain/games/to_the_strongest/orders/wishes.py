"""Orders that a player may have meant who points at a unit and a box, so that the rules can say why not."""

from collections.abc import Sequence

from domain.games.to_the_strongest.chapters.geometry import is_held_by_enemy
from domain.games.to_the_strongest.chapters.zones import holders
from domain.games.to_the_strongest.state.state import State, is_on_board, kind

ANYWHERE = "A1"


def tried(state: State, unit: str, box: str) -> Sequence[str]:
    """The orders to a unit, or a general, that lead to a box; for "" those that almost every unit may be
    given, or a unit that is held (TTS-ZOC-03)."""
    if box and not is_on_board(state, box):
        return ()
    if unit in state.generals:
        return (f"general {unit} to {box}",) if box else (f"general {unit} alone",)
    if unit not in state.units:
        return ()
    if state.phase != "turns":
        return (f"deploy {unit} {box or ANYWHERE}",)
    if not box:
        held_by = holders(state, state.units[unit])
        if held_by:
            return (f"{unit} charge {held_by[0].box}", f"{unit} back", f"{unit} rally")
        return tuple(f"{unit} {action}" for action in ("ahead", "turn about", "rally"))
    if not is_held_by_enemy(state, box, state.units[unit].side):
        return (f"{unit} to {box}",)
    attacks = (f"{unit} charge {box}", f"{unit} shoot {box}")
    return attacks[::-1] if kind(state.units[unit]).weapon else attacks


def tried_together(state: State, side: str, units: Sequence[str]) -> Sequence[str]:
    """The order to a group of units; generals and pieces of ground are in none."""
    return (f"group {' '.join(units)} ahead",) if all(name in state.units for name in units) else ()
