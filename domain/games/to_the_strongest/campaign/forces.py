"""What an army is to a campaign: units and leaders with their prices, and what became of them in a battle (CAM-TTS)."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.contract.campaign_book import DEAD, HURT, LEADER, LOST, UNIT, WORN, Element, Recruit
from domain.games.to_the_strongest.armies.army import (
    ArmyFile,
    ArmyGeneral,
    ArmyUnit,
    general_price,
    list_of,
    quality_of,
    read_army,
    troop_of,
    unit_price,
    units_of,
)
from domain.games.to_the_strongest.armies.lists import Troop, most_units
from domain.games.to_the_strongest.state.state import State

HERO = " hero"
"""What the label of a unit with a hero ends with."""
STEPS = {"raw": "standard", "standard": "veteran", "veteran": "veteran" + HERO}
"""What a unit becomes that has earned it (CAM-TTS-04)."""
HIRED = ("standard", "raw")
"""The qualities that an order may hire (CAM-TTS-06)."""
COMMANDER = "commander"
SERIOUS = "serious"
REPLACED = "-"
"""What stands between a leader's id and the number of a stand-in."""


def read(table: Mapping[str, Any]) -> ArmyFile:
    """An army from its file.

    Raises: Refusal as `read_army`
    """
    return read_army({"ruleset": "tts", **table})


def roster(army: ArmyFile) -> tuple[Element, ...]:
    """Units in the order of the file, then leaders.

    Rule:    CAM-TTS-01
    """
    return (*_units(army), *(_leader(corps.id, corps.general) for corps in army.corps if corps.general))


def _units(army: ArmyFile) -> Iterator[Element]:
    entry = list_of(army)
    for corps in army.corps:
        for unit in corps.units:
            troop = troop_of(entry, unit.troop)
            if troop is not None:
                label = quality_of(unit, troop) + (HERO if unit.hero else "")
                yield Element(unit.id, UNIT, corps.id, unit.troop, label, unit_price(unit, troop))


def _leader(corps: str, general: ArmyGeneral) -> Element:
    return Element(general.id, LEADER, corps, points=general_price(general), attached=general.attached)


def promoted(army: ArmyFile, unit: Element) -> Element | None:
    """A unit one step better, at its higher price; None at the top.

    Rule:    CAM-TTS-04
    """
    label = STEPS.get(unit.label)
    troop = troop_of(list_of(army), unit.troop)
    if label is None or troop is None:
        return None
    given = next((each for each in units_of(army) if each.id == unit.id), ArmyUnit(unit.id, unit.troop))
    better = replace(given, quality=label.removesuffix(HERO), hero=label.endswith(HERO))
    return replace(unit, label=label, points=unit_price(better, troop))


def stand_in(army: ArmyFile, leader: Element, name: str, unit: str) -> Element:
    """Who follows a leader: on the same horse, without traits but that of the commander.

    Rule:    CAM-CAR-05
    """
    general = replace(general_of(army, leader.id), id=name, attached=unit)
    kept = tuple(trait for trait in general.traits if trait == COMMANDER)
    return _leader(leader.group, replace(general, traits=kept))


def general_of(army: ArmyFile, leader: str) -> ArmyGeneral:
    """The general of the file whom a leader is, or stands in for."""
    first = leader.partition(REPLACED)[0]
    return next(corps.general for corps in army.corps if corps.general and corps.general.id == first)


def recruit(army: ArmyFile, now: Sequence[Element], wanted: Recruit) -> Element:
    """A unit that joins.

    Rule:    CAM-TTS-06
    Raises:  Refusal campaign.not-on-list, campaign.too-many-of-line
    """
    entry = list_of(army)
    troop = troop_of(entry, wanted.troop)
    quality = _hired(troop, wanted.quality) if troop else ""
    if troop is None or not quality:
        raise Refusal("campaign.not-on-list", "CAM-TTS-06", troop=wanted.troop, quality=wanted.quality)
    most = most_units(troop, army.size) if entry else troop.most
    if Counter(each.troop for each in now if each.kind == UNIT)[wanted.troop] >= most:
        raise Refusal("campaign.too-many-of-line", "CAM-TTS-06", troop=wanted.troop, most=most)
    points = unit_price(ArmyUnit(wanted.id, wanted.troop, quality), troop)
    return Element(wanted.id, UNIT, wanted.group, wanted.troop, quality, points)


def _hired(troop: Troop, wanted: str) -> str:
    """The quality that a line is hired in; "" if not in that one: veterans are made, unless a line knows no others."""
    if not set(troop.qualities) & set(HIRED):
        return troop.qualities[0] if wanted in ("", troop.qualities[0]) else ""
    known = [quality for quality in HIRED if quality in troop.qualities]
    return known[0] if not wanted else wanted if wanted in known else ""


def fates(state: State) -> dict[str, str]:
    """What became of units and generals who are not whole or well.

    Rule:    CAM-TTS-02
    """
    units = {
        unit.id: LOST if not unit.alive else WORN for unit in state.units.values() if not unit.alive or unit.losses
    }
    generals = {
        general.id: HURT if general.alive else DEAD
        for general in state.generals.values()
        if not general.alive or general.wound == SERIOUS
    }
    return units | generals
