"""How the random battles of a game are made, and what is watched in them."""

import random
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from domain.contract.ruleset import Ruleset
from domain.events.battle import Event


class Fault(Exception):
    """What must not be; `orders` led there."""

    def __init__(self, what: str, orders: Sequence[str] = ()) -> None:
        super().__init__(what)
        self.orders = list(orders)


class Watch:
    """What always holds of a game; each battle has its own. A game may look at more."""

    def after_event(self, state: Any, event: Event) -> None:
        """Raise a Fault if an event must not be; `state` is that after it."""

    def after_order(self, state: Any) -> None:
        """Raise a Fault if a state must not be."""


class Game(Struct, frozen=True):
    """How battles of a game are made and watched.

    Shape: `battle` gives the name and the scenario of battle `number`, from 1 up, with chances of its own
    """

    ruleset: Ruleset
    battle: Callable[[int, random.Random], tuple[str, dict[str, Any]]]
    watch: Callable[[], Watch] = Watch
    setting: Callable[[Any, random.Random], str] = lambda state, pick: "set turn ended"
    """A line by which an umpire sets something of a state, any; it may be refused."""
