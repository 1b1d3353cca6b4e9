"""What follows for armies and maps, judged within the input of a campaign."""

from domain.campaign.judge import CampaignJudge
from domain.campaign.theatre.judge import TheatreJudge
from domain.events.event import Event


class CampaignTheatre(TheatreJudge):
    """The theatre of a campaign that is being judged: each event is one of the campaign at once."""

    def __init__(self, judge: CampaignJudge) -> None:
        state = judge.state
        super().__init__(state.theatre, judge.book, judge.given.chance, state.round)
        self._campaign = judge

    def emit(self, event: Event) -> None:
        """Add an event to the campaign, and apply it."""
        self._campaign.emit(event)
        self.events.append(event)
        self.theatre = self._campaign.state.theatre
