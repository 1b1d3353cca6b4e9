"""The records of troop types, weapons and costs, read from the data files and checked.

A fault in a file names file, record and field.
"""

from collections.abc import Mapping
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import Struct

from domain.basics.decoding import convert
from domain.basics.errors import BrokenInvariant

Quality = Literal["veteran", "standard", "raw"]
Arc = Literal["", "cone", "straight", "column", "both"]

T = TypeVar("T")

UNITS_FILE = "tts/units.toml"
WEAPONS_FILE = "tts/weapons.toml"
COSTS_FILE = "tts/costs.toml"

STEPS_BY_SIZE = {"light": 1, "small": 1, "standard": 2, "deep": 3}  # TTS-DIS-02
STACK_BY_FLAG = {"elephant": 2, "scythed": 2, "artillery": 2}
DOUBLE_SHOT_FOOT = frozenset({"bow", "longbow", "crossbow"})


# --- records


class TroopEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A troop type as in the data file (TTS-CAT-01)."""

    name: str
    name_fr: str
    cls: Literal["F", "M"] = msgspec.field(name="class")
    size: Literal["light", "small", "standard", "deep"]
    light: bool = False
    speed: int
    steps: int
    stack: int
    save: int
    hit: int
    weapon: str = ""
    ammo: int = 0
    arc: Arc = ""
    flags: frozenset[str] = frozenset()
    cost: int
    av: int
    scouting: int
    quality: Quality = "standard"
    attested: frozenset[str] = frozenset()


class Profile(TroopEntry, frozen=True, kw_only=True):
    """A troop type, with frequently needed values precomputed.

    Units: speed in boxes; stack as TTS-STK-02; save and hit as the card needed; cost in points;
           av in medals and victory points; scouting in quarter points
    """

    key: str
    foot: bool
    mounted: bool
    light_infantry: bool  # class F with `light`
    elephant: bool
    deep: bool  # for TTS-ACT-16: size deep, or elephants
    artillery: bool
    shooter: bool  # hits on 8+ in melee (TTS-MEL-05)
    double_shot: bool  # TTS-SHT-08
    closing_fire: bool  # TTS-MEL-16


class Weapon(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A weapon (TTS-SHT-03). `save` is added to the target's factors (TTS-SAV-38)."""

    key: str
    range: int
    arc: Literal["cone", "straight", "column"]
    double: bool
    save: int


class QualityRow(Struct, frozen=True, forbid_unknown_fields=True):
    """A quality (TTS-CAT-02): `save` against standard, rout number, points for each step."""

    save: int
    rout: int
    cost: int


class HeroCost(Struct, frozen=True, forbid_unknown_fields=True):
    """Points for a hero (TTS-CAT-03)."""

    cost: int


class CampCost(Struct, frozen=True, forbid_unknown_fields=True):
    """Points for a camp (TTS-CAT-03)."""

    cost: int
    fortified_side: int


class GeneralCost(Struct, frozen=True, forbid_unknown_fields=True):
    """Points for a general (TTS-CAT-03)."""

    base: int
    detached: int
    mounted: int
    heroic: int
    senior: int
    brilliant_in_all: int
    great_in_all: int


class Victory(Struct, frozen=True, forbid_unknown_fields=True):
    """Victory points of generals and camps (TTS-MED-01)."""

    general: int
    brilliant: int
    great: int
    camp: int
    standard: int
    hero: int


class Costs(Struct, frozen=True, forbid_unknown_fields=True):
    """The costs file."""

    rules: dict[str, str]
    quality: dict[str, QualityRow]
    extras: dict[str, int]
    hero: HeroCost
    camp: CampCost
    general: GeneralCost
    victory: Victory


# --- loading


def load_weapons(table: Mapping[str, Any]) -> dict[str, Weapon]:
    """The weapons in a table of the form of weapons.toml.

    Rule:    TTS-SHT-03
    Raises:  BrokenInvariant with file, weapon and field
    """
    _require_keys(WEAPONS_FILE, table, {"rules", "weapons"})
    _require_rules(WEAPONS_FILE, table["rules"], set(Weapon.__struct_fields__) - {"key"})
    return {
        key: _converted(WEAPONS_FILE, key, {"key": key, **_record(WEAPONS_FILE, key, row)}, Weapon)
        for key, row in table["weapons"].items()
    }


def load_profiles(table: Mapping[str, Any], weapons: Mapping[str, Weapon]) -> dict[str, Profile]:
    """The troop types in a table of the form of units.toml.

    Rule:    TTS-CAT-01
    Raises:  BrokenInvariant with file, troop type and field
    """
    _require_keys(UNITS_FILE, table, {"rules", "flags", "units"})
    _require_rules(
        UNITS_FILE, table["rules"], set(TroopEntry.__struct_encode_fields__) - {"name", "name_fr", "attested"}
    )
    profiles = {}
    for key, row in table["units"].items():
        entry = _converted(UNITS_FILE, key, _record(UNITS_FILE, key, row), TroopEntry)
        for name, wrong, why in _faults(entry, set(table["flags"]), weapons):
            if wrong:
                raise BrokenInvariant(f"{UNITS_FILE}: {key}: {name}: {why}")
        profiles[key] = _profile(key, entry, weapons)
    return profiles


def load_costs(table: Mapping[str, Any]) -> Costs:
    """Qualities and costs in a table of the form of costs.toml.

    Rule:    TTS-CAT-02, TTS-CAT-03
    Raises:  BrokenInvariant with file and field
    """
    costs = _converted(COSTS_FILE, "costs", table, Costs)
    _require_rules(COSTS_FILE, costs.rules, set(Costs.__struct_fields__) - {"rules"})
    _require_keys(COSTS_FILE, costs.quality, {"veteran", "standard", "raw"})
    return costs


def _profile(key: str, entry: TroopEntry, weapons: Mapping[str, Weapon]) -> Profile:
    foot, elephant = entry.cls == "F", "elephant" in entry.flags
    line_shooter = foot and entry.size == "standard" and entry.weapon in DOUBLE_SHOT_FOOT and "wagon" not in entry.flags
    organ = bool(entry.weapon) and weapons[entry.weapon].double and entry.weapon not in DOUBLE_SHOT_FOOT
    return Profile(
        key=key,
        **msgspec.structs.asdict(entry),
        foot=foot,
        mounted=not foot,
        light_infantry=foot and entry.light,
        elephant=elephant,
        deep=elephant or entry.size == "deep",
        artillery="artillery" in entry.flags,
        shooter="shooter" in entry.flags,
        double_shot=line_shooter or organ,
        closing_fire=line_shooter,
    )


def _faults(entry: TroopEntry, flags: set[str], weapons: Mapping[str, Weapon]) -> list[tuple[str, bool, str]]:
    """Possible faults of a troop type: (field, whether it is present, reason)."""
    steps = STEPS_BY_SIZE[entry.size]
    stack = next((STACK_BY_FLAG[flag] for flag in STACK_BY_FLAG if flag in entry.flags), steps)
    slow = {"poor", "shooter"} & entry.flags
    return [
        ("name", not (entry.name and entry.name_fr), "needs an English and a French name"),
        ("light", entry.light != (entry.size == "light"), "goes with size light, and only with it"),
        ("speed", entry.speed not in (1, 2), f"is {entry.speed}, must be 1 or 2"),
        ("speed", entry.cls == "F" and entry.speed != 1, "must be 1 for foot"),
        ("steps", entry.steps != steps, f"is {entry.steps}, must be {steps} for size {entry.size}"),
        ("stack", entry.stack != stack, f"is {entry.stack}, must be {stack} (TTS-STK-02)"),
        ("save", not 2 <= entry.save <= 10, f"is {entry.save}, must be 2 to 10"),
        ("hit", entry.hit != (8 if slow else 6), f"is {entry.hit}: 8 for shooters and the poor, else 6"),
        ("weapon", entry.weapon != "" and entry.weapon not in weapons, f"{entry.weapon!r} is not in {WEAPONS_FILE}"),
        ("ammo", (entry.ammo > 0) != (entry.weapon != ""), f"is {entry.ammo}: goes with a weapon, and only with one"),
        ("arc", entry.arc != "" and entry.weapon == "", "without a weapon"),
        ("flags", bool(entry.flags - flags), f"unknown: {', '.join(sorted(entry.flags - flags))}"),
        ("cost", entry.cost < 1, f"is {entry.cost}, must be at least 1"),
        ("av", entry.av != steps, f"is {entry.av}, must be {steps} for size {entry.size} (TTS-MED-02)"),
        ("scouting", entry.scouting < 0, f"is {entry.scouting}, must not be negative"),
        (
            "attested",
            not entry.attested <= set(TroopEntry.__struct_encode_fields__),
            "names a field that does not exist",
        ),
    ]


def _converted(file: str, key: str, row: Mapping[str, Any], form: type[T]) -> T:
    try:
        return convert(row, form)
    except msgspec.ValidationError as reason:
        raise BrokenInvariant(f"{file}: {key}: {reason}") from None


def _record(file: str, key: str, row: Any) -> dict[str, Any]:
    if not isinstance(row, dict):
        raise BrokenInvariant(f"{file}: {key}: must be a table")
    return row


def _require_keys(file: str, table: Mapping[Any, Any], keys: set[str]) -> None:
    """Refuse a table that has other keys than these."""
    if set(table) != keys:
        raise BrokenInvariant(f"{file}: has {', '.join(sorted(table))}, must have {', '.join(sorted(keys))}")


def _require_rules(file: str, rules: Mapping[str, str], fields: set[str]) -> None:
    """Refuse a table in which a value has no rule ID."""
    _require_keys(f"{file}: rules", rules, fields)
    for name, rule in rules.items():
        if not str(rule).startswith("TTS-"):
            raise BrokenInvariant(f"{file}: rules: {name}: {rule!r} is not a rule ID")
