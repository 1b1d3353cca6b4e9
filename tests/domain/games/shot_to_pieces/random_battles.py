"""Battles played at random by options alone, state by state."""

import random

from benchmarks.random_battles.shot_to_pieces import CHOICES, armies
from benchmarks.random_play import Dealt
from domain.games.shot_to_pieces import RULESET
from domain.games.shot_to_pieces.state.vocabulary import PERIODS
from domain.run.decide import beginning, decide, folded, opening, proceeding, to_act


def scenario(seed, code=""):
    """Two armies of twelve units of any type, under any options."""
    pick = random.Random(seed)
    options = {key: pick.choice(values) for key, values in CHOICES.items()}
    return armies(pick, code or pick.choice(PERIODS), options)


def moments(seed, code="", most=400):
    """The states of a battle, each with the side to act and its options."""
    pick = random.Random(seed + 1)
    dice = Dealt(random.Random(seed))
    state = folded(RULESET, RULESET.rules.initial, opening(RULESET, scenario(seed, code)))
    state = folded(RULESET, state, beginning(RULESET, state))
    state = folded(RULESET, state, proceeding(RULESET, state, dice))
    for _ in range(most):
        if state.winner is not None:
            break
        (side,) = to_act(RULESET, state)
        listed = RULESET.orders.options(state, side)
        yield state, side, listed
        playable = [option for option in listed if option.kind != "draw"]
        chosen = playable[-1] if pick.random() < 0.12 else pick.choice(playable)
        facts = decide(RULESET, state, side, RULESET.orders.parse(chosen.order), dice)
        state = folded(RULESET, state, facts)
    yield state, "", ()
