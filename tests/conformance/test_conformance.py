"""The conformance runner passes honest implementations and catches dishonest ones."""

import copy
import json
import subprocess
import sys
import tomllib
from pathlib import Path

import msgspec
import pytest

from replay.lab.lab import run_case
from tests.conformance.__main__ import main
from tests.conformance.judging import differences, same
from tests.conformance.running import chosen, run
from tests.support.cases import CASES, case_path, number_of
from tests.support.lanes import sampled, thinned
from tests.support.waiting import LIMIT_S

PATHS = chosen([])
HONEST = f"{sys.executable} -m server.cli lab --json {{case}}"
ROOT = Path(__file__).parents[2]


def played(case):
    """What the lab prints for a case, as plain data."""
    return msgspec.json.decode(msgspec.json.encode(run_case(case)))


@pytest.mark.parametrize("path", thinned(sampled(PATHS, 3), 30), ids=lambda path: path.stem)
def test_the_lab_agrees_with_every_case_also_by_this_judge(path):
    case = tomllib.loads(path.read_text())
    outcome = played(case)
    assert differences(case, outcome) == []
    if case.get("expect"):
        assert differences(case, {**outcome, "events": []}), "a case that nothing can fail"


def without(outcome, kind):
    outcome["events"] = [event for event in outcome["events"] if event["type"] != kind]
    for n, event in enumerate(outcome["events"], start=1):
        event["n"] = n


def event_of(outcome, kind):
    return next(event for event in outcome["events"] if event["type"] == kind)


LIES = {
    "an expected event is left out": lambda o: without(o, "AttackBegan"),
    "a number in an event is another": lambda o: event_of(o, "HitMissed")["data"].update(needed=7),
    "a number is a truth": lambda o: event_of(o, "AttackBegan")["data"].update(cards=True),
    "a nested list is longer": lambda o: event_of(o, "HitMissed")["data"].update(factors=[]),
    "a card comes that is not in the deck": lambda o: event_of(o, "CardDrawn")["data"].update(card="9c1"),
    "a card is not drawn": lambda o: without(o, "CardDrawn"),
    "an order is refused that is legal": lambda o: o["rejections"].append({"order": 1, "code": "core.parse"}),
    "an order is accepted that is not": lambda o: o["rejections"].pop(),
    "an order is refused with another word": lambda o: o["rejections"][0].update(code="tts.made-up"),
    "an order is refused that was not given": lambda o: o["rejections"].append({"order": 99, "code": "core.parse"}),
    "a final value is another": lambda o: o["final"]["medals"].update(south=3),
    "a final value is missing": lambda o: o["final"].pop("medals"),
    "events are not numbered": lambda o: o["events"][2].update(n=7),
    "an event has no rule": lambda o: o["events"][2].pop("rule"),
    "there are no events at all": lambda o: o.pop("events"),
    "it calls itself failed": lambda o: o.update(ok=False, failures=["who knows"]),
    "it says ok, and lists failures": lambda o: o.update(failures=["something"]),
    "ok is a word": lambda o: o.update(ok="yes"),
}

LIED_ABOUT = """
ruleset = "tts"
title = "Two orders refused, one charge, one reply"
cards = { south = [2, 7], north = [1, 4] }
orders = ["south: R1 charge D5", "south: R1 rally", "south: R1 charge K8"]
[sides.south]
name = "South"
medals = 8
[[sides.south.corps]]
id = "I"
general = { id = "G1", box = "D3" }
[[sides.south.corps.units]]
id = "R1"
type = "bowmen"
box = "D4"
disorder = 1
[sides.north]
name = "North"
medals = 8
[[sides.north.corps]]
id = "I"
[[sides.north.corps.units]]
id = "N1"
type = "warriors"
box = "D5"
[[expect]]
type = "AttackBegan"
by = "south"
rule = "TTS-MEL-04"
data = { attacker = "R1", cards = 1, factors = [] }
[[expect]]
type = "HitMissed"
data = { needed = 8, card = 7, factors = [{ rule = "TTS-MEL-05", why = "disordered", plus = 2 }] }
[[expect]]
type = "HitMissed"
data = { attacker = "N1", needed = 6, card = 4 }
[[reject]]
order = 2
code = "tts.held-by-zoc"
[[reject]]
order = 3
code = "tts.must-charge-holder"
[[absent]]
type = "UnitDisordered"
[final]
medals = { south = 8, north = 8 }
winner = "north"
"""


@pytest.fixture
def told():
    """A case and an honest outcome, made by hand: no engine has a part in it."""
    case = tomllib.loads(LIED_ABOUT)
    hit = {"attacker": "R1", "target": "N1", "needed": 8, "card": 7, "kind": "charge"}
    hit["factors"] = [{"rule": "TTS-MEL-05", "why": "disordered", "plus": 2}]
    reply = {"attacker": "N1", "target": "R1", "needed": 6, "card": 4, "kind": "reply", "factors": []}
    begun = {"attacker": "R1", "target": "N1", "kind": "charge", "aspect": "front", "cards": 1, "factors": []}
    facts = [
        ("south", "CardDrawn", "TTS-DCK-02", {"deck": "south", "card": "2c1"}),
        ("south", "AttackBegan", "TTS-MEL-04", begun),
        ("south", "CardDrawn", "TTS-DCK-02", {"deck": "south", "card": "7h2"}),
        ("south", "HitMissed", "TTS-MEL-05", hit),
        ("north", "CardDrawn", "TTS-DCK-02", {"deck": "north", "card": "1s1"}),
        ("north", "CardDrawn", "TTS-DCK-02", {"deck": "north", "card": "4s1"}),
        ("north", "HitMissed", "TTS-MEL-10", reply),
    ]
    names = ("by", "type", "rule", "data")
    events = [{"n": n, **dict(zip(names, fact, strict=True))} for n, fact in enumerate(facts, start=1)]
    refused = [{"order": 2, "code": "tts.held-by-zoc"}, {"order": 3, "code": "tts.must-charge-holder"}]
    final = {"medals": {"south": 8, "north": 8}, "winner": "north"}
    outcome = {"events": events, "rejections": refused, "final": final, "ok": True, "failures": []}
    return case, outcome


def test_an_honest_outcome_agrees(told):
    assert differences(*told) == []


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES.keys())
def test_a_liar_is_caught(told, lie):
    case, outcome = told
    lying = copy.deepcopy(outcome)
    lie(lying)
    assert differences(case, lying)


def test_what_must_not_come_is_seen(told):
    case, outcome = told
    outcome["events"].append({"n": 8, "by": "north", "type": "UnitDisordered", "rule": "TTS-DIS-01", "data": {}})
    assert differences(case, outcome)[0] == "absent 1 came as event 8: UnitDisordered north TTS-DIS-01"


def test_a_liar_that_calls_itself_ok_is_told_so(told):
    case, outcome = told
    outcome["final"]["winner"] = ""
    assert differences(case, outcome) == ["final.winner is '', not 'north'", "it calls itself ok, and is not"]


@pytest.mark.rule("TTS-CASE-02")
def test_events_match_in_their_order_and_once(told):
    case, outcome = told
    case["expect"].append(case["expect"][0])
    fault = differences(case, outcome)[0]
    assert fault.startswith("expect 4 did not come after event 7: AttackBegan south TTS-MEL-04")


@pytest.mark.rule("TTS-CASE-01")
@pytest.mark.parametrize(
    ("cards", "fault"),
    [
        ({"south": [2, 7, 3], "north": [1, 4]}, "deck south: card 3 (3) is not drawn, nor any after it"),
        ({"south": [2], "north": [1, 4]}, "deck south: card 2 (7h2) is drawn, but the list has no more"),
        ({"south": [2, 7], "north": [10, 4]}, "deck north: card 1 is 1s1, not 10"),
        ({"south": [2, 7]}, "deck north: card 1 (1s1) is drawn, but the list has no more"),
        (
            {"south": [2, 7], "north": [1, 4], "terrain": ["Kd"]},
            "deck terrain: card 1 (Kd) is not drawn, nor any after it",
        ),
    ],
)
def test_decks_are_used_up_in_their_order(told, cards, fault):
    case, outcome = told
    assert differences({**case, "cards": cards}, outcome)[0] == fault


def test_values_of_json_are_told_apart():
    assert same({"a": [1, "x"]}, {"a": [1, "x"]})
    assert not same(1, True)
    assert not same(1, 1.0)
    assert not same({"a": 1}, {"a": 1, "b": 2})
    assert not same([1], [1, 2])
    assert not same(None, "")


# --- the program


def implementation(folder, outcome, code=0):
    """A command that prints the same for every case."""
    program = folder / "engine.py"
    said = outcome if isinstance(outcome, str) else json.dumps(outcome)
    program.write_text(f"import sys\nsys.stdout.write({said!r})\nsys.exit({code})\n")
    return f"{sys.executable} {program}"


@pytest.fixture
def file(told, tmp_path):
    path = tmp_path / "1-told.toml"
    path.write_text(LIED_ABOUT)
    return path


def test_an_honest_command_passes(told, file, tmp_path, capsys):
    assert main(["--command", implementation(tmp_path, told[1]), str(file)]) == 0
    assert capsys.readouterr().out.endswith("1 of 1 cases agree\n")


def test_a_lying_command_fails(told, file, tmp_path, capsys):
    without(told[1], "HitMissed")
    assert main(["--command", implementation(tmp_path, told[1]), str(file)]) == 1
    out = capsys.readouterr().out
    assert "it calls itself ok, and is not" in out
    assert out.endswith("0 of 1 cases agree\n")


@pytest.mark.parametrize(
    ("said", "code", "fault"),
    [
        ("", 2, "it printed no JSON (exit code 2)"),
        ("Traceback", 1, "it printed no JSON (exit code 1)"),
        ("[]", 1, "what was printed is no JSON object"),
        ("{}", 1, "the outcome has no `events`"),
        ('{"events": [4], "rejections": [], "final": {}, "ok": true, "failures": []}', 0, "event 1 is no object"),
    ],
)
def test_a_command_that_prints_something_else_fails(file, tmp_path, said, code, fault):
    assert run(implementation(tmp_path, said, code), file, int(LIMIT_S)).faults[0] == fault


def test_the_exit_code_belongs_to_the_verdict(told, file, tmp_path):
    assert run(implementation(tmp_path, told[1], 1), file, int(LIMIT_S)).faults == ("exit code 1 instead of 0",)


@pytest.mark.slow
def test_a_command_that_hangs_or_is_not_there_fails(file, tmp_path):
    sleeper = tmp_path / "sleeper.py"
    sleeper.write_text("import time\ntime.sleep(30)\n")
    assert run(f"{sys.executable} {sleeper} {{case}}", file, 1).faults == ("no answer within 1 s",)
    assert run("no-such-engine {case}", file, 10).faults == ("the command cannot be run: No such file or directory",)


@pytest.mark.slow
def test_this_implementation_passes_as_a_command(capsys):
    assert main(["--command", HONEST, "--jobs", "2", "43", "65"]) == 0
    assert capsys.readouterr().out.count(" agrees ") == 2


def test_a_case_that_there_is_not_is_said(capsys):
    assert main(["--command", "true", "999"]) == 2
    assert capsys.readouterr().err == "no such case: 999\n"


def test_the_runner_needs_nothing_but_the_standard_library():
    command = [sys.executable, "-S", "-m", "tests.conformance", "--help"]
    assert subprocess.run(command, cwd=ROOT, capture_output=True, check=False).returncode == 0


def test_cases_are_chosen_by_number_file_or_folder(tmp_path):
    assert [path.name for path in chosen(["65", str(case_path(1))])] == [
        "65-elephants-run-amok.toml",
        "01-activation-chain.toml",
    ]
    numbers = [number_of(path) for path in chosen([str(CASES)])]
    assert numbers == sorted(numbers)
    assert len(numbers) == len(set(numbers)), "two cases have one number"
    with pytest.raises(FileNotFoundError):
        chosen([str(tmp_path / "none.toml")])
