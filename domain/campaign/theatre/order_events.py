"""The events of orders that are given in secret and opened together (CAM-ORD-02). Entrants and forces are ids."""

from typing import ClassVar

from msgspec import UNSET, Struct, UnsetType, field

from domain.events.event import Event, Text


class OrderedUnit(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A unit that is to be raised, at its price when it was ordered."""

    id: str
    group: str = field(name="corps")
    troop: str
    quality: str
    points: int


class ForceOrdered(Event, frozen=True, gc=False, kw_only=True):
    """A force has an order: `do` is its verb, `path` the areas or the elements that it names, `unit` what is to be
    raised. All of it is private until the orders are opened (CAM-LOG-04)."""

    RULE: ClassVar[str] = "CAM-ORD-02"

    force: Text = UNSET
    do: Text = UNSET
    path: tuple[str, ...] | UnsetType = UNSET
    unit: OrderedUnit | UnsetType = UNSET
    sealed: Text = UNSET


class ReadySet(Event, frozen=True, gc=False):
    """An entrant has closed its own part of the orders, or has opened it again."""

    RULE: ClassVar[str] = "CAM-ORD-02"

    side: str
    ready: bool


class OrdersClosed(Event, frozen=True, gc=False):
    """Nobody orders any more in a round; the events that follow in `opens` are opened."""

    RULE: ClassVar[str] = "CAM-ORD-02"

    round: int
    opens: tuple[int, ...]


class OrdersDefaulted(Event, frozen=True, gc=False):
    """An entrant has given no orders, for the `row`th time in a row: its forces hold and recruit nothing."""

    RULE: ClassVar[str] = "CAM-TIM-07"

    side: str
    row: int


ORDER_EVENTS: tuple[type[Event], ...] = (ForceOrdered, ReadySet, OrdersClosed, OrdersDefaulted)
"""All of them, all consequences."""
