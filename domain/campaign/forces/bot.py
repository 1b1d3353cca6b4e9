"""What a bot orders for its army: its leaders are ransomed, and its losses made good, as far as its points go.

It knows of the game what the book says, and asks for what it had before.
"""

from collections.abc import Iterator

from domain.basics.errors import Refusal
from domain.campaign.orders import CampaignOrder
from domain.campaign.state import CampaignState
from domain.campaign.theatre.orders import TurnOrders, with_order
from domain.campaign.theatre.state import ElementState, ForceState
from domain.contract.campaign_book import GONE, UNIT, CampaignBook

MOST_RECRUITS = 6
"""Recruits that it asks for in a round."""


def army_orders(state: CampaignState, book: CampaignBook, entrant: str) -> list[CampaignOrder]:
    """The orders of a bot for the forces of an entrant, the last of them `ready`.

    Shape: `book` takes tables (`theatre.books.on_tables`)
    """
    given, orders = list[CampaignOrder](), state.ordering.turn
    for force in state.theatre.standing():
        if force.power == entrant:
            for order in _wanted(force):
                found = _tried(state, orders, book, entrant, order)
                if found is not None:
                    orders = found
                    given.append(order)
    return [*given, CampaignOrder("ready")]


def _wanted(force: ForceState) -> Iterator[CampaignOrder]:
    """What a force would like, the dearest first: captives, then units as those that are gone."""
    yield from (CampaignOrder("ransom", force=force.id, id=name) for name in force.captured)
    gone = [each for each in force.elements.values() if each.element.kind == UNIT and each.now == GONE]
    gone.sort(key=lambda each: -each.element.points)
    taken = {*force.elements}
    for each in gone[:MOST_RECRUITS]:
        name = _free(each, taken)
        taken.add(name)
        unit = each.element
        yield CampaignOrder("recruit", force=force.id, group=unit.group, troop=unit.troop, id=name)


def _free(each: ElementState, taken: set[str]) -> str:
    """The first id that is free: `H3-2` after `H3`."""
    first = each.element.id.partition("-")[0]
    number = 2
    while f"{first}-{number}" in taken:
        number += 1
    return f"{first}-{number}"


def _tried(
    state: CampaignState, orders: TurnOrders, book: CampaignBook, entrant: str, order: CampaignOrder
) -> TurnOrders | None:
    """The orders with one more; None where it may not be given."""
    try:
        return with_order(state.theatre, orders, book, entrant, order)
    except Refusal:
        return None
