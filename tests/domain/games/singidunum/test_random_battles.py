"""Random battles of every scenario run to their end without a fault, and what always holds does."""

from collections import Counter

import pytest

from domain.data import scenario_names
from domain.games.singidunum import RULESET
from domain.games.singidunum.state.state import is_in_base
from tests.domain.games.singidunum.playing import battle

RANDOM = {"south": "random", "north": "random"}
FEW, MANY = 4, 60
SCENARIOS = list(scenario_names(RULESET.code))


def require_sound(state):
    """Each unit stands on one hex or none, and only those in play stand anywhere."""
    stands = {unit.hex: unit.id for unit in state.units.values() if unit.hex}
    assert stands == dict(state.places)
    assert all(state.units[name].in_play for name in state.places.values())
    assert len({ambush.hex for ambush in state.ambushes}) == len(state.ambushes)
    assert not stands.keys() & {ambush.hex for ambush in state.ambushes}
    for unit in state.units.values():
        enemy_base = unit.hex and is_in_base(state, unit.hex) and not is_in_base(state, unit.hex, unit.side)
        assert not enemy_base or unit.side in state.held


def play(scenario, seeds):
    endings: Counter[str] = Counter()
    for seed in seeds:
        for _, state, line in battle(scenario, seed, RANDOM):
            require_sound(state)
            if line:
                command = RULESET.orders.parse(line)
                assert RULESET.orders.write(command, "en") == line
                assert RULESET.orders.parse(RULESET.orders.write(command, "fr")) == command
            else:
                endings[state.how] += 1
    assert endings.total() == len(seeds)


@pytest.mark.parametrize(
    "scenario", SCENARIOS[:1] + [pytest.param(name, marks=pytest.mark.slow) for name in SCENARIOS[1:]]
)
def test_random_battles_come_to_their_end(scenario):
    play(scenario, range(FEW))


@pytest.mark.slow
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_few_hundred_random_battles_come_to_their_end(scenario):
    play(scenario, range(FEW, FEW + MANY))


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
