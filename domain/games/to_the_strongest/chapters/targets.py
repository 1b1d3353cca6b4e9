"""Chapters ORD-01 and STK-05: the box and unit that an order aims at."""

from domain.basics.errors import Refusal
from domain.engine.judge import off_board, unknown_id
from domain.games.to_the_strongest.state.state import State, Unit, is_on_board


def target_box(state: State, target: str) -> str:
    """The box that `charge X` or `shoot X` aims at: a unit's if X is a unit ("" if it is not on the
    board), else X itself (TTS-ORD-01)."""
    unit = state.units.get(target)
    return unit.box if unit else target


def require_known_target(state: State, target: str) -> None:
    """Refuse a name that is neither a unit nor a box."""
    if target not in state.units and not _looks_like_box(target):
        raise unknown_id(target)


def require_target_on_board(state: State, target: str) -> None:
    """Refuse a box that this board does not have."""
    if target not in state.units and not is_on_board(state, target):
        raise off_board(target)


def _looks_like_box(name: str) -> bool:
    return name[1:].isdigit()  # every name in an order begins with a letter


def require_target(target: str, box: str, hit: tuple[Unit, str] | None) -> tuple[Unit, str]:
    """Refuse an empty box and a unit that is not the one hit first (TTS-SHT-10, TTS-STK-05)."""
    if hit is None:
        raise Refusal("tts.no-target", "TTS-MEL-01", target=target, box=box)
    if target not in (hit[0].id, box):
        raise Refusal("tts.not-first-target", "TTS-STK-05", target=target, box=box, first=hit[0].id)
    return hit
