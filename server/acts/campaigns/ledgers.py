"""The ledger of a campaign that is served, folded once for each event that it grows by."""

import asyncio
from collections import OrderedDict

from domain.campaign.events import CAMPAIGN_EVENTS
from domain.log import record
from projections.ledger.book import ledger_of
from projections.ledger.records import CampaignLedger
from replay.campaign_file import opened_events
from server.campaigns.live_campaign import LiveCampaign

KEPT = 16
"""Ledgers that are kept."""
_LEDGERS: OrderedDict[tuple[str, bytes], CampaignLedger] = OrderedDict()


async def ledger_of_campaign(live: LiveCampaign) -> CampaignLedger:
    """The ledger as everybody may know it who may read the campaign: what is sealed is not in it."""
    key = live.id, live.recording.head
    found = _LEDGERS.get(key)
    if found is None:
        lines = [line for _, line in live.recording.lines]
        found = _LEDGERS[key] = await asyncio.to_thread(_folded, lines)
        while len(_LEDGERS) > KEPT:
            _LEDGERS.popitem(last=False)
    return found


def _folded(lines: list[bytes]) -> CampaignLedger:
    events = opened_events([record.decode(line, CAMPAIGN_EVENTS) for line in lines])
    return ledger_of(recorded.event for recorded in events)
