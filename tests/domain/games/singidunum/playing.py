"""Plays battles of Singidunum between bots, with dice from a seed."""

import tomllib
from hashlib import sha256

from domain.basics.data import scenario_text
from domain.games.singidunum import RULESET
from domain.log.chance import StreamChance
from domain.log.fairness import Stream
from domain.run.bots import BOTS
from domain.run.decide import beginning, decide, evolve, opening, proceeding, to_act

MOST_ORDERS = 3000


def battle(scenario, seed, bots):
    """Each (side, state before, line) of a battle in turn, and at last (winner, final state, "")."""
    chance = StreamChance(Stream(sha256(f"{scenario} {seed}".encode()).digest()))
    state = RULESET.rules.initial

    def after(facts, state):
        for fact in facts:
            state = evolve(RULESET, state, fact.event, state.n + 1)
        return state

    state = after(opening(RULESET, tomllib.loads(scenario_text(RULESET.code, scenario))), state)
    state = after(beginning(RULESET, state), state)
    state = after(proceeding(RULESET, state, chance), state)
    for _ in range(MOST_ORDERS):
        if state.winner is not None:
            yield state.winner, state, ""
            return
        side = to_act(RULESET, state)[0]
        known = RULESET.secrets.known(state, side)
        line = BOTS[bots[side]](RULESET, known, side, RULESET.orders.options(known, side), chance)
        yield side, state, line
        state = after(decide(RULESET, state, side, RULESET.orders.parse(line), chance), state)
    raise AssertionError("no end")
