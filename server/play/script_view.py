"""What may a script look at, between two of its orders?

The battle at one event as the side of the script knows it, and the events that its last order has caused as that side
may see them. Which event that is follows from the log alone, so that a script that is resumed, or answered again, goes
the way it went: the last event of its last order, or, where that made the rules ask the other side, the end of the
answer.
"""

from functools import cached_property
from typing import Any

from domain.engine.events import INPUTS, Event
from domain.engine.judge import OTHER
from domain.log.record import Recorded
from domain.ruleset import Ruleset
from domain.scripts.senses import Outcome
from server.play.live_battle import Table


class BattleSight:
    """A battle after event `n`, as a side knows it."""

    def __init__(self, table: Table, side: str, n: int) -> None:
        self._table = table
        self.side = side
        self.n = n

    @property
    def ruleset(self) -> Ruleset:
        """The game."""
        return self._table.ruleset

    @cached_property
    def known(self) -> Any:
        """The state, as far as the side knows it."""
        return self.ruleset.known(self._game, self.side)

    @property
    def waits_for_other(self) -> bool:
        """Whether the other side must decide something first."""
        waiting = self._game.waiting
        return waiting is not None and waiting.side == OTHER[self.side]

    def it(self, first: int) -> Outcome:
        """What has come of the order that began with event `first`."""
        events = self._table.recording.timeline.events[first - 1 : self.n]
        return self.ruleset.senses.outcome(self.side, [self._seen(recorded) for recorded in events])

    @property
    def _game(self) -> Any:
        return self._table.game if self.n == self._table.n else self._table.recording.timeline.at(self.n).game

    def _seen(self, recorded: Recorded) -> Event:
        secret = self._table.recording.vault.get(recorded.n)
        if secret is not None and secret.seat == self.side:
            return self._table.recording.timeline.whole(recorded)
        return recorded.event


def settled(table: Table, side: str, n: int) -> BattleSight:
    """The battle after event `n`, or after the inputs that have answered the other side's questions since."""
    sight = BattleSight(table, side, n)
    while sight.waits_for_other and sight.n < table.n:
        sight = BattleSight(table, side, _end_of_input(table, sight.n + 1))
    return sight


def _end_of_input(table: Table, first: int) -> int:
    """The last event that follows from the input `first`."""
    events = table.recording.timeline.events
    n = first
    while n < len(events) and type(events[n].event) not in INPUTS:
        n += 1
    return n
