"""Random play goes on whatever an umpire sets: the watch of random play finds nothing that must not be.

Between orders an umpire sets anything, mostly what is refused. After what is taken, somebody to act has something to
order, all that is listed is taken, secrets change nothing of it, and what each game says of its states holds.
"""

import random
from collections import Counter

import pytest
from msgspec.structs import replace

from benchmarks.random_battles.game import Fault
from benchmarks.random_play import GAMES, Ended, ruling, watch
from domain.basics.errors import Refusal
from domain.contract.ruleset import NOBODY
from domain.disputes.corrections import canonical, corrected, in_language
from domain.run.decide import evolve
from tests.support.lanes import sampled, thinned
from tests.support.playing import battle

RULINGS = 4
"""An umpire sets something before one order in so many."""


@pytest.mark.slow
@pytest.mark.parametrize("number", thinned(sampled(range(1, 7), 3), 2))
@pytest.mark.parametrize("code", thinned(GAMES, 9))
def test_a_battle_of_chance_goes_on_to_its_end_whatever_is_set(code: str, number: int):
    game = GAMES[code]
    name, table = game.battle(number, random.Random(f"corrected {number}"))
    table = {**table, "options": {**table.get("options", {}), "turn_limit": 4}} if code == "tts" else table
    ended = watch(game, name, table, random.Random(f"rulings {number}"), 20, RULINGS)
    assert isinstance(ended, Ended)


@pytest.mark.slow
def test_what_is_set_is_the_same_for_whoever_knows_no_secret():
    game, pick, taken = GAMES["tts"], random.Random(7), Counter[bool]()
    for moment in battle("motley", 1).moments[::3]:
        state = moment.state
        text, facts = ruling(game, state, pick)
        taken[bool(facts)] += 1
        if not facts:
            continue
        assert canonical(game.ruleset, in_language(game.ruleset, text, "fr")) == text
        known = game.ruleset.secrets.known(state, NOBODY)
        assert corrected(game.ruleset, known, "d1", text) == facts
        for fact in facts:
            state = evolve(game.ruleset, state, fact.event, state.n + 1)
            known = evolve(game.ruleset, known, fact.event, known.n + 1)
        assert game.ruleset.secrets.known(state, NOBODY) == known
    assert taken[True] > 20


def test_a_correction_that_breaks_an_invariant_would_be_found():
    game = GAMES["tts"]
    lax = replace(game.ruleset.corrections, require=lambda state: None)
    loose = replace(game, ruleset=replace(game.ruleset, corrections=lax))
    name, table = game.battle(1, random.Random("corrected 1"))
    with pytest.raises(Fault):
        for seed in range(20):
            watch(loose, name, table, random.Random(f"loose {seed}"), 20, 1)


def test_a_refused_ruling_says_why_and_sets_nothing():
    game = GAMES["tts"]
    state = battle("skirmish", 0).moments[-1].state
    assert ruling(replace(game, setting=lambda state, pick: "set medals south 9999"), state, random.Random(1))[1] == ()
    with pytest.raises(Refusal):
        corrected(game.ruleset, state, "d1", canonical(game.ruleset, "set medals south 9999"))
