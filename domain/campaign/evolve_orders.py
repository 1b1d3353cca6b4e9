"""Fold what is ordered in secret, and what is opened of it, into a campaign."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from domain.campaign import ordering
from domain.campaign.folding_fog import sealing
from domain.campaign.state import CampaignState
from domain.campaign.theatre.fog import without_dismissed
from domain.campaign.theatre.order_events import ForceOrdered, OrdersClosed, OrdersDefaulted, ReadySet
from domain.events.battle import Event, OrderAccepted, Unsealed


def on_secret_order(state: CampaignState, event: OrderAccepted) -> CampaignState:
    """An order to a force. What it says stands in the `ForceOrdered` behind it."""
    return sealing(replace(state, ordering=ordering.after_order_of(state.ordering, event.side)))


def on_force_ordered(state: CampaignState, event: ForceOrdered) -> CampaignState:
    return sealing(replace(state, ordering=ordering.after_force_ordered(state.theatre, state.ordering, event)))


def on_unsealed(state: CampaignState, event: Unsealed) -> CampaignState:
    return replace(state, sealed=tuple(n for n in state.sealed if n != event.n))


def on_ready_set(state: CampaignState, event: ReadySet) -> CampaignState:
    return replace(state, ordering=ordering.after_ready_set(state.ordering, event))


def on_defaulted(state: CampaignState, event: OrdersDefaulted) -> CampaignState:
    return replace(state, ordering=ordering.after_defaulted(state.ordering, event))


def on_orders_closed(state: CampaignState, event: OrdersClosed) -> CampaignState:
    """Under fog no event of its own says who is sent home."""
    theatre, orders = ordering.after_closed(state.theatre, state.ordering, event)
    if state.is_foggy:
        theatre = without_dismissed(theatre, orders.turn.dismissed)
    return replace(state, theatre=theatre, ordering=orders)


ORDER_EVOLUTIONS: Mapping[type[Event], Callable[[CampaignState, Any], CampaignState]] = {
    ForceOrdered: on_force_ordered,
    Unsealed: on_unsealed,
    ReadySet: on_ready_set,
    OrdersDefaulted: on_defaulted,
    OrdersClosed: on_orders_closed,
}
