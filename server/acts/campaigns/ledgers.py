"""The ledger of a campaign that is served, folded once for each event that it grows by."""

import asyncio
from collections import OrderedDict

from domain.campaign.known import alliance_of
from domain.campaign.state import CampaignState
from domain.events.event import Event
from projections.ledger.book import ledger_of
from projections.ledger.records import CampaignLedger
from server.campaigns.live_campaign import LiveCampaign

KEPT = 16
"""Ledgers that are kept."""
_LEDGERS: OrderedDict[tuple[str, bytes, str], CampaignLedger] = OrderedDict()


async def ledger_of_campaign(live: LiveCampaign, entrant: str) -> CampaignLedger:
    """The ledger as an entrant may know it who may read the campaign, "" for everybody else: what is sealed is not in
    it. Under fog it has the forces of their alliance alone (CAM-FOG-04)."""
    state = live.state
    alliance = alliance_of(state, entrant) if state.is_veiled else ""
    key = live.id, live.recording.head, alliance
    found = _LEDGERS.get(key)
    if found is None:
        events = live.recording.events_of(entrant)
        found = _LEDGERS[key] = await asyncio.to_thread(_folded, events, state, alliance)
        while len(_LEDGERS) > KEPT:
            _LEDGERS.popitem(last=False)
    return found


def _folded(events: list[Event], state: CampaignState, alliance: str) -> CampaignLedger:
    ledger = ledger_of(events)
    if not state.is_veiled:
        return ledger
    return CampaignLedger(tuple(force for force in ledger.forces if alliance_of(state, force.power) == alliance))
