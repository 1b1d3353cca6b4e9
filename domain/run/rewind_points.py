"""Where in a log play may go back to, and which order of a side is its last (CORE-DSP-07, CORE-DSP-08)."""

from collections.abc import Sequence
from typing import Protocol

from msgspec import UNSET

from domain.events.battle import (
    DISPUTES,
    INPUTS,
    SETTLEMENTS,
    BattleBegan,
    CardDrawn,
    ContributionGiven,
    DieRolled,
    OrderAccepted,
)
from domain.log.record import Recorded


class Past(Protocol):
    """The log of a battle, as `domain.run.timeline.Timeline` has it."""

    @property
    def events(self) -> Sequence[Recorded]:
        """All events; event n is `events[n - 1]`."""

    def counts(self, n: int) -> bool:
        """Whether an event counts: no rewind has taken it back."""


def last_order(past: Past, side: str) -> int | None:
    """The last order of the game that a side has given and that counts; None if there is none."""
    orders = (
        one.n
        for one in reversed(past.events)
        if isinstance(one.event, OrderAccepted) and one.event.side == side and not is_of_dispute(past, one.n)
    )
    return next((n for n in orders if past.counts(n)), None)


def is_of_dispute(past: Past, n: int) -> bool:
    """Whether order `n` is one of a dispute: so is then what follows from it."""
    return n < len(past.events) and type(past.events[n].event) in DISPUTES | SETTLEMENTS


def before_block(past: Past, n: int) -> int:
    """The last event before order `n` and the contribution that it brings."""
    given = _input_at(past.events, n - 1)
    return given.n - 1 if _is_brought(given) else n - 1


def _input_at(events: Sequence[Recorded], n: int) -> Recorded:
    """The input whose block event `n` is in."""
    while type(events[n - 1].event) not in INPUTS and n > 1:
        n -= 1
    return events[n - 1]


def _is_brought(given: Recorded) -> bool:
    """Whether it is a contribution that an order brings."""
    return isinstance(given.event, ContributionGiven) and given.event.channel is UNSET


def has_drawn_since(past: Past, n: int) -> bool:
    """Whether a card or die has fallen behind event `n`."""
    return any(
        isinstance(one.event, (CardDrawn, DieRolled)) or getattr(one.event, "shown", UNSET) is not UNSET
        for one in past.events[n:]
    )


def is_rewind_point(past: Past, n: int) -> bool:
    """Whether play may go back to the state after event `n`: it counts, ends the block of an input after the start, and
    is not owed an order (CORE-DSP-07)."""
    events = past.events
    if not 0 < n < len(events) or not past.counts(n) or not ends_block(events, n):
        return False
    began = next(one.n for one in events if isinstance(one.event, BattleBegan))
    return n >= began


def ends_block(events: Sequence[Recorded], n: int) -> bool:
    """Whether event `n` is the last of the block of an input that is not owed an order: the rules are at rest there."""
    is_last = n == len(events) or type(events[n].event) in INPUTS
    return is_last and not _is_brought(_input_at(events, n))


def rewind_point_before(past: Past, n: int) -> int:
    """The newest event before `n` to which play may go back; 0 if there is none."""
    return next((to for to in range(min(n, len(past.events)), 0, -1) if is_rewind_point(past, to)), 0)
