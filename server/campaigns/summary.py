"""How a campaign stands, in the few words of a list."""

from domain.campaign.config import LADDER
from domain.campaign.state import CampaignState
from server.store.tables import campaigns as table
from server.store.tables.campaigns import ListedCampaign
from server.words import say

ENTERING, RUNNING, ENDED = "entering", "running", table.ENDED


def status_of(state: CampaignState) -> str:
    """How a campaign stands: `entering`, `running` or `ended`."""
    if state.is_over:
        return ENDED
    return RUNNING if state.began or state.is_ladder else ENTERING


def standing_of(state: CampaignState, lang: str) -> str:
    """How a campaign stands, in words."""
    status = status_of(state)
    kind = LADDER if status == RUNNING and state.is_ladder else status
    return say(lang, f"campaigns.status.{kind}", count=len(state.players), round=state.round)


def summary_of(campaign: str, state: CampaignState) -> ListedCampaign:
    """A campaign in a list."""
    settings = state.settings
    return ListedCampaign(
        campaign, settings.title, settings.kind, state.ruleset, status_of(state), state.round, len(state.players)
    )
