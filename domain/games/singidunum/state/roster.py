"""Types of units, what they cost, and the counters that exist (PRG-ARM-01, singidunum.md 11).

A unit costs its printed strength (PRG-ARM-02); the units of the extension have costs of their own.
"""

from collections.abc import Collection

from msgspec import Struct


class CounterType(Struct, frozen=True):
    """A type of unit: the strengths of its counters of one side, each as often as it exists.

    `module` is the extension that it belongs to, `extra` what it costs beyond its strength. `moves` are hexes.
    """

    key: str
    strengths: tuple[int, ...]
    moves: int = 1
    mounted: bool = False
    shoots: bool = False
    module: str = ""
    extra: int = 0
    half_points: int = 2


PROFILES = {
    profile.key: profile
    for profile in (
        CounterType("EL", (9, 8)),
        CounterType("HI", (7, 7, 6, 6)),
        CounterType("AR", (6, 5, 5, 4), shoots=True),
        CounterType("CV", (6, 5, 5, 4), moves=2, mounted=True),
        CounterType("SC", (6, 5, 4), moves=2, mounted=True, module="shock"),
        CounterType("HA", (4, 4), moves=2, mounted=True, shoots=True, module="horse-archers", extra=1),
        CounterType("LI", (3, 3, 3, 3), moves=2, module="light-infantry", half_points=1),
        CounterType("SV", (2, 2, 2, 2), module="survivors"),
        CounterType("GE", (5,), moves=2, mounted=True, module="general", extra=2),
    )
}
"""Every type with its counters per side (PRG-ARM-01, -08); an elimination counts in half points (PRG-VP-03,
PRG-EXT-LI-02)."""

ABILITIES = {"SC": ("impact", "ties"), "HA": ("asterisk",)}
"""The abilities that counters of a type may have (PRG-EXT-SC-01, -02, PRG-EXT-HA-01)."""
MODULES = ("shock", "horse-archers", "light-infantry", "survivors", "general", "terrain")
IMPACT, TIES, IMPACT_AND_TIES = 2, 1, 3


def is_barred_from_forest(type_: str) -> bool:
    """Whether forest is closed to units of a type: cavalry, generals and the elite (PRG-EXT-TER-01, PRG-EXT-GE-01)."""
    return PROFILES[type_].mounted or type_ == "EL"


def cost(type_: str, strength: int, abilities: Collection[str], *, paid_asterisk: bool) -> int:
    """What a counter costs: its strength, the extra of its type, and its abilities (PRG-ARM-02, PRG-EXT-SC-01)."""
    impact, ties = "impact" in abilities, "ties" in abilities
    shock = IMPACT_AND_TIES if impact and ties else IMPACT * impact + TIES * ties
    return strength + PROFILES[type_].extra + shock + (paid_asterisk and "asterisk" in abilities)
