"""What an audit takes from a log as it stands, where disputes are judged: whom an order names, what rules of another
version have set."""

from collections.abc import Sequence

from msgspec import UNSET, Struct
from msgspec.structs import replace

from domain.contract.dispute_lines import SUBSTITUTE, DisputeOrder
from domain.contract.ruleset import Ruleset
from domain.disputes.case import Spoken
from domain.events.battle import (
    BattleOpened,
    Corrected,
    OrderAccepted,
    SideJoined,
    SideLeft,
    SubstituteAgreed,
    UmpireNamed,
)
from domain.log.record import Recorded
from domain.run.seats import Battle
from domain.time.clock import Clocks
from domain.time.silence import silent_since


class SeatLeft(Struct, frozen=True):
    """A seat that its player has left to a substitute: the battle before, and since when they had been silent."""

    battle: Battle
    silent: int

    def is_given_to(self, joined: SideJoined) -> bool:
        """Whether a substitute takes it from nobody who is there. Whether anybody had to name them `authority` says,
        and lines of earlier releases named no seat: by those it is as before."""
        player = joined.player or ""
        if self.battle.named_for("", player) or not self.battle.named_for(joined.side, player):
            return True
        return self.battle.may_follow(joined.side, player, self.silent)


def seat_left(
    ruleset: Ruleset, battle: Battle, clocks: Clocks | None, events: Sequence[Recorded], first: Recorded
) -> SeatLeft | None:
    """The seat that an input leaves to a substitute, None if it leaves none."""
    event = first.event
    if not (isinstance(event, SideLeft) and event.reason == SUBSTITUTE and event.side in ruleset.seats):
        return None
    return SeatLeft(battle, silent_since(ruleset, battle, clocks, events, event.side, first.at))


def spoken_in(
    first: Recorded,
    event: OrderAccepted,
    order: DisputeOrder,
    consequences: Sequence[Recorded],
    flags: frozenset[str] = frozenset(),
    silent: frozenset[str] = frozenset(),
) -> Spoken:
    """An order of a dispute as it was given, where the `flags` of these sides had fallen, and those were `silent`. The
    name of an umpire or a substitute who is named by it is the host's word."""
    named = (entry.event.name for entry in consequences if isinstance(entry.event, (UmpireNamed, SubstituteAgreed)))
    name = next(named, UNSET) or ""
    return Spoken(event.side, event.player, order, first.at, event.seen or None, name, flags, silent)


def without_facts(entry: Recorded) -> Recorded:
    """A correction by other rules, whose facts are not ours, sets nothing; other events stay as they are."""
    return replace(entry, event=replace(entry.event, facts=())) if isinstance(entry.event, Corrected) else entry


def ruled_facts(first: Recorded, consequences: list[Recorded]) -> list[Recorded]:
    """The consequences that the rules decide: without an umpire who is named with the opening."""
    if isinstance(first.event, BattleOpened):
        return [entry for entry in consequences if not isinstance(entry.event, UmpireNamed)]
    return consequences
