"""What a script may see of the battle between two of its orders.

The battle at one event as the script's side knows it, and the events caused by its last order as that side
may see them. That event follows from the log alone, so that a script that is resumed, or answered again, takes
the same path: the last event of its last order, or, if that made the rules ask the other side, the end of the
answer.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from domain.contract.option import Option
from domain.contract.ruleset import Ruleset
from domain.contract.senses import Outcome
from domain.events.battle import INPUTS
from server.play.live_battle import LiveBattle


class BattleScriptView:
    """A battle after event `n`, as a side knows it."""

    def __init__(self, live: LiveBattle, side: str, n: int) -> None:
        self._live = live
        self.side = side
        self.n = n

    @property
    def ruleset(self) -> Ruleset:
        """The game."""
        return self._live.ruleset

    @cached_property
    def known(self) -> Any:
        """The state, as far as the side knows it."""
        return self.ruleset.secrets.known(self._game, self.side)

    @cached_property
    def options(self) -> Sequence[Option]:
        """The orders that the side may give."""
        return self.ruleset.orders.options(self.known, self.side)

    @property
    def waits_for_other(self) -> bool:
        """Whether another side must decide something first."""
        waiting = self._game.waiting
        return waiting is not None and waiting.side in self.ruleset.seats.others(self.side)

    def it(self, first: int) -> Outcome:
        """The outcome of the order that began with event `first`."""
        events = self._live.recording.timeline.events[first - 1 : self.n]
        return self.ruleset.orders.senses.outcome(
            self.side, [self._live.recording.seen(self.side, recorded) for recorded in events]
        )

    @property
    def _game(self) -> Any:
        return self._live.game if self.n == self._live.n else self._live.recording.timeline.at(self.n).game


def settled(live: LiveBattle, side: str, n: int) -> BattleScriptView:
    """The battle after event `n`, or after the inputs that have answered the other side's questions since."""
    view = BattleScriptView(live, side, n)
    while view.waits_for_other and view.n < live.n:
        view = BattleScriptView(live, side, _end_of_input(live, view.n + 1))
    return view


def _end_of_input(live: LiveBattle, first: int) -> int:
    """The last event that follows from the input `first`."""
    events = live.recording.timeline.events
    n = first
    while n < len(events) and type(events[n].event) not in INPUTS:
        n += 1
    return n
