"""Random battles by `options`: nothing fails, every order reads back, and events alone make the state."""

import random

import pytest
from msgspec.structs import replace

from domain.data import read_toml, scenario_names
from domain.engine.bots import BOTS
from domain.engine.decide import beginning, decide, evolve, opening, to_act
from domain.games.warmaster_shooting import RULESET
from domain.games.warmaster_shooting.orders.notation import parse, write
from domain.games.warmaster_shooting.state.measure import overlap
from domain.games.warmaster_shooting.state.profiles import CODE
from domain.games.warmaster_shooting.state.state import State

MOST_ORDERS = 600


class Dice:
    """Dice of a seed."""

    def __init__(self, seed):
        self._random = random.Random(seed)

    def card(self, scope, pile, t, deck):
        raise AssertionError("this game has no cards")

    def die(self, scope, sides, t=0, values=()):
        return self._random.randint(1, sides)


class Battle:
    """One battle between two bots; `events` are all that happened."""

    def __init__(self, scenario, seed, south="random", north="random", **options):
        self.dice, self.state, self.events = Dice(seed), RULESET.rules.initial, []
        self.bots = {"south": BOTS[south], "north": BOTS[north]}
        table = read_toml(CODE, "scenarios", f"{scenario}.toml")
        table["options"] = {**table.get("options", {}), **options}
        self._take(opening(RULESET, table))
        self._take(beginning(RULESET, self.state))

    def _take(self, facts):
        for fact in facts:
            self.events.append(fact.event)
            self.state = evolve(RULESET, self.state, fact.event, len(self.events))

    def play(self):
        for _ in range(MOST_ORDERS):
            if self.state.winner is not None:
                return self.state
            (side,) = to_act(RULESET, self.state)
            options = RULESET.orders.options(self.state, side)
            line = self.bots[side](RULESET, self.state, side, options, self.dice)
            command = parse(line)
            assert parse(write(command)) == parse(write(command, "fr")) == command
            self._take(decide(RULESET, self.state, side, command, self.dice))
            self.check()
        raise AssertionError("the battle does not end")

    def check(self):
        """What holds after every order."""
        state: State = self.state
        stands = [(unit, stand) for unit in state.units.values() for stand in unit.standing]
        for at, (unit, stand) in enumerate(stands):
            for other, one in stands[at + 1 :]:
                assert other is unit or not overlap(stand.base, one.base), (unit.id, stand.id, one.id)
        for unit in state.units.values():
            is_asked = state.waiting is not None and state.waiting.unit == unit.id
            assert 0 <= unit.open < unit.kind.hits or is_asked, unit.id
            assert unit.alive or not unit.open


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("scenario", scenario_names(CODE))
def test_a_random_battle_ends(scenario, seed):
    Battle(scenario, seed).play()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "options",
    [
        {"command_phase": True},
        {"command_phase": True, "los_points": "corners", "make_way_test": "always"},
        {"table_edge": "open", "rout_needs_confusion": True, "save_compare": ">"},
        {"defended_count": "all", "impassable_confusion": "on-six", "auto_end_shooting": False},
    ],
    ids="-".join,
)
def test_a_random_battle_ends_under_every_option(options, seed):
    Battle("two-lines", seed, **options).play()


def test_the_state_folds_from_the_events_alone():
    battle = Battle("two-lines", 1, command_phase=True)
    end = battle.play()
    state = RULESET.rules.initial
    for n, event in enumerate(battle.events, start=1):
        state = evolve(RULESET, state, event, n)
    assert replace(state) == end


@pytest.mark.slow
@pytest.mark.parametrize("side", ["south", "north"])
def test_the_sensible_bot_beats_the_random_one(side):
    """In nine of ten battles at least; a draw is not a win."""
    bots = {"south": "random", "north": "random", side: "sensible"}
    ends = [Battle(name, seed, **bots).play().winner for name in scenario_names(CODE) for seed in range(5)]
    assert ends.count(side) >= 0.9 * len(ends)
