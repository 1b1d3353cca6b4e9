"""A linked campaign from the beginning to a leaf: orders, battles, what they leave, the way on."""

from typing import Any

import pytest

from domain.basics.errors import Refusal
from domain.campaign.config import resolved
from domain.campaign.forces.nodes import side_points
from tests.support.linked import NODES, PUNIC, SIDES, LinkedPlayed, fight


def kinds(events: list[Any]) -> list[str]:
    return [type(event).__name__ for event in events]


@pytest.mark.rule("CAM-RND-01", "CAM-LNK-01")
def test_beginning_brings_in_both_armies_and_asks_for_orders() -> None:
    played = LinkedPlayed()
    played.enter("rome", "carthage")
    events = played.say("olga", "begin")
    assert kinds(events) == ["ForceJoined", "ForceJoined", "LotsDrawn", "RoundBegan"]
    assert [event.power for event in events[:2]] == ["rome", "carthage"]
    assert events[3].node == "trebia"
    assert [each.weight > 0 for each in played.state.theatre.standing()] == [True, True]


@pytest.mark.rule("CAM-PPL-01")
def test_only_the_two_sides_enter() -> None:
    played = LinkedPlayed()
    with pytest.raises(Refusal) as refused:
        played.enter("epirus")
    assert refused.value.code == "campaign.no-such-entrant"
    played.enter("rome")
    assert played.refused("olga", "begin")[0] == "campaign.too-few"


@pytest.mark.rule("CAM-LNK-01", "CAM-LNK-05")
def test_when_both_are_ready_the_battles_of_the_node_are_set() -> None:
    """The battle is that of the forces, on ground by chance."""
    played = LinkedPlayed().begun()
    assert kinds(played.say("rome", "ready")) == ["ReadySet"]
    events = played.say("carthage", "ready")
    assert kinds(events)[:2] == ["ReadySet", "OrdersClosed"]
    battle = events[-1]
    assert (battle.board, battle.south, battle.north, battle.title) == ("1.1", "rome", "carthage", "The Trebia")
    assert battle.fielded["south"] == ("F1/R1", "F1/R2", "F1/R3", "F1/R4", "F1/R5", "F1/R6", "F1/G1", "F1/G2")
    assert len(battle.ground.edges) == 12 and len(battle.scenario) == 64
    assert {event.scope for event in events if type(event).__name__ == "DieRolled"} == {"ground"}


@pytest.mark.rule("CAM-LNK-05")
def test_a_battle_has_as_many_points_as_its_node_allows() -> None:
    """Each unit that still fits, those told to rest left out."""
    played = LinkedPlayed(node=[{"id": "trebia", "battles": [fight("The Trebia", size=20)]}]).begun()
    played.say("rome", "rest F1 R1")
    played.fought()
    board = played.state.boards["1.1"]
    elements = played.state.theatre.forces["F1"].elements
    units = [name.partition("/")[2] for name in board.fielded["south"] if name.partition("/")[2] in elements]
    points = [elements[name].element.points for name in units if elements[name].element.kind == "unit"]
    assert "R1" not in units and sum(points) <= 20


@pytest.mark.rule("CAM-CAR-01", "CAM-LNK-03", "CAM-LNK-04")
def test_what_a_battle_leaves_stands_in_the_append_of_its_result() -> None:
    played = LinkedPlayed().begun().fought()
    played.lots.stacked.extend([1, 5, 5, 5])  # a 2 for R1, 6 for R4 and for both leaders, whom nobody captures
    events = played.end("1.1", "north", fates={"F1": {"R1": "lost", "R4": "worn"}}, deeds=())
    told = [event for event in events if type(event).__name__ == "ElementFared"]
    assert [(one.element, one.needed, one.die, one.now) for one in told][:1] == [("R1", 5, 2, "gone")]
    assert [one.element for one in told] == ["R1", "R4"]
    given = ["PointsGiven", "PointsGiven", "PointsGiven"]
    assert kinds(events)[-6:] == ["NodeChosen", *given, "RoundEnded", "RoundBegan"]
    assert played.state.rounds[-1].node == "cannae"
    assert {name: power.treasury for name, power in played.state.theatre.powers.items()} == {"rome": 15, "carthage": 10}


@pytest.mark.rule("CAM-LNK-02", "CAM-LNK-03")
def test_a_leaf_ends_the_campaign_and_the_side_with_more_points_wins() -> None:
    played = LinkedPlayed().begun().fought()
    played.end("1.1", "north")
    played.fought()
    played.end("2.1", "")
    assert played.state.is_over and played.state.how == "leaf"
    assert side_points(played.state) == {"rome": 2, "carthage": 4}
    assert played.state.winners == ("carthage",)


@pytest.mark.rule("CAM-CAR-08")
def test_a_battle_of_a_node_without_carry_changes_no_ledger() -> None:
    """A historical scenario in between."""
    nodes = [
        {"id": "trebia", "carry": False, "next": {"draw": "cannae"}, "battles": [fight("The Trebia")]},
        {"id": "cannae", "carry": False, "battles": [fight("Cannae", ground="", scenario="cannae")]},
    ]
    played = LinkedPlayed(node=nodes).begun().fought()
    before = played.state.theatre.forces
    events = played.end("1.1", "")
    assert kinds(events)[0] == "NodeChosen"
    assert played.state.theatre.forces == before
    played.fought()
    board = played.state.boards["2.1"]
    assert (board.named, board.scenario, board.fielded) == ("cannae", "cannae", {})
    played.end("2.1", "south")
    assert played.state.theatre.forces == before and played.state.is_over


@pytest.mark.rule("CAM-LNK-04", "CAM-ORD-02")
def test_recruits_are_paid_from_reinforcements_and_fight_in_the_next_battle() -> None:
    played = LinkedPlayed().begun()
    assert played.refused("rome", "recruit F1 I light_javelin as R9")[0] == "campaign.cannot-afford"
    played.fought()
    played.end("1.1", "north")
    played.say("rome", "recruit F1 I light_javelin as R9")
    assert played.refused("carthage", "recruit F1 I light_javelin as R8")[0] == "campaign.not-your-force"
    assert played.refused("rome", "march F1 rome")[0] == "campaign.no-such-area"
    played.say("rome", "ready")
    events = played.say("carthage", "ready")
    raised = next(event for event in events if type(event).__name__ == "UnitRaised")
    assert (raised.unit, raised.treasury) == ("R9", 15 - raised.points)
    assert "F1/R9" in played.state.boards["2.1"].fielded["north"]
    assert played.refused("rome", "dismiss F1 R9")[0] == "campaign.orders-closed"


@pytest.mark.rule("CAM-ORD-02")
def test_a_later_order_takes_ready_back() -> None:
    played = LinkedPlayed().begun()
    played.say("rome", "ready")
    assert kinds(played.say("rome", "rest F1 R1")) == ["ForceOrdered", "ReadySet"]
    assert played.state.ordering.ready == frozenset()
    assert kinds(played.say("carthage", "ready")) == ["ReadySet"]
    assert kinds(played.say("carthage", "wait")) == ["ReadySet"]


@pytest.mark.rule("CAM-TIM-03", "CAM-TIM-07")
def test_orders_that_do_not_come_are_defaulted_after_notice_and_grace() -> None:
    played = LinkedPlayed(time={"orders": "10d", "grace": "7d", "show": "", "round": "60d"}).begun()
    played.say("rome", "rest F1 R1")
    assert kinds(played.wait(10)) == ["ClockFired", "LateNoted"]
    assert kinds(played.wait(16)) == []
    events = played.wait(17)
    assert kinds(events)[:3] == ["ClockFired", "OrdersDefaulted", "OrdersClosed"]
    assert (events[1].side, events[1].row) == ("carthage", 1)
    assert "F1/R1" not in played.state.boards["1.1"].fielded["south"]
    played.end("1.1", "south")
    played.say("rome", "ready")
    assert kinds(played.wait(27)) == ["ClockFired", "LateNoted"]
    events = played.wait(34)
    assert [event for event in kinds(events) if event.startswith(("Orders", "Entrant"))] == [
        "OrdersDefaulted",
        "OrdersClosed",
        "EntrantLeft",
    ]
    assert played.state.entrants["carthage"].left == "absent"


@pytest.mark.rule("CAM-PPL-04")
def test_the_other_side_wins_when_one_withdraws() -> None:
    played = LinkedPlayed().begun().fought()
    assert kinds(played.say("rome", "withdraw"))[0] == "DefaultGiven"
    assert played.state.winners == ("carthage",)


@pytest.mark.rule("CAM-LNK-01")
def test_battles_at_the_same_time_share_no_unit() -> None:
    """Those that stand first in the file choose first."""
    node = {"id": "trebia", "battles": [fight("One", size=20), fight("Other", "carthage", "rome", size=60)]}
    played = LinkedPlayed(node=[node]).begun().fought()
    fielded = [{*board.fielded["south"], *board.fielded["north"]} for board in played.state.boards.values()]
    assert fielded[0] and fielded[1] and not fielded[0] & fielded[1]


WRONG: dict[str, dict[str, Any]] = {
    "side": {"side": [SIDES[0]]},
    "side.id": {"side": [SIDES[0], {"id": "all", "army": PUNIC}]},
    "side.army": {"side": [SIDES[0], {"id": "carthage"}]},
    "linked.start": {"linked": {"start": "zama"}},
    "node.id": {"node": [NODES[1], NODES[1], *NODES]},
    "node.next": {"node": [{**NODES[0], "next": {"rome": "trebia"}}]},
    "node.battles.south": {"node": [{"id": "trebia", "battles": [fight("x", "rome", "rome")]}]},
    "node.battles.ground": {"node": [{"id": "trebia", "battles": [fight("x", scenario="cannae")]}]},
    "node.carry": {"node": [{"id": "trebia", "battles": [fight("x", ground="", scenario="cannae")]}]},
    "carry.recover.lost.winner": {"carry": {"recover": {"lost": {"winner": 9, "draw": 4, "loser": 5}}}},
    "battle.scenario": {"battle": {"scenario": "cannae"}},
    "cup": {"cup": {"system": "swiss", "rounds": 2}},
}


@pytest.mark.parametrize("key", WRONG)
@pytest.mark.rule("CAM-LOG-02", "CAM-LNK-01")
def test_a_file_that_makes_no_tree_is_refused_with_its_key(key: str) -> None:
    table = {"campaign": "linked", "title": "x", "ruleset": "tts", "side": SIDES, "linked": {"start": "trebia"}}
    with pytest.raises(Refusal) as refused:
        resolved({**table, "node": NODES, **WRONG[key]})
    assert (refused.value.code, refused.value.params["key"]) == ("campaign.bad-file", key)
