"""The mutation tool plants what it says and notices what the cases notice; its list of survivors is current."""

import ast

import pytest

from replay.lab.lab import run_case
from tests import rule_pages
from tests.conformance.running import chosen
from tests.mutation.__main__ import survivors
from tests.mutation.games import GAMES
from tests.mutation.mutants import mutants
from tests.mutation.trial import Bench, mutants_of
from tests.support.lanes import thinned

TTS = GAMES["tts"]
SOURCE = '''
"""A module."""

LIMIT = 3
NAMES = frozenset({"a", "b"})
STEPS = {"go": go, "stay": stay}


def reach(unit, boxes: int = 1):
    """How far."""
    if unit.mounted and not unit.held:
        spend(unit)
        return min(boxes + 1, 2)
    assert boxes > 0
    return True
'''


def faults():
    return {mutant.key.removeprefix("made_up."): mutant for mutant in mutants("domain.made_up", SOURCE)}


def test_each_kind_of_fault_is_made_and_nothing_else():
    assert [*faults()] == [
        "LIMIT: 3 -> 4",
        "NAMES: without the line 'a'",
        "NAMES: without the line 'b'",
        "reach: 1 -> 2",
        "reach: if not (unit.mounted and (not unit.held))",
        "reach: `unit.mounted or not unit.held` for `unit.mounted and (not unit.held)`",
        "reach: without `unit.mounted`",
        "reach: without `not unit.held`",
        "reach: `unit.held` for `not unit.held`",
        "reach: without `spend(unit)`",
        "reach: max for min(boxes + 1, 2)",
        "reach: `boxes - 1` for `boxes + 1`",
        "reach: 1 -> 2 (2)",
        "reach: 2 -> 3",
        "reach: True -> False",
    ]


@pytest.mark.parametrize("what", faults())
def test_a_fault_changes_the_module_and_leaves_it_readable(what):
    mutant = faults()[what]
    changed = ast.unparse(mutant.tree())
    assert changed != ast.unparse(ast.parse(SOURCE))
    compile(changed, "made_up.py", "exec")


def test_defaults_are_no_inside_of_a_function():
    made = faults()
    assert not made["reach: 1 -> 2"].in_function
    assert made["reach: 2 -> 3"].in_function
    assert not made["LIMIT: 3 -> 4"].in_function


@pytest.fixture(scope="module")
def bench():
    return Bench(chosen(["03", "32", "65", "44"]))


def fault(chapter, what):
    return next(mutant for mutant in mutants_of(f"{TTS.package}.{chapter}") if mutant.key == what)


@pytest.mark.parametrize(
    ("chapter", "what", "case"),
    [
        ("elephants", "elephants.amok_box: `card < BACK` for `card <= BACK`", "65-elephants-run-amok"),
        ("elephants", "elephants.AMOK_NEEDED: 8 -> 9", "65-elephants-run-amok"),
        (
            "evade",
            "evade.evade_reach: `2 if kind(unit).mounted else 1` the other way round",
            "44-evade-compulsory-success",
        ),
        ("evade", "evade.EvadeSucceeded: TTS-EVD-02 -> TTS-XXX-00", "44-evade-compulsory-success"),
    ],
)
@pytest.mark.slow
def test_a_planted_fault_is_noticed_and_gone_afterwards(bench, chapter, what, case):
    mutant = fault(chapter, what)
    assert bench.try_out(mutant, bench.candidates(mutant)).noticed_by == case
    assert run_case(bench.cases[case]).ok, "the fault has come out of its fork"


def test_only_cases_that_go_through_a_function_are_played(bench):
    assert bench.candidates(fault("elephants", "elephants.amok_box: `card < BACK` for `card <= BACK`")) == [
        "65-elephants-run-amok"
    ]


@pytest.mark.slow
@pytest.mark.parametrize("game", thinned(GAMES.values(), 3), ids=GAMES)
def test_survivors_are_still_among_the_faults_and_each_has_its_reason(game):
    modules = [f"{game.package}.{chapter}" for chapter in game.chapters + game.unsifted]
    known = {mutant.key for module in modules for mutant in mutants_of(module)}
    listed = survivors(game)
    assert not listed.keys() - known, "gone, or changed: try again with python -m tests.mutation GAME --module ..."
    assert all(len(why) > 10 for why in listed.values())


@pytest.mark.parametrize("game", [game for game in GAMES.values() if game.by_rule], ids=lambda game: game.book.code)
def test_each_rule_stands_on_the_page_with_a_fault_that_is_noticed_or_the_reason_why_there_is_none(game):
    text, _, last = game.page.read_text().partition("## Rules for which")
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith(f"| {game.book.prefix}-")]
    told = {f"{chapter}-{rule.partition(':')[0]}" for chapter, rules in rows for rule in rules.split(" · ")}
    assert told == rule_pages.rules(game.book).keys() - game.unbitten.keys()
    assert all(f"| {rule} | {why} |" in last for rule, why in game.unbitten.items())
