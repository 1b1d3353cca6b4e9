"""Edges of the checks that a planted fault has moved by one, and that no test near them noticed."""

from types import SimpleNamespace
from typing import Any

import pytest

from domain.events.battle import Fact
from domain.events.disclosures import NonceDisclosed
from domain.events.inputs import PileLeft
from domain.log import record
from domain.log.record import FileFault, Recorded
from replay.proof.blocks import Block, ProtocolFault, cut
from replay.proof.branches import require_piles
from replay.proof.clock import DEADLINE, ClockCheck
from replay.proof.histories import Fork, fork
from replay.proof.periods import Periods
from replay.proof.piles import TEN_CARDS
from replay.proof.report import Fault, Report
from replay.proof.shapes import read_events
from replay.proof.verdict import lines
from tests.toys.gusts import GUSTS
from tests.toys.played import events_of, recorded


def entry(n: int, kind: str) -> Recorded:
    return Recorded(n, "2026-01-01T00:00:00.000Z", "server", "", kind, None)  # type: ignore[arg-type]


def test_a_log_without_events_is_at_fault_at_the_first() -> None:
    with pytest.raises(ProtocolFault) as fault:
        cut(())
    assert (fault.value.n, fault.value.what) == (1, "opened-late")


def test_a_deck_that_never_runs_out_is_whole_in_a_branch() -> None:
    require_piles({"south": TEN_CARDS}, {"south": PileLeft(1, 3, TEN_CARDS)})
    for left in (PileLeft(1, 3, TEN_CARDS[1:]), PileLeft(1, 3, TEN_CARDS[1:], TEN_CARDS[:1])):
        with pytest.raises(ProtocolFault) as fault:
            require_piles({"south": TEN_CARDS}, {"south": left})
        assert fault.value.what == "bad-branch"


def test_what_follows_from_a_fallen_flag_by_itself_is_named() -> None:
    first, fact = entry(5, "ClockFired"), entry(6, "BattleEnded")
    check = ClockCheck({"pace": "1d"}, ("south", "north"))
    with pytest.raises(ProtocolFault) as fault:
        check.fired(5, SimpleNamespace(what=DEADLINE, side="south"), Block((first, fact), (fact,)))
    assert (fault.value.n, fault.value.what) == (6, "mixed-clock")


def test_two_histories_are_proven_only_where_the_host_has_signed_both() -> None:
    def log(head: str, checkpoint: Any) -> Any:
        keys = ((0, SimpleNamespace(key="k")),)
        return SimpleNamespace(origin="o", hashes=["0", head], checkpoint=checkpoint, keys=keys)

    for one, other, is_proven in ((None, "c", False), ("c", None, False), ("c", "c", True)):
        assert fork(log("1", one), log("2", other)) == Fork(1, is_proven)
    assert fork(log("1", "c"), log("1", None)) is None


def test_a_moment_before_an_event_is_that_after_the_one_above_it() -> None:
    _, content = recorded(GUSTS, ["south: pull", "north: pull"] * 3)
    events = events_of(GUSTS, content)
    periods = Periods(cut(events), ("north", "south"))
    assert periods.fault is None and periods.count > 2
    for n in range(2, len(events) + 1):
        assert periods.before(n) is periods.after(n - 1)


def test_a_file_of_the_first_version_may_disclose_nonces_and_no_other() -> None:
    fact = Fact("server", NonceDisclosed.RULE, NonceDisclosed(1, "draw:south", "00"))
    line = record.encode(1, "2026-01-01T00:00:00.000Z", fact)
    (found,) = read_events([line], "1", None, version=record.FIRST_VERSION)
    assert isinstance(found.event, NonceDisclosed)
    with pytest.raises(FileFault) as fault:
        read_events([line], "1", None, version=record.PBEM_2_1)
    assert (fault.value.line, fault.value.what) == (2, "unknown-type")


def test_a_fault_before_anybody_sat_down_says_nothing_of_the_course() -> None:
    """The key is told, not whether the battle is running: nobody has looked so far."""
    fault = Fault(1, "bad-member", "The member is wrong.")
    told = list(lines(Report(exit=1, fault=fault, key="host+1+2", fingerprint="f", kid="k")))
    assert len(told) == 3 and "bad-member" in told[0]
    assert not any("running" in line for line in told)


@pytest.mark.parametrize("member", ["bound", "secret", "continued_from"])
def test_a_verdict_is_open_while_a_draw_or_a_key_is(member: str) -> None:
    assert not Report(exit=0, ended=True).is_open
    found: dict[str, Any] = {member: 1}
    assert Report(exit=0, ended=True, **found).is_open
