"""A bot's proposal for the set-up: lines that can all be played as they stand, from what the side knows."""

import pytest

from domain.catalogue import RULESETS
from domain.contract.option import Option
from domain.engine.state import OTHER
from replay.writing.entropy import SeededEntropy
from replay.writing.in_memory import OfflineBattle, SeededClock, scenario_table
from server.play.planning import MOST, Situation, can_plan, planned
from tests.support.before_the_turns import points_battle


def situation(battle: OfflineBattle, side: str) -> Situation:
    recording = battle.recording
    return Situation(battle.ruleset, "b", len(recording.timeline.events), side, recording.known(side))


def options_of(battle: OfflineBattle, side: str) -> list[Option]:
    return list(battle.ruleset.orders.options(battle.recording.known(side), side))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_all_that_is_proposed_is_played_and_the_battle_gets_to_its_turns(seed: int) -> None:
    battle = points_battle(seed=seed, stratagems_per_side=0)
    proposed: dict[str, int] = {}
    while not battle.recording.battle.game.turn:
        side, phase = battle.to_act[0], battle.recording.battle.game.phase
        lines = planned(situation(battle, side))
        for line in lines:
            assert battle.recording.battle.game.phase == phase and side in battle.to_act
            battle.order(side, line)
        proposed[phase] = proposed.get(phase, 0) + len(lines)
        if side in battle.to_act and not battle.recording.battle.game.turn:
            battle.order(side, options_of(battle, side)[-1].order)
    units = battle.recording.battle.game.units
    assert proposed["terrain"] and proposed["deployment"] >= len(units)
    assert all(unit.box for unit in units.values())


def test_the_same_situation_gets_the_same_proposal_and_nothing_is_played() -> None:
    battle = points_battle(stratagems_per_side=0)
    (side,), before = battle.to_act, battle.recording.head
    lines = planned(situation(battle, side))
    assert 0 < len(lines) <= MOST
    assert planned(situation(battle, side)) == lines
    assert planned(situation(battle, OTHER[side])) == ()
    assert battle.recording.head == before


@pytest.mark.parametrize(("code", "scenario"), [("tts", "skirmish"), ("warmaster-shooting", "two-lines")])
def test_nothing_is_proposed_in_the_turns(code: str, scenario: str) -> None:
    ruleset = RULESETS[code]
    table = scenario_table(ruleset, scenario)
    battle = OfflineBattle(ruleset, table, SeededClock("1"), SeededEntropy("1"))
    battle.seat_person("south", "Ann")
    battle.seat_person("north", "Ben")
    (side,) = battle.to_act
    assert not can_plan(ruleset, battle.recording.known(side), options_of(battle, side))
    assert planned(situation(battle, side)) == ()
