"""What a power may know of its campaign: the only door out of one with fog (CAM-FOG-04).

Before the end it is what its alliance may know. Who holds no power, the umpire too, knows what everybody does
(CAM-FOG-05).
"""

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from domain.campaign.ordering import RoundOrders
from domain.campaign.sealing import is_sealed
from domain.campaign.state import CampaignState
from domain.campaign.theatre.events import ElementFared, ForceOverrun
from domain.campaign.theatre.fog import known_theatre, unveiled
from domain.campaign.theatre.fog_events import FOG_EVENTS
from domain.campaign.theatre.order_events import OrdersClosed
from domain.campaign.theatre.orders import TurnOrders
from domain.campaign.theatre.state import Theatre
from domain.events.event import Event

N = tuple[int, Event]
"""An event with its number in the log."""


def alliance_of(state: CampaignState, power: str) -> str:
    """The alliance of a power, "" for a stranger who holds none."""
    powers = state.theatre.powers
    return powers[power].alliance if power in powers else ""


def known(state: CampaignState, power: str) -> CampaignState:
    """The campaign as a power knows it, "" for everybody else; without fog, and when it is over, as it is.

    Rule:    CAM-FOG-04, CAM-FOG-05
    """
    if not state.is_veiled:
        return state
    alliance = alliance_of(state, power)
    theatre = known_theatre(state.theatre, alliance)
    own = frozenset(name for name, one in theatre.powers.items() if one.alliance == alliance)
    return replace(state, theatre=theatre, ordering=_known_orders(state.ordering, theatre, own))


def _known_orders(orders: RoundOrders, theatre: Theatre, own: frozenset[str]) -> RoundOrders:
    """Who has contributed, ordered something and is ready is public; what was ordered is the alliance's own."""
    forces = {name for name, force in theatre.forces.items() if force.power in own}
    turn = orders.turn
    known_turn = TurnOrders(
        {name: order for name, order in turn.movements.items() if name in forces},
        tuple(each for each in turn.recruits if each.power in own),
        tuple(pair for pair in turn.dismissed if pair[0] in forces),
        tuple(pair for pair in turn.ransomed if pair[0] in forces),
        {name: rests for name, rests in turn.rests.items() if name in forces},
    )
    return replace(orders, turn=known_turn)


def told(theatre: Theatre, event: Event, alliance: str | None = None) -> Sequence[Event]:
    """What an event of the log tells: under fog the events about single forces that it stands for; nothing as long as
    it is sealed, nor where it is about another `alliance` than that which is asked for."""
    if is_sealed(event) or (alliance is not None and _whose(theatre, event) not in ("", alliance)):
        return ()
    return tuple(unveiled(theatre, event)) if isinstance(event, FOG_EVENTS) else (event,)


def _whose(theatre: Theatre, event: Event) -> str:
    """The alliance that an event of fog is about, "" for what is public."""
    if isinstance(event, ElementFared):
        return theatre.alliance_of_force(theatre.forces[event.force])
    alliance: str = getattr(event, "alliance", "") if isinstance(event, FOG_EVENTS) else ""
    return alliance


def told_once(theatre: Theatre, events: Iterable[N], alliance: str | None = None) -> Iterator[N]:
    """What some events tell, one after the other, with their numbers; an overrun once, of which both alliances are
    told."""
    overrun = list[Event]()
    for n, event in events:
        if isinstance(event, OrdersClosed):
            overrun.clear()
        for each in told(theatre, event, alliance):
            if each not in overrun:
                yield n, each
            if isinstance(each, ForceOverrun):
                overrun.append(each)
