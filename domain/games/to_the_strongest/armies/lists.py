"""The army lists: peoples and the troops they can field.

An army list is data: `domain/games/to_the_strongest/data/armies/KEY.toml`, one file for each people, in the order
of `armies.toml`. It names the troops that a people had by their own word, which type of the catalogue
each is (TTS-CAT-01), and how many units of it an army of 130 points may have. The lists are ours, built
from general history. They are read when they are first asked for; a fault in one names file, record
and field.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

import msgspec
from msgspec import Struct

from domain.basics.data import read_toml
from domain.basics.decoding import convert
from domain.basics.errors import BrokenInvariant, Refusal
from domain.games.to_the_strongest.state.records import Profile
from domain.games.to_the_strongest.state.roster import EXTRAS, LEAST_CAMPS, MOST_CAMPS, PROFILES, QUALITIES

FOLDER = "armies"
INDEX = "armies.toml"

USUAL_SIZE = 130
PRESETS = (100, 130, 160, 200)
SIZES = range(80, 251)
"""Sizes for which the numbers of a list are still meaningful, and five corps hold what can be bought."""
CORPS = range(2, 6)
UNITS_IN_CORPS = range(2, 8)
MOST_SIDES = 4
EARLIEST, LATEST = -3000, 1500
REGIONS = (
    "africa",
    "near-east",
    "asia-minor",
    "greece",
    "italy",
    "western-europe",
    "britain",
    "northern-europe",
    "eastern-europe",
    "steppe",
    "india",
    "east-asia",
)
TRAITS = ("heroic", "senior")
"""What any general of a list may be allowed; brilliant and great ones are counted, the commander is chosen."""


# --- records


class Troop(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line of a list. The first quality is the usual one; `least` and `most` are units at 130 points."""

    type: str
    name: str
    name_fr: str
    qualities: tuple[str, ...] = ("standard",)
    least: int = msgspec.field(name="min", default=0)
    most: int = msgspec.field(name="max")
    extras: tuple[str, ...] = ()
    hero: bool = False


class Span(Struct, frozen=True, forbid_unknown_fields=True):
    """A range, both ends included."""

    least: int = msgspec.field(name="min")
    most: int = msgspec.field(name="max")


class GeneralsAllowed(Struct, frozen=True, forbid_unknown_fields=True):
    """The generals a people had: whether they may ride or be detached, their traits, how many of the best."""

    mounted: bool = True
    detached: bool = True
    traits: tuple[str, ...] = TRAITS
    brilliant: int = 0
    great: int = 0


class CampsAllowed(Struct, frozen=True, forbid_unknown_fields=True):
    """How many camp boxes an army has, and how many sides of each camp may be fortified."""

    least: int = msgspec.field(name="min")
    most: int = msgspec.field(name="max")
    fortified: int = 0


class ArmyList(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The troops of a people. Years before our era are negative; `troops` by key, in the order of the file."""

    key: str
    name: str
    name_fr: str
    first: int = msgspec.field(name="from")
    last: int = msgspec.field(name="to")
    region: str
    about: str
    about_fr: str
    sources: tuple[str, ...]
    corps: Span
    generals: GeneralsAllowed = GeneralsAllowed()
    camps: CampsAllowed
    troops: dict[str, Troop]


# --- what is asked of a list


def list_keys() -> tuple[str, ...]:
    """The keys of all lists, in the order of their years."""
    return tuple(army_lists())


def army_list(key: str) -> ArmyList:
    """The list of a people.

    Rule:    TTS-CAT-04
    Raises:  Refusal tts.no-such-army-list, with the known keys
    """
    found = army_lists().get(key)
    if found is None:
        raise Refusal("tts.no-such-army-list", "TTS-CAT-04", list=key, known=list_keys())
    return found


def least_units(troop: Troop, size: int) -> int:
    """The number of units of a line an army must have: that of 130 points in proportion, rounded down, but at least 1.

    Rule:    TTS-CAT-04
    Units:   size in points
    """
    return max(1, troop.least * size // USUAL_SIZE) if troop.least else 0


def most_units(troop: Troop, size: int) -> int:
    """The number of units of a line an army may have: in proportion, rounded up.

    Rule:    TTS-CAT-04
    Units:   size in points
    """
    return -(-troop.most * size // USUAL_SIZE)


def extra_fits(profile: Profile, extra: str) -> bool:
    """Whether an extra is meaningful for a troop type.

    Rule:    TTS-CAT-03
    Reading: a standard needs a formed unit; pavises cover foot that shoots; stakes are for formed foot; weapons
             are for units that do not have them yet, lances for mounted ones, two-handed ones for foot
    """
    if extra == "standard":
        return not profile.light and "artillery" not in profile.flags
    if extra == "pavise":
        return profile.foot and not profile.light and profile.shooter and not {"artillery", "wagon"} & profile.flags
    if extra == "stakes":
        return profile.foot and not profile.light and not {"elephant", "wagon"} & profile.flags
    if extra == "two_handed":
        return profile.foot and not {"two_handed", "elephant", "artillery", "wagon"} & profile.flags
    return extra == "lance" and profile.mounted and not {"lance", "scythed"} & profile.flags


# --- loading


@cache
def army_lists() -> Mapping[str, ArmyList]:
    """Every list of the package by its key, the oldest people first.

    Raises:  BrokenInvariant with file, record and field
    """
    names = read_toml("tts", INDEX)["lists"]
    lists = {name: load_list(f"tts/{FOLDER}/{name}.toml", read_toml("tts", FOLDER, f"{name}.toml")) for name in names}
    ordered = sorted(lists.values(), key=lambda entry: (entry.first, entry.last, entry.key))
    return MappingProxyType({entry.key: entry for entry in ordered})


def load_list(file: str, table: Mapping[str, Any]) -> ArmyList:
    """The list in a table of the form of the army files.

    Rule:    TTS-CAT-01, TTS-CAT-02, TTS-CAT-03, TTS-CAT-04, TTS-GEN-01, TTS-CMP-01
    Raises:  BrokenInvariant with file, record and field
    """
    try:
        entry = convert(table, ArmyList)
    except msgspec.ValidationError as reason:
        raise BrokenInvariant(f"{file}: {reason}") from None
    for record, name, wrong, why in (*_head_faults(file, entry), *_troop_faults(entry)):
        if wrong:
            raise BrokenInvariant(f"{file}: {record}: {name}: {why}")
    return entry


Fault = tuple[str, str, bool, str]
"""Possible faults: record, field, whether it is present, reason."""


def _head_faults(file: str, entry: ArmyList) -> Iterator[Fault]:
    stem = file.rpartition("/")[2].removesuffix(".toml")
    corps, camps, generals = entry.corps, entry.camps, entry.generals
    yield "list", "key", entry.key != stem, f"is {entry.key!r}, must be the name of the file"
    for name in ("name", "name_fr", "about", "about_fr"):
        yield "list", name, not getattr(entry, name).strip(), "is empty"
    yield "list", "from", not EARLIEST <= entry.first <= entry.last <= LATEST, "the years are not in order"
    yield "list", "region", entry.region not in REGIONS, f"{entry.region!r} is none of {', '.join(REGIONS)}"
    yield "list", "sources", not entry.sources, "names no source"
    yield "corps", "min", not CORPS.start <= corps.least <= corps.most < CORPS.stop, "must be 2 to 5 (TTS-CAT-04)"
    in_order = LEAST_CAMPS <= camps.least <= camps.most <= MOST_CAMPS
    yield "camps", "min", not in_order, "must be 1 to 3 (TTS-CMP-01)"
    yield "camps", "fortified", not 0 <= camps.fortified <= MOST_SIDES, "must be 0 to 4"
    yield "generals", "traits", *_unknown(generals.traits, TRAITS)
    yield "generals", "brilliant", generals.brilliant < 0, "is negative"
    yield "generals", "great", generals.great < 0, "is negative"
    yield "generals", "brilliant", generals.brilliant > 0 and not generals.detached, "such a general is detached"
    yield "list", "troops", len(entry.troops) < 2, "needs at least two"
    fewest = sum(troop.least for troop in entry.troops.values())
    yield "list", "troops", fewest > corps.most * UNITS_IN_CORPS[-1], f"{fewest} units do not fit into the corps"


def _troop_faults(entry: ArmyList) -> Iterator[Fault]:
    for key, troop in entry.troops.items():
        yield key, "type", troop.type not in PROFILES, f"no such troop type: {troop.type}"
        if troop.type not in PROFILES:
            continue
        profile = PROFILES[troop.type]
        yield key, "name", not (troop.name and troop.name_fr), "needs an English and a French name"
        yield key, "qualities", not troop.qualities, "is empty"
        yield key, "qualities", *_unknown(troop.qualities, QUALITIES)
        yield key, "qualities", profile.quality == "raw" and set(troop.qualities) != {"raw"}, "this type is always raw"
        yield key, "min", not 0 <= troop.least <= troop.most, f"is {troop.least} with max {troop.most}"
        yield key, "max", troop.most < 1, "is less than 1"
        yield key, "extras", *_unknown(troop.extras, EXTRAS)
        unfit = [extra for extra in troop.extras if not extra_fits(profile, extra)]
        yield key, "extras", bool(unfit), f"{troop.type} has no use for {', '.join(unfit)}"


def _unknown(values: Iterable[str], known: Iterable[str]) -> tuple[bool, str]:
    unknown = sorted(set(values) - set(known))
    return bool(unknown), f"unknown: {', '.join(unknown)}"
