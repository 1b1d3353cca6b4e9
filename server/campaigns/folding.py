"""A campaign as it stood after an event, folded from its log for whoever only reads it."""

from collections import OrderedDict
from collections.abc import Iterable

from domain.campaign.events import CAMPAIGN_EVENTS
from domain.campaign.evolve import START, evolve
from domain.campaign.sealing import contents_of, whole
from domain.campaign.state import CampaignState
from domain.events.battle import Event
from domain.log import record
from server.store.contract import TableRows
from server.store.tables import campaigns

KEPT = 8
"""Places in logs that are kept folded."""
Folded = tuple[tuple[Event, ...], CampaignState]
_FOLDED: OrderedDict[bytes, Folded] = OrderedDict()


def folded_campaign(store: TableRows, campaign: str, last: int) -> Folded | None:
    """The events up to one, and the campaign after it; None if there is none. A round of a thousand entrants is a
    thousand letters about the same events: the hash of the last one names them all."""
    head = campaigns.hash_of(store, campaign, last)
    if head is None:
        return None
    kept = _FOLDED.get(head)
    if kept is None:
        kept = _folded(line for n, _, line in campaigns.lines(store, campaign) if n <= last)
        _FOLDED[head] = kept
        while len(_FOLDED) > KEPT:
            _FOLDED.popitem(last=False)
    return kept


def _folded(lines: Iterable[bytes]) -> Folded:
    """What was sealed counts as far as these lines open it."""
    state, events = START, list[Event]()
    stored = [record.decode(line, CAMPAIGN_EVENTS).event for line in lines]
    contents = contents_of(stored)
    for n, each in enumerate(stored, 1):
        event = whole(each, contents.get(n))
        state = evolve(state, event)
        events.append(event)
    return tuple(events), state
