"""Files of map campaigns: what holds, and what a host forges of marches, sieges, dice, income and secret orders."""

import json
from typing import Any

import pytest

from domain.basics.data import example_text
from domain.campaign.config import read_config
from domain.catalogue import RULESETS
from domain.log import fairness
from domain.log.canonical import canonical
from replay.campaign_file import read_campaign
from replay.proof.campaign.verify import verify_campaign
from replay.proof.verify import NOT_ALL_JUDGED, OK
from server.offline.mapped import OfflineMap
from tests.support.campaign_files import Events, ServedCup
from tests.support.forgeries import Change, found, of_type, with_member, without

SEED = 1


@pytest.fixture(scope="module")
def sicily() -> ServedCup:
    """The packaged campaign between bots; its file when the first orders were given, and at its end."""
    played = OfflineMap(RULESETS["tts"], read_config(example_text("sicily", RULESETS)), SEED)
    played.begin()
    begun = b""
    while not played.state.is_over:
        played.order()
        begun = begun or played.file()
        for board in played.running():
            played.fight(board)
    return ServedCup(begun, played.file(), dict(played.files()))


@pytest.mark.rule("CAM-LOG-06", "CAM-LOG-04", "CAM-MAP-04")
def test_a_map_and_its_battles_hold(sicily: ServedCup) -> None:
    report = verify_campaign(sicily.ended, find=sicily.battles.get)
    assert (report.exit, report.fault) == (OK, None)
    assert set(report.compared) == set(sicily.battles) and report.counted == len(sicily.battles) > 0
    assert report.bound == 0 and report.draws > 10


@pytest.mark.rule("CAM-LOG-04")
def test_no_order_stands_open_before_the_orders_are_closed(sicily: ServedCup) -> None:
    before = sicily.ended.partition(b'"type":"OrdersClosed"')[0]
    assert b"ForceOrdered" in before and b'"march' not in before
    assert verify_campaign(sicily.begun, find=sicily.battles.get).exit == NOT_ALL_JUDGED


@pytest.mark.rule("CAM-LOG-04")
def test_a_file_of_which_the_newest_orders_are_sealed_still_holds(sicily: ServedCup) -> None:
    """It is cut in the middle of a turn's orders: nobody can judge them yet."""
    lines = sicily.ended.splitlines(keepends=True)
    last = max(at for at, line in enumerate(lines) if b'"type":"OrdersClosed"' in line)
    at = max(n for n in range(last) if b'"type":"ForceOrdered"' in lines[n]) + 1
    report = verify_campaign(b"".join(lines[:at]), find=sicily.battles.get)
    assert (report.exit, report.fault) == (NOT_ALL_JUDGED, None)
    state = read_campaign(b"".join(lines[:at])).state
    assert state.sealed and state.takes_orders and not state.ordering.turn.movements


def opened_as(kind: str, **members: Any) -> Change:
    """A secret is opened, and sealed, as something else: of an event of a type the first."""

    def change(events: Events) -> None:
        types = {event["n"]: event["type"] for event in events}
        opening = next(event for event in events if event["type"] == "Unsealed" and types[event["data"]["n"]] == kind)
        data = opening["data"]
        data["content"].update(members)
        sealed = next(event for event in events if event["n"] == data["n"])
        salt, content = bytes.fromhex(data["salt"]), canonical(data["content"])
        campaign = _campaign(events)
        commitment = fairness.sealed_commitment(salt, campaign, 1, sealed["by"], content)
        sealed["data"]["sealed"] = commitment.hex()

    return change


_CAMPAIGN: list[str] = []


def _campaign(events: Events) -> str:
    return _CAMPAIGN[0]


@pytest.fixture(autouse=True)
def campaign(sicily: ServedCup) -> None:
    _CAMPAIGN[:] = [json.loads(sicily.ended.splitlines()[0])["campaign"]]


def other_die(events: Events) -> None:
    """A siege is said to have rolled another number."""
    at = next(n for n, event in enumerate(events) if event["type"] == "SiegeRolled")
    die = events[at - 1]["data"]
    die["value"] = die["value"] % 6 + 1


def told_again(events: Events) -> None:
    """An order is opened twice."""
    at = next(n for n, event in enumerate(events) if event["type"] == "Unsealed")
    events.insert(at + 1, {**events[at], "data": dict(events[at]["data"])})


def in_the_open(events: Events) -> None:
    """An order to a force stands open in the log."""
    opening = next(event for event in events if event["type"] == "Unsealed")
    sealed = next(event for event in events if event["n"] == opening["data"]["n"])
    del sealed["data"]["sealed"]
    sealed["data"].update(opening["data"]["content"])
    events.remove(opening)


def other_salt(events: Events) -> None:
    of_type(events, "Unsealed")["salt"] = "0" * 64


def closed_early(events: Events) -> None:
    """The orders are closed before the last power was ready."""
    ready = [event for event in events if event["type"] == "ReadySet"]
    events.remove(ready[2])


def without_contribution(events: Events) -> None:
    """A power has not contributed to the first turn."""
    given = [event for event in events if event["type"] == "ContributionGiven"]
    events.remove(given[0])


def somebody_else_s(events: Events) -> None:
    """A power orders in the name of another."""
    order = next(event for event in events if event["type"] == "OrderAccepted" and "sealed" in event["data"])
    order["by"] = order["data"]["side"] = next(
        event["data"]["entrant"]
        for event in events
        if event["type"] == "EntrantJoined" and event["data"]["entrant"] != order["by"]
    )


def longer(events: Events) -> None:
    """The campaign was to have more turns."""
    of_type(events, "CampaignOpened")["config"]["map"]["turns"] = 9


FORGED: dict[str, tuple[Change, str, str]] = {
    "march": (with_member("ForceMoved", 0, to="enna"), "event-differs", "ForceMoved"),
    "no march": (without("ForceMoved"), "event-differs", "ForceMoved"),
    "stop": (with_member("ForceStopped", 0, reason="met"), "event-differs", "ForceStopped"),
    "who meets": (with_member("EncounterMade", 0, attacker="punic"), "event-differs", "EncounterMade"),
    "retreat": (with_member("ForceRetreated", 0, to="lilybaeum"), "event-differs", "ForceRetreated"),
    "siege": (with_member("SiegeRolled", 0, needed=2), "event-differs", "SiegeRolled"),
    "die of a siege": (other_die, "die-differs", "DieRolled"),
    "city": (without("CityFell"), "event-differs", "DieRolled"),
    "ground": (with_member("AreaTaken", 0, power="carthage"), "event-differs", "AreaTaken"),
    "income": (with_member("IncomeTaken", 0, points=99), "event-differs", "IncomeTaken"),
    "recruit": (with_member("UnitRaised", 0, points=1), "event-differs", "UnitRaised"),
    "next turn": (with_member("RoundBegan", 1, deadline="2027-01-01T00:00:00.000Z"), "event-differs", "RoundBegan"),
    "winners": (with_member("CampaignEnded", 0, winners=["carthage"]), "event-differs", "CampaignEnded"),
    "how it ended": (with_member("CampaignEnded", 0, how="capitals"), "event-differs", "CampaignEnded"),
    "what is opened": (with_member("OrdersClosed", 0, opens=[]), "event-differs", "OrdersClosed"),
    "order opened as another": (opened_as("OrderAccepted", text="hold C1"), "text-differs", "OrderAccepted"),
    "force opened as ordered otherwise": (opened_as("ForceOrdered", do="storm"), "event-differs", "ForceOrdered"),
    "salt": (other_salt, "event-without-cause", "ForceOrdered"),
    "opened twice": (told_again, "disclosure-not-due", "Unsealed"),
    "never opened": (without("Unsealed"), "event-without-cause", "ForceOrdered"),
    "order in the open": (in_the_open, "private-open", "OrderAccepted"),
    "closed before all were ready": (closed_early, "event-differs", "OrdersClosed"),
    "drawn before all had contributed": (without_contribution, "event-without-cause", "OrdersClosed"),
    "order in another's name": (somebody_else_s, "event-without-cause", "ForceOrdered"),
    "army": (with_member("ForceJoined", 0, area="enna"), "event-differs", "ForceJoined"),
    "fielded": (with_member("BattleSet", 0, north="hiero"), "event-differs", "BattleSet"),
    "map": (longer, "event-differs", "CampaignEnded"),
}  # fmt: skip


@pytest.mark.rule("CAM-LOG-06", "CAM-LOG-04")
@pytest.mark.parametrize("name", FORGED)
def test_what_is_forged_is_found_where_it_stands(sicily: ServedCup, name: str) -> None:
    change, kind, where = FORGED[name]
    assert found(sicily, change) == (kind, where)
