"""A campaign as it stood after an event, folded from its log for whoever only reads it."""

from collections import OrderedDict
from collections.abc import Iterable, Mapping

import msgspec

from domain.campaign.events import CAMPAIGN_EVENTS
from domain.campaign.evolve import START, evolve
from domain.campaign.known import alliance_of, known
from domain.campaign.sealing import contents_of, whole
from domain.campaign.state import CampaignState
from domain.events.battle import Event
from domain.log import record
from server.store.contract import TableRows
from server.store.tables import campaigns, vault

KEPT = 8
"""Places in logs that are kept folded."""
Folded = tuple[tuple[Event, ...], CampaignState]
_FOLDED: OrderedDict[tuple[bytes, str], Folded] = OrderedDict()


def folded_campaign(store: TableRows, campaign: str, last: int, player: str = "") -> Folded | None:
    """The events up to one, and the campaign after it, as a player may know them, "" for everybody; None if there is
    none. A round of a thousand entrants is a thousand letters about the same events: the hash of the last one names
    them all."""
    head = campaigns.hash_of(store, campaign, last)
    if head is None:
        return None
    found = _kept(store, campaign, last, (head, ""))
    state = found[1]
    if not state.is_veiled:
        return found
    power = state.players.get(player, "")
    alliance = alliance_of(state, power)
    events, state = _kept(store, campaign, last, (head, alliance))
    return events, known(state, power)


def _kept(store: TableRows, campaign: str, last: int, key: tuple[bytes, str]) -> Folded:
    """The events of a log and what they fold to, with what is sealed for an alliance."""
    kept = _FOLDED.get(key)
    if kept is None:
        alliance = key[1]
        own = {row.n: row.content for row in vault.sealed(store, campaign) if row.seat == alliance} if alliance else {}
        lines = (line for n, _, line in campaigns.lines(store, campaign) if n <= last)
        kept = _FOLDED[key] = _folded(lines, own)
        while len(_FOLDED) > KEPT:
            _FOLDED.popitem(last=False)
    return kept


def _folded(lines: Iterable[bytes], own: Mapping[int, bytes]) -> Folded:
    """What was sealed counts as far as these lines open it, or it is one's own."""
    state, events = START, list[Event]()
    stored = [record.decode(line, CAMPAIGN_EVENTS).event for line in lines]
    contents = {n: msgspec.json.decode(content) for n, content in own.items()} | contents_of(stored)
    for n, each in enumerate(stored, 1):
        event = whole(each, contents.get(n))
        state = evolve(state, event)
        events.append(event)
    return tuple(events), state
