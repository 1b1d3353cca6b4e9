"""Chapters FIR and ART, who may fire at whom: the refusals of shot-to-pieces.md 3 in their order.

A shot is direct or indirect. Direct fire is at the nearest target that is visible, in range, in the fire zone and at
the end of a clear lane; guns may choose among the nearest (STP-FIR-02, STP-ART-01, -03, STP-WW1-08).
"""

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from domain.basics.errors import Refusal
from domain.games.shot_to_pieces.chapters.able import is_able, is_supporting
from domain.games.shot_to_pieces.plane.contacts import abuts
from domain.games.shot_to_pieces.plane.gaps import distance, is_closer
from domain.games.shot_to_pieces.plane.lanes import is_lane_clear, may_bar
from domain.games.shot_to_pieces.plane.zones import firing_range, in_fire_zone, is_wholly_in_fire_zone
from domain.games.shot_to_pieces.state.figures import figures, has, period_of, weapon_of
from domain.games.shot_to_pieces.state.ground import blocking_outlines
from domain.games.shot_to_pieces.state.kept import Kept
from domain.games.shot_to_pieces.state.profiles import Band, WeaponProfile
from domain.games.shot_to_pieces.state.state import State, Unit, units_here

TARGET, GRAND = "STP-FIR-02", "STP-ART-03"
DEAD_ZONE, SPOTTED = 1000, 1000
"""How near a target of indirect fire or bombardment may be, and how near a hidden unit is seen."""
FAR = 1 << 30
"""Farther than anything on a table."""
FREE_CHOICES, GRAND_BATTERY = 3, 3
"""Among how many guns may choose, and how many abutting batteries are a grand battery."""


def _none_yet(state: State) -> dict[tuple[str, str], bool]:
    return {}


LANES = Kept(_none_yet, 16)
"""By firer and target, whether the lane between them is clear, for the last states."""


class Aim(Struct, frozen=True, gc=False):
    """A target that may be fired at, at a distance from the front centre and in a band of the weapon."""

    target: str
    distance: int
    band: Band
    mode: Literal["direct", "indirect"] = "direct"


# --- at whom (STP-FIR-02)


def require_aim(state: State, unit: Unit, target: Unit, *, is_indirect: bool = False) -> Aim:
    """The aim of a unit that is able to fire, at an enemy on the table.

    Raises: Refusal stp.target-engaged, stp.not-visible, stp.out-of-range, stp.out-of-arc; indirect stp.no-indirect,
            stp.direct-target-exists, stp.dead-zone; bombardment stp.dead-zone; direct stp.no-lane, stp.not-nearest
    """
    weapon = weapon_of(state, unit)
    assert weapon is not None, "who is able to fire has a weapon"
    if target.engaged or is_supporting(state, target):
        raise Refusal("stp.target-engaged", "STP-MEL-07", unit=unit.id, target=target.id)
    if not is_visible(unit, target):
        raise Refusal("stp.not-visible", "STP-VIS-01", unit=unit.id, target=target.id)
    far = range_to(unit, target)
    if far > weapon.range:
        raise Refusal("stp.out-of-range", TARGET, unit=unit.id, target=target.id, distance=far, range=weapon.range)
    if not is_in_arc(state, unit, target):
        raise Refusal("stp.out-of-arc", "STP-GEO-06", unit=unit.id, target=target.id)
    if is_indirect:
        _require_indirect(state, unit, target, far)
        return Aim(target.id, far, _band(weapon, far), "indirect")
    if "bombardment" in weapon.marks and far < DEAD_ZONE:
        raise Refusal("stp.dead-zone", "STP-WW1-08", unit=unit.id, target=target.id, distance=far, needed=DEAD_ZONE)
    if not has_lane(state, unit, target):
        raise Refusal("stp.no-lane", "STP-GEO-07", unit=unit.id, target=target.id)
    _require_near(state, unit, target, far, weapon)
    return Aim(target.id, far, _band(weapon, far))


def range_to(unit: Unit, target: Unit) -> int:
    """The firing range from a unit to another (STP-GEO-05)."""
    return firing_range(unit.base, target.base, is_square=unit.formation == "square")


def is_visible(unit: Unit, target: Unit) -> bool:
    """Whether a unit sees another: a hidden one only closer than 10 cm; all others, in cover too (STP-VIS-01, -03,
    STP-INT-46)."""
    return not target.hidden or distance(unit.base, target.base) < SPOTTED


def is_in_arc(state: State, unit: Unit, target: Unit) -> bool:
    """Whether a target is in the fire zone; a square fires in every direction (STP-GEO-06, option `arc_mode`)."""
    if unit.formation == "square":
        return True
    if state.options.arc_mode == "whole":
        return is_wholly_in_fire_zone(unit.base, target.base)
    return in_fire_zone(unit.base, target.base)


def has_lane(state: State, unit: Unit, target: Unit) -> bool:
    """Whether a fire lane is clear (STP-GEO-07, -18); bases of units bar it, discs of generals do not (STP-GAP-26).
    Each target of indirect fire asks again for the lanes to all of them: they are looked for once a state."""
    found, key = LANES.of(state), (unit.id, target.id)
    if state.units[unit.id] is not unit or state.units[target.id] is not target:  # as one of them could stand
        return _is_clear(state, unit, target)
    if key not in found:
        found[key] = _is_clear(state, unit, target)
    return found[key]


def _is_clear(state: State, unit: Unit, target: Unit) -> bool:
    others = [
        one.base
        for one in units_here(state)
        if may_bar(unit.base, target.base, one.base)
        and one.id not in (unit.id, target.id)
        and not (one.side == unit.side and abuts(unit.base, one.base))
    ]
    outlines = blocking_outlines(state, unit, target) if state.terrain else ()
    return is_lane_clear(unit.base, target.base, others, outlines, is_square=unit.formation == "square")


def _leaves_lane(unit: Unit, target: Unit, friend: Unit) -> bool:
    """Whether a friend alone leaves the lane clear."""
    return is_lane_clear(unit.base, target.base, (friend.base,), is_square=unit.formation == "square")


# --- the nearest


def direct_targets(state: State, unit: Unit, short_of: int = FAR) -> Iterator[Aim]:
    """The targets of direct fire of a unit, the nearest first, equally near ones by id; how many it may choose among is
    not asked. Those as far as `short_of` are left out."""
    weapon = weapon_of(state, unit)
    if weapon is None:
        return
    for far, name in _reached_directly(state, unit, weapon):
        if far >= short_of:
            return
        if has_lane(state, unit, state.units[name]):
            yield Aim(name, far, _band(weapon, far))


def _reached_directly(state: State, unit: Unit, weapon: WeaponProfile) -> list[tuple[int, str]]:
    """Those of `_reached` that are not in the dead zone of bombardment, in order."""
    least = DEAD_ZONE if "bombardment" in weapon.marks else 0
    return [one for one in sorted(_reached(state, unit, weapon)) if one[0] >= least]


def _reached(state: State, unit: Unit, weapon: WeaponProfile) -> Iterator[tuple[int, str]]:
    """The distance and id of the enemies out of melee that are seen, in range and in the fire zone."""
    for one in state.enemies(unit):
        if not one.engaged and is_closer(unit.base, one.base, weapon.range + 1):
            far = range_to(unit, one)
            if (
                far <= weapon.range
                and is_visible(unit, one)
                and is_in_arc(state, unit, one)
                and not is_supporting(state, one)
            ):
                yield far, one.id


def _band(weapon: WeaponProfile, far: int) -> Band:
    band = weapon.band(far)
    assert band, "what is reached is in range"
    return band


def choices(state: State, unit: Unit) -> tuple[Aim, ...]:
    """The targets that a unit may name: its nearest, equally near ones among them, or for guns one of several.

    Rule: STP-FIR-02, STP-ART-01 beyond 40 cm (WWI 50), STP-ART-03 grand batteries, STP-WW1-08 bombardment
    """
    weapon = weapon_of(state, unit)
    if weapon is None:
        return ()
    kept: list[Aim] = []
    among = 0
    for far, name in _reached_directly(state, unit, weapon):
        if kept and sum(1 for one in kept if one.distance < far) >= among:
            break
        if has_lane(state, unit, state.units[name]):
            kept.append(Aim(name, far, _band(weapon, far)))
            among = among or _choices_among(state, unit, far)
    return tuple(kept)


def _choices_among(state: State, unit: Unit, nearest: int) -> int:
    """Among how many of its nearest targets a unit may choose; guns with the option `free_fire`, which is on in every
    period, among several that are far (STP-ART-01, STP-INT-29)."""
    weapon = weapon_of(state, unit)
    if weapon is None or figures(state, unit).arm != "art":
        return 1
    among = weapon.choices
    is_free = state.options.free_fire and nearest > period_of(state).switches.free_fire
    if is_free or len(battery_of(state, unit)) >= GRAND_BATTERY:
        among = max(among, FREE_CHOICES)
    return among


def _require_near(state: State, unit: Unit, target: Unit, far: int, weapon: WeaponProfile) -> None:
    """Refuse a target with too many nearer ones."""
    nearest, nearer = far, 0
    for aim in direct_targets(state, unit, far):
        nearest, nearer = min(nearest, aim.distance), nearer + 1
        if nearer >= _choices_among(state, unit, nearest):
            raise Refusal("stp.not-nearest", TARGET, unit=unit.id, target=target.id, nearest=aim.target, distance=far)


# --- indirect fire (STP-ART-02)


def _require_indirect(state: State, unit: Unit, target: Unit, far: int) -> None:
    if not fires_indirectly(state, unit):
        raise Refusal("stp.no-indirect", "STP-ART-02", unit=unit.id)
    direct = next(direct_targets(state, unit), None)
    if direct is not None:
        raise Refusal("stp.direct-target-exists", "STP-ART-02", unit=unit.id, target=direct.target)
    needed = _dead_zone_fault(state, unit, target, far)
    if needed:
        rule = period_of(state).rules["indirect"]
        raise Refusal("stp.dead-zone", rule, unit=unit.id, target=target.id, distance=needed, needed=DEAD_ZONE)


def fires_indirectly(state: State, unit: Unit) -> bool:
    """Whether a unit may fire over friends: field artillery, or in some periods howitzers and rockets alone."""
    switch, weapon = period_of(state).switches.indirect, weapon_of(state, unit)
    if switch == "none" or weapon is None or figures(state, unit).arm != "art":
        return False
    return has(state, unit, "indirect") if switch == "flag" else "bombardment" not in weapon.marks


def _dead_zone_fault(state: State, unit: Unit, target: Unit, far: int) -> int:
    """The distance that is too short for indirect fire, or 0.

    Rule: STP-WW1-07 of the target from the gun, and of friends ahead of it; STP-F70-03 on either side of a friend
    """
    friends = [one for one in state.of(unit.side) if one.id != unit.id]
    if period_of(state).switches.indirect_dead_zone == "friend":
        over = [one for one in friends if not _leaves_lane(unit, target, one)]
        found = [min(range_to(unit, one), distance(one.base, target.base)) for one in over]
        return next((max(1, short) for short in found if short < DEAD_ZONE), 0)
    if far < DEAD_ZONE:
        return max(1, far)
    ahead = (
        range_to(unit, one) for one in friends if in_fire_zone(unit.base, one.base) and not abuts(unit.base, one.base)
    )
    return next((max(1, short) for short in ahead if short <= DEAD_ZONE), 0)


def indirect_targets(state: State, unit: Unit) -> tuple[Aim, ...]:
    """The targets of indirect fire, the nearest first; () while there is a direct one."""
    weapon = weapon_of(state, unit)
    if weapon is None or not fires_indirectly(state, unit) or next(direct_targets(state, unit), None) is not None:
        return ()
    return tuple(
        Aim(name, far, _band(weapon, far), "indirect")
        for far, name in sorted(_reached(state, unit, weapon))
        if not _dead_zone_fault(state, unit, state.units[name], far)
    )


def can_declare(state: State, unit: Unit) -> bool:
    """Whether a unit could legally declare fire now (STP-SEQ-08)."""
    if not is_able(state, unit):
        return False
    return next(direct_targets(state, unit), None) is not None or bool(indirect_targets(state, unit))


# --- batteries


def battery_of(state: State, unit: Unit) -> tuple[str, ...]:
    """The ids of the abutting batteries that a battery is one of, itself included (STP-ART-03)."""
    guns = {one.id: one for one in state.of(unit.side) if figures(state, one).arm == "art"}
    reached, found = [unit.id], {unit.id}
    while reached:
        base = state.units[reached.pop()].base
        for name, one in guns.items():
            if name not in found and abuts(base, one.base):
                found.add(name)
                reached.append(name)
    return tuple(name for name in guns if name in found)
