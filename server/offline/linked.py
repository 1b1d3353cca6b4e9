"""A whole linked campaign between bots: their orders, their battles, and what those leave.

`phalera demo --campaign hannibal` plays one and tells it.
"""

from functools import partial
from typing import Any

from domain.campaign.boards import Place
from domain.campaign.config import CampaignConfig
from domain.campaign.events import EntrantJoined
from domain.campaign.forces.bot import army_orders
from domain.campaign.forces.fielding import Names, scenario_between
from domain.campaign.forces.nodes import carries
from domain.campaign.judge import Circumstances
from domain.campaign.notation import write_order
from domain.campaign.scenario import scenario_hash, scenario_of
from domain.campaign.state import BoardState
from domain.campaign.theatre.books import on_tables
from domain.contract.campaign_book import CampaignBook
from domain.contract.ruleset import Ruleset
from domain.events.battle import Fact
from domain.run.bots import BOT, USUAL
from replay.proof.campaign.left import told_left
from replay.writing.entropy import new_id
from replay.writing.in_memory import OfflineBattle
from server.campaigns.dealer import CampaignChance
from server.offline.campaign import OfflineCampaign


class OfflineLinked(OfflineCampaign):
    """A linked campaign of bots, by its file.

    Raises: Refusal for an army that the game does not read
    """

    def __init__(self, ruleset: Ruleset, config: CampaignConfig, seed: int, bot: str = USUAL) -> None:
        assert ruleset.campaign is not None
        self.book: CampaignBook = ruleset.campaign
        self._bot = bot
        self._names: dict[str, Names] = {}
        super().__init__(ruleset, config, f"linked {config.title} {seed}")

    def begin(self) -> None:
        """Enter a bot for each side, and begin."""
        for side in self.config.sides or ():
            joined = EntrantJoined(side.id, f"{BOT}{self._bot}.{side.id}", side.name or side.id.title(), "bot")
            self._enter(Fact("organiser", joined.RULE, joined))
        self.say("begin")

    def order(self) -> None:
        """Let each bot give its orders, as far as they may be given; the battles are set."""
        for entrant in [*self.state.competing()]:
            if self.state.takes_orders and entrant.id not in self.state.ordering.ready:
                for order in army_orders(self.state, on_tables(self.book), entrant.id):
                    self.say(write_order(order), entrant.player)

    def _given(self, at: int, chance: CampaignChance) -> Circumstances:
        return Circumstances(
            at=at,
            chance=chance,
            battle=self._named,
            scenario=lambda place: "",
            digest=partial(scenario_hash, self.config),
            book=self.book,
        )

    def _named(self, place: Place) -> str:
        return new_id(self.entropy)

    def _battle(self, board: BoardState) -> OfflineBattle:
        if board.named:
            return self._opened(board.place, scenario_of(self.config, board.named), board.battle)
        made = scenario_between(on_tables(self.book), self.state.theatre, self.config, board)
        table, self._names[board.battle] = made
        return self._opened(board.place, table, board.battle)

    def _left(self, board: BoardState, battle: OfflineBattle, n: int) -> dict[str, Any]:
        if not carries(self.state, board):
            return {}
        fates, deeds = told_left(battle.recording.timeline, n, self._names[board.battle])
        return {"fates": fates, "deeds": deeds}
