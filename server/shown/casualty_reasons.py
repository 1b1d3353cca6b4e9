"""Why a unit or leader is what it is after a battle: the die, what it needed, the honours behind a promotion."""

from collections.abc import Iterator, Sequence
from typing import Any

from domain.campaign.sealing import is_sealed
from domain.campaign.theatre.carry import CAPTURE, RECOVER, CarryTerms
from domain.campaign.theatre.events import ElementFared, ElementPromoted, HonourWon, LeaderReplaced
from domain.contract.campaign_book import CAPTURED
from domain.events.battle import DieRolled
from domain.events.event import Event
from projections.ledger.book import ledger_of
from projections.ledger.records import LOST_BATTLE, ServiceEntry, ServiceRecord
from server.shown.ledger import service_teller
from server.shown.reason_words import CampaignReason, ReasonWords

OF_A_RECORD = (ElementFared, ElementPromoted, HonourWon, LeaderReplaced)


def is_casualty(event: Event) -> bool:
    """Whether an event is about what a battle has left of an army, or is a die of it."""
    if is_sealed(event):
        return False
    return isinstance(event, OF_A_RECORD) or (isinstance(event, DieRolled) and event.purpose in (RECOVER, CAPTURE))


def casualty_reasons(events: Sequence[Event], n: int, words: ReasonWords) -> Iterator[CampaignReason]:
    """The reasons of event `n` of those of `is_casualty`.

    Rule: CAM-CAR-02 to -07
    """
    event: Any = events[n - 1]
    if isinstance(event, DieRolled):
        yield _die(event, words)
        follows = events[n] if n < len(events) else None
        if not isinstance(follows, ElementFared) or follows.element != event.unit:
            yield words.reason("CAM-CAR-05", "die-nothing", unit=event.unit)
            return
        n, event = n + 1, follows
    if isinstance(event, LeaderReplaced):
        told = {"leader": event.leader, "by": event.by, "unit": event.attached}
        yield words.reason("CAM-CAR-05", "replaced", why=event.reason, **told)
        return
    force = ledger_of(events[:n]).force(event.force)
    record = force.record(event.element) if force else None
    if record is not None and record.entries:
        yield from _of_record(event, record, words)


def _of_record(event: Any, record: ServiceRecord, words: ReasonWords) -> Iterator[CampaignReason]:
    teller = service_teller(words.state, words.lang)
    name = teller.called(record)
    if isinstance(event, ElementFared):
        entry = record.entries[-1]
        yield words.reason("CAM-TTS-02", "fared", name=name, line=teller.line(entry))
        yield from _fared(event, entry, words)
    elif isinstance(event, HonourWon):
        told = {"honour": teller.honour(event.honour), "battle": event.battle, "event": event.n, "total": event.total}
        yield words.reason("CAM-CAR-06", "honoured", name=name, **told)
    else:
        terms = words.state.settings.carry or CarryTerms()
        told = {"was": teller.quality(event.was), "now": teller.quality(event.now), "per_step": terms.per_step}
        yield words.reason("CAM-CAR-07", "promoted", name=name, honours=len(record.honours), **told)


def _fared(event: ElementFared, entry: ServiceEntry, words: ReasonWords) -> Iterator[CampaignReason]:
    """What the die had to reach, by the fate and by how the side fared; the overrun fare as losers (CAM-MAP-10)."""
    if event.now == CAPTURED:
        yield words.reason("CAM-CAR-05", "captured", capture=entry.needed - 1, die=entry.die)
    elif entry.die:
        told = {"fate": entry.fate, "fared": entry.fared or LOST_BATTLE, "needed": entry.needed, "die": entry.die}
        yield words.reason("CAM-CAR-02", "recovered" if entry.die >= entry.needed else "not-recovered", **told)
    elif entry.fate in ("lost", "worn"):
        yield words.reason("CAM-CAR-02", "no-die", fate=entry.fate, fared=entry.fared or LOST_BATTLE, back=event.now)
    else:
        yield words.reason("CAM-CAR-04", "leader", now=event.now)


def _die(event: DieRolled, words: ReasonWords) -> CampaignReason:
    told = {"index": event.index, "scope": event.scope, "t": event.t, "value": event.value}
    return words.reason("CAM-LOG-03", "die", unit=event.unit, **told)
