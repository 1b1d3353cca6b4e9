"""Read a campaign's file: its header, its events, and the campaign after the last of them.

Bytes and chain are checked on the way; what the events claim is not.
"""

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from domain.campaign.events import CAMPAIGN_EVENTS
from domain.campaign.evolve import START, evolve
from domain.campaign.header import CampaignHeader, decode_header
from domain.campaign.sealing import whole_log
from domain.campaign.state import CampaignState
from domain.events.battle import Unsealed
from domain.log import record
from domain.log.record import FileFault, Recorded
from projections.ratings.book import LadderBook


class CampaignFile(Struct, frozen=True):
    """A campaign read from a file. `note` is the signed head, "" where the file has none."""

    header: CampaignHeader
    events: tuple[Recorded, ...]
    state: CampaignState
    head: bytes
    note: str = ""


def read_campaign(content: bytes) -> CampaignFile:
    """The campaign in a file.

    Raises: FileFault as `split_file`, `decode_header`, `require_event_line`, `decode`; `wrong-hash`
    """
    lines = record.split_file(content)
    header = decode_header(lines.header)
    head, above, events = record.first_hash(lines.header), header.created, list[Recorded]()
    for n, line in enumerate(lines.events, 1):
        above = record.require_event_line(line, n, above).at
        bare, named = record.split_hash(line, n + 1)
        head = record.next_hash(head, bare)
        if head.hex().encode() not in named:
            raise FileFault(n + 1, "wrong-hash", expected=head.hex())
        events.append(record.decode(bare, CAMPAIGN_EVENTS))
    whole, state = opened_events(events), START
    for recorded in whole:
        state = evolve(state, recorded.event)
    note = record.checkpoint_note(lines.checkpoint, len(events) + 2) if lines.checkpoint else ""
    return CampaignFile(header, whole, state, head, note)


def opened_events(events: Sequence[Recorded]) -> tuple[Recorded, ...]:
    """Raises: FileFault `wrong-data` where something is opened as what it cannot have been"""
    try:
        return whole_log(events)
    except msgspec.ValidationError as reason:
        at = next(entry for entry in events if isinstance(entry.event, Unsealed))
        raise FileFault(at.n + 1, "wrong-data", type=at.type, reason=str(reason)) from None


def book_of(file: CampaignFile) -> LadderBook:
    """The battles of the ladder in a file."""
    book = LadderBook()
    for entry in file.events:
        book.feed(entry.n, entry.at, entry.event)
    return book
