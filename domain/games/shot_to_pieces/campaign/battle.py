"""The battle between the forces of a campaign: their corps, still to be deployed, on a ground (CAM-INT)."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.contract.campaign_book import LEADER, UNIT, Element, Fielded, Ground
from domain.games.shot_to_pieces.campaign.forces import general_of, plain, units_of
from domain.games.shot_to_pieces.campaign.ground import terrain_of
from domain.games.shot_to_pieces.state.scenario_file import UNSAID, CorpsGiven, GeneralGiven, UnitGiven
from domain.games.shot_to_pieces.state.vocabulary import CODE, KEYWORDS
from domain.mechanics.naming import free_name

NOTHING: tuple[Any, ...] = (None, "", 0, UNSAID, [], ())
"""The values of members that a scenario need not have."""
Names = dict[tuple[str, str], str]
"""Force and element, and the id that the element has in the battle."""


def battle(
    south: Sequence[Fielded], north: Sequence[Fielded], ground: Ground | None, title: str, options: Mapping[str, Any]
) -> tuple[dict[str, Any], Names]:
    """The scenario between forces, and what their elements are called in it: both deploy.

    Corps of which nobody fights are left out. An id that is taken gets the first free number. Of the forces of a side
    the first with a commander leads. The period is that of the first force.

    Rule:    CAM-INT, CAM-CAR-04, STP-GAP-02
    """
    terrain = list(terrain_of(ground)) if ground else []
    taken, names = {piece["id"] for piece in terrain}, Names()
    sides = {side: _side(forces, taken, names) for side, forces in (("south", south), ("north", north))}
    return {
        "ruleset": CODE,
        "title": title,
        "period": south[0].army.period,
        "options": dict(options),
        "terrain": terrain,
        "sides": sides,
    }, names


def _side(forces: Sequence[Fielded], taken: set[str], names: Names) -> dict[str, Any]:
    """A side by the name of its first force."""
    corps, is_led = list[CorpsGiven](), False
    for force in forces:
        named = _named(force, taken, names)
        own = [_as_it_is(force, one, named, is_led=is_led) for one in _fighting(force)]
        is_led = is_led or any(one.general and one.general.commander for one in own)
        corps += own
    army = forces[0].army
    return {"name": army.name, "name_fr": army.name_fr, "corps": list(map(_told, msgspec.to_builtins(corps)))}


def _told(table: dict[str, Any]) -> dict[str, Any]:
    """A table with what it says, without what is left at its default."""
    said = {key: _told(value) if isinstance(value, dict) else value for key, value in table.items()}
    said |= {"units": list(map(_told, said["units"]))} if "units" in said else {}
    return {key: value for key, value in said.items() if value not in NOTHING}


def _fighting(force: Fielded) -> list[CorpsGiven]:
    """The corps of which somebody fights."""
    groups = {each.group for each in force.elements if each.kind == UNIT}
    return [corps for corps in force.army.corps if corps.id in groups]


def _named(force: Fielded, taken: set[str], names: Names) -> dict[str, str]:
    """What the corps and elements of a force are called."""
    named = dict[str, str]()
    elements = [each.id for each in force.elements]
    for was in (*(corps.id for corps in _fighting(force)), *elements):
        is_free = was not in taken and was not in KEYWORDS
        named[was] = was if is_free else free_name(f"{was}X" if was in KEYWORDS else was, taken, elements)
        taken.add(named[was])
    names |= {(force.id, was): named[was] for was in elements}
    return named


def _as_it_is(force: Fielded, corps: CorpsGiven, named: Mapping[str, str], *, is_led: bool) -> CorpsGiven:
    """A corps as it takes the field."""
    own = [each for each in force.elements if each.group == corps.id]
    units = tuple(_unit(force, each, named) for each in own if each.kind == UNIT)
    leader = next((each for each in own if each.kind == LEADER), None)
    general = _general(force, leader, units, named, is_led=is_led) if leader else None
    return replace(corps, id=named[corps.id], units=units, general=general, size=0)


def _unit(force: Fielded, each: Element, named: Mapping[str, str]) -> UnitGiven:
    """A unit with the status that it has earned; who has joined has nothing beside."""
    given = next((unit for _, unit in units_of(force.army) if unit.id == each.id), UnitGiven(each.id, each.troop))
    return replace(given, id=named[each.id], status=each.label)


def _general(
    force: Fielded, leader: Element, units: Sequence[UnitGiven], named: Mapping[str, str], *, is_led: bool
) -> GeneralGiven:
    """A general, or a stand-in; with the first unit of the corps that fights where their own does not."""
    given = general_of(force.army, leader.id)
    if leader.id != given.id or leader.id in force.resting:
        given = replace(plain(given), name="", name_fr="") if leader.id != given.id else plain(given)
    fighting = [unit.id for unit in units]
    unit = named.get(leader.attached, "")
    attached = unit if unit in ("", *fighting) else fighting[0]
    return replace(given, id=named[leader.id], with_=attached, commander=given.commander and not is_led)
