"""All that a power may order, as orders that would be accepted (CAM-ORD-02, -03)."""

from collections.abc import Iterator
from itertools import count

from domain.basics.errors import Refusal
from domain.campaign.orders import CampaignOrder
from domain.campaign.theatre.orders import TurnOrders, ordered
from domain.campaign.theatre.roads import is_closed, is_land, link, neighbours
from domain.campaign.theatre.state import ROAD, ForceState, Theatre
from domain.contract.campaign_book import UNIT, CampaignBook

RECRUIT = "R"
"""What the ids of recruits begin with, where a program names them."""


def options_of(theatre: Theatre, orders: TurnOrders, book: CampaignBook, power: str) -> Iterator[CampaignOrder]:
    """The legal orders of a power, force by force: movement, then the army.

    Of the recruits there is one of each troop that the force has or had, in each of its groups; a list may allow more.
    Shape: `orders` what the power has ordered so far in the turn
    """
    for force in theatre.standing():
        if force.power == power:
            if theatre.areas:
                yield from movements(theatre, force)
            yield from _army(theatre, orders, book, force)


# --- movement


def movements(theatre: Theatre, force: ForceState) -> Iterator[CampaignOrder]:
    """Where a force may march, and what else it may do with its feet."""
    yield CampaignOrder("hold", force=force.id)
    for to in neighbours(theatre, force.area):
        yield CampaignOrder("march", force=force.id, area=to)
        if link(theatre, force.area, to) == ROAD:
            for onward in neighbours(theatre, to):
                if link(theatre, to, onward) == ROAD and onward != force.area:
                    yield CampaignOrder("march", force=force.id, area=to, onward=onward)
    for to in neighbours(theatre, force.area):
        if is_land(theatre, force.area, to):
            yield CampaignOrder("avoid", force=force.id, area=to)
    if is_closed(theatre, theatre.areas[force.area], theatre.alliance_of_force(force)):
        yield CampaignOrder("storm", force=force.id)


# --- the army


def _army(theatre: Theatre, orders: TurnOrders, book: CampaignBook, force: ForceState) -> Iterator[CampaignOrder]:
    rests = orders.rests.get(force.id, force.rests)
    for each in force.units:
        unit = each.element.id
        if (force.id, unit) not in orders.dismissed:
            yield CampaignOrder("dismiss", force=force.id, id=unit)
        yield CampaignOrder("field" if unit in rests else "rest", force=force.id, ids=(unit,))
    wanted = [CampaignOrder("ransom", force=force.id, id=leader) for leader in force.captured]
    yield from _legal(theatre, orders, book, [*wanted, *recruits(orders, force)], force.power)


def recruits(orders: TurnOrders, force: ForceState) -> Iterator[CampaignOrder]:
    """A recruit of each troop of a force in each of its groups, whether it may come or not."""
    units = [each.element for each in force.elements.values() if each.element.kind == UNIT]
    name = _free_name(orders, force)
    for group in dict.fromkeys(unit.group for unit in units):
        for troop in dict.fromkeys(unit.troop for unit in units):
            yield CampaignOrder("recruit", force=force.id, group=group, troop=troop, id=name)


def _free_name(orders: TurnOrders, force: ForceState) -> str:
    taken = {*force.elements, *(each.element.id for each in orders.recruits if each.force == force.id)}
    return next(name for at in count(1) if (name := f"{RECRUIT}{at}") not in taken)


def _legal(
    theatre: Theatre, orders: TurnOrders, book: CampaignBook, wanted: list[CampaignOrder], power: str
) -> Iterator[CampaignOrder]:
    for order in wanted:
        try:
            ordered(theatre, orders, book, power, order)
        except Refusal:
            continue
        yield order
