"""An army as a player brings it: its price and its worth.

An army is a player's file: a list, a size in points, and corps with their general, camp and units.
Each unit names its line of the list (`troop`); in an army without a list, a type of the catalogue.
`army_checks` determines whether the army is legal; its cost is computed here even if it is not.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.basics.decoding import convert
from domain.basics.errors import Refusal
from domain.games.to_the_strongest.armies.lists import USUAL_SIZE, ArmyList, Troop, army_list
from domain.games.to_the_strongest.state.roster import (
    CAMP_VP,
    EXTRAS,
    PROFILES,
    QUALITIES,
    camp_cost,
    general_cost,
    general_victory_points,
    starting_medals,
    unit_cost,
    unit_victory_points,
)
from domain.games.to_the_strongest.state.scenario import IMPLIED
from domain.games.to_the_strongest.state.scenario_limits import LENGTHS

RULE = "TTS-CAT-04"
Number = Annotated[int, Meta(ge=0, le=1000)]
"""A number in a player's file; the checks determine which numbers are allowed."""
Name = Annotated[str, Meta(max_length=100)]
Names = Annotated[tuple[str, ...], Meta(max_length=20)]


# --- the file


class ArmyUnit(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A unit; `quality` "" is the usual one of its line."""

    id: Name
    troop: Name
    quality: Name = ""
    hero: bool = False
    extras: Names = ()


class ArmyGeneral(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A general: attached to a unit of their corps, or detached ("")."""

    id: Name
    attached: Name = ""
    mounted: bool = False
    traits: Names = ()


class ArmyCamp(Struct, frozen=True, forbid_unknown_fields=True):
    """A camp and its number of fortified sides; of several boxes, if camps are joined (TTS-CMP-04)."""

    fortified: Number = 0
    boxes: Annotated[int, Meta(ge=1, le=10)] = 1


class ArmyCorps(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A corps."""

    id: Name
    name: Name = ""
    general: ArmyGeneral | None = None
    camp: ArmyCamp | None = None
    units: Annotated[tuple[ArmyUnit, ...], Meta(max_length=LENGTHS["units"])] = ()


class ArmyFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A whole army file; `list` "" is an army that follows none."""

    ruleset: Name = "tts"
    list: Name = ""
    name: Name = ""
    size: Number = USUAL_SIZE
    corps: Annotated[tuple[ArmyCorps, ...], Meta(max_length=LENGTHS["corps"])] = ()


# --- what it costs


class Item(Struct, frozen=True):
    """An item that costs points: `kind` is unit, general or camp; `rank` its quality and extras, a general's traits, or
    "fortified" for each such side. A camp has the id of its corps; of joined camps each box is paid for by itself."""

    kind: str
    id: str
    troop: str
    type: str
    rank: tuple[str, ...]
    points: int
    vp: int
    scouting: int


class CorpsBill(Struct, frozen=True):
    """A corps with what it costs; `scouting` in quarter points."""

    id: str
    name: str
    points: int
    vp: int
    scouting: int
    items: tuple[Item, ...]


class Bill(Struct, frozen=True):
    """The cost and worth of an army, and the medals with which it begins."""

    points: int
    size: int
    vp: int
    medals: int
    scouting: int
    corps: tuple[CorpsBill, ...]


def read_army(table: Mapping[str, Any]) -> ArmyFile:
    """An army (parsed TOML or JSON), ids in capitals as in every order.

    Rule:    TTS-ORD-01
    Raises:  Refusal tts.bad-army with `key` and `fault`; tts.no-such-army-list
    """
    try:
        army = convert(dict(table), ArmyFile)
    except msgspec.ValidationError as error:
        fault, _, place = str(error).partition(" - at `$")
        raise Refusal("tts.bad-army", RULE, key=place.rstrip("`").lstrip(".") or "the file", fault=fault) from None
    if army.ruleset != "tts":
        raise Refusal("tts.bad-army", RULE, key="ruleset", fault="is not tts")
    list_of(army)
    return replace(army, corps=tuple(_in_capitals(corps) for corps in army.corps))


def list_of(army: ArmyFile) -> ArmyList | None:
    """The list that an army follows.

    Raises:  Refusal tts.no-such-army-list
    """
    return army_list(army.list) if army.list else None


def troop_of(entry: ArmyList | None, name: str) -> Troop | None:
    """A line of a list; without a list, a line that allows a type of the catalogue whatever the rules allow."""
    if entry is not None:
        return entry.troops.get(name)
    if name not in PROFILES:
        return None
    profile = PROFILES[name]
    qualities = ("raw",) if profile.quality == "raw" else ("standard", "veteran", "raw")
    return Troop(
        type=name,
        name=profile.name,
        name_fr=profile.name_fr,
        qualities=qualities,
        most=10**6,
        extras=tuple(EXTRAS),
        hero=True,
    )


def units_of(army: ArmyFile) -> Iterator[ArmyUnit]:
    """Every unit, corps by corps."""
    for corps in army.corps:
        yield from corps.units


def quality_of(unit: ArmyUnit, troop: Troop) -> str:
    """The quality of a unit: its own, else the usual one of its line."""
    return unit.quality or troop.qualities[0]


def traits_of(general: ArmyGeneral) -> frozenset[str]:
    """The traits of a general, including those they imply.

    Rule:    TTS-GEN-01
    """
    return frozenset(general.traits).union(*(IMPLIED.get(trait, set()) for trait in general.traits))


def price(army: ArmyFile) -> Bill:
    """The cost of an army, item by item. Items unknown to the catalogue cost nothing: `army_checks` names them.

    Rule:    TTS-CAT-01, TTS-CAT-02, TTS-CAT-03, TTS-MED-01, TTS-SCT-01
    """
    entry = list_of(army)
    corps = tuple(_corps_bill(entry, one) for one in army.corps)
    vp = sum(one.vp for one in corps)
    return Bill(
        sum(one.points for one in corps),
        army.size,
        vp,
        starting_medals(vp),
        sum(one.scouting for one in corps),
        corps,
    )


def unit_price(unit: ArmyUnit, troop: Troop) -> int:
    """Points of a unit of a line.

    Rule:    TTS-CAT-01, TTS-CAT-02, TTS-CAT-03
    """
    quality = quality_of(unit, troop)
    known = {extra for extra in unit.extras if extra in EXTRAS}
    return unit_cost(PROFILES[troop.type], quality if quality in QUALITIES else None, known, hero=unit.hero)


def general_price(general: ArmyGeneral) -> int:
    """Points of a general.

    Rule:    TTS-CAT-03
    """
    return general_cost(general.traits, detached=not general.attached, mounted=general.mounted)


def _corps_bill(entry: ArmyList | None, corps: ArmyCorps) -> CorpsBill:
    items = tuple(_items(entry, corps))
    return CorpsBill(
        corps.id,
        corps.name,
        sum(item.points for item in items),
        sum(item.vp for item in items),
        sum(item.scouting for item in items),
        items,
    )


def _items(entry: ArmyList | None, corps: ArmyCorps) -> Iterator[Item]:
    general, camp = corps.general, corps.camp
    if general:
        points, vp = general_price(general), general_victory_points(general.traits)
        rank = (
            "attached" if general.attached else "detached",
            *(("mounted",) if general.mounted else ()),
            *general.traits,
        )
        yield Item("general", general.id, "", "", rank, points, vp, 0)
    if camp:
        for box in range(camp.boxes):
            sides = 0 if box else camp.fortified
            yield Item("camp", corps.id, "", "", ("fortified",) * sides, camp_cost(sides), CAMP_VP, 0)
    for unit in corps.units:
        yield _unit_item(troop_of(entry, unit.troop), unit)


def _unit_item(troop: Troop | None, unit: ArmyUnit) -> Item:
    if troop is None:
        return Item("unit", unit.id, unit.troop, "", (), 0, 0, 0)
    profile, quality = PROFILES[troop.type], quality_of(unit, troop)
    rank = (quality, *unit.extras, *(("hero",) if unit.hero else ()))
    scouting = profile.scouting // 2 if quality == "raw" else profile.scouting
    vp = unit_victory_points(profile, unit.extras)
    return Item("unit", unit.id, unit.troop, troop.type, rank, unit_price(unit, troop), vp, scouting)


def _in_capitals(corps: ArmyCorps) -> ArmyCorps:
    general = corps.general
    if general:
        general = replace(general, id=general.id.upper(), attached=general.attached.upper())
    units = tuple(replace(unit, id=unit.id.upper()) for unit in corps.units)
    return replace(corps, id=corps.id.upper(), general=general, units=units)
