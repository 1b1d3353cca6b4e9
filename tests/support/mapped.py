"""A small map campaign of *To the Strongest!* between three powers, for tests."""

from collections.abc import Iterable
from typing import Any

from domain.catalogue import RULESETS
from domain.events.battle import ContributionGiven, Fact
from domain.log.fairness import plain_contribution
from tests.support.cups import PlayedCampaign
from tests.support.linked import PUNIC, ROMANS

POWERS = ("red", "rose", "blue")


def _army(letter: str, *troops: str) -> dict[str, Any]:
    units = [{"id": f"{letter}{number}", "troop": troop} for number, troop in enumerate(troops, 1)]
    general = {"id": f"G{letter}", "attached": f"{letter}1", "traits": ["commander"]}
    return {"name": letter, "corps": [{"id": letter, "general": general, "camp": {}, "units": units}]}


def power(name: str, alliance: str, force: str, area: str, army: dict[str, Any], treasury: int = 20) -> dict[str, Any]:
    """A power of one force."""
    forces = [{"id": force, "area": area, "army": army}]
    return {"id": name, "alliance": alliance, "treasury": treasury, "forces": forces}


MAP: dict[str, Any] = {
    "turns": 3,
    "links": [["west", "ford", "road"], ["ford", "east", "road"], ["west", "hills", "track"], ["hills", "isle", "sea"]],
    "area": [
        {"id": "west", "owner": "red", "supply": True, "capital": True, "city": 1, "income": 4, "vp": 2},
        {"id": "ford", "name": "The Ford", "ground": "river", "vp": 1},
        {"id": "east", "owner": "blue", "supply": True, "capital": True, "city": 1, "income": 6, "vp": 2},
        {"id": "hills", "owner": "rose", "ground": "hilly", "supply": True, "income": 1},
        {"id": "isle", "city": 1, "vp": 1},
    ],
}
TABLE: dict[str, Any] = {
    "ruleset": "tts",
    "map": MAP,
    "power": [
        power("red", "reds", "F1", "west", ROMANS),
        power("rose", "reds", "F2", "hills", _army("K", "legionaries", "bowmen")),
        power("blue", "blues", "F3", "east", PUNIC),
    ],
}


class MapPlayed(PlayedCampaign):
    """A map campaign that a test plays."""

    book = RULESETS["tts"].campaign

    def __init__(self, lots: Iterable[int] = (), **tables: Any) -> None:
        super().__init__("map", lots, **{**TABLE, **tables})

    def begun(self) -> "MapPlayed":
        """All powers are taken, and it has begun."""
        self.enter(*POWERS)
        self.say("olga", "begin")
        return self

    def give(self, power: str) -> list[Any]:
        """A power contributes to the chance of the round; what follows."""
        t = self.state.round
        value = plain_contribution("toy", t, power, "a phrase of mine").hex()
        return self.take(Fact(power, "", ContributionGiven(power, t, "plain", value, phrase="a phrase of mine")))

    def turn(self, **orders: str) -> list[Any]:
        """A turn: each power contributes, orders, and is ready; the consequences of the last `ready`."""
        events: list[Any] = []
        for power in POWERS:
            if power in self.state.players:
                self.give(power)
                for line in filter(None, orders.get(power, "").split("; ")):
                    self.say(power, line)
                events = self.say(power, "ready")
        return events
