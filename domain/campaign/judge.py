"""One input of a campaign being judged: the state so far and the facts so far.

What holds:
- An input is a fact from outside. What follows from it is judged from the state, the input and `Circumstances` alone,
  so that an audit finds the same (CAM-LOG-06).
- `emit` applies each fact at once. A refusal drops them all, with the draws.
- The judge knows no store, no clock and no entropy: moment, chance and names of battles are told.
"""

from collections.abc import Callable, Mapping, Set

from msgspec import Struct
from msgspec.structs import replace

from domain.basics.errors import BrokenInvariant
from domain.basics.pace import text_of
from domain.campaign.boards import Place
from domain.campaign.config import length_ms
from domain.campaign.evolve import evolve
from domain.campaign.state import CampaignState
from domain.campaign.theatre.books import on_tables
from domain.campaign.theatre.evolve import evolve_theatre
from domain.contract.campaign_book import CampaignBook
from domain.events.battle import Event, Fact
from domain.log.chance import Chance

SERVER, ORGANISER, UMPIRE = "server", "organiser", "umpire"
"""Authors of inputs beside the entrants."""
LOTS = "lots"
"""The scope of all draws of cups (CAM-LOG-03)."""


class Circumstances(Struct, frozen=True):
    """What an input is judged by beside the state.

    Shape:   `battle` makes the id of a new battle on a board, `scenario` the SHA-256 of its table; `shown` are the
             entrants who have contributed to the battle of a board, `turned` the boards whose battle has had a turn;
             `digest` the SHA-256 of the packaged scenario of a name, "": of that of the campaign; `book` what the
             game says of armies that live on; `is_stopped` whether the host has stopped a battle of a challenge, of
             which no result comes
    Units:   `at` milliseconds since 1970: when the input comes
    """

    at: int
    chance: Chance
    battle: Callable[[Place], str]
    scenario: Callable[[Place], str]
    shown: Mapping[str, Set[str]] = {}
    turned: Set[str] = frozenset()
    digest: Callable[[str], str] = str
    book: CampaignBook | None = None
    is_stopped: Callable[[str], bool] = lambda battle: False


class CampaignJudge:
    """An input being judged. Nothing outlives it but its facts; `veiled` are the events that the log has in others
    (CAM-FOG-01)."""

    def __init__(self, state: CampaignState, given: Circumstances) -> None:
        self.state = state
        self.given = given
        self.facts: list[Fact] = []
        self.veiled: list[Event] = []

    def emit(self, event: Event, rule: str = "", by: str = SERVER) -> None:
        """Add a fact and apply it to the state."""
        self.facts.append(Fact(by, rule or event.RULE, event))
        self.state = evolve(self.state, event)

    def veil(self, event: Event) -> None:
        """Apply an event to the map that the log has in another one (CAM-FOG-01)."""
        self.veiled.append(event)
        self.state = replace(self.state, theatre=evolve_theatre(self.state.theatre, event))

    @property
    def book(self) -> CampaignBook:
        """What the game says of armies. They are tables in a log."""
        if self.given.book is None:
            raise BrokenInvariant(f"{self.state.ruleset} carries no forces from battle to battle")
        return on_tables(self.given.book)

    def below(self, limit: int, t: int) -> int:
        """A number from 0 to `limit` - 1 in scope `lots` (CAM-LOG-03)."""
        return self.given.chance.die(LOTS, limit, t) - 1

    def after(self, length: str) -> str:
        """The moment a length of time from now, as a time stamp; "" for none."""
        span = length_ms(length)
        return text_of(self.given.at + span) if span else ""
