"""A war of three battles, as a campaign's log has it: who is lost and honoured, and by which dice."""

from functools import cache, reduce
from typing import Any

from domain.campaign.header import FORMAT, RULES, VERSION, CampaignHeader
from domain.campaign.theatre.events import UnitLost
from domain.events.battle import Fact
from domain.events.event import Event
from domain.log.canonical import canonical
from domain.log.record import encode, first_hash, next_hash
from projections.ledger.book import ledger_of
from projections.ledger.records import CampaignLedger
from replay.proof.chain import file_bytes
from replay.proof.notes import Head, Signer, origin, sign_head
from tests.support.linked import LinkedPlayed, fight

STARTED = "2026-01-01T00:00:00.000Z"
TREBIA, TRASIMENE, CANNAE = "b1", "b2", "b3"
NODES = [
    {"id": "trebia", "next": {"rome": "trasimene"}, "battles": [fight("The Trebia", ground="players")]},
    {"id": "trasimene", "next": {"carthage": "cannae"}, "battles": [fight("Lake Trasimene", ground="players")]},
    {"id": "cannae", "battles": [fight("Cannae", ground="players")]},
]


def deed(force: str, element: str, honour: str, n: int) -> dict[str, Any]:
    """A deed as the steward reads it out of a battle."""
    return {"force": force, "element": element, "honour": honour, "n": n}


class War:
    """A linked campaign that is played, with dice by their faces."""

    def __init__(self) -> None:
        self.played = LinkedPlayed(node=NODES, linked={"start": "trebia", "base": 40}).begun()

    @property
    def events(self) -> list[Event]:
        """The log so far."""
        return [fact.event for fact in self.played.facts]

    def fight(self, winner: str, dice: tuple[int, ...], how: str = "medals", **left: Any) -> None:
        """The battle of the node, with what it leaves."""
        self.played.fought()
        self.played.lots.stacked.extend(face - 1 for face in dice)
        self.played.end(f"{self.played.state.round}.1", winner, how=how, **left)
        assert not self.played.lots.stacked, "not all dice were thrown"


def war() -> War:
    """Three battles: R1 is honoured four times, R4 falls in the second, Rome's G1 is taken and bought back, N6 starves,
    G3 is killed."""
    told = War()
    told.fight(
        "south",
        (6, 4, 2, 6),  # R4 is worn, N3 destroyed; the generals of the losers
        fates={"F1": {"R4": "worn"}, "F2": {"N3": "lost", "N4": "worn"}},
        deeds=(deed("F1", "R1", "vallaris", 210), deed("F1", "R1", "phalera", 230)),
    )
    told.fight(
        "north",
        (2, 1, 6),  # R4 is destroyed; G1 is captured, G2 not
        fates={"F1": {"R4": "lost"}},
        deeds=(deed("F2", "N1", "spolia", 88),),
    )
    told.played.say("rome", "ransom F1 G1")
    told.played.say("rome", "recruit F1 II bowmen raw as R7")
    told.fight(
        "",
        (),
        "turn-limit",
        fates={"F2": {"G3": "dead"}},
        deeds=(deed("F1", "R1", "graminea", 300), deed("F1", "R1", "vallaris", 310)),
    )
    return told


@cache
def log() -> tuple[Event, ...]:
    """The events of it; behind them one of a map, where hunger takes a unit."""
    return (*war().events, Fact("server", "", UnitLost("F2", "N6", "hunger")).event)


def ledger() -> CampaignLedger:
    """Its ledger."""
    return ledger_of(log())


def war_file() -> bytes:
    """The file of it, chained and signed, without its secrets: it can be read, but not be verified."""
    signer = Signer("phalera.example", bytes(range(32)))
    header = CampaignHeader(
        campaign="aaaabbbb",
        created=STARTED,
        format=FORMAT,
        host=signer.name,
        key=signer.key,
        rules=RULES,
        version=VERSION,
    )
    facts = war().played.facts
    lines = [encode(n, STARTED, fact) for n, fact in enumerate(facts, 1)]
    first = canonical(header)
    head = reduce(next_hash, lines, first_hash(first))
    note = sign_head(signer, Head(origin(header.host, header.campaign), len(lines), head))
    return file_bytes(first, lines, note)
