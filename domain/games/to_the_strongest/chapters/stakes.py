"""Chapter STR, the stakes: on which edges they stand, and who sees them (TTS-STR-06)."""

from domain.games.to_the_strongest.state.state import HOME_ROW_FACING, State
from domain.mechanics.square import VECTOR, box_by


def stakes_edge(state: State, side: str, box: str) -> tuple[str, str]:
    """The enemy-facing edge of a box, its two boxes in alphabetical order."""
    one, other = sorted((box, box_by(state.board, box, *VECTOR[HOME_ROW_FACING[side]])))
    return one, other


def new_stakes(state: State, side: str, boxes: tuple[str, ...]) -> tuple[str, ...]:
    """The boxes whose edge has no stakes that everybody sees."""
    veiled = veiled_stakes(state, *state.armies)
    edges = {box: stakes_edge(state, side, box) for box in boxes}
    return tuple(box for box, edge in edges.items() if edge not in state.edges or edge in veiled)


def veiled_stakes(state: State, *sides: str) -> set[tuple[str, str]]:
    """The edges on which a blind deployment hides stakes of these sides (TTS-DEP-07)."""
    veils = (veil for veil in state.veiled if veil.what == "stakes" and veil.side in sides)
    return {stakes_edge(state, veil.side, box) for veil in veils for box in veil.box.split()}
