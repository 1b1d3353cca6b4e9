"""A map campaign that was served: three people, secret orders, a battle, the end."""

from domain.basics.toml_text import to_toml
from server.acts.campaigns.entering import CampaignEntry, enter_campaign
from server.acts.campaigns.lines import give_lines
from server.acts.campaigns.opening import open_campaign
from server.campaigns.live_campaign import LiveCampaign
from server.campaigns.steward import Steward
from server.people.players import Player
from tests.support.mapped import MAP, POWERS, TABLE

TITLE = "A small map"
NAMES = ("Anna", "Bob", "Cid")
FILE = to_toml({"campaign": "map", "title": TITLE, **TABLE, "map": {**MAP, "turns": 2}})
PHRASE = "a phrase of mine"


class ServedMap:
    """A map on a server: `live` and its three powers, red of the first person, who organises."""

    def __init__(self, steward: Steward, people: list[Player], live: LiveCampaign) -> None:
        self.steward = steward
        self.people = dict(zip(POWERS, people, strict=True))
        self.live = live
        self._given = 0

    @classmethod
    async def begun(cls, steward: Steward, people: list[Player], bots: int = 0) -> "ServedMap":
        """Opened, entered, begun; the last powers are those of `bots`."""
        live = await open_campaign(steward, people[0], FILE, "k")
        served = cls(steward, people, live)
        for number, (power, person) in enumerate(served.people.items()):
            if number < len(POWERS) - bots:
                await enter_campaign(steward, person, live, CampaignEntry(power, PHRASE))
            else:
                await enter_campaign(steward, people[0], live, CampaignEntry(power, bot="random"))
        await served.say("red", "begin")
        return served

    async def say(self, power: str, text: str) -> list[str]:
        """Lines of a power; the codes of what was refused."""
        self._given += 1
        answers = await give_lines(self.steward, self.people[power], self.live, text, f"line {self._given}")
        return [answer.refusal.code for answer in answers if answer.refusal is not None]

    async def ready(self, *powers: str) -> None:
        """Powers are ready."""
        for power in powers or POWERS:
            assert await self.say(power, "ready") == []
