"""Fold the events of forces and maps: facts are copied, and no rule is asked."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from domain.campaign.theatre.events import (
    AreaTaken,
    CityFell,
    ElementFared,
    ElementPromoted,
    EncounterMade,
    ForceAvoided,
    ForceHungry,
    ForceLost,
    ForceMoved,
    ForceRetreated,
    HonourWon,
    IncomeTaken,
    LeaderRansomed,
    LeaderReplaced,
    PointsGiven,
    SiegeRaised,
    SiegeRolled,
    UnitDismissed,
    UnitLost,
    UnitRaised,
)
from domain.campaign.theatre.state import ElementState, Theatre, gone
from domain.contract.campaign_book import FIT, GONE, LEADER, UNIT, Element
from domain.events.battle import DieRolled
from domain.events.event import Event


def evolve_theatre(theatre: Theatre, event: Event) -> Theatre:
    """The theatre after an event; one that is not about it changes nothing."""
    evolution = _EVOLUTIONS.get(type(event))
    return evolution(theatre, event) if evolution else theatre


def _on_die(theatre: Theatre, event: DieRolled) -> Theatre:
    return replace(theatre, rolled={**theatre.rolled, event.scope: event.index})


# --- the ledger


def _on_fared(theatre: Theatre, event: ElementFared) -> Theatre:
    if event.sealed is not UNSET:  # nobody knows yet
        return theatre
    force = theatre.forces[event.force]
    each = replace(force.elements[event.element], now=event.now, captor="" if event.to is UNSET else event.to)
    return theatre.with_force(force.with_element(each))


def _on_replaced(theatre: Theatre, event: LeaderReplaced) -> Theatre:
    """The stand-in has the place of the leader in the roster."""
    force = theatre.forces[event.force]
    was = force.elements[event.leader]
    new = replace(was.element, id=event.by, points=event.points, attached=event.attached)
    elements = dict[str, ElementState]()
    for name, each in force.elements.items():
        elements[name] = each
        if name == event.leader:
            elements[event.by] = ElementState(new, stands_for=event.leader)
    return theatre.with_force(replace(force, elements=elements))


def _on_ransomed(theatre: Theatre, event: LeaderRansomed) -> Theatre:
    """The leader has the place again of whoever stands in for them, with the same unit."""
    force = theatre.forces[event.force]
    attached = ""
    for each in force.leaders:
        if _first(force.elements, each) == event.leader:
            attached = each.element.attached
            force = force.with_element(gone(each))
    was = force.elements[event.leader]
    back = replace(was, now=FIT, captor="", element=replace(was.element, attached=attached))
    theatre = theatre.with_force(force.with_element(back))
    power = force.power
    paid = theatre.with_treasury(power, theatre.powers[power].treasury - event.points)
    return paid.with_treasury(event.to, paid.powers[event.to].treasury + event.points)


def _first(elements: Mapping[str, ElementState], each: ElementState) -> str:
    """The leader whom a stand-in follows in the end."""
    while each.stands_for:
        each = elements[each.stands_for]
    return each.element.id


def _on_honour(theatre: Theatre, event: HonourWon) -> Theatre:
    force = theatre.forces[event.force]
    if event.element not in force.elements:  # raised in the fog
        return theatre
    return theatre.with_force(force.with_element(replace(force.elements[event.element], honours=event.total)))


def _on_promoted(theatre: Theatre, event: ElementPromoted) -> Theatre:
    force = theatre.forces[event.force]
    if event.element not in force.elements:  # raised in the fog
        return theatre
    was = force.elements[event.element]
    better = replace(was.element, label=event.now, points=event.points)
    return theatre.with_force(force.with_element(replace(was, element=better, steps=was.steps + 1)))


def _on_raised(theatre: Theatre, event: UnitRaised) -> Theatre:
    """A recruit is the last unit of the roster: leaders follow units."""
    force = theatre.forces[event.force]
    new = ElementState(Element(event.unit, UNIT, event.group, event.troop, event.quality, event.points))
    units = {name: each for name, each in force.elements.items() if each.element.kind == UNIT}
    leaders = {name: each for name, each in force.elements.items() if each.element.kind == LEADER}
    theatre = theatre.with_force(replace(force, elements={**units, event.unit: new, **leaders}))
    return theatre.with_treasury(force.power, event.treasury)


def _on_unit_gone(theatre: Theatre, event: UnitDismissed | UnitLost) -> Theatre:
    force = theatre.forces[event.force]
    return theatre.with_force(force.with_element(gone(force.elements[event.unit])))


def _on_points(theatre: Theatre, event: PointsGiven) -> Theatre:
    return theatre.with_treasury(event.entrant, event.total)


# --- the map


def _on_moved(theatre: Theatre, event: ForceMoved | ForceAvoided | ForceRetreated) -> Theatre:
    return theatre.with_force(replace(theatre.forces[event.force], area=event.to, came=event.from_))


def _on_encounter(theatre: Theatre, event: EncounterMade) -> Theatre:
    return replace(theatre, encounters={**theatre.encounters, event.area: event})


def _on_force_lost(theatre: Theatre, event: ForceLost) -> Theatre:
    force = theatre.forces[event.force]
    units = {name: replace(each, now=GONE) if each.is_here else each for name, each in force.elements.items()}
    return theatre.with_force(replace(force, elements=units, area="", is_lost=True))


def _on_taken(theatre: Theatre, event: AreaTaken | CityFell) -> Theatre:
    return theatre.with_area(replace(theatre.areas[event.area], owner=event.power, siege=0))


def _on_siege(theatre: Theatre, event: SiegeRolled) -> Theatre:
    return theatre.with_area(replace(theatre.areas[event.area], siege=event.turns))


def _on_raised_siege(theatre: Theatre, event: SiegeRaised) -> Theatre:
    return theatre.with_area(replace(theatre.areas[event.area], siege=0))


def _on_hungry(theatre: Theatre, event: ForceHungry) -> Theatre:
    theatre = theatre.with_force(replace(theatre.forces[event.force], hungry=event.turns))
    return replace(theatre, unfed=theatre.unfed | {event.force})


def _on_income(theatre: Theatre, event: IncomeTaken) -> Theatre:
    """Supply has been looked at before: whoever was not found hungry is fed."""
    for force in theatre.forces.values():
        if force.hungry and not force.is_lost and force.id not in theatre.unfed:
            theatre = theatre.with_force(replace(force, hungry=0))
    return theatre.with_treasury(event.power, event.treasury)


_EVOLUTIONS: Mapping[type[Event], Callable[[Theatre, Any], Theatre]] = {
    DieRolled: _on_die,
    ElementFared: _on_fared,
    LeaderReplaced: _on_replaced,
    LeaderRansomed: _on_ransomed,
    HonourWon: _on_honour,
    ElementPromoted: _on_promoted,
    UnitRaised: _on_raised,
    UnitDismissed: _on_unit_gone,
    UnitLost: _on_unit_gone,
    PointsGiven: _on_points,
    EncounterMade: _on_encounter,
    ForceMoved: _on_moved,
    ForceAvoided: _on_moved,
    ForceRetreated: _on_moved,
    ForceLost: _on_force_lost,
    AreaTaken: _on_taken,
    CityFell: _on_taken,
    SiegeRolled: _on_siege,
    SiegeRaised: _on_raised_siege,
    ForceHungry: _on_hungry,
    IncomeTaken: _on_income,
}
