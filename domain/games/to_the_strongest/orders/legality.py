"""Ask the deciding function itself whether it would take an order.

Every refusal of a decision comes before its first event (an order that is refused changes nothing). So
an order is legal exactly if its decision gets as far as its first event; nothing is changed here, no card
is drawn, and no rule is written twice.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from domain.basics.commands import Command
from domain.basics.errors import Refusal
from domain.engine.judge import Judge
from domain.events.battle import Event
from domain.games.to_the_strongest.adjudication import DECISIONS
from domain.games.to_the_strongest.state.state import State

_NONE: Mapping[Any, Any] = {}


def is_legal(state: State, side: str, command: Command) -> bool:
    """Whether a side that may order now may give this order, in a state as known to it."""
    try:
        DECISIONS[type(command)](_Trial(state), side, command)
    except Refusal:
        return False
    except _Reached:
        pass
    return True


class _Reached(Exception):
    """The first event of a decision has been reached: nothing can be refused any more."""


class _FirstCard:
    """Stands in for chance where no draw is kept: an oracle looks before its event."""

    def card(self, scope: str, pile: Sequence[str], t: int, deck: str) -> str:
        return pile[0]

    def die(self, scope: str, sides: int, t: int = 0, values: Sequence[int] = ()) -> int:
        return 1


class _Trial(Judge[State]):
    """A judge that applies nothing."""

    def __init__(self, state: State) -> None:
        super().__init__(state, _FirstCard(), _NONE, _NONE, _NONE)

    def emit(self, event: Event, by: str = "server", rule: str = "") -> None:
        raise _Reached
