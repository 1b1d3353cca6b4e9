"""No order of a game is a line of a dispute, in either language: a docket is called like a hex, `d7`."""

import random
from typing import Any

import pytest

from benchmarks.random_play import GAMES, Dealt
from domain.basics.commands import Command
from domain.contract import dispute_lines
from domain.contract.ruleset import Ruleset
from domain.games.singidunum.chapters.decisions import React, Retreat
from domain.run.bots import BOTS
from domain.run.decide import beginning, decide, evolve, opening, proceeding, to_act
from tests.support.lanes import thinned

ORDERS = 60


def is_apart(ruleset: Ruleset, command: Command) -> bool:
    return all(dispute_lines.read(ruleset.orders.write(command, lang)) is None for lang in ("en", "fr"))


@pytest.mark.parametrize("code", thinned(GAMES, 3))
def test_what_is_listed_is_read_by_the_game(code: str):
    ruleset, chance = GAMES[code].ruleset, Dealt(pick := random.Random(f"apart {code}"))
    _, table = GAMES[code].battle(2, pick)
    state: Any = ruleset.rules.initial
    facts = opening(ruleset, table)
    for number in range(ORDERS):
        for fact in facts:
            state = evolve(ruleset, state, fact.event, state.n + 1)
        if state.winner is not None:
            break
        if number < 2:
            facts = beginning(ruleset, state) if not number else proceeding(ruleset, state, chance)
            continue
        side = to_act(ruleset, state)[0]
        listed = ruleset.orders.options(ruleset.secrets.known(state, side), side)
        assert all(is_apart(ruleset, ruleset.orders.parse(option.order)) for option in listed)
        order = BOTS["random"](ruleset, ruleset.secrets.known(state, side), side, listed, chance)
        facts = decide(ruleset, state, side, ruleset.orders.parse(order), chance)


@pytest.mark.parametrize("command", [React("refuse D7"), Retreat("D7")])
def test_a_hex_is_no_docket(command: Command):
    assert is_apart(GAMES["singidunum"].ruleset, command)
