"""What follows for armies and maps, judged within the input of a campaign."""

from domain.campaign.judge import CampaignJudge
from domain.campaign.theatre.fog import VEILED
from domain.campaign.theatre.judge import TheatreJudge
from domain.campaign.theatre.state import Theatre
from domain.events.event import Event


class CampaignTheatre(TheatreJudge):
    """The theatre of a campaign that is being judged: each event is one of the campaign at once."""

    def __init__(self, judge: CampaignJudge) -> None:
        state = judge.state
        super().__init__(state.theatre, judge.book, judge.given.chance, state.round)
        self._campaign = judge
        self.marched: Theatre = state.theatre

    def after_marches(self) -> None:
        """Keep the map as it is between the marches and what comes of them."""
        self.marched = self.theatre

    def emit(self, event: Event) -> None:
        """Add an event to the campaign, and apply it; under fog some are told later, together (CAM-FOG-01)."""
        is_veiled = isinstance(event, VEILED) and self._campaign.state.is_foggy
        (self._campaign.veil if is_veiled else self._campaign.emit)(event)
        self.events.append(event)
        self.theatre = self._campaign.state.theatre
