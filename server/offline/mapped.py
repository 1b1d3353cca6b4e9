"""A whole map campaign between bots: their secret orders, their battles, and what follows from them.

`phalera demo --campaign sicily` plays one and tells it.
"""

from domain.basics.errors import BrokenInvariant, Refusal
from domain.campaign.events import EntrantJoined
from domain.campaign.theatre.books import on_tables
from domain.events.battle import Fact
from domain.run.bots import BOT
from server.campaigns.looking import bots_to_order
from server.campaigns.power_bots import bot_gives, bot_lines
from server.offline.linked import OfflineLinked


class OfflineMap(OfflineLinked):
    """A map campaign of bots, by its file.

    Raises: Refusal for an army that the game does not read
    """

    def begin(self) -> None:
        """Enter a bot for each power, and begin."""
        for power in self.config.powers or ():
            joined = EntrantJoined(power.id, f"{BOT}{self._bot}.{power.id}", power.name or power.id.title(), "bot")
            self._enter(Fact("organiser", joined.RULE, joined))
        self.say("begin")

    def order(self) -> None:
        """Let each bot contribute to the chance of the turn and give its orders: with the last of them the turn goes
        as far as its battles."""
        number, book = self.state.round, on_tables(self.book)
        while self.state.round == number and (bots := bots_to_order(self.state)):
            bot = bots[0]
            for given in bot_gives(self.recording, bot, self.state):
                self._enter(given)
            for line in bot_lines(self.recording, bot, book):
                try:
                    self._enter(line)
                except Refusal as refusal:  # a plan is made of what is legal
                    raise BrokenInvariant(f"{bot.id} has ordered what may not be: {refusal}") from refusal
