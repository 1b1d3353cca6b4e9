"""Random battles of every scenario and of any troops run to their end without a fault.

Here a few are played, with `--sweep` a few dozen; `benchmarks.random_play stp` plays the same, thousands of them.
"""

import random
from collections import Counter

import pytest

from benchmarks.random_battles.shot_to_pieces import GAME, battle_of
from benchmarks.random_play import Ended, play
from domain.basics.data import scenario_names
from domain.games.shot_to_pieces import RULESET
from domain.games.shot_to_pieces.state.vocabulary import PERIODS
from tests.support.lanes import sampled

SEED, FEW, MANY, IN_A_LOT = 71, 2, 26, 4


@pytest.mark.slow
@pytest.mark.parametrize("number", range(1, FEW + 1))
def test_random_battles_come_to_their_end_and_verify(number):
    assert isinstance(play(GAME, SEED, number, is_recorded=True), Ended)


@pytest.mark.slow
@pytest.mark.parametrize("first", sampled(range(FEW + 1, MANY, IN_A_LOT), 6))
def test_dozens_of_random_battles_come_to_their_end(first):
    endings = Counter(play(GAME, SEED, number).how for number in range(first, first + IN_A_LOT))
    assert endings.total() == IN_A_LOT


def test_every_scenario_and_every_period_is_played_at_random():
    names = {battle_of(number, random.Random(number))[0] for number in range(1, 40)}
    assert names == {*scenario_names(RULESET.code), *PERIODS}
