"""The end of a turn on a map: ground and sieges, supply, income, recruits (CAM-MAP-12 to -17)."""

from collections.abc import Iterable

from domain.campaign.theatre.events import (
    AreaTaken,
    CityFell,
    ForceHungry,
    ForceLost,
    IncomeTaken,
    RecruitFailed,
    SiegeRaised,
    SiegeRolled,
    UnitLost,
    UnitRaised,
)
from domain.campaign.theatre.judge import TheatreJudge
from domain.campaign.theatre.orders import RecruitOrder, TurnOrders, stormers
from domain.campaign.theatre.retreat import EMPTY
from domain.campaign.theatre.roads import forces_in, is_besieged, is_closed, is_own, is_supplied
from domain.campaign.theatre.state import Area, Theatre

SIEGE, STORM, HUNGER = "siege", "storm", "hunger"
FOR_STORM = 2
"""What a storm adds to the die."""
COSTLY = 3
"""The highest die at which a storm costs a unit."""
STARVING = 2
"""The turns in a row without supply from which on units are lost."""
VICTORY, DRAW = 2, 1
"""How often the victory points of a battle count for its winner, and for both of a draw."""


def aftermath(judge: TheatreJudge, orders: TurnOrders) -> None:
    """All that follows when the battles of a turn are counted and the beaten have gone.

    Rule:    CAM-MAP-04
    """
    for name in sorted(judge.theatre.areas):
        _hold(judge, orders, judge.theatre.areas[name])
    _supply(judge)
    for power in judge.theatre.powers:
        _income(judge, power)
    for wanted in orders.recruits:
        raise_unit(judge, wanted)


def _hold(judge: TheatreJudge, orders: TurnOrders, area: Area) -> None:
    """An area without a city is taken by who alone stands there; a closed city is besieged."""
    theatre = judge.theatre
    here = forces_in(theatre, area.id)
    alliances = {theatre.alliance_of_force(force) for force in here}
    alliance = alliances.pop() if len(alliances) == 1 else ""
    if alliance and is_closed(theatre, area, alliance):
        _besiege(judge, orders, area, alliance)
        return
    if area.siege and not is_besieged(theatre, area):
        judge.emit(SiegeRaised(area.id))
    if alliance and not area.city and not is_own(theatre, area, alliance):
        judge.emit(AreaTaken(area.id, here[0].power, area.owner))


def _besiege(judge: TheatreJudge, orders: TurnOrders, area: Area, alliance: str) -> None:
    """A turn of a siege.

    Rule:    CAM-MAP-13
    """
    first = forces_in(judge.theatre, area.id, alliance)[0]
    storming = next(stormers(judge.theatre, orders, area.id, alliance), None)
    turns, needed = area.siege + 1, 4 + 2 * area.city
    die = judge.roll(first.power, SIEGE, area.id)
    total = die + turns + (FOR_STORM if storming else 0)
    judge.emit(SiegeRolled(area.id, area.city, turns, die, storming is not None, total, needed))
    if storming and storming.units and die <= COSTLY:
        judge.emit(UnitLost(storming.id, storming.cheapest().element.id, STORM))
    if total >= needed:
        judge.emit(CityFell(area.id, first.power, area.owner))


def _supply(judge: TheatreJudge) -> None:
    """Who is out of supply is hungry, and loses units from the second turn in a row; who has none is lost.

    Rule:    CAM-MAP-14
    """
    for force in tuple(judge.theatre.standing()):
        if force.units and not is_supplied(judge.theatre, force):
            turns = force.hungry + 1
            judge.emit(ForceHungry(force.id, turns))
            if turns >= STARVING:
                judge.emit(UnitLost(force.id, force.cheapest().element.id, HUNGER))
        if not judge.theatre.forces[force.id].units:
            judge.emit(ForceLost(force.id, force.area, EMPTY))


def _income(judge: TheatreJudge, power: str) -> None:
    """What a power gets from its areas that are not besieged.

    Rule:    CAM-MAP-15
    """
    theatre = judge.theatre
    own = (area for area in theatre.areas.values() if area.owner == power)
    points = sum(area.income for area in own if not is_besieged(theatre, area))
    judge.emit(IncomeTaken(power, points, theatre.powers[power].treasury + points))


def raise_unit(judge: TheatreJudge, wanted: RecruitOrder) -> None:
    """A unit joins, or nothing is paid.

    Rule:    CAM-MAP-16
    """
    unit = wanted.element
    reason = _hindrance(judge.theatre, wanted)
    if reason:
        judge.emit(RecruitFailed(wanted.force, unit.id, reason))
        return
    left = judge.theatre.powers[wanted.power].treasury - unit.points
    judge.emit(UnitRaised(wanted.force, unit.group, unit.id, unit.troop, unit.label, unit.points, left))


def _hindrance(theatre: Theatre, wanted: RecruitOrder) -> str:
    """Why a unit cannot be raised, "" if it can."""
    force = theatre.forces[wanted.force]
    if force.is_lost:
        return "gone"
    if not theatre.areas:
        return _too_dear(theatre, wanted)
    area = theatre.areas[force.area]
    if not area.city or not is_own(theatre, area, theatre.alliance_of_force(force)):
        return "no-city"
    if is_besieged(theatre, area):
        return "besieged"
    if force.hungry and force.id in theatre.unfed:
        return "hungry"
    return _too_dear(theatre, wanted)


def _too_dear(theatre: Theatre, wanted: RecruitOrder) -> str:
    return "cannot-afford" if wanted.element.points > theatre.powers[wanted.power].treasury else ""


# --- the end


def has_won_all(theatre: Theatre) -> str:
    """The alliance that owns every capital, "" if none does, or there are none.

    Rule:    CAM-MAP-17
    """
    owners = {theatre.alliance_of(area.owner) for area in theatre.areas.values() if area.capital}
    return owners.pop() if len(owners) == 1 else ""


def victory_points(theatre: Theatre) -> dict[str, int]:
    """The victory points of each alliance: of its areas, and of its battles.

    Rule:    CAM-MAP-17
    """
    return {
        alliance: _of_areas(theatre, theatre.areas.values(), alliance) + theatre.victories.get(alliance, 0)
        for alliance in theatre.alliances
    }


def _of_areas(theatre: Theatre, areas: Iterable[Area], alliance: str) -> int:
    return sum(area.vp for area in areas if is_own(theatre, area, alliance))


def victories_with(theatre: Theatre, pair: tuple[str, str], winner: str) -> dict[str, int]:
    """The victory points of battles with one more, between two alliances, won by one of them or ("") by none.

    Rule:    CAM-MAP-17
    """
    worth = theatre.terms.battle_vp
    points = {alliance: (VICTORY if alliance == winner else 0) if winner else DRAW for alliance in pair}
    return {
        alliance: theatre.victories.get(alliance, 0) + worth * points.get(alliance, 0) for alliance in theatre.alliances
    }
