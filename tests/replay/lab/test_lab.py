"""The lab notices what a case wants and does not get."""

import tomllib
from pathlib import Path

import pytest

from replay.lab.lab import run_case

FIVE = Path(__file__).parents[2] / "cases" / "singidunum" / "dice" / "201-five-rerolled.toml"
CASE = """
ruleset = "tts"
title = "One step ahead"
cards = { south = [4, 5] }
orders = ["south: R1 ahead", "south: R1 ahead", "south: R1 rally"]
[sides.south]
name = "South"
medals = 8
[[sides.south.corps]]
id = "I"
units = [{ id = "R1", type = "light_javelin", box = "D3" }]
[sides.north]
name = "North"
medals = 8
[[sides.north.corps]]
id = "I"
units = [{ id = "N1", type = "warriors", box = "K8" }]
[[expect]]
type = "ActivationPassed"
rule = "TTS-ACT-01"
data = { needed = 2, factors = [] }
[[expect]]
type = "ActivationPassed"
by = "south"
data = { needed = 5 }
[[reject]]
order = 3
code = "tts.not-disordered"
[[absent]]
type = "ActivationFailed"
[final]
units.R1 = { box = "D5" }
"""


def failures(**changes):
    return run_case({**tomllib.loads(CASE), **changes}).failures


def event(kind, **data):
    return {"type": kind, "data": data}


@pytest.mark.rule("TTS-CASE-01")
@pytest.mark.rule("TTS-CASE-02")
@pytest.mark.rule("TTS-CASE-03")
def test_a_case_that_comes_out_has_no_failures():
    assert failures() == []


@pytest.mark.rule("TTS-CASE-01")
@pytest.mark.parametrize(
    ("cards", "word"),
    [({"south": [4]}, "draws more from south"), ({"south": [4, 5, 6]}, "not used up"), ({}, "draws more from south")],
)
def test_a_deck_too_short_or_too_long_is_a_failure(cards, word):
    assert any(word in failure for failure in failures(cards=cards))


@pytest.mark.rule("PRG-CASE-01")
def test_a_value_that_no_face_of_a_die_has_is_a_failure():
    case = tomllib.loads(FIVE.read_text())
    wrong = {side: [9, *values[1:]] for side, values in case["dice"].items()}
    assert any("that never counts 9" in failure for failure in run_case({**case, "dice": wrong}).failures)


@pytest.mark.rule("TTS-CASE-02")
@pytest.mark.parametrize(
    "changes",
    [
        {"expect": [event("ActivationPassed", needed=5), event("ActivationPassed", needed=2)]},
        {"expect": [event("ActivationPassed", needed=2), event("ActivationPassed", needed=2)]},
        {"expect": [event("ActivationPassed", factors=[{}])]},
        {"expect": [event("ActivationPassed", made_up=1)]},
        {"expect": [{"type": "ActivationPassed", "by": "north"}]},
        {"expect": [{"type": "ActivationPassed", "rule": "TTS-ACT-02"}]},
        {"absent": [{"type": "UnitMoved"}]},
        {"reject": []},
        {"reject": [{"order": 3, "code": "tts.held-by-zoc"}]},
        {"reject": [{"order": 1, "code": "tts.held-by-zoc"}, {"order": 3, "code": "tts.not-disordered"}]},
        {"final": {"units": {"R1": {"box": "D4"}}}},
        {"final": {"units": {"R2": {"box": "D4"}}}},
        {"final": {"winner": ""}},
    ],
    ids=str,
)
def test_what_is_wanted_and_not_so_is_a_failure(changes):
    assert len(failures(**changes)) == 1


@pytest.mark.rule("PRG-CASE-02")
def test_a_decision_that_is_open_at_the_end_is_a_failure_unless_the_case_says_so():
    case = tomllib.loads(FIVE.read_text())
    assert run_case(case).failures == []
    said = run_case({**case, "final": {}}).failures
    assert said == ["south has still to decide: retreat SCV6; a case that ends so names it in final.waiting"]
    other = run_case({**case, "final": {"waiting": {"side": "north"}}}).failures
    assert other == ["final.waiting.side is 'south', not 'north'"]


@pytest.mark.rule("TTS-CASE-03")
def test_a_case_begins_in_the_turns_with_the_side_it_names():
    case = tomllib.loads(CASE)
    final = run_case({**case, "orders": [], "cards": {}, "first": "north"}).final
    assert (final["phase"], final["active"], final["turn"]) == ("turns", "north", 1)
    assert run_case({**case, "orders": [], "cards": {}}).final["active"] == "south"
