"""Explain a campaign from its log as it stands in memory."""

from server.campaigns.live_campaign import LiveCampaign
from server.shown.campaign_reasons import CampaignReasons, reasons_of


def explained(live: LiveCampaign, about: str, lang: str) -> CampaignReasons:
    """Why a board, an entrant or an event of a campaign is as it is. The log is folded: not for the loop.

    Raises: Refusal core.no-such-event, campaign.no-such-board, campaign.no-such-entrant
    """
    state = live.state
    return reasons_of(live.recording.events()[: state.n], state, about, lang)
