"""What a turn comes to as far as one power can know it: everybody else holds, and no die is thrown (CAM-ORD-03)."""

from collections.abc import Sequence

from domain.campaign.theatre.carry import RecoveryTable
from domain.campaign.theatre.events import ForceHungry
from domain.campaign.theatre.judge import TheatreJudge
from domain.campaign.theatre.orders import TurnOrders
from domain.campaign.theatre.roads import is_supplied
from domain.campaign.theatre.state import Theatre
from domain.campaign.theatre.turn import fight, opened
from domain.contract.campaign_book import CampaignBook
from domain.events.event import Event


class _Undecided(Exception):
    """A die would decide."""


class _ChanceUnknown:
    """Chance of which nobody may know anything."""

    def card(self, scope: str, pile: Sequence[str], t: int, deck: str) -> str:
        raise _Undecided

    def die(self, scope: str, sides: int, t: int = 0, values: Sequence[int] = ()) -> int:
        raise _Undecided


def of_power(orders: TurnOrders, theatre: Theatre, power: str) -> TurnOrders:
    """The orders of one power alone."""
    own = {name for name, force in theatre.forces.items() if force.power == power}
    return TurnOrders(
        {name: order for name, order in orders.movements.items() if name in own},
        tuple(each for each in orders.recruits if each.force in own),
        tuple(pair for pair in orders.dismissed if pair[0] in own),
        tuple(pair for pair in orders.ransomed if pair[0] in own),
        {name: rests for name, rests in orders.rests.items() if name in own},
    )


def foreseen(theatre: Theatre, orders: TurnOrders, book: CampaignBook, power: str) -> tuple[Event, ...]:
    """The events of a turn up to its battles, or to the first die, and which forces of the power would then be hungry.

    Rule:    CAM-ORD-03
    Shape:   `orders` may have those of others: they count for nothing
    """
    own = of_power(orders, theatre, power)
    judge = TheatreJudge(opened(theatre, own), book, _ChanceUnknown())
    try:
        fight(judge, own, RecoveryTable())
    except _Undecided:
        return tuple(judge.events)
    for force in tuple(judge.theatre.standing()):
        if force.power == power and force.units and not is_supplied(judge.theatre, force):
            judge.emit(ForceHungry(force.id, force.hungry + 1))
    return tuple(judge.events)
