"""What every order is checked for, in the order of shot-to-pieces.md 3: who it is, and whether it may act at all.

Each function refuses by one code, or returns what was asked for. All chapters call these, in this order: `own_unit`,
`require_here`, for a charge or fire `target_of`, `require_in_order`, and `require_unmoved`; what is due to its own
chapter follows, and last the points (`chapters.points`).
"""

from typing import TypeVar

from domain.basics.errors import Refusal
from domain.engine.judge import not_yours, unknown_id
from domain.games.shot_to_pieces.state.state import Corps, General, State, Unit

Someone = TypeVar("Someone", Unit, Corps, General)


def own_unit(state: State, side: str, name: str) -> Unit:
    """A unit of a side by its id.

    Raises: Refusal core.unknown-id, core.not-yours
    """
    return _own(state.units.get(name), side, name)


def own_corps(state: State, side: str, name: str) -> Corps:
    """A corps of a side by its id.

    Raises: Refusal core.unknown-id, core.not-yours
    """
    return _own(state.corps.get(name), side, name)


def own_general(state: State, side: str, name: str) -> General:
    """A general of a side by their id.

    Raises: Refusal core.unknown-id, core.not-yours
    """
    return _own(state.generals.get(name), side, name)


def _own(found: Someone | None, side: str, name: str) -> Someone:
    if found is None:
        raise unknown_id(name)
    if found.side != side:
        raise not_yours(name, found.side)
    return found


def require_here(unit: Unit) -> None:
    """Refuse who is destroyed or has left the table.

    Raises: Refusal stp.unit-gone
    """
    if not unit.here:
        raise Refusal("stp.unit-gone", "STP-RES-09", unit=unit.id)


def target_of(state: State, unit: Unit, name: str) -> Unit:
    """The enemy that a charge or a salvo is to hit.

    Raises: Refusal core.unknown-id, stp.not-an-enemy, stp.target-gone
    """
    target = state.units.get(name)
    if target is None:
        raise unknown_id(name)
    if target.side == unit.side:
        raise Refusal("stp.not-an-enemy", "STP-CHG-01", unit=unit.id, target=name)
    if not target.here:
        raise Refusal("stp.target-gone", "STP-CHG-01", unit=unit.id, target=name)
    return target


def require_in_order(state: State, unit: Unit, *, is_engaged_allowed: bool = False) -> None:
    """Refuse units of a broken corps, shaken ones, and those in melee, unless the order is for these.

    Raises: Refusal stp.corps-broken, stp.unit-shaken, stp.unit-engaged
    """
    if state.corps[unit.corps].broken:
        raise Refusal("stp.corps-broken", "STP-MOR-04", unit=unit.id, corps=unit.corps)
    if unit.shaken:
        raise Refusal("stp.unit-shaken", "STP-MOV-14", unit=unit.id)
    if unit.engaged and not is_engaged_allowed:
        raise Refusal("stp.unit-engaged", "STP-MEL-10", unit=unit.id, melee=unit.melee)


def require_unmoved(state: State, unit: Unit) -> None:
    """Refuse who has had its order of this phase; what a change of formation has left is still its own (STP-ACT-09).

    Raises: Refusal stp.already-moved
    """
    if unit.order_k == state.k:
        raise Refusal("stp.already-moved", "STP-ACT-08", unit=unit.id)
