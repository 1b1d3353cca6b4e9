"""Files of maps under fog: what is sealed while they run, that all is judged at the end, and what a host forges."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from domain.basics.data import example_text
from domain.campaign.config import read_config
from domain.campaign.events import INPUTS
from domain.catalogue import RULESETS
from domain.log import fairness
from domain.log.canonical import canonical
from replay.campaign_file import read_campaign
from replay.proof.campaign.verdict import lines as verdict
from replay.proof.campaign.verify import verify_campaign
from replay.proof.verify import FAULT, NOT_ALL_JUDGED, OK
from server.offline.mapped import OfflineMap
from tests.support.campaign_files import Events, ServedCup
from tests.support.forgeries import Change, found, of_type, with_member, without

SEED = 1
SEALED = ("OrderAccepted", "ForceOrdered", "MovesMade", "TreasuryChanged", "AreasSeen", "ElementFared")
NAMES = {kind.__name__ for kind in INPUTS}


@pytest.fixture(scope="module")
def foggy() -> ServedCup:
    """The packaged campaign under fog between bots; its file before its last block, and at its end."""
    text = example_text("sicily", RULESETS).replace("[map]\n", "[map]\nfog = true\n")
    played = OfflineMap(RULESETS["tts"], read_config(text), SEED)
    played.begin()
    while not played.state.is_over:
        played.order()
        for board in played.running():
            played.fight(board)
    ended = played.file()
    return ServedCup(ended[: max(cuts(ended))], ended, dict(played.files()))


def cuts(content: bytes) -> Iterator[int]:
    """Where the blocks of a file begin, but the first."""
    lines, at = content.splitlines(keepends=True), 0
    for number, line in enumerate(lines):
        if number > 1 and json.loads(line).get("type") in NAMES:
            yield at
        at += len(line)


# --- what holds


@pytest.mark.rule("CAM-FOG-04", "CAM-LOG-06")
def test_when_it_is_over_all_of_it_is_judged(foggy: ServedCup) -> None:
    report = verify_campaign(foggy.ended, find=foggy.battles.get)
    assert (report.exit, report.fault, report.not_judged) == (OK, None, ())
    assert report.counted == len(report.compared) > 0 and not report.other_scenarios


@pytest.mark.rule("CAM-FOG-01", "CAM-LOG-06")
def test_as_long_as_it_runs_it_says_what_is_sealed(foggy: ServedCup) -> None:
    """A file that ends behind any block holds, and none says more than it can."""
    places = [*cuts(foggy.ended)]
    for place in places[5::20]:
        report = verify_campaign(foggy.ended[:place], find=foggy.battles.get)
        assert (report.exit, report.fault) == (NOT_ALL_JUDGED, None), place
        assert not read_campaign(foggy.ended[:place]).state.is_over
    report = verify_campaign(foggy.begun, find=foggy.battles.get)
    assert report.exit == NOT_ALL_JUDGED and len(report.not_judged) > 20 and report.judged > 20
    assert len(report.other_scenarios) == report.counted == len(report.compared)
    assert any(line.startswith("Not judged yet, because sealed: events ") for line in verdict(report))


@pytest.mark.rule("CAM-FOG-01")
def test_nothing_that_is_sealed_stands_in_a_running_file(foggy: ServedCup) -> None:
    events = [json.loads(line) for line in foggy.begun.splitlines()[1:]]
    hidden = [event for event in events if event["type"] in SEALED and "sealed" in event["data"]]
    assert {event["type"] for event in hidden} == {*SEALED}
    for event in hidden:
        assert {*event["data"]} <= {
            "sealed",
            "alliance",
            "turn",
            "side",
            "t",
            "line",
            "player",
            "channel",
            "key",
            "seen",
        }
    assert not [event for event in events if event["type"] in ("ForceMoved", "IncomeTaken", "Unsealed")]


# --- what is forged


def resealed(kind: str, at: int = 0, **members: Any) -> Change:
    """An event of a kind is sealed, and opened, with other members."""

    def change(events: Events) -> None:
        rows = [event for event in events if event["type"] == kind]
        turn, wanted = 0, rows[at]
        for event in events[: events.index(wanted)]:
            turn = event["data"]["round"] if event["type"] == "RoundBegan" else turn
        opening = next(e["data"] for e in events if e["type"] == "Unsealed" and e["data"]["n"] == wanted["n"])
        opening["content"].update(members)
        config = of_type(events, "CampaignOpened")["config"]
        forces = {force["id"]: row["alliance"] for row in config["power"] for force in row["forces"]}
        seat = wanted["data"].get("alliance") or forces[opening["content"]["force"]]
        salt, content = bytes.fromhex(opening["salt"]), canonical(opening["content"])
        commitment = fairness.sealed_commitment(salt, CAMPAIGN[0], turn, seat, content)
        wanted["data"]["sealed"] = commitment.hex()

    return change


CAMPAIGN: list[str] = []


@pytest.fixture(autouse=True)
def campaign(foggy: ServedCup) -> None:
    CAMPAIGN[:] = [json.loads(foggy.ended.splitlines()[0])["campaign"]]


def in_the_open(kind: str) -> Change:
    """What is private stands open."""

    def change(events: Events) -> None:
        event = next(event for event in events if event["type"] == kind and "sealed" in event["data"])
        opening = next(e for e in events if e["type"] == "Unsealed" and e["data"]["n"] == event["n"])
        del event["data"]["sealed"]
        event["data"].update(opening["data"]["content"])
        events.remove(opening)

    return change


def one_more(kind: str) -> Change:
    """An alliance is told twice."""

    def change(events: Events) -> None:
        at = next(n for n, event in enumerate(events) if event["type"] == kind)
        events.insert(at, {**events[at], "data": dict(events[at]["data"])})

    return change


def for_the_other(events: Events) -> None:
    """What one alliance has seen is sealed for the other."""
    seen = [event["data"] for event in events if event["type"] == "AreasSeen"]
    seen[0]["alliance"], seen[1]["alliance"] = seen[1]["alliance"], seen[0]["alliance"]


def opened_early(events: Events) -> None:
    """Orders are said to be opened when they are closed."""
    data = of_type(events, "OrdersClosed")
    data["opens"] = [next(event["n"] for event in events if event["type"] == "ForceOrdered")]


def no_fog(events: Events) -> None:
    of_type(events, "CampaignOpened")["config"]["map"]["fog"] = False


FAILED = {"force": "C1", "reason": "gone", "unit": "X"}
FORGED: dict[str, tuple[Change, str, str]] = {
    "moves": (resealed("MovesMade", moves=[]), "event-differs", "MovesMade"),
    "sight": (resealed("AreasSeen", areas={}), "event-differs", "AreasSeen"),
    "treasury": (resealed("TreasuryChanged", powers={}), "event-differs", "TreasuryChanged"),
    "recruits": (resealed("TreasuryChanged", 1, failed=[FAILED]), "event-differs", "TreasuryChanged"),
    "casualty": (resealed("ElementFared", now="gone", fate="lost"), "casualties", "ElementFared"),
    "order": (resealed("ForceOrdered", do="hold", path=[]), "event-differs", "ForceOrdered"),
    "moves in the open": (in_the_open("MovesMade"), "private-open", "MovesMade"),
    "casualty in the open": (in_the_open("ElementFared"), "private-open", "ElementFared"),
    "nothing for an alliance": (without("AreasSeen", 1), "event-differs", "MovesMade"),
    "told twice": (one_more("MovesMade"), "event-differs", "MovesMade"),
    "sight of the other": (for_the_other, "event-differs", "AreasSeen"),
    "opened early": (opened_early, "event-differs", "OrdersClosed"),
    "never opened": (without("Unsealed", -1), "event-differs", "TreasuryChanged"),
    "no fog": (no_fog, "event-differs", "OrdersClosed"),
    "who meets": (with_member("EncounterMade", attacker="latin"), "event-differs", "EncounterMade"),
}  # fmt: skip


@pytest.mark.rule("CAM-FOG-04", "CAM-LOG-06")
@pytest.mark.parametrize("name", FORGED)
def test_what_is_forged_is_found_when_it_is_opened(foggy: ServedCup, name: str) -> None:
    change, kind, where = FORGED[name]
    assert found(foggy, change) == (kind, where)


def other_die(events: Events) -> None:
    data = of_type(events, "DieRolled")
    data["value"] = data["value"] % 6 + 1


RUNNING: dict[str, tuple[Change, str]] = {
    "die": (other_die, "die-differs"),
    "moves in the open": (with_member("MovesMade", moves=[]), "may-not-be-sealed"),
    "only one alliance": (without("AreasSeen"), "event-missing"),
    "an input that is none": (with_member("ContributionGiven", value="00" * 32), "contribution-differs"),
    "a key": (without("KeyDisclosed", 1), "disclosure-missing"),
    "fog lifted in secret": (no_fog, "event-differs"),
}  # fmt: skip


@pytest.mark.rule("CAM-FOG-01", "CAM-LOG-06")
@pytest.mark.parametrize("name", RUNNING)
def test_what_can_be_seen_in_a_running_file_is_found_at_once(foggy: ServedCup, name: str) -> None:
    change, kind = RUNNING[name]
    running = ServedCup(b"", foggy.begun, foggy.battles)
    report = verify_campaign(running.forged(change), find=foggy.battles.get)
    assert report.fault is not None and (report.exit, report.fault.what) == (FAULT, kind), report.fault
