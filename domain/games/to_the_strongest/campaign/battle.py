"""The battle between the forces of a campaign: a scenario as between armies of points, with what they are now
(CAM-TTS-01)."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from domain.contract.campaign_book import LEADER, UNIT, Element, Fielded, Ground
from domain.games.to_the_strongest.armies.army import ArmyCorps, ArmyFile, ArmyGeneral, ArmyUnit, units_of
from domain.games.to_the_strongest.armies.points_battle import battle_of, names_in, renamed
from domain.games.to_the_strongest.campaign.forces import COMMANDER, HERO, general_of

Names = dict[tuple[str, str], str]
"""Force and element, and the id that the element has in the battle."""


def battle(
    south: Sequence[Fielded], north: Sequence[Fielded], ground: Ground | None, title: str, options: Mapping[str, Any]
) -> tuple[dict[str, Any], Names]:
    """The scenario between forces, and what their elements are called in it.

    Corps of which nobody fights are left out. Ids that two forces share are renamed as between armies of points. Of the
    forces of a side the first with a commander leads.
    Without a `ground` the players place the terrain.

    Rule:    CAM-TTS-01, CAM-TTS-05, CAM-CAR-04
    """
    taken, names = set[str](), Names()
    armies: tuple[list[ArmyFile], list[ArmyFile]] = ([], [])
    for forces, side in zip((south, north), armies, strict=True):
        for force in forces:
            before = _as_it_is(force)
            if any(_commands(army) for army in side):
                before = _led_by_others(before)
            after = renamed(before, taken)
            taken |= names_in(after)
            names |= _names(force.id, before, after)
            side.append(after)
    table = battle_of(armies, title, options)
    if ground is not None:
        table["terrain"] = [{"box": box, "kind": kind} for box, kind in ground.terrain]
        table["edge"] = [{"between": [one, other], "kind": kind} for one, other, kind in ground.edges]
    return table, names


def _commands(army: ArmyFile) -> bool:
    return any(corps.general is not None and COMMANDER in corps.general.traits for corps in army.corps)


def _led_by_others(army: ArmyFile) -> ArmyFile:
    """An army whose commander serves under that of another: a side has one (TTS-SCN-02)."""
    return replace(army, corps=tuple(replace(corps, general=_serving(corps.general)) for corps in army.corps))


def _serving(general: ArmyGeneral | None) -> ArmyGeneral | None:
    traits = tuple(trait for trait in general.traits if trait != COMMANDER) if general else ()
    return replace(general, traits=traits) if general else None


def _as_it_is(force: Fielded) -> ArmyFile:
    """The army of a force as it takes the field."""
    army: ArmyFile = force.army
    fighting = {each.group for each in force.elements if each.kind == UNIT}
    return replace(army, corps=tuple(_corps(force, one) for one in army.corps if one.id in fighting))


def _corps(force: Fielded, corps: ArmyCorps) -> ArmyCorps:
    units = tuple(_unit(force.army, each) for each in force.elements if each.kind == UNIT and each.group == corps.id)
    leader = next((each for each in force.elements if each.kind == LEADER and each.group == corps.id), None)
    general = _general(force, leader, units) if leader else None
    return replace(corps, general=general, units=units)


def _unit(army: ArmyFile, each: Element) -> ArmyUnit:
    given = next((unit for unit in units_of(army) if unit.id == each.id), ArmyUnit(each.id, each.troop))
    return replace(given, quality=each.label.removesuffix(HERO), hero=each.label.endswith(HERO))


def _general(force: Fielded, leader: Element, units: Sequence[ArmyUnit]) -> ArmyGeneral:
    """A leader, or a stand-in; with the first unit of the corps that fights where their own does not. Stand-ins and who
    rests have no traits but that of the commander."""
    given = general_of(force.army, leader.id)
    is_plain = leader.id != given.id or leader.id in force.resting
    traits = tuple(trait for trait in given.traits if trait == COMMANDER) if is_plain else given.traits
    fighting = [unit.id for unit in units]
    attached = leader.attached if leader.attached in ("", *fighting) else fighting[0]
    return replace(given, id=leader.id, attached=attached, traits=traits)


def _names(force: str, before: ArmyFile, after: ArmyFile) -> Names:
    """What the elements of a force are called."""
    return {(force, was): now for was, now in zip(_ids(before), _ids(after), strict=True)}


def _ids(army: ArmyFile) -> list[str]:
    generals = [corps.general.id for corps in army.corps if corps.general]
    return [*(unit.id for unit in units_of(army)), *generals]
