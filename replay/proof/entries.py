"""What an event of a log shows before it is judged: if it begins a block, what of it is sealed, how it is spelled."""

from typing import Any

from msgspec import UNSET

from domain.events.battle import INPUTS, BattleOpened, Fact, StandingOrderSet
from domain.log import record
from domain.log.canonical import ENCODER
from domain.log.record import Recorded


def is_spelled_alike(fact: Fact, entry: Recorded) -> bool:
    """Whether an event is what the rules decide, to the byte: so it is nearly always, where nothing was sealed."""
    event = entry.event
    return (
        type(fact.event) is type(event)
        and (fact.by, fact.rule) == (entry.by, entry.rule)
        and ENCODER.encode(fact.event) == ENCODER.encode(event)
    )


def public_shape(entry: Recorded) -> tuple[Any, ...]:
    """What can be seen of a sealed event and matters for what it may explain."""
    event = entry.event
    if isinstance(event, StandingOrderSet):
        return StandingOrderSet, event.side, event.topic
    hidden = tuple(name for name in event.__struct_fields__ if getattr(event, name) is UNSET)
    return type(event), record.seat_of(event, entry.by), hidden


def is_sealed(entry: Recorded) -> bool:
    """Whether an event has a part that was taken out of the log, opened or not."""
    return getattr(entry.event, "sealed", UNSET) is not UNSET


def is_input(entry: Recorded) -> bool:
    """Whether an event begins a block."""
    return type(entry.event) in INPUTS or isinstance(entry.event, BattleOpened)
