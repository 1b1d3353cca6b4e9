"""Does the mutation tool plant what it says, notice what the cases notice, and is its list of survivors up to date?"""

import ast
from collections import Counter

import pytest

from tests import rule_pages
from tests.conformance.running import chosen
from tests.mutation.__main__ import CHAPTERS, PACKAGE, PAGE, survivors
from tests.mutation.mutants import mutants
from tests.mutation.trial import Bench, mutants_of
from tests.test_rule_pages import PENDING

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
    return {f"{mutant.owner}: {mutant.what}": mutant for mutant in mutants("domain.made_up", SOURCE)}


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
    return next(mutant for mutant in mutants_of(f"{PACKAGE}.{chapter}") if mutant.key == what)


@pytest.mark.parametrize(
    ("chapter", "what", "case"),
    [
        ("activation", "activation.needed_number: `unit.last - 1` for `unit.last + 1`", "03"),
        ("elephants", "elephants.amok_box: `card >= BACK` for `card <= BACK`", ""),
        ("elephants", "elephants.: 8 -> 9", ""),
        ("melee", "melee.to_hit_factors: TTS-MEL-05 -> TTS-XXX-00", "32"),
    ],
)
def test_a_planted_fault_is_noticed_and_gone_afterwards(bench, chapter, what, case):
    mutant = next((m for m in mutants_of(f"{PACKAGE}.{chapter}") if m.key == what), None)
    if mutant is None:
        pytest.fail(f"{what} is not among the faults of {chapter}")
    noticed = bench.try_out(mutant, bench.candidates(mutant)).noticed_by
    assert noticed.startswith(case)
    assert bench.try_out(mutant, []).noticed_by == "", "without a case nothing is noticed"
