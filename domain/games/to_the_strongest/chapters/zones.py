"""Chapter ZOC: which enemies hold a unit, and what it may still do."""

from functools import lru_cache

from domain.basics.errors import Refusal
from domain.games.to_the_strongest.state.state import State, Unit, kind
from domain.mechanics.square import REVERSE, VECTOR, Board, box_by

HELD = "TTS-ZOC-03"


def holders(state: State, unit: Unit, box: str = "") -> tuple[Unit, ...]:
    """The enemy units whose zone of control holds a unit in `box` (default: where it stands).

    Rule:    TTS-ZOC-01, -02, -05; the zone is the box ahead, nothing else (TTS-GEO-09)
    Returns: holders in the order of the boxes N E S W, the front unit of a box first
    """
    box = box or unit.box
    if not box:
        return ()
    found = []
    for towards, near in _looking_at(state.board, box):
        for name in state.boxes.get(near, ()):
            other = state.units[name]
            if other.side == unit.side or other.facing != towards:
                continue
            profile = kind(other)
            if "no_zoc" not in profile.flags and (kind(unit).light or not profile.light):
                found.append(other)
    return tuple(found)


def zone_of(state: State, unit: Unit) -> str:
    """The box that a unit controls, "" if it controls none.

    Rule: TTS-ZOC-01, TTS-GEO-09; light enemies are held by every unit with a zone, others not by light ones
    """
    has_none = not unit.box or "no_zoc" in kind(unit).flags
    return "" if has_none else box_by(state.board, unit.box, *VECTOR[unit.facing])


@lru_cache(maxsize=1 << 11)
def _looking_at(board: Board, box: str) -> tuple[tuple[str, str], ...]:
    """The boxes from which a box is a zone of control, and the facing that a unit there must have (TTS-GEO-09)."""
    around = ((REVERSE[facing], box_by(board, box, dx, dy)) for facing, (dx, dy) in VECTOR.items())
    return tuple((towards, near) for towards, near in around if near)


def is_held(state: State, unit: Unit) -> bool:
    """Whether any enemy holds the unit where it stands."""
    return bool(holders(state, unit))


def require_free(state: State, unit: Unit) -> None:
    """Refuse what a held unit may not do (TTS-ZOC-03)."""
    held_by = holders(state, unit)
    if held_by:
        raise Refusal("tts.held-by-zoc", HELD, unit=unit.id, box=unit.box, holders=[u.id for u in held_by])


def require_free_path(state: State, unit: Unit, passed: tuple[str, ...]) -> None:
    """Refuse a path if a box passed on the way lies in a zone that would hold the unit.

    Rule: TTS-ZOC-06, TTS-MOV-09; the box where it started does not matter
    """
    for box in passed:
        held_by = holders(state, unit, box) if box else ()
        if held_by:
            raise Refusal("tts.held-by-zoc", "TTS-ZOC-06", unit=unit.id, box=box, holders=[u.id for u in held_by])
