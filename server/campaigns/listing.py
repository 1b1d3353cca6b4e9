"""What lists tell of campaigns: a row beside each log, so that a list costs the same however long they are."""

from collections.abc import Sequence

from server.campaigns.live_campaigns import LiveCampaigns
from server.campaigns.summary import summary_of
from server.store.tables import campaigns
from server.store.tables.campaigns import ListedCampaign


async def listed_campaigns(live_campaigns: LiveCampaigns, ids: Sequence[str]) -> list[ListedCampaign]:
    """The rows of campaigns, in this order. One that an earlier release wrote last is read once and gets its row."""
    found = campaigns.rows_of(live_campaigns.store, ids)
    for missing in [one for one in ids if one not in found]:
        live = await live_campaigns.get(missing)
        found[missing] = row = summary_of(missing, live.state)
        await live_campaigns.store.write(campaigns.list_as(row))
    return [found[one] for one in ids]
