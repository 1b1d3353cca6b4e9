"""Fold the orders of a round that are given in secret: who has ordered what, who is ready, who was late."""

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from domain.basics.pace import moment_of
from domain.campaign.theatre.order_events import ForceOrdered, OrdersClosed, OrdersDefaulted, ReadySet
from domain.campaign.theatre.orders import TurnOrders, after_ordered
from domain.campaign.theatre.state import Theatre
from domain.campaign.theatre.turn import opened


class OrderLateness(Struct, frozen=True, gc=False):
    """The entrants who were late with their orders, until when nothing follows, and how often the deadline of the round
    had been moved."""

    who: tuple[str, ...]
    until: int
    moves: int


class RoundOrders(Struct, frozen=True, gc=False):
    """The orders of the newest round.

    Shape: `turn` what was ordered, as far as it is known; `gave` who has ordered anything, `ready` who has closed their
           part, `came` who has contributed to the chance of the round; `rows` how many rounds in a row an entrant has
           given none; `late` the newest notice
    """

    turn: TurnOrders = TurnOrders()
    gave: frozenset[str] = frozenset()
    ready: frozenset[str] = frozenset()
    came: frozenset[str] = frozenset()
    is_closed: bool = False
    late: OrderLateness | None = None
    rows: Mapping[str, int] = {}


def begun(before: RoundOrders) -> RoundOrders:
    """The orders of a new round: none."""
    return RoundOrders(rows=before.rows)


def after_force_ordered(theatre: Theatre, before: RoundOrders, event: ForceOrdered) -> RoundOrders:
    """The orders of a round with another one. What is sealed still changes nothing."""
    return replace(before, turn=after_ordered(theatre, before.turn, event))


def after_order_of(before: RoundOrders, entrant: str) -> RoundOrders:
    """Somebody has ordered something."""
    return replace(before, gave=before.gave | {entrant})


def after_ready_set(before: RoundOrders, event: ReadySet) -> RoundOrders:
    """Somebody is ready, or is not any more."""
    ready = before.ready | {event.side} if event.ready else before.ready - {event.side}
    return replace(before, ready=ready)


def after_contribution(before: RoundOrders, entrant: str) -> RoundOrders:
    """Somebody has contributed to the chance of the round."""
    return replace(before, came=before.came | {entrant})


def after_late(before: RoundOrders, who: tuple[str, ...], until: str, moves: int) -> RoundOrders:
    """It was noted who is late."""
    return replace(before, late=OrderLateness(who, moment_of(until), moves))


def after_defaulted(before: RoundOrders, event: OrdersDefaulted) -> RoundOrders:
    """Somebody has given no orders."""
    return replace(before, rows={**before.rows, event.side: event.row})


def after_closed(theatre: Theatre, before: RoundOrders, event: OrdersClosed) -> tuple[Theatre, RoundOrders]:
    """The orders are closed: nobody has marched yet, and who has given some is not missing any more."""
    rows = {name: row for name, row in before.rows.items() if name not in before.gave | before.ready}
    return opened(theatre, before.turn), replace(before, is_closed=True, rows=rows)
