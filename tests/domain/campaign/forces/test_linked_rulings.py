"""Rulings in a linked campaign, and battles that were fought on a table."""

import pytest

from tests.domain.campaign.forces.test_linked import kinds
from tests.support.linked import NODES, LinkedPlayed, fight


@pytest.mark.rule("CAM-CLB-04", "CAM-CAR-01")
def test_a_battle_on_a_table_costs_what_both_say() -> None:
    played = LinkedPlayed().begun().fought()
    line = "table 1.1 carthage kept 200 600 lost R1 dead G1 worn F2:N1"
    assert kinds(played.say("rome", line)) == []
    played.lots.stacked.append(0)  # a 1: R1 is gone
    events = played.say("carthage", line)
    assert kinds(events)[0] == "TableResult"
    assert events[0].fates == {"F1": {"R1": "lost", "G1": "dead"}, "F2": {"N1": "worn"}}
    told = [(event.element, event.now) for event in events if type(event).__name__ == "ElementFared"]
    assert told == [("R1", "gone"), ("G1", "gone"), ("N1", "fit")]
    assert played.state.theatre.forces["F1"].leaders[0].element.id == "G1-2"


@pytest.mark.rule("CAM-CLB-04")
@pytest.mark.parametrize("word", ["lost R9", "lost G1", "dead R1", "lost F2:R1"])
def test_an_element_that_cannot_have_met_that_is_refused(word: str) -> None:
    played = LinkedPlayed().begun().fought()
    assert played.refused("rome", f"table 1.1 carthage kept 200 600 {word}")[0] == "core.unknown-id"


@pytest.mark.rule("CAM-RUL-03")
def test_a_void_battle_is_set_anew_between_the_same_forces_on_the_same_ground() -> None:
    played = LinkedPlayed().begun().fought()
    before = played.state.boards["1.1"]
    played.say("olga", "void 1.1 because the die was lost")
    after = played.state.boards["1.1"]
    assert after.battle != before.battle and after.before == (before.battle,)
    assert (after.fielded, after.ground, after.scenario) == (before.fielded, before.ground, before.scenario)


@pytest.mark.rule("CAM-RUL-03")
def test_a_result_is_ruled_upon_while_no_later_round_has_begun() -> None:
    node = {**NODES[0], "battles": [fight("One", size=20), fight("Other", "carthage", "rome", size=60)]}
    played = LinkedPlayed(node=[node, *NODES[1:]]).begun().fought()
    played.end("1.1", "south")
    assert played.refused("olga", "void 1.1")[0] == "campaign.already-counted"
    assert played.refused("olga", "pair 1.2 rome carthage")[0] == "campaign.no-such-board"
    events = played.say("olga", "result 1.1 carthage because a mistake")
    assert kinds(events) == ["RulingGiven", "ResultChanged"]
    played.end("1.2", "")
    assert played.state.round == 2 and played.state.rounds[1].node == "cannae"
    assert played.refused("olga", "result 1.1 rome")[0] == "campaign.built-upon"
    assert played.refused("olga", "default 1.1 rome")[0] == "campaign.built-upon"


@pytest.mark.rule("CAM-RUL-02", "CAM-TIM-07")
def test_the_umpire_gives_more_time_for_orders() -> None:
    played = LinkedPlayed(time={"orders": "10d", "grace": "7d", "show": "", "round": "60d"}).begun()
    played.say("olga", "extend 1 5d because of a feast")
    assert kinds(played.wait(14)) == []
    assert kinds(played.wait(15)) == ["ClockFired", "LateNoted"]


@pytest.mark.rule("CAM-RUL-07", "CAM-PPL-04")
def test_whoever_is_expelled_has_lost_the_war() -> None:
    played = LinkedPlayed().begun()
    events = played.say("olga", "expel carthage because of a marked deck")
    assert kinds(events) == ["RulingGiven", "EntrantLeft", "CampaignEnded"]
    assert played.state.winners == ("rome",)


@pytest.mark.rule("CAM-PPL-03")
def test_a_substitute_has_the_army_and_the_orders() -> None:
    played = LinkedPlayed().begun()
    played.say("rome", "rest F1 R1")
    played.reserve("dora")
    played.say("olga", "replace rome by Dora")
    played.say("dora", "ready")
    played.say("carthage", "ready")
    assert "F1/R1" not in played.state.boards["1.1"].fielded["south"]
    assert played.state.boards["1.1"].players["south"] == "dora"
