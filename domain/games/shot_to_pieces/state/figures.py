"""The figures of a unit as it is now: its base, type and weapon, whether it is FAT, and the classes of its effects."""

from typing import Literal

from msgspec.structs import replace

from domain.games.shot_to_pieces.state.ground import is_in_building
from domain.games.shot_to_pieces.state.profiles import (
    FOOT,
    MOUNTED,
    Band,
    Effect,
    Period,
    UnitType,
    WeaponProfile,
    period,
)
from domain.games.shot_to_pieces.state.state import State, Unit

Use = Literal["fire", "resilience", "melee"]
BY_BAND: dict[str, Effect] = {"short": "normal", "medium": "shaken-only", "long": "brittle-only"}
"""What artillery can do at each band (STP-ART-05)."""
FAT_GUNS = frozenset({"fat-gun", "heavy-fat", "extra-heavy-fat"})
SECOND_LINE_FIRE = 3
"""Fire and resilience of second-line infantry (STP-RES-06)."""


def period_of(state: State) -> Period:
    """The period of a battle."""
    return period(state.period)


def figures(state: State, unit: Unit) -> UnitType:
    """The figures of a unit as it is mounted, formed and housed now.

    Rule: STP-ACW-05 extended line, STP-BLD-03 skirmishers in a building, STP-RES-06 second-line infantry
    """
    held = period_of(state)
    if unit.formation == "extended" and held.extended:
        return held.extended
    own = held.types[unit.key]
    if own.arm == "skm" and is_in_building(state, unit):
        foot = held.types["infantry"]
        return replace(own, fire=foot.fire, resilience=foot.resilience, melee=foot.melee)
    if is_second_line_infantry(state, unit, own):
        return replace(own, fire=SECOND_LINE_FIRE if own.fire else 0, resilience=SECOND_LINE_FIRE)
    return own


def is_second_line_infantry(state: State, unit: Unit, own: UnitType) -> bool:
    """Whether a unit is foot of the second line, and the option counts it (STP-OPT-05)."""
    return "second-line" in unit.traits and own.arm in FOOT and state.options.second_line_infantry


def weapon_of(state: State, unit: Unit) -> WeaponProfile | None:
    """The weapon of a unit: its own, or that of its type; None for one that has no real fire (STP-GAP-18)."""
    held = period_of(state)
    own = figures(state, unit)
    key = unit.weapon or held.types[unit.key].weapon
    return held.weapons.get(key) if own.fire else None


def has(state: State, unit: Unit, name: str) -> bool:
    """Whether a unit has a trait, by the scenario or as a flag of its type."""
    return name in unit.traits or name in figures(state, unit).flags


# --- FAT and SKELETON (STP-RES-11)


def is_fat(state: State, unit: Unit, use: Use, *, is_first: bool = True) -> bool:
    """Whether a unit is FAT in a roll; `is_first` tells of the first round of a melee.

    Rule: STP-RES-11, the same in every period (STP-AWI-04, STP-GSC-05); STP-EMP-09 double batteries; STP-F70-01
          Prussians; what is "+ fat" in a table counts in fire, and in the first round of a melee where the period says
          so
    """
    if not unit.traits.isdisjoint({"fat", "double"}):
        return True
    switches, own = period_of(state).switches, figures(state, unit)
    if switches.prussian_fat and "prussian" in unit.traits and own.arm in FOOT | MOUNTED:
        return True
    if use == "fire":
        return (
            _has_fat_gun(state, unit, own)
            or (switches.dense_fat and "dense" in unit.traits and own.arm == "inf")
            or (switches.regimental_fat and "regimental" in unit.traits)
        )
    if use == "melee" and is_first:
        return (switches.fat_gun_in_melee and _has_fat_gun(state, unit, own)) or (
            switches.regimental_fat and "regimental" in unit.traits
        )
    return False


def _has_fat_gun(state: State, unit: Unit, own: UnitType) -> bool:
    if own.arm != "art":
        return False
    weapon = weapon_of(state, unit)
    if not FAT_GUNS.isdisjoint(unit.traits | own.flags) or (weapon and "fat" in weapon.marks):
        return True
    return "republican" in unit.traits and weapon is not None and weapon.key == "gun_4f"  # STP-F70-05


def is_skeleton(unit: Unit) -> bool:
    """Whether a unit is under strength (STP-RES-11, STP-AWI-04, STP-GSC-05)."""
    return "skeleton" in unit.traits


# --- classes of effect (STP-RES-02)


def fire_effect(state: State, unit: Unit, band: Band) -> Effect:
    """The class of a unit's fire at a band.

    Rule: STP-ART-05 artillery, STP-RES-06 the second line, STP-FIR-10 skirmishers, STP-OPT-06 militia of 1776
    """
    own = figures(state, unit)
    if own.arm == "art":
        if band == "medium" and has(state, unit, "second-line"):
            return "second-line"
        return BY_BAND[band]
    if is_second_line_infantry(state, unit, own):
        return "second-line"
    if is_shooting_militia(state, unit) and state.options.militia_fire == "shaken":
        return "shaken-only"
    return own.effect


def melee_effect(state: State, unit: Unit) -> Effect:
    """The class of what a unit does in melee: that of its fire only where its line says so (STP-INT-20, STP-ACW-05)."""
    if unit.formation == "extended":
        return "shaken-only"
    own = figures(state, unit)
    return own.effect if own.effect == "kills-only-shaken" and "native" in own.flags else "normal"


def is_shooting_militia(state: State, unit: Unit) -> bool:
    """Whether a unit is the militia that STP-OPT-06 is about."""
    return period_of(state).switches.militia_option and unit.key == "militia"


def resilience(state: State, unit: Unit) -> int:
    """R of a unit (STP-FIR-06)."""
    return figures(state, unit).resilience


def fire_value(state: State, unit: Unit) -> int:
    """F of a unit, 0 for no real fire (STP-F70-02)."""
    return figures(state, unit).fire
