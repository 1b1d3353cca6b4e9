"""Files of linked campaigns: what holds, and what is forged of armies, dice, scenarios, orders and the way on."""

from typing import Any

import pytest

from domain.campaign.config import resolved
from domain.catalogue import RULESETS
from replay.proof.campaign.verify import verify_campaign
from replay.proof.verify import NOT_ALL_JUDGED, OK
from server.offline.linked import OfflineLinked
from tests.support.campaign_files import Events, ServedCup, served_linked
from tests.support.forgeries import found, of_type, with_member, without
from tests.support.linked import NODES, SIDES

SEED = 4


@pytest.fixture(scope="module")
def war() -> ServedCup:
    """Two battles between bots with small armies, over a few turns each."""
    table = {"campaign": "linked", "title": "A war", "ruleset": "tts", "linked": {"start": "trebia"}}
    options = {"battle": {"options": {"turn_limit": 5}}}
    played = OfflineLinked(RULESETS["tts"], resolved({**table, **options, "side": SIDES, "node": NODES}), SEED)
    played.begin()
    begun = played.file()
    while not played.state.is_over:
        played.order()
        for board in played.running():
            played.fight(board)
    return ServedCup(begun, played.file(), dict(played.files()))


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> ServedCup:
    return served_linked(tmp_path_factory.mktemp("served"))


@pytest.mark.rule("CAM-LOG-06", "CAM-LOG-05", "CAM-CAR-01")
def test_a_war_and_its_battles_hold(war: ServedCup) -> None:
    report = verify_campaign(war.ended, find=war.battles.get)
    assert (report.exit, report.fault) == (OK, None)
    assert set(report.compared) == set(war.battles) and len(war.battles) == 2


@pytest.mark.rule("CAM-LOG-04", "CAM-LOG-05", "CAM-LNK-01")
def test_a_war_on_a_server_and_its_battles_hold(served: ServedCup) -> None:
    report = verify_campaign(served.ended, find=served.battles.get)
    assert (report.exit, report.fault, len(report.compared)) == (OK, None, 2)
    assert b'"rest F1 R3"' in served.ended and b'"rest F1 R3"' not in served.ended.partition(b'"OrdersClosed"')[0]
    assert verify_campaign(served.begun, find=served.battles.get).exit == NOT_ALL_JUDGED


def fewer_lost(events: Events) -> None:
    """A battle is said to have cost a unit less."""
    fates = of_type(events, "ResultCounted")["fates"]
    force = next(iter(fates))
    fates[force].pop(next(iter(fates[force])))


def more_lost(events: Events) -> None:
    of_type(events, "ResultCounted")["fates"].setdefault("F2", {})["N1"] = "lost"


def another_deed(events: Events) -> None:
    of_type(events, "ResultCounted")["deeds"].append({"element": "R1", "force": "F1", "honour": "spolia", "n": 99})


def a_die(purpose: str) -> Any:
    """A die for something has fallen otherwise."""

    def change(events: Events) -> None:
        die = next(e["data"] for e in events if e["type"] == "DieRolled" and e["data"]["purpose"] == purpose)
        die["value"] = die["value"] % die["sides"] + 1

    return change


def back_again(events: Events) -> None:
    """A unit that was gone has come back."""
    fared = next(e["data"] for e in events if e["type"] == "ElementFared" and e["data"]["now"] == "gone")
    fared["now"] = "fit"


def stronger(events: Events) -> None:
    of_type(events, "ForceJoined")["elements"][0]["points"] = 1


def other_army(events: Events) -> None:
    of_type(events, "ForceJoined")["army"]["name"] = "Another"


def other_corps(events: Events) -> None:
    """The army of the file is another one, and so is the force that comes of it."""
    config = events[0]["data"]["config"]["side"][0]["army"]
    config["corps"][0]["units"][0]["quality"] = "veteran"


def others_fielded(events: Events) -> None:
    south = of_type(events, "BattleSet")["fielded"]["south"]
    south.remove("F1/R1")


def moved_ground(events: Events) -> None:
    of_type(events, "BattleSet")["ground"]["edges"].pop()


def other_order(events: Events) -> None:
    of_type(events, "Unsealed")["content"]["text"] = "rest F1 R1"


def order_in_the_open(events: Events) -> None:
    """A secret order stands open from the beginning, and nothing opens it."""
    unsealed = of_type(events, "Unsealed")
    order = events[unsealed["n"] - 1]["data"]
    order.pop("sealed")
    order.update(unsealed["content"])


FORGED: dict[str, tuple[Any, str, str]] = {
    "a loss left out": (fewer_lost, "casualties", "ResultCounted"),
    "a loss too many": (more_lost, "casualties", "ResultCounted"),
    "a deed": (another_deed, "casualties", "ResultCounted"),
    "a die of recovery": (a_die("recover"), "die-differs", "DieRolled"),
    "a die of the ground": (a_die("ground"), "die-differs", "DieRolled"),
    "a unit that came back": (back_again, "casualties", "ElementFared"),
    "a die that was not needed": (with_member("ElementFared", needed=2), "casualties", "ElementFared"),
    "a unit whose fate is not told": (without("ElementFared"), "casualties", "HonourWon"),
    "the price of a unit": (stronger, "event-differs", "ForceJoined"),
    "the name of an army": (other_army, "event-differs", "ForceJoined"),
    "an army of the file": (other_corps, "event-differs", "ForceJoined"),
    "scenario of a battle": (with_member("BattleSet", scenario="00" * 32), "battle-scenario", "BattleSet"),
    "who is fielded": (others_fielded, "battle-scenario", "BattleSet"),
    "where the river is": (moved_ground, "battle-scenario", "BattleSet"),
    "who has won": (with_member("ResultCounted", winner=""), "battle-result", "ResultCounted"),
    "the way on": (with_member("NodeChosen", next="nowhere"), "event-differs", "NodeChosen"),
    "who has won a node": (with_member("NodeChosen", winner=""), "event-differs", "NodeChosen"),
    "points to spend": (with_member("PointsGiven", points=11), "event-differs", "PointsGiven"),
    "no reinforcements": (without("PointsGiven"), "event-differs", "PointsGiven"),
    "another node": (with_member("RoundBegan", node="cannae"), "event-differs", "RoundBegan"),
    "who has won the war": (with_member("CampaignEnded", winners=["nobody"]), "event-differs", "CampaignEnded"),
}
FORGED_ORDERS: dict[str, tuple[Any, str, str]] = {
    "an order that was sealed otherwise": (other_order, "event-without-cause", "ForceOrdered"),
    "an order in the open": (order_in_the_open, "private-open", "OrderAccepted"),
    "orders that are not opened": (without("Unsealed"), "event-without-cause", "ForceOrdered"),
    "who is ready": (with_member("ReadySet", ready=False), "event-differs", "ReadySet"),
    "what is opened": (with_member("OrdersClosed", opens=[]), "event-differs", "OrdersClosed"),
    "a recruit for nothing": (with_member("UnitRaised", treasury=15), "event-differs", "UnitRaised"),
    "a recruit of the best": (with_member("UnitRaised", quality="veteran"), "event-differs", "UnitRaised"),
}


@pytest.mark.rule("CAM-LOG-06")
@pytest.mark.parametrize("name", FORGED)
def test_what_is_forged_of_armies_and_battles_is_found_where_it_is(war: ServedCup, name: str) -> None:
    change, kind, at = FORGED[name]
    assert found(war, change) == (kind, at)


@pytest.mark.rule("CAM-LOG-04", "CAM-LOG-06")
@pytest.mark.parametrize("name", FORGED_ORDERS)
def test_what_is_forged_of_orders_is_found_where_it_is(served: ServedCup, name: str) -> None:
    change, kind, at = FORGED_ORDERS[name]
    assert found(served, change) == (kind, at)
