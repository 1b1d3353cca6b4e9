"""The troops: what each profile can do (WMS-PRO; `profiles.toml`)."""

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct

from domain.basics.data import read_toml
from domain.basics.decoding import convert

CODE = "warmaster-shooting"

PIERCE, NO_SAVE, COVER_WORSE = "pierce1", "noSave", "cover-1"
TWO_SIDED, ALWAYS_DEFENDED, NO_DRIVE, FANATIC, NO_COUNTER_FIRE = (
    "twoSided",
    "alwaysDefended",
    "noDrive",
    "fanatic",
    "noCcf",
)


class TroopKind(Struct, frozen=True, gc=False):
    """A kind of troops.

    Rule:  WMS-PRO-01 the full paces, WMS-HIT-01 the dice of a stand, WMS-ARC-05 the profile names the arc
    Units: `range`, `pace`, `width`, `depth` in mm; `shots` dice for each stand, `hits` wounds that remove one,
           `save` the number to reach, 0 for none
    """

    name: str
    type: Literal["infantry", "cavalry", "artillery", "monster", "machine"]
    stands: int
    hits: int
    pace: int
    points: int
    width: int
    depth: int
    shots: int = 0
    range: int = 0
    arc: Literal["wedge", "rectangle"] = "wedge"
    save: int = 0
    flags: frozenset[str] = frozenset()

    @property
    def takes_cover(self) -> bool:
        """Only infantry and artillery can be defended or fortified by what is around them (WMS-HIT-03)."""
        return self.type in ("infantry", "artillery")


def _profiles() -> Mapping[str, TroopKind]:
    table: dict[str, Any] = read_toml(CODE, "profiles.toml")
    made = {name: {"name": name, **given, **table["types"][given["type"]]} for name, given in table["profiles"].items()}
    return convert(made, dict[str, TroopKind])


PROFILES = _profiles()
"""Every profile by its name."""
