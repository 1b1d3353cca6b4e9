"""What a question carries, and for whom a battle waits."""

import tomllib

from msgspec import UNSET
from msgspec.structs import replace

from domain.basics.data import scenario_text
from domain.games.singidunum import RULESET
from domain.games.singidunum.chapters.decisions import question
from domain.games.singidunum.chapters.turns import awaited
from domain.run.decide import beginning, evolve, opening, to_act


def mustering():
    state = RULESET.rules.initial
    table = tomllib.loads(scenario_text(RULESET.code, "muster"))
    for start in (lambda _: opening(RULESET, table), lambda begun: beginning(RULESET, begun)):
        for fact in start(state):
            state = evolve(RULESET, state, fact.event, state.n + 1)
    return state


def test_a_question_names_candidates_only_where_there_are_some():
    """PRG-SEQ-12"""
    assert question("south", "retreat", "SHI7", ["D3"]).candidates is UNSET
    assert question("south", "pursuit", "SHI7", ["yes", "no"], ["SHI7"]).candidates == ("SHI7",)


def test_before_the_turns_the_battle_waits_for_whoever_is_not_done():
    """PRG-SEQ-11"""
    state = mustering()
    assert awaited(state) == ("south", "north")
    done = replace(state, done=frozenset({"south"}))
    assert awaited(done) == to_act(RULESET, done) == ("north",)
