"""The engine owns scope and index of each draw: special dice, and two dice at once, pass verifier and audit."""

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain.engine.judge import Judge
from domain.events.battle import DieRolled
from domain.log.chance import StackedChance
from replay.lab.lab import run_case
from replay.proof.audit import AuditFault, audit
from replay.proof.blocks import ProtocolFault
from tests.support.proving import findings
from tests.toys.played import events_of, recorded
from tests.toys.raid import LOOT, RAID, START

ORDERS = ["south: raid", "north: hold", "north: raid", "south: hold"] * 10


@pytest.fixture(scope="module")
def log():
    return events_of(RAID, recorded(RAID, ORDERS)[1])


def rolls(log):
    return [entry.event for entry in log if isinstance(entry.event, DieRolled)]


def changed(log, n, **members):
    return [replace(e, event=replace(e.event, **members)) if e.n == n else e for e in log]


@pytest.fixture(scope="module")
def content():
    return recorded(RAID, ORDERS)[1]


def test_a_special_die_has_a_face_and_a_value(log):
    assert {(roll.face, roll.value) for roll in rolls(log)} <= set(enumerate(LOOT.values, 1))
    assert any(roll.face != roll.value for roll in rolls(log))


def test_an_honest_battle_with_a_special_die_is_proven_and_audited(log, content):
    found = findings(RAID, content)
    assert found.ended and found.tally.draws == found.tally.checked > 0
    assert audit(RAID, log).judged > 10


def test_two_dice_in_one_scope_are_counted(log):
    assert [roll.index for roll in rolls(log)[:4]] == [1, 2, 1, 2]
    assert [(roll.t, roll.scope) for roll in rolls(log)[1:3]] == [(1, "dice:south"), (2, "dice:north")]


def test_the_verifier_goes_by_the_face_and_the_audit_by_the_value(log, content):
    at = next(entry.n for entry in log if isinstance(entry.event, DieRolled) and entry.event.face != entry.event.value)
    rolled = log[at - 1].event
    with pytest.raises(ProtocolFault, match="die-differs"):
        findings(RAID, content, {at: replace(rolled, face=rolled.face % LOOT.sides + 1)})
    other = changed(log, at, value=rolled.value % LOOT.sides + 1)
    assert findings(RAID, content, {at: other[at - 1].event}).ended
    with pytest.raises(AuditFault, match="event-differs"):
        audit(RAID, other)


def test_a_die_told_twice_under_one_index_is_a_fault(log, content):
    second = [entry for entry in log if isinstance(entry.event, DieRolled)][1]
    with pytest.raises(ProtocolFault, match="index-differs"):
        findings(RAID, content, {second.n: replace(second.event, index=1)})


def test_a_plain_die_has_no_face():
    result = run_case({"ruleset": "raid", "orders": ["south: rest"], "final": {"south": 1}}, {"raid": RAID})
    assert result.ok
    assert DieRolled("dice:south", 1, 1, 6, 4, "", "").face is UNSET


def test_dice_of_a_case_are_stacked_by_value():
    case = {"ruleset": "raid", "orders": ["south: raid"], "dice": {"south": [3, 5]}, "final": {"south": 2}}
    result = run_case(case, {"raid": RAID})
    assert result.ok, result.failures
    rolled = [event["data"] for event in result.events if event["type"] == "DieRolled"]
    assert [(die["value"], die["face"]) for die in rolled] == [(3, 3), (5, 6)]


def test_a_die_is_told_by_what_it_counts():
    judge = Judge(START, StackedChance({"dice:south": [5]}), RAID.evolutions, {}, {})
    judge.roll("south", LOOT, "loot", told=lambda value: ("again", "RAID-1") if value == 5 else ("loot", "RAID-2"))
    (fact,) = judge.facts
    assert isinstance(fact.event, DieRolled)
    assert (fact.rule, fact.event.purpose) == ("RAID-1", "again")


def test_within_an_order_the_state_counts_the_events():
    """What a game numbers by `state.n` while an order is decided has the number that the log gives it."""
    judge = Judge(START, StackedChance({"dice:south": [5, 3]}), RAID.evolutions, {}, {})
    for n in (1, 2):
        judge.roll("south", LOOT, "loot")
        assert judge.state.n == START.n + n == START.n + len(judge.facts)
