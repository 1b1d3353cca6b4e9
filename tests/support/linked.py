"""A linked campaign between two small armies of *To the Strongest!*, for tests."""

from collections.abc import Iterable
from typing import Any

from domain.basics.toml_text import to_toml
from domain.catalogue import RULESETS
from tests.support.cups import PlayedCampaign


def _unit(name: str, troop: str, quality: str = "standard") -> dict[str, Any]:
    return {"id": name, "troop": troop, "quality": quality}


ROMANS: dict[str, Any] = {
    "name": "A consul's army",
    "corps": [
        {
            "id": "I",
            "general": {"id": "G1", "attached": "R2", "traits": ["commander"]},
            "camp": {},
            "units": [_unit("R1", "legionaries"), _unit("R2", "legionaries"), _unit("R3", "light_javelin")],
        },
        {
            "id": "II",
            "general": {"id": "G2", "attached": "R5", "mounted": True},
            "camp": {},
            "units": [_unit("R4", "bowmen"), _unit("R5", "cavalry_javelin"), _unit("R6", "light_cavalry_javelin")],
        },
    ],
}
PUNIC: dict[str, Any] = {
    "name": "The army of Italy",
    "corps": [
        {
            "id": "III",
            "general": {"id": "G3", "attached": "N2", "traits": ["commander"]},
            "camp": {},
            "units": [_unit("N1", "warriors_deep"), _unit("N2", "warriors"), _unit("N3", "light_sling")],
        },
        {
            "id": "IV",
            "general": {"id": "G4", "attached": "N5", "mounted": True},
            "camp": {},
            "units": [_unit("N4", "bowmen"), _unit("N5", "cavalry_javelin"), _unit("N6", "light_cavalry_javelin")],
        },
    ],
}
SIDES = [{"id": "rome", "army": ROMANS}, {"id": "carthage", "army": PUNIC}]


def fight(title: str, south: str = "rome", north: str = "carthage", **members: Any) -> dict[str, Any]:
    """A battle of a node."""
    return {"title": title, "south": south, "north": north, "size": 100, "ground": "open", **members}


NODES: list[dict[str, Any]] = [
    {
        "id": "trebia",
        "next": {"carthage": "cannae", "rome": "ticinus", "draw": "cannae"},
        "battles": [fight("The Trebia", ground="river")],
    },
    {"id": "cannae", "battles": [fight("Cannae", "carthage", "rome", vp=2)]},
    {"id": "ticinus", "battles": [fight("The Ticinus", ground="marshy")]},
]


class LinkedPlayed(PlayedCampaign):
    """A linked campaign that a test plays."""

    book = RULESETS["tts"].campaign

    def __init__(self, lots: Iterable[int] = (), **tables: Any) -> None:
        table = {"side": SIDES, "linked": {"start": "trebia"}, "node": NODES, "ruleset": "tts", **tables}
        super().__init__("linked", lots, **table)

    def begun(self) -> "LinkedPlayed":
        """Both sides are taken, and it has begun."""
        self.enter("rome", "carthage")
        self.say("olga", "begin")
        return self

    def fought(self) -> "LinkedPlayed":
        """Both are ready: the battles of the node are set."""
        self.say("rome", "ready")
        self.say("carthage", "ready")
        return self


def served_file(**tables: Any) -> str:
    """The file of such a campaign, for a server."""
    ground = [{**node, "battles": [{**one, "ground": "open"} for one in node["battles"]]} for node in NODES]
    table = {"campaign": "linked", "title": "Hannibal's war", "ruleset": "tts", "side": SIDES, "node": ground}
    return to_toml({**table, "linked": {"start": "trebia", "base": 40}, **tables})
