"""A turn of a map campaign as it went: the map before it, what happened, the map after it."""

from collections.abc import Iterable

from msgspec import Struct

from domain.basics.errors import Refusal
from domain.campaign.events import RoundBegan, RoundEnded
from domain.campaign.evolve import START, evolve
from domain.campaign.known import told_once
from domain.campaign.theatre.fog import known_theatre
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


def map_turn(events: Iterable[Event], number: int, seen_by: str | None = None) -> MapTurn:
    """A turn of the campaign in a log, as far as it has come.

    Shape:  `events` from the first on, with their private parts; `seen_by` the alliance that sees it through the fog,
            "" for anybody who is of none, None without fog
    Raises: Refusal campaign.no-such-turn
    """
    state, before, told = START, Theatre(), list[tuple[int, Event]]()
    is_within = is_told = is_over = False
    for event in events:
        state = evolve(state, event)
        if isinstance(event, RoundBegan) and event.round == number:
            is_within, before = True, state.theatre
        is_told = is_told or (is_within and isinstance(event, OrdersClosed))
        if is_told:
            told.append((state.n, event))
        if is_within and isinstance(event, RoundEnded):
            is_over = True
            break
    if not is_within:
        raise Refusal("campaign.no-such-turn", "CAM-MAP-04", turn=number, turns=state.round)
    after = state.theatre
    found = tuple(told_once(after, told, seen_by))
    if seen_by is not None:
        before, after = known_theatre(before, seen_by), known_theatre(after, seen_by)
    return MapTurn(number, before, after, found, is_over)
