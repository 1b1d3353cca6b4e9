"""Random battles of every scenario and of strewn fields run to their end without a fault.

Here two dozen are played, with `--sweep` a hundred; `benchmarks.random_play singidunum` plays the same, thousands of
them.
"""

import random
from collections import Counter

import pytest

from benchmarks.random_battles.singidunum import GAME, battle_of
from benchmarks.random_play import Ended, play
from domain.basics.data import scenario_names
from domain.games.singidunum import RULESET
from tests.domain.games.singidunum.playing import battle
from tests.support.lanes import sampled, thinned

SEED, FEW, MANY, IN_A_LOT = 71, 6, 106, 10
SCENARIOS = list(scenario_names(RULESET.code))


@pytest.mark.parametrize("number", thinned(range(1, FEW + 1), 6))
def test_random_battles_come_to_their_end(number):
    assert isinstance(play(GAME, SEED, number), Ended)


@pytest.mark.slow
@pytest.mark.parametrize("first", sampled(range(FEW + 1, MANY, IN_A_LOT), 5))
def test_a_hundred_random_battles_come_to_their_end(first):
    endings = Counter(play(GAME, SEED, number).how for number in range(first, first + IN_A_LOT))
    assert endings.total() == IN_A_LOT


def test_every_scenario_is_played_at_random_and_so_are_fields():
    names = {battle_of(number, random.Random(number))[0] for number in range(1, 4 * len(SCENARIOS))}
    assert names == {*SCENARIOS, "field"}


def test_there_are_four_scenarios_at_least():
    assert len(SCENARIOS) >= 4


@pytest.mark.slow
@pytest.mark.parametrize("bot", ["sensible", "strong"])
def test_the_bot_beats_the_random_one(bot):
    """In nine of ten battles at least, from either side."""
    won: Counter[bool] = Counter()
    for seed in range(5):
        for side, other in (("south", "north"), ("north", "south")):
            *_, (winner, _, _) = battle("two-lines", seed, {side: bot, other: "random"})
            won[winner == side] += 1
    assert won[True] >= 9
