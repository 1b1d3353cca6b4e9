"""A whole cup between bots, from the lots to the last board: its log and the files of its battles.

`phalera demo --campaign cup` plays it and tells it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from domain.campaign.boards import Place
from domain.campaign.config import resolved
from domain.campaign.events import EntrantJoined, RoundEnded
from domain.campaign.evolve import START, evolve
from domain.campaign.judge import Circumstances
from domain.campaign.scenario import scenario_hash, scenario_of
from domain.campaign.standings import TableRow, standings
from domain.campaign.state import contest_of
from domain.contract.ruleset import Ruleset
from domain.events.battle import Fact
from domain.run.bots import BOT
from server.campaigns.dealer import CampaignChance
from server.offline.campaign import OfflineCampaign

CUP = "cup"
ROUNDS = 3
ENTRANTS = (
    ("aelia", "Aelia", "sensible"),
    ("brutus", "Brutus", "easy"),
    ("cassia", "Cassia", "sensible"),
    ("drusus", "Drusus", "random"),
    ("egnatia", "Egnatia", "easy"),
)
"""Id, name and kind of the bots: an odd number, so that one of them has a bye in each round."""


class OfflineCup(OfflineCampaign):
    """A cup of bots by the Swiss system; `battle` is the table `[battle]` of a campaign file.

    Raises: Refusal for a scenario that there is not
    """

    def __init__(self, ruleset: Ruleset, battle: Mapping[str, Any], seed: int) -> None:
        table = {"campaign": CUP, "title": "Demo Cup", "ruleset": ruleset.code, "battle": dict(battle)}
        config = resolved({**table, "cup": {"system": "swiss", "rounds": ROUNDS}})
        self._digest = scenario_hash(config)
        super().__init__(ruleset, config, f"cup {ruleset.code} {seed}")

    def begin(self, entrants: Sequence[tuple[str, str, str]] = ENTRANTS) -> None:
        """Enter the bots, draw the lots, open the first round. Shape: ids, names and kinds"""
        for entrant, name, bot in entrants:
            joined = EntrantJoined(entrant, f"{BOT}{bot}.{entrant}", name, "bot")
            self._enter(Fact("organiser", joined.RULE, joined))
        self.say("begin")

    def table_after(self, number: int) -> tuple[TableRow, ...]:
        """The table at the end of a round, before the byes of the next one."""
        state = START
        for event in self.events:
            state = evolve(state, event)
            if isinstance(event, RoundEnded) and event.round == number:
                break
        return standings(contest_of(state), state.cup.tiebreaks)

    def _given(self, at: int, chance: CampaignChance) -> Circumstances:
        return Circumstances(at=at, chance=chance, battle=self._open, scenario=lambda place: self._digest)

    def _open(self, place: Place) -> str:
        """Open the battle of a board; its id."""
        return self._opened(place, scenario_of(self.config)).recording.gid
