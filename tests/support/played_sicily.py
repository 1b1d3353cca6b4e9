"""A campaign on Sicily between three small armies of *To the Strongest!*, for tests."""

from typing import Any

from domain.campaign.header import FORMAT, RULES, VERSION, CampaignHeader, encode_header
from domain.catalogue import RULESETS
from domain.events.battle import ContributionGiven, Fact
from domain.log import record
from domain.log.fairness import plain_contribution
from replay.proof import notes
from replay.writing.in_memory import HOST
from tests.support.charts import TOWNS, WAYS, spot
from tests.support.cups import PlayedCampaign
from tests.support.linked import PUNIC, ROMANS


def _areas() -> list[dict[str, Any]]:
    rows = []
    for line in TOWNS.splitlines():
        name, lon, lat, ground, city, income, vp, marks, owner = line.split()
        x, y = spot(float(lon), float(lat))
        row = {"id": name, "ground": ground, "city": int(city), "income": int(income), "vp": int(vp), "x": x, "y": y}
        is_marked = {"supply": "s" in marks, "capital": "c" in marks}
        rows.append({**row, **is_marked, **({} if owner == "-" else {"owner": owner})})
    return rows


def renamed(army: dict[str, Any], first: str) -> dict[str, Any]:
    """An army whose ids begin with other letters."""
    corps = [
        {
            **part,
            "general": {
                **part["general"],
                "id": f"{first}{part['general']['id']}",
                "attached": f"{first}{part['general']['attached']}",
            },
            "units": [{**unit, "id": f"{first}{unit['id']}"} for unit in part["units"]],
        }
        for part in army["corps"]
    ]
    return {**army, "corps": corps}


LINKS = [way.split() for line in WAYS.splitlines() for way in line.split("|")]
AT = "2026-01-01T00:00:00.000Z"
SIGNER = notes.Signer(HOST, bytes(32))
PHRASE = "sixteen bytes of my own"
POWERS = [
    {
        "id": "carthage",
        "name": "Carthage",
        "alliance": "punic",
        "treasury": 10,
        "forces": [
            {"id": "F1", "area": "lilybaeum", "army": PUNIC},
            {"id": "F2", "area": "enna", "army": renamed(PUNIC, "C")},
        ],
    },
    {
        "id": "rome",
        "name": "Rome",
        "alliance": "latin",
        "treasury": 8,
        "forces": [{"id": "F3", "area": "messana", "army": ROMANS}],
    },
    {
        "id": "hiero",
        "name": "Hiero",
        "alliance": "latin",
        "treasury": 5,
        "forces": [{"id": "F4", "area": "syracusae", "army": renamed(ROMANS, "H")}],
    },
]
TABLE = {"power": POWERS, "map": {"turns": 6, "size": 100, "links": LINKS, "area": _areas()}, "ruleset": "tts"}


class SicilyPlayed(PlayedCampaign):
    """A map campaign that a test plays."""

    book = RULESETS["tts"].campaign

    def __init__(self, **tables: Any) -> None:
        super().__init__("map", (), **{"title": "Sicily, 264", **TABLE, **tables})

    def begun(self) -> "SicilyPlayed":
        """All powers are taken, and it has begun."""
        self.enter("carthage", "rome", "hiero")
        self.say("olga", "begin")
        return self

    def marched(self, **lines: str) -> "SicilyPlayed":
        """Each power orders its lines and is ready: the turn is resolved up to its battles."""
        for power in ("carthage", "rome", "hiero"):
            for line in filter(None, lines.get(power, "").split("; ")):
                self.say(power, line)
            value = plain_contribution("map", self.state.round, power, PHRASE).hex()
            given = ContributionGiven(power, self.state.round, "plain", value, phrase=PHRASE, channel="test")
            self.take(Fact(power, given.RULE, given))
            self.say(power, "ready")
        return self


def written(campaign: PlayedCampaign) -> bytes:
    """The log of a campaign as a file, in which nothing was sealed."""
    header = encode_header(CampaignHeader("sicily264", AT, FORMAT, HOST, SIGNER.key, RULES, VERSION))
    hashes, lines = [record.first_hash(header)], list[bytes]()
    for n, fact in enumerate(campaign.facts, 1):
        line = record.encode(n, AT, fact, AT)
        hashes.append(record.next_hash(hashes[-1], line))
        lines.append(record.splice_hash(line, hashes[-1]))
    note = notes.sign_head(SIGNER, notes.Head(notes.origin(HOST, "sicily264"), len(lines), hashes[-1]))
    return b"".join(line + b"\n" for line in (header, *lines, record.checkpoint_line(note)))
