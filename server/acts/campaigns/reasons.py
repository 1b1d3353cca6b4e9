"""Explain a campaign from its log as it stands in memory."""

from domain.campaign.events import CAMPAIGN_EVENTS
from domain.log import record
from server.campaigns.live_campaign import LiveCampaign
from server.shown.campaign_reasons import CampaignReasons, reasons_of


def explained(live: LiveCampaign, about: str, lang: str) -> CampaignReasons:
    """Why a board, an entrant or an event of a campaign is as it is. The log is folded: not for the loop.

    Raises: Refusal core.no-such-event, campaign.no-such-board, campaign.no-such-entrant
    """
    recording = live.recording
    lines, state = list(recording.lines), recording.state
    events = [record.decode(line, CAMPAIGN_EVENTS).event for _, line in lines[: state.n]]
    return reasons_of(events, state, about, lang)
