"""Chapter MEL: who is pinned by a melee of its own side (STP-MEL-12, -20)."""

from domain.basics.errors import Refusal
from domain.games.shot_to_pieces.plane.base import Base
from domain.games.shot_to_pieces.plane.contacts import Flank, abuts, edge_gap, edge_of, is_behind
from domain.games.shot_to_pieces.plane.shapes import segments_square
from domain.games.shot_to_pieces.state.state import Melee, State, Unit

RULE = "STP-MEL-20"


def fronts(state: State, side: str) -> tuple[tuple[Melee, Unit], ...]:
    """The melees of a side, each with its own reference unit or target."""
    found = ((melee, state.units[name]) for melee in state.melees for name in (melee.charger, melee.target))
    return tuple((melee, unit) for melee, unit in found if unit.side == side and unit.here)


def require_not_pinned(state: State, unit: Unit, *, is_charge: bool = False) -> None:
    """Refuse who stands behind the unit that fights for its side, or beside it in a frontal melee; from beside it may
    still charge.

    Raises: Refusal stp.pinned
    """
    for melee, friend in fronts(state, unit.side):
        if friend.id == unit.id:
            continue
        is_beside = not is_charge and melee.aspect == "front" and abuts(unit.base, friend.base)
        if is_beside or is_behind(unit.base, friend.base):
            raise Refusal("stp.pinned", RULE, unit=unit.id, friend=friend.id, melee=melee.id)


def require_away_from_flank(state: State, unit: Unit, end: Base) -> None:
    """Refuse who stands beside a friend taken in flank, and would end nearer to the threatened flank (STP-MEL-12).

    Raises: Refusal stp.pinned
    """
    for melee, friend in fronts(state, unit.side):
        if melee.aspect == "front" or friend.id != melee.target or not abuts(unit.base, friend.base):
            continue
        charger = state.units[melee.charger].base
        _, flank = min((edge_gap(friend.base, one, charger, "front"), one) for one in FLANKS)
        edge = edge_of(friend.base, flank)
        if _to(end, edge) < _to(unit.base, edge):
            raise Refusal("stp.pinned", RULE, unit=unit.id, friend=friend.id, melee=melee.id)


FLANKS: tuple[Flank, ...] = ("left", "right")


def _to(base: Base, edge: tuple[tuple[int, int], tuple[int, int]]) -> int:
    """The square of the distance of a base and an edge, in whole parts of fine points."""
    sides = (edge_of(base, name) for name in ("front", "right", "rear", "left"))
    return min(square // parts for square, parts in (segments_square(side, edge) for side in sides))
