"""Chapter MEL, friends beside and behind a unit that fights, and friends who fight for themselves (STP-MEL-04, -05)."""

from collections.abc import Iterator

from msgspec import Struct

from domain.engine.judge import Judge
from domain.games.shot_to_pieces.chapters.contacts import make_contact
from domain.games.shot_to_pieces.plane.base import fine, frame, local
from domain.games.shot_to_pieces.plane.contacts import abuts, are_front_to_front, is_behind
from domain.games.shot_to_pieces.state.figures import figures
from domain.games.shot_to_pieces.state.ground import is_in_building
from domain.games.shot_to_pieces.state.state import Melee, State, Unit

OVERLAP = "STP-MEL-05"


class Support(Struct, frozen=True, gc=False):
    """What friends do for a unit that fights: those beside it that count, and whether one is behind it, as the second
    of an assault wave or alone (STP-ACW-04)."""

    laterals: tuple[str, ...]
    is_behind: bool
    is_wave: bool


def support_of(state: State, melee: Melee, unit: Unit, foe: Unit) -> Support:
    """The support of a unit against another (STP-MEL-04). Who is shaken (STP-INT-05), or fights elsewhere,
    gives none.

    Rule: STP-MEL-05 a friend beside it counts if the enemy has nobody opposite; STP-MEL-15 further chargers count as
          friends beside it; STP-EMP-10 the other half of a large battalion always counts
    """
    opposite = _opposite_sides(state, unit, foe)
    counted = []
    for friend, side in beside(state, unit):
        is_twin = "large" in unit.traits and "large" in friend.traits
        is_able = not friend.shaken and friend.melee in ("", melee.id) and side not in opposite
        if is_twin or is_able:
            counted.append(friend.id)
    flanking = {friend.id for friend, _ in beside(state, unit)}
    for name in melee.others:
        friend = state.units[name]
        if friend.side == unit.side and name not in flanking and not friend.shaken:
            counted.append(name)
    behind = _rear_friend(state, unit)
    is_wave = behind is not None and _rear_friend(state, behind) is not None
    return Support(tuple(counted), behind is not None, is_wave)


def beside(state: State, unit: Unit) -> Iterator[tuple[Unit, str]]:
    """The friends in lateral contact with a unit, and the flank on which each stands."""
    for friend in state.of(unit.side):
        if friend.id != unit.id:
            side = abuts(unit.base, friend.base)
            if side:
                yield friend, side


def _opposite_sides(state: State, unit: Unit, foe: Unit) -> set[str]:
    """The flanks of a unit on which the enemy has a friend beside the foe (STP-MEL-05)."""
    return {_side_of(unit, enemy) for enemy, _ in beside(state, foe)}


def _side_of(unit: Unit, other: Unit) -> str:
    """The flank of a unit beyond which another stands; "" for one before or behind it."""
    seen_from = frame(unit.base)
    right, _ = local(seen_from, fine(other.at))
    if abs(right) <= seen_from.half_width:
        return ""
    return "right" if right > 0 else "left"


def _rear_friend(state: State, unit: Unit) -> Unit | None:
    """The infantry behind an infantry unit that supports it, or None.

    Rule: STP-MEL-04 infantry alone; not a square (STP-EMP-06), not in a building (STP-BLD-02); nobody who is shaken or
          engaged
    """
    if unit.formation == "square" or figures(state, unit).arm != "inf" or is_in_building(state, unit):
        return None
    for friend in state.of(unit.side):
        if friend.id == unit.id or friend.shaken or friend.engaged or not is_behind(friend.base, unit.base):
            continue
        if figures(state, friend).arm == "inf":
            return friend
    return None


# --- friends opposite each other


def start_separate_melees(judge: Judge[State]) -> None:
    """Friends beside the two units of a melee, unengaged and front to front, begin a melee of their own; so do those
    beside these in turn (STP-MEL-05, -19)."""
    fought: set[str] = set()
    while True:
        melee = next((one for one in judge.state.melees if one.id not in fought), None)
        if melee is None:
            return
        fought.add(melee.id)
        for one, other in _opposed(judge.state, melee):
            if not (judge.state.units[one].engaged or judge.state.units[other].engaged):
                make_contact(judge, one, other, "front", OVERLAP)


def _opposed(state: State, melee: Melee) -> list[tuple[str, str]]:
    """The pairs of friends beside the units of a melee whose fronts touch, that of the active side first."""
    pair = (state.units[melee.charger], state.units[melee.target])
    own, other = sorted(pair, key=lambda unit: unit.side != state.side)
    return [
        (friend.id, enemy.id)
        for friend, side in beside(state, own)
        for enemy, its_side in beside(state, other)
        if not friend.engaged
        and not enemy.engaged
        and side == _side_of(own, enemy)
        and its_side == _side_of(other, friend)
        and are_front_to_front(friend.base, enemy.base)
    ]
