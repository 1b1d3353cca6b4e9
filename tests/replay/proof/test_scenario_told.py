"""What a scenario gave instead of chance stands in event 1 and in the verdict, and so does which scenario it is."""

import json
from typing import Any

import pytest

from domain.basics.data import parse_toml, scenario_text
from domain.log.record import PBEM_2, PBEM_2_1
from replay.proof import chain, notes, verdict
from replay.proof.verify import Report, verify
from tests.support.looping import some
from tests.support.rechained import put_together, taken_apart
from tests.support.recorded import SIGNER, Recorded
from tests.support.tiny import tiny_scenario

GIVEN = {"south": ["ambush"], "north": ["ambush", "oracle"]}


def file_of(scenario: Any, version: int) -> bytes:
    battle = Recorded(scenario, protocol=version)
    head = notes.Head(notes.origin("test.example", "rec00001"), len(battle.rows), battle.rows[-1][2])
    lines = [line for _, line, _ in battle.rows]
    return chain.file_bytes(battle.recording.header_line, lines, notes.sign_head(SIGNER, head))


def with_hands() -> Any:
    scenario = tiny_scenario()
    sides = {side: {**army, "stratagems": GIVEN[side]} for side, army in scenario["sides"].items()}
    return {**scenario, "sides": sides}


def opened(content: bytes) -> dict[str, Any]:
    return dict(json.loads(content.splitlines()[1])["data"])


def told(report: Report) -> list[str]:
    return [line for line in verdict.lines(report) if "scenario" in line]


@pytest.mark.parametrize("version", [PBEM_2, PBEM_2_1])
def test_given_hands_are_told_in_the_verdict(version: int) -> None:
    content = file_of(with_hands(), version)
    report = verify(content)
    assert (report.fault, report.scenario.given) == (None, (("north", 2), ("south", 1)))
    assert sum("Given by the scenario, not drawn" in line for line in told(report)) == 2
    assert opened(content).get("given") == ({"north": 2, "south": 1} if version == PBEM_2_1 else None)
    assert b"ambush" not in content


def test_where_nothing_is_given_nothing_is_told() -> None:
    content = file_of(tiny_scenario(), PBEM_2_1)
    assert "given" not in opened(content) and verify(content).scenario.given == ()


def test_a_packaged_scenario_is_named_and_any_change_makes_it_an_own_one() -> None:
    packaged = parse_toml(scenario_text("tts", "zama"), "zama")
    report = verify(file_of(packaged, PBEM_2_1))
    assert (report.fault, report.scenario.name) == (None, "zama")
    own = verify(file_of({**packaged, "first": "north" if packaged.get("first") != "north" else "south"}, PBEM_2_1))
    assert (own.fault, own.scenario.name, own.scenario.is_known) == (None, "", True)
    assert any("one of its own" in line for line in told(own))
    assert not verify(file_of(packaged, PBEM_2)).scenario.is_known


@pytest.mark.parametrize(
    ("members", "what"),
    [
        ({"given": {"south": 1}}, "given-differs"),
        ({"scenario_hash": "0" * 64}, "scenario-differs"),
        ({"title": "Another"}, "scenario-differs"),
    ],
)
def test_a_lie_about_the_scenario_is_a_fault(members: dict[str, Any], what: str) -> None:
    header, events = taken_apart(file_of(with_hands(), PBEM_2_1))
    events[0]["data"] |= members
    fault = verify(put_together(header, events, SIGNER)).fault
    assert fault is not None and (fault.n, fault.what) == (1, what)


def test_version_2_has_neither_member() -> None:
    header, events = taken_apart(file_of(with_hands(), PBEM_2_1))
    fault = verify(put_together({**header, "version": PBEM_2}, events, SIGNER)).fault
    assert fault is not None and (fault.n, fault.what) == (1, "bad-member")
    assert some(events)
