"""The turn of a theatre, or a battle in it, being judged: the theatre so far, and the events so far.

As with campaigns (`domain.campaign.judge`): each event is applied at once, and nothing but the theatre, the input, the
chance and the book of the game decides what follows.
"""

from domain.campaign.theatre.evolve import evolve_theatre
from domain.campaign.theatre.state import Theatre
from domain.contract.campaign_book import CampaignBook
from domain.events.battle import DieRolled
from domain.events.event import Event
from domain.log.chance import Chance

SIDES_OF_DIE = 6


class TheatreJudge:
    """Nothing outlives it but its events and the theatre that comes of them.

    Shape: `t` the period of the campaign's chance (CAM-LOG-03)
    """

    def __init__(self, theatre: Theatre, book: CampaignBook, chance: Chance, t: int = 0) -> None:
        self.theatre = theatre
        self.book = book
        self.events: list[Event] = []
        self._chance, self._t = chance, t

    def emit(self, event: Event) -> None:
        """Add an event and apply it."""
        self.events.append(event)
        self.theatre = evolve_theatre(self.theatre, event)

    def after_marches(self) -> None:
        """Both steps of a turn are done, and no contact is settled yet (CAM-FOG-02): for whoever asks what is seen."""

    def roll(self, power: str, purpose: str, about: str = "") -> int:
        """A D6 of a power, with the event that shows it.

        Rule:    CAM-CAR-01
        """
        return self.draw(f"dice:{power}", SIDES_OF_DIE, purpose, about)

    def draw(self, scope: str, sides: int, purpose: str, about: str = "") -> int:
        """A die of so many sides, with the event that shows it."""
        value = self._chance.die(scope, sides, self._t)
        index = self.theatre.rolled.get(scope, 0) + 1
        self.emit(DieRolled(scope, self._t, index, sides, value, purpose, about))
        return value
