"""Since when somebody who is waited for has been silent (CORE-DSP-12).

Nobody takes the seat of a player who is there. In a battle with clocks a seat is silent when its flag has fallen and
its player has said nothing since; not while its clock stands still, for a vacation or a pause. In a battle without
clocks it is silent when the battle has waited for it for `SILENT_DAYS`, and nothing has happened in it meanwhile but
that somebody was named.

Rejected: a shorter time, which a vacation of fourteen days could fill.
"""

from collections.abc import Iterator, Sequence

from domain.basics.pace import DAY_MS, moment_of
from domain.contract.dispute_lines import SUBSTITUTE, DisputeOrder
from domain.contract.ruleset import Ruleset
from domain.events.battle import (
    INPUTS,
    ClockFired,
    ContributionGiven,
    OrderAccepted,
    SubstituteAgreed,
    UmpireNamed,
    UmpireProposed,
)
from domain.log.record import Recorded
from domain.run.seats import Battle
from domain.time.clock import DEADLINE, Clocks, clocks_at, on_move

SILENT_DAYS = 30
NAMING = (SubstituteAgreed, UmpireNamed, UmpireProposed)
"""What does not count as something that happens: who is named for a seat, or as umpire."""


def silent_since(
    ruleset: Ruleset, battle: Battle, clocks: Clocks | None, events: Sequence[Recorded], side: str, at: str
) -> int:
    """The event since which a side has been silent for as long as the rules ask, at a moment; 0 if it has not."""
    if battle.is_halted or side not in on_move(ruleset, battle):
        return 0
    if clocks is None:
        last = _last_stir(events, side)
        return last.n if moment_of(at) - moment_of(last.at) >= SILENT_DAYS * DAY_MS else 0
    now = clocks_at(clocks, ruleset, battle, at)
    watch = now.watches[side]
    return _silent_flag(events, side) if watch.flagged and not (watch.away or now.paused) else 0


def silent_side(
    ruleset: Ruleset,
    battle: Battle,
    clocks: Clocks | None,
    events: Sequence[Recorded],
    order: DisputeOrder,
    at: str,
) -> frozenset[str]:
    """The side for which an order names a substitute, if it has been silent at that moment."""
    if order.verb != SUBSTITUTE or order.side not in ruleset.seats:
        return frozenset()
    is_silent = silent_since(ruleset, battle, clocks, events, order.side, at)
    return frozenset({order.side} if is_silent else ())


def _silent_flag(events: Sequence[Recorded], side: str) -> int:
    """The event with which the flag of a side fell, 0 if its player has said something since."""
    for one in reversed(events):
        event = one.event
        if isinstance(event, ClockFired) and event.side == side and event.what == DEADLINE:
            return one.n
        if isinstance(event, (OrderAccepted, ContributionGiven, ClockFired)) and one.by == side:
            return 0
    return 0


def _last_stir(events: Sequence[Recorded], side: str) -> Recorded:
    """The input with which something happened last, or a side itself said something."""
    return next(first for first, only in _backwards(events) if not only or first.by == side)


def _backwards(events: Sequence[Recorded]) -> Iterator[tuple[Recorded, bool]]:
    """The inputs, the newest first, and whether nothing but naming followed from each."""
    facts = list[Recorded]()
    for one in reversed(events):
        if type(one.event) not in INPUTS:
            facts.append(one)
            continue
        yield one, bool(facts) and all(isinstance(fact.event, NAMING) for fact in facts)
        facts.clear()
