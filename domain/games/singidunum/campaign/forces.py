"""What an army is to a campaign: counters that cost their strength, and what became of them in a battle (CAM-INT)."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.basics.decoding import convert
from domain.basics.errors import Refusal
from domain.contract.campaign_book import LOST, UNIT, WORN, Element, Recruit
from domain.games.singidunum.state.roster import ABILITIES, PROFILES, cost
from domain.games.singidunum.state.scenario import CODE, LONGEST_NAME, MOST_UNITS, bad, load
from domain.games.singidunum.state.scenario_file import HexUnitGiven
from domain.games.singidunum.state.state import State

GROUP = "I"
"""The group of every unit: an army of this game has no parts."""
BETWEEN = "-"
"""What stands before an ability in the name of a counter: `sc6-impact`."""
Name = Annotated[str, Meta(max_length=LONGEST_NAME)]


class CounterRow(Struct, frozen=True, forbid_unknown_fields=True):
    """A unit of an army file."""

    id: str
    type: str
    strength: int
    abilities: tuple[str, ...] = ()

    @property
    def as_unit(self) -> HexUnitGiven:
        """The unit of a scenario, still to be deployed."""
        return HexUnitGiven(self.id, self.type, self.strength, abilities=self.abilities)


class CounterArmy(Struct, frozen=True, forbid_unknown_fields=True):
    """An army: its name in English and French, and its counters."""

    name: Name = ""
    name_fr: Name = ""
    units: Annotated[tuple[CounterRow, ...], Meta(min_length=1, max_length=MOST_UNITS)] = ()
    ruleset: str = CODE


def read(table: Mapping[str, Any]) -> CounterArmy:
    """An army from its file, ids in capitals.

    Rule:    CAM-INT, PRG-SCN-01
    Raises:  Refusal singidunum.bad-scenario with the key at fault
    """
    try:
        army = convert({"units": [], **table}, CounterArmy)
    except msgspec.ValidationError as error:
        found, _, path = str(error).partition(" - at ")
        raise bad(path.strip("`$.") or "units", "shape", found=found) from None
    units = [msgspec.to_builtins(each.as_unit) for each in army.units]
    load({"ruleset": army.ruleset, "sides": {"south": {"name": army.name, "units": units}, "north": {}}})
    return replace(army, units=tuple(replace(each, id=each.id.upper()) for each in army.units))


def roster(army: CounterArmy) -> tuple[Element, ...]:
    """The units in the order of the file; there are no leaders, generals being units.

    Rule:    CAM-INT
    """
    return tuple(_element(each.id, each.type, each.strength, each.abilities) for each in army.units)


def _element(name: str, type_: str, strength: int, abilities: Sequence[str]) -> Element:
    """A unit: as the counter that it is of, its strength and what it costs (PRG-ARM-02)."""
    points = cost(type_, strength, abilities, paid_asterisk=False)
    return Element(name, UNIT, GROUP, counter(type_, strength, abilities), str(strength), points)


def counter(type_: str, strength: int, abilities: Sequence[str] = ()) -> str:
    """The name of a counter in an order: `hi7`, `sc6-impact-ties`."""
    return BETWEEN.join((f"{type_}{strength}".lower(), *abilities))


def unit_of(each: Element) -> CounterRow:
    """The counter that a unit is now: that of its name, at its present strength."""
    type_, abilities = _of(each.troop)
    return CounterRow(each.id, type_, int(each.label), abilities)


def _of(troop: str) -> tuple[str, tuple[str, ...]]:
    """Type and abilities of a counter."""
    name, *abilities = troop.split(BETWEEN)
    return name[:2].upper(), tuple(abilities)


def promoted(army: CounterArmy, unit: Element) -> Element | None:
    """A unit at the next strength that is printed for its type; None at the highest.

    Rule:    CAM-CAR-07
    """
    now = unit_of(unit)
    better = min((one for one in PROFILES[now.type].strengths if one > now.strength), default=None)
    if better is None:
        return None
    return replace(unit, label=str(better), points=cost(now.type, better, now.abilities, paid_asterisk=False))


def recruit(army: CounterArmy, now: Sequence[Element], wanted: Recruit) -> Element:
    """A counter that joins. There are as many of each as the game prints for a side; an extension that none of the army
    is of has none.

    Rule:    CAM-INT, PRG-ARM-08
    Raises:  Refusal campaign.not-on-list, campaign.too-many-of-line
    """
    printed = _printed(army)
    if wanted.troop not in printed or wanted.quality:
        raise Refusal("campaign.not-on-list", "CAM-INT", troop=wanted.troop, quality=wanted.quality)
    type_, strength, abilities = printed[wanted.troop]
    most = PROFILES[type_].strengths.count(strength)
    alike = [each for each in now if each.kind == UNIT and _of(each.troop)[0] == type_ and each.label == str(strength)]
    if len(alike) >= most:
        raise Refusal("campaign.too-many-of-line", "CAM-INT", troop=wanted.troop, most=most)
    return _element(wanted.id, type_, strength, abilities)


def _printed(army: CounterArmy) -> dict[str, tuple[str, int, tuple[str, ...]]]:
    """The counters that an army may have, by their names."""
    extensions = {PROFILES[each.type].module for each in army.units} | {""}
    return {
        counter(key, strength, abilities): (key, strength, abilities)
        for key, profile in PROFILES.items()
        if profile.module in extensions
        for strength in profile.strengths
        for abilities in _choices(ABILITIES.get(key, ()))
    }


def _choices(abilities: Sequence[str]) -> list[tuple[str, ...]]:
    """Every choice of some abilities, in their order."""
    chosen: list[tuple[str, ...]] = [()]
    for ability in abilities:
        chosen += [(*others, ability) for others in chosen]
    return chosen


def fates(state: State) -> dict[str, str]:
    """What became of units that are not whole: the eliminated are lost, those who have fled are worn.

    Rule:    CAM-INT, PRG-CBT-05, PRG-MOV-08
    """
    return {unit.id: WORN if unit.alive else LOST for unit in state.units.values() if not unit.in_play}
