"""What an audit takes from a log as it stands, where disputes are judged: whom an order names, what rules of another
version have set."""

from collections.abc import Sequence

from msgspec.structs import replace

from domain.engine.dispute_case import Spoken
from domain.engine.dispute_lines import DisputeOrder
from domain.engine.events import Corrected, OrderAccepted, UmpireNamed
from domain.log.record import Recorded


def spoken_in(
    first: Recorded,
    event: OrderAccepted,
    order: DisputeOrder,
    consequences: Sequence[Recorded],
    flags: frozenset[str] = frozenset(),
) -> Spoken:
    """An order of a dispute as it was given, where the `flags` of these sides had fallen. The name of an umpire who is
    named by it is the host's word."""
    name = next((entry.event.name for entry in consequences if isinstance(entry.event, UmpireNamed)), "")
    return Spoken(event.side, event.player, order, first.at, event.seen or None, name, flags)


def without_facts(entry: Recorded) -> Recorded:
    """A correction by other rules, whose facts are not ours, sets nothing; other events stay as they are."""
    return replace(entry, event=replace(entry.event, facts=())) if isinstance(entry.event, Corrected) else entry
