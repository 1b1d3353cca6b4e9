"""The readers of a campaign."""

from collections.abc import Sequence

from domain.campaign.state import CampaignState
from server.campaigns.listing import listed_campaigns
from server.campaigns.live_campaign import LiveCampaign
from server.campaigns.live_campaigns import LiveCampaigns, unknown_campaign
from server.people.players import Player
from server.store.tables import campaigns
from server.store.tables.campaigns import ListedCampaign

PLAYERS = "players"


def may_read(live: LiveCampaign, player: Player | None) -> bool:
    """Whether a player may read a campaign: public and link ones with the id alone, others by taking part."""
    return live.readers != PLAYERS or (player is not None and takes_part(live.state, player.id))


async def rows_for(live_campaigns: LiveCampaigns, ids: Sequence[str], player: Player | None) -> list[ListedCampaign]:
    """The rows of those campaigns that a player may read: of one for its players alone its log says who they are."""
    closed = campaigns.of_readers(live_campaigns.store, PLAYERS, ids)
    hidden = {one for one in closed if not may_read(await live_campaigns.get(one), player)}
    return await listed_campaigns(live_campaigns, [one for one in ids if one not in hidden])


def takes_part(state: CampaignState, player: str) -> bool:
    """Whether a player competes, waits as a reserve, organises or rules."""
    officers = {state.organiser.player, state.umpire.player if state.umpire else ""}
    return player in state.players or player in officers or any(one.player == player for one in state.reserves)


def require_reader(live: LiveCampaign, player: Player | None) -> None:
    """Refuse who may not know that there is such a campaign.

    Raises: Refusal campaign.unknown-campaign
    """
    if not may_read(live, player):
        raise unknown_campaign(live.id)
