"""A turn of a map campaign as it went: the map before it, what happened, the map after it."""

from collections.abc import Iterable

from msgspec import Struct

from domain.basics.errors import Refusal
from domain.campaign.events import RoundBegan, RoundEnded
from domain.campaign.evolve import START, evolve
from domain.campaign.theatre.order_events import OrdersClosed
from domain.campaign.theatre.state import Theatre
from domain.events.event import Event


class MapTurn(Struct, frozen=True):
    """A turn. `events` are what happened since its orders were closed, by n; `is_over` says that nothing more does."""

    number: int
    before: Theatre
    after: Theatre
    events: tuple[tuple[int, Event], ...] = ()
    is_over: bool = False


def map_turn(events: Iterable[Event], number: int) -> MapTurn:
    """A turn of the campaign in a log, as far as it has come.

    Shape:  `events` from the first on, with their private parts
    Raises: Refusal campaign.no-such-turn
    """
    state, before, told = START, Theatre(), list[tuple[int, Event]]()
    is_within = is_told = False
    for event in events:
        state = evolve(state, event)
        if isinstance(event, RoundBegan) and event.round == number:
            is_within, before = True, state.theatre
        if is_within and isinstance(event, OrdersClosed):
            is_told = True
        if is_told:
            told.append((state.n, event))
        if is_within and isinstance(event, RoundEnded):
            return MapTurn(number, before, state.theatre, tuple(told), True)
    if not is_within:
        raise Refusal("campaign.no-such-turn", "CAM-MAP-04", turn=number, turns=state.round)
    return MapTurn(number, before, state.theatre, tuple(told))
