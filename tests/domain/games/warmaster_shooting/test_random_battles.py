"""Random battles of every scenario and of strewn fields run to their end without a fault, and bots beat chance.

Here a dozen are played, with `--sweep` a few dozen; `benchmarks.random_play warmaster-shooting` plays the same,
thousands of them.
"""

import random
from collections import Counter

import pytest

from benchmarks.random_battles.warmaster_shooting import GAME, battle_of
from benchmarks.random_play import Ended, play
from domain.basics.data import parse_toml, scenario_names, scenario_text
from domain.games.warmaster_shooting import RULESET
from domain.games.warmaster_shooting.orders.notation import parse, write
from domain.run.decide import beginning, evolve, opening
from server.offline.simulate import games_of, play_all
from tests.support.lanes import sampled

SEED, FEW, MANY, IN_A_LOT = 71, 4, 44, 5
SCENARIOS = list(scenario_names(RULESET.code))
GAMES_A_SIDE = 5


@pytest.mark.slow
@pytest.mark.parametrize("number", range(1, FEW + 1))
def test_random_battles_come_to_their_end(number):
    assert isinstance(play(GAME, SEED, number), Ended)


@pytest.mark.slow
@pytest.mark.parametrize("first", sampled(range(FEW + 1, MANY, IN_A_LOT), 4))
def test_dozens_of_random_battles_come_to_their_end(first):
    endings = Counter(play(GAME, SEED, number).how for number in range(first, first + IN_A_LOT))
    assert endings.total() == IN_A_LOT


def test_every_scenario_is_played_at_random_and_so_are_fields():
    names = {battle_of(number, random.Random(number))[0] for number in range(1, 4 * len(SCENARIOS))}
    assert names == {*SCENARIOS, "field"}


def test_there_are_four_scenarios_at_least():
    assert len(SCENARIOS) >= 4


@pytest.mark.parametrize("name", SCENARIOS)
def test_what_is_listed_at_the_start_reads_back_in_both_languages(name):
    table = parse_toml(scenario_text(RULESET.code, name), name)
    state = begun(table)
    listed = RULESET.orders.options(state, state.active)
    assert len(listed) > 1
    for option in listed:
        command = parse(option.order)
        assert write(command) == option.order
        assert parse(write(command, "fr")) == command


def begun(table):
    """The state after the first facts."""
    state = RULESET.rules.initial
    for start in (lambda _: opening(RULESET, table), lambda made: beginning(RULESET, made)):
        for fact in start(state):
            state = evolve(RULESET, state, fact.event, state.n + 1)
    return state


@pytest.mark.slow
@pytest.mark.parametrize("name", SCENARIOS)
def test_the_sensible_bot_beats_the_random_one(name):
    """In nine of ten battles at least, from either side; a draw is not a win."""
    tables = {name: parse_toml(scenario_text(RULESET.code, name), name)}
    bots = {"south": "sensible", "north": "random"}
    games = games_of(RULESET.code, tables, GAMES_A_SIDE, 2, bots, mirror=True)
    won = [result.game.bots.get(result.winner) == "sensible" for result in play_all(games, tables)]
    assert len(won) == 2 * GAMES_A_SIDE
    assert sum(won) >= 0.9 * len(won)
