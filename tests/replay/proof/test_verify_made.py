"""What a verification says: its exit code, its lines, and nothing that is not proven."""

from base64 import b64encode
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import UNSET

from domain.basics.errors import BrokenInvariant
from domain.events.battle import SideLeft, SubstituteAgreed
from domain.log.record import Recorded
from replay.proof import verdict, verify
from replay.proof.audit import AuditFault
from replay.proof.heads import Evidence
from replay.proof.histories import Fork
from replay.proof.notes import Signer
from replay.proof.verify import FAULT, NOT_A_FILE, NOT_ALL_JUDGED, OK, OTHER_RULES, Report
from tests.replay.made_battle import HOST, MadeBattle, made_ruleset, small_battle
from tests.replay.proof.test_disclosures import secret_battle
from tests.support.lanes import thinned
from tests.support.looping import some

of = pytest.mark.parametrize


class Judged:
    """What the rules say, without asking them."""

    def __init__(self, **members: Any) -> None:
        self.judged = 1
        self.not_judged: tuple[int, ...] = members.get("not_judged", ())
        self.excused: tuple[tuple[int, int], ...] = members.get("excused", ())
        self.corrected: int = members.get("corrected", 0)


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Verify with rules that find what a test says."""

    def report(made: MadeBattle, content: bytes = b"", lang: str = "en", fault: int = 0, **members: Any) -> Report:
        def audit(ruleset: Any, events: list[Recorded], progress: Any, version: int) -> Judged:
            if fault:
                raise AuditFault(fault, "event-without-cause", type="X")
            return Judged(**members)

        monkeypatch.setattr(verify, "audit", audit)
        return verify.verify(content or made.file(), rulesets={"tts": made_ruleset()}, lang=lang)

    return report


def test_an_ended_battle_holds(judged):
    report = judged(small_battle())
    assert report.exit == OK
    assert list(verdict.lines(report)) == [
        "The battle is over, signed by its host.",
        f"The host's key comes from this file itself; its fingerprint is {report.fingerprint}.",
        f"The host's key is {report.kid}.",
        "Draws: all 10 fell as they had to, by keys bound before the first contribution.",
        "North (sealed): nobody could choose its contributions after its book of seals was anchored.",
        "North: 5 messages vouch for this history up to event 31, 0 name no head; they are not signed: "
        "the host wrote them down.",
        "South (sealed): nobody could choose its contributions after its book of seals was anchored.",
        "South: 5 messages vouch for this history up to event 35, 0 name no head; they are not signed: "
        "the host wrote them down.",
        "Everything that the protocol checks holds.",
    ]


def test_a_running_battle_says_what_is_open(judged):
    made, order, standing = secret_battle(opened=False)
    with made.order("south"):
        made.die("dice:south")
    report = judged(made, not_judged=(order,), excused=((standing + 1, standing),))
    assert report.exit == NOT_ALL_JUDGED
    said = list(verdict.lines(report))
    assert said[0] == f"The battle is running; this file ends after event {len(made.log)}, signed by its host."
    assert said[3].startswith("Draws: 1; 0 are checked, by keys bound before the first contribution; 1 of the turn")
    assert said[4:6] == [
        f"Not judged yet, because sealed: events {order}.",
        f"Excused for now: event {standing + 1} (by the sealed event {standing}).",
    ]
    assert said[-1] == "Nothing is wrong, but not all can be judged yet."


def test_each_holder_of_a_seat_is_told_for_their_own_span(judged):
    """A sealed, signed substitute does not speak for the plain operator who played before."""
    made = MadeBattle("plain", "plain")
    made.joining["south"] = {"operator": True}
    made.started().first_turn("south")
    made.plain_order("south")
    made.plain_order("north", SubstituteAgreed("north", "new"), text="substitute new", ordinary=False)
    left = made.alone(SideLeft("south", "ill"), "south")
    made.modes["south"] = "sealed"
    signer = b64encode(Ed25519PrivateKey.from_private_bytes(b"\x66" * 32).public_key().public_bytes_raw()).decode()
    came = made.join("south", "new", operator=UNSET, signer=signer)
    report = judged(made)
    assert [(seat.side, seat.player, seat.since, seat.until) for seat in report.seats] == [
        ("north", "n", 2, 0),
        ("south", "s", 3, left),
        ("south", "new", came, 0),
    ]
    _, first, second = report.seats
    assert (first.mode, first.is_operator, first.is_signed, first.vouched.messages) == ("plain", True, False, 2)
    assert (second.mode, second.is_operator, second.is_signed, second.vouched.messages) == ("sealed", False, True, 0)
    said = [line for line in verdict.lines(report) if line.startswith("South")]
    assert [line.partition(":")[0] for line in said] == [
        f"South (s, events 3-{left}) (plain)",
        f"South (s, events 3-{left}) is the operator of the server.",
        f"South (s, events 3-{left})",
        f"South (new, events {came}-{came}) (sealed)",
        f"South (new, events {came}-{came})",
    ]
    assert said[-1].endswith(f"the key of the player is {second.kid}.")
    assert said[2].endswith("they are not signed: the host wrote them down.")


def test_keys_that_continue_the_first_chains_are_told(judged):
    made = MadeBattle(length=2).started().first_turn("south")
    report = judged(made)
    assert report.exit == NOT_ALL_JUDGED
    assert "Keys from index 2 on continue the first chains;" in "\n".join(verdict.lines(report))


def test_a_running_battle_without_signature_is_no_fault_and_an_ended_one_is(judged):
    made = small_battle(over=False)
    report = judged(made, made.file(finished=False))
    assert report.exit == OK
    assert next(verdict.lines(report)).endswith("; no signature closes the file.")
    made = small_battle()
    report = judged(made, made.file(finished=False))
    assert (report.exit, report.fault.what) == (FAULT, "unsigned")


def test_facts_that_were_set_are_counted_and_leave_nothing_open(judged):
    report = judged(small_battle(), corrected=3)
    assert report.exit == OK
    assert list(verdict.lines(report))[4] == "Set by the umpire and taken as given: 3 facts."


def test_a_fault_comes_first_and_ends_the_verdict(judged):
    made = small_battle()
    n = made.find("CardDrawn")
    made.change(n, card="10c1")
    report = judged(made)
    first, *rest = verdict.lines(report)
    assert report.exit == FAULT
    assert first.startswith(f"FAULT at event {n}: card-differs (The card that had to come is ")
    assert first.endswith("). Nothing after it was judged.")
    assert not any("holds" in line or line.startswith("Draws") for line in rest)


@of(("at", "what"), [(5, "event-without-cause"), (30, "card-differs")])
def test_the_fault_of_the_earlier_event_counts(judged, at, what):
    made = small_battle()
    made.change(made.find("CardDrawn"), card="10c1")
    assert judged(made, fault=at).fault.what == what


def test_rules_of_another_version_leave_the_moves_unjudged():
    report = verify.verify(small_battle().file())
    assert (report.exit, report.other_rules) == (OTHER_RULES, ("9.9",))
    assert "No release here knows tts 9.9; its moves were not judged." in list(verdict.lines(report))


@of("content", [b"", b"\n", b"{}\n", b"\xff\xfe\n", b"[" * 100_000 + b"\n", b"no battle", b"\0" * 50])
def test_what_is_no_battle_file_is_said_and_no_crash(content):
    report = verify.verify(content)
    assert report.exit == NOT_A_FILE
    assert next(verdict.lines(report)).startswith("This is not a battle file (")


def test_the_french_verdict_has_no_english(judged):
    made = small_battle("plain", "plain", over=False)
    made.rewind(len(made.log), 3, "south")
    report = judged(made, lang="fr")
    told = "\n".join(verdict.lines(report, "fr"))
    assert "verdict." not in told
    for word in ("event", "Draws", "host", "message vouch"):
        assert word not in told


# --- two files


def forked() -> tuple[MadeBattle, MadeBattle]:
    one, other = small_battle(), small_battle()
    other.change(other.find("OrderAccepted", 6), key="f" * 16)
    return one, other


def test_two_files_that_the_host_has_signed_prove_two_histories():
    one, other = forked()
    report = verify.verify(one.file(), against=Evidence("B", other.file()))
    n = other.find("OrderAccepted", 6)
    assert (report.exit, report.two_histories) == (FAULT, Fork(n, True))
    assert list(verdict.lines(report))[-1] == (
        f"TWO HISTORIES: the files differ at event {n}, and the host has signed both. Keep both files: they prove it."
    )


def test_an_unsigned_file_proves_nothing_against_the_host():
    one, other = forked()
    n = other.find("OrderAccepted", 6)
    report = verify.verify(one.file(), against=Evidence("B", other.file(finished=False)))
    assert (report.exit, report.two_histories) == (FAULT, Fork(n, False))
    forger = Signer(HOST, b"\x55" * 32)
    report = verify.verify(one.file(), against=Evidence("B", other.file(signer=forger, key=forger.key)))
    assert (report.exit, report.two_histories) == (FAULT, Fork(0, False))


def test_an_earlier_file_of_the_same_history_is_no_fork():
    made = small_battle(over=False)
    before = made.file()
    made.end("south")
    report = verify.verify(made.file(), against=Evidence("B", before))
    assert (report.exit, report.two_histories) == (OTHER_RULES, None)
    report = verify.verify(before, against=Evidence("B", made.file()))
    assert report.two_histories is None


@of("content", [b"", b"no battle"])
def test_another_file_that_is_none_is_a_fault(content):
    assert verify.verify(small_battle().file(), against=Evidence("B", content)).exit == FAULT


# --- whatever it contains

SECRET_EVENTS, WITHOUT_MEMBERS = 23, 3
"""Events of a `secret_battle` that has ended, and the place of its `BattleBegan`."""


@of("place", thinned([n for n in range(SECRET_EVENTS) if n != WITHOUT_MEMBERS], 8))
def test_no_member_of_any_event_can_crash_it(place):
    """Integers, texts, lists and objects of an event, each changed: a report, whatever comes."""
    made, _, _ = secret_battle()
    made.end("south")
    assert len(made.log) == SECRET_EVENTS
    event = made.log[place].event
    for name in some(event.__struct_fields__):
        value = getattr(event, name)
        for lie in _lies(value):
            made, _, _ = secret_battle()
            made.end("south")
            made.change(place + 1, **{name: lie})
            try:
                content = made.file()
            except BrokenInvariant:  # a writer cannot write it, and a reader of lines refuses it
                continue
            report = verify.verify(content)
            assert report.exit in (FAULT, OTHER_RULES, OK, NOT_ALL_JUDGED)
            assert report.fault is None or report.fault.what != "not-readable", report.fault


def _lies(value: Any) -> list[Any]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, -1, 0, (1 << 53) - 1]
    if isinstance(value, str):
        return [value + "0", "", b64encode(b"x" * 64).decode()]
    return [{}] if isinstance(value, dict) else []
