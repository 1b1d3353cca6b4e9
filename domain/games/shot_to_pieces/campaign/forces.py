"""What an army is to a campaign: units and generals of a period, and what became of them in a battle (CAM-INT)."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.basics.decoding import convert
from domain.basics.errors import Refusal
from domain.contract.campaign_book import DEAD, LEADER, LOST, UNIT, WORN, Element, Recruit
from domain.games.shot_to_pieces.state.profiles import period
from domain.games.shot_to_pieces.state.scenario import load
from domain.games.shot_to_pieces.state.scenario_checks import LONGEST_NAME, MOST_CORPS, bad
from domain.games.shot_to_pieces.state.scenario_file import UNSAID, CorpsGiven, GeneralGiven, Period, UnitGiven
from domain.games.shot_to_pieces.state.state import State
from domain.games.shot_to_pieces.state.vocabulary import CODE, QUALITIES, STATUSES

NORMAL = "normal"
RANK_AND_FILE = "line"
"""The status in which units are hired."""
HIRED = ("", "standard")
"""The words of an order for it."""
REPLACED = "-"
"""What stands between a general's id and the number of a stand-in."""
ENEMY = {"name": "", "corps": [{"id": "ENEMY", "units": [{"id": "ENEMY-1", "type": "infantry"}]}]}
"""Somebody to fight against, so that an army can be looked at as in a scenario; every period has infantry."""
Name = Annotated[str, Meta(max_length=LONGEST_NAME)]


class CorpsArmy(Struct, frozen=True, forbid_unknown_fields=True):
    """An army: its period, its name in English and French, and its corps as in a scenario, nobody placed."""

    period: Period
    name: Name = ""
    name_fr: Name = ""
    corps: Annotated[tuple[CorpsGiven, ...], Meta(min_length=1, max_length=MOST_CORPS)] = ()
    ruleset: str = CODE


def read(table: Mapping[str, Any]) -> CorpsArmy:
    """An army from its file, ids in capitals; places on a table are none of its business.

    Rule:    CAM-INT, STP-SCN-01
    Raises:  Refusal stp.bad-scenario with `key` and `fault`
    """
    try:
        army = convert({"corps": [], **table}, CorpsArmy)
    except msgspec.ValidationError as error:
        key = str(error).partition(" - at `$")[2].rstrip("`").lstrip(".") or "the file"
        raise bad(key, "shape", found=str(error).partition(" - at ")[0]) from None
    if army.ruleset != CODE:
        raise bad("ruleset", "shape", found=army.ruleset[:40])
    corps = [_without_places(one) for one in army.corps]
    south = {"name": army.name, "corps": msgspec.to_builtins(corps)}
    opened = load({"ruleset": CODE, "title": "", "period": army.period, "sides": {"south": south, "north": ENEMY}})
    return replace(army, corps=tuple(_without_places(one) for one in opened.sides["south"].corps))


def _without_places(corps: CorpsGiven) -> CorpsGiven:
    """A corps that is still to be deployed."""
    general = corps.general and replace(corps.general, at=None)
    units = tuple(replace(unit, at=None, cover="", facing=UNSAID) for unit in corps.units)
    return replace(corps, general=general, units=units, goal=None, size=0)


def units_of(army: CorpsArmy) -> Iterator[tuple[str, UnitGiven]]:
    """Every unit with the corps that it is in."""
    return ((corps.id, unit) for corps in army.corps for unit in corps.units)


def roster(army: CorpsArmy) -> tuple[Element, ...]:
    """Units in the order of the file, then generals; they have no prices.

    Rule:    CAM-INT
    """
    units = (Element(unit.id, UNIT, corps, unit.type, unit.status) for corps, unit in units_of(army))
    return (*units, *(_leader(corps.id, corps.general) for corps in army.corps if corps.general))


def _leader(corps: str, general: GeneralGiven) -> Element:
    return Element(general.id, LEADER, corps, label=general.quality, attached=general.with_)


def general_of(army: CorpsArmy, leader: str) -> GeneralGiven:
    """The general of the file whom a leader is, or stands in for."""
    generals = {corps.general.id: corps.general for corps in army.corps if corps.general}
    return generals.get(leader) or generals[leader.rpartition(REPLACED)[0]]


def promoted(army: CorpsArmy, unit: Element) -> Element | None:
    """A unit of the next better status that its period has; None of the best.

    Rule:    CAM-CAR-07
    """
    better = STATUSES[: STATUSES.index(unit.label)]
    known = [status for status in better if status in period(army.period).statuses]
    return replace(unit, label=known[-1]) if known else None


def stand_in(army: CorpsArmy, leader: Element, name: str, unit: str) -> Element:
    """Who follows a general: no better than most, and no better than they were.

    Rule:    CAM-CAR-05
    """
    general = plain(general_of(army, leader.id))
    return _leader(leader.group, replace(general, id=name, with_=unit))


def plain(general: GeneralGiven) -> GeneralGiven:
    """A general who is wounded, or somebody in their place: without what they can do better than most."""
    return replace(general, quality=min(general.quality, NORMAL, key=QUALITIES.index))


def recruit(army: CorpsArmy, now: Sequence[Element], wanted: Recruit) -> Element:
    """A unit of the line that joins: of a type of which the army has fewer than it began with.

    Rule:    CAM-INT
    Raises:  Refusal campaign.not-on-list, campaign.too-many-of-line
    """
    most = Counter(unit.type for _, unit in units_of(army))[wanted.troop]
    if not most or wanted.quality not in HIRED:
        raise Refusal("campaign.not-on-list", "CAM-INT", troop=wanted.troop, quality=wanted.quality)
    if Counter(each.troop for each in now if each.kind == UNIT)[wanted.troop] >= most:
        raise Refusal("campaign.too-many-of-line", "CAM-INT", troop=wanted.troop, most=most)
    return Element(wanted.id, UNIT, wanted.group, wanted.troop, RANK_AND_FILE)


def fates(state: State) -> dict[str, str]:
    """What became of units and generals who are not whole or well: who is BRITTLE at the end is worn, on the table or
    off it.

    Rule:    CAM-INT, STP-RES-07
    """
    units = {unit.id: WORN if unit.alive else LOST for unit in state.units.values() if not unit.alive or unit.brittle}
    return units | {general.id: DEAD for general in state.generals.values() if not general.alive}
