"""Every lie is found, and named where it stands."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec import structs

from domain.catalogue import RULESETS
from domain.engine.events import Fact, OrderAccepted, RulesChanged
from domain.log.record import Recorded
from replay.proof import verdict
from replay.proof.notes import Signer
from replay.proof.verify import FAULT, OK, OTHER_RULES, RELEASES, Report, verify
from server.offline.match import OfflineBattle
from tests.support.tiny import TTS, changed, ended_battle, ended_file, played_battle, signed_again, tiny_battle
from tests.toys.duel import TOY


def faulty(content: bytes, **options: Any) -> tuple[str, int]:
    """What is wrong, and at which event."""
    report = verify(content, **options)
    assert report.exit == FAULT
    assert report.fault is not None
    assert report.fault.sentence.endswith((".", "]"))
    return report.fault.what, report.fault.n


def test_a_true_file_holds():
    report = verify(ended_file())
    assert (report.exit, report.fault, report.finished) == (OK, None, True)
    assert report.chance is not None
    assert report.chance.complete
    assert report.rules is not None
    assert report.rules.sealed == 0


@pytest.mark.slow
def test_a_change_of_any_byte_is_found_and_its_line_named():
    battle = tiny_battle()
    battle.order("south", "R1 ahead")
    battle.order("south", "resign")
    content = bytearray(battle.file())
    assert verify(bytes(content)).exit == OK
    line = 1
    for at in range(len(content)):
        original, bit = content[at], at % 8  # the chain is tried with every bit (`test_chain`)
        content[at] = original ^ (1 << bit)
        report = verify(bytes(content))
        assert report.exit == FAULT, f"bit {bit} of byte {at}"
        assert report.fault is not None
        # the header has no hash of its own: it is the hash of the line behind it that breaks
        assert report.fault.line == line or (line, report.fault.line) == (1, 2), report.fault
        content[at] = original
        line += original == ord("\n")


@pytest.mark.parametrize("cut", [1, 2, 100, 1000])
def test_a_file_that_was_cut_off_is_found(cut):
    assert verify(ended_file()[:-cut]).exit == FAULT


def test_a_line_left_out_or_told_twice_is_found():
    lines = ended_file().splitlines(keepends=True)
    for at in range(1, len(lines) - 1):
        assert faulty(b"".join(lines[:at] + lines[at + 1 :]))[1] in (at, 0)
        assert faulty(b"".join(lines[:at] + lines[at - 1 : at] + lines[at:]))[1] in (at, 0)


@pytest.mark.parametrize(
    "content", [b"", b"\n", b"{}\n", b"\xff\xfe\n", b"[" * 100_000 + b"\n", b"no battle", b"\0" * 50]
)
def test_what_is_no_battle_file_is_a_fault_and_no_crash(content):
    faulty(content)


# --- lies that are signed


def lying(kind: str, **members: Any) -> tuple[tuple[str, int], int]:
    place = 0

    def lie(log: list[Recorded]) -> None:
        nonlocal place
        place = changed(log, kind, **members)

    return faulty(signed_again(ended_battle(), lie)), place


def test_another_card_is_found():
    found, n = lying("CardDrawn", card="10c1")
    assert found == ("card-differs", n)


def test_another_consequence_is_found():
    found, n = lying("CorpsEnded", reason="done")
    assert found == ("event-differs", n)


def test_an_order_that_the_rules_do_not_allow_is_found():
    command = {"order": "turn", "then_ahead": False, "turn": "left", "unit": "N1"}
    battle = played_battle()

    def lie(log: list[Recorded]) -> None:
        order = next(one for one in log if isinstance(one.event, OrderAccepted) and one.event.text == "N1 turn left")
        changed_order = structs.replace(order.event, side="south", command=command)
        log[order.n - 1] = structs.replace(order, by="south", event=changed_order)

    # the contribution before it binds the order's side as well, so the protocol finds it first
    assert faulty(signed_again(battle, lie), allow_unfinished=True)[0] in ("not-allowed", "contribution-without-order")


def test_another_secret_is_found():
    found, n = lying("MasterRevealed", master="00" * 32)
    assert found[0] == "master-differs"
    assert found[1] == n


def test_what_was_sealed_cannot_be_opened_otherwise():
    found, n = lying("Unsealed", content={"text": "standing evade R1 never", "command": {}})
    assert found == ("commitment-differs", n)


def test_an_event_without_cause_is_found():
    def lie(log: list[Recorded]) -> None:
        log.append(structs.replace(log[-3], n=len(log) + 1))

    assert verify(signed_again(ended_battle(), lie)).exit == FAULT


def test_an_event_that_cannot_be_folded_is_a_fault_and_no_crash():
    found, _ = lying("CorpsBegan", corps="XII")
    assert found[0] in ("not-foldable", "event-differs")


@pytest.mark.parametrize("seed", ["1", "2", "3"])
@pytest.mark.slow
def test_a_member_of_any_type_can_be_a_lie_but_not_a_crash(seed):
    """Every integer and text of every event, changed and signed: a fault, or harmless, never an exception."""
    battle = ended_battle(seed)
    for one in battle.events():
        for name in one.event.__struct_fields__:
            value = getattr(one.event, name)
            if type(value) in (int, str):
                report = verify(
                    signed_again(battle, with_member(one.n, name, value + 1 if type(value) is int else value + "x"))
                )
                assert report.exit == FAULT or name in HARMLESS, (one.type, name)


def test_no_line_can_be_put_into_another_mouth_or_under_another_rule():
    battle = ended_battle()
    for one in battle.events():
        for member in ("by", "rule"):

            def lie(log: list[Recorded], n: int = one.n, member: str = member) -> None:
                log[n - 1] = structs.replace(log[n - 1], **{member: "north" if log[n - 1].by != "north" else "south"})

            report = verify(signed_again(battle, lie))
            assert report.exit == FAULT or one.n == 1, (one.type, member)


HARMLESS = ("name", "player", "key", "channel", "line", "readers", "title")
"""Nothing follows from these: who plays under which name, how an order came in, who may read."""


def with_member(n: int, name: str, value: Any) -> Callable[[list[Recorded]], None]:
    def lie(log: list[Recorded]) -> None:
        log[n - 1] = structs.replace(log[n - 1], event=structs.replace(log[n - 1].event, **{name: value}))

    return lie


# --- unfinished, running, and of other rules


def without_checkpoint(content: bytes) -> bytes:
    return content[: content.rfind(b"\n", 0, -1) + 1]


def test_a_file_without_checkpoint_is_unfinished():
    content = without_checkpoint(ended_file())
    assert faulty(content) == ("unfinished", 0)
    report = verify(content, allow_unfinished=True)
    assert (report.exit, report.finished) == (OK, False)


def test_another_fault_counts_before_the_missing_checkpoint():
    content = without_checkpoint(ended_file()).replace(b'"card":"1h2"', b'"card":"1h1"')
    assert faulty(content)[0] == "wrong-hash"


def test_a_running_battle_holds_and_says_which_turns_are_proven():
    battle = played_battle()
    report = verify(battle.file())
    assert report.exit == OK
    assert report.chance is not None
    assert report.chance.proven == (1, 2)
    assert not report.chance.complete
    assert report.rules is not None
    assert report.rules.sealed == 1


def test_orders_of_the_open_turn_are_not_yet_proven():
    battle = tiny_battle("a card that passes")
    battle.order("south", "R1 ahead")
    report = verify(battle.file())
    assert report.chance is not None
    assert report.exit == OK
    if battle.to_act == ("south",):
        assert report.chance.unproven == (1,)


def other_version(header):
    return structs.replace(header, rules="0.9")


def test_other_rules_are_no_fault_but_another_release():
    report = verify(signed_again(ended_battle(), lambda log: None, other_version))
    assert (report.exit, report.other_rules) == (OTHER_RULES, ("0.9",))
    assert "0.9" in report.install[0]
    assert report.chance is not None  # chain, signatures and draws are always checked


def test_a_lie_about_draws_is_found_whatever_the_rules():
    content = signed_again(ended_battle(), lambda log: changed(log, "CardDrawn", card="10c1"), other_version)
    assert faulty(content)[0] == "card-differs"


def test_rules_that_change_midway_judge_what_was_before_and_leave_the_rest():
    def lie(log: list[Recorded]) -> None:
        at = next(i for i, one in enumerate(log) if one.type == "ContributionGiven" and one.by == "north" and i > 12)
        fact = Fact("server", "CORE-RULES", RulesChanged(TTS.version, "7.0"))
        log.insert(at, Recorded(0, log[at].at, fact.by, fact.rule, "RulesChanged", fact.event))

    report = verify(signed_again(played_battle(), lie))
    assert (report.exit, report.other_rules) == (OTHER_RULES, ("7.0",)), report.fault


def test_a_game_that_this_release_does_not_have_is_no_fault():
    content = signed_again(ended_battle(), lambda log: None, lambda header: structs.replace(header, ruleset="chess"))
    report = verify(content)
    assert report.exit == OTHER_RULES
    assert "chess" in report.install[0]


def test_every_version_of_the_rules_names_its_release():
    assert {(ruleset.code, ruleset.version) for ruleset in RULESETS.values()} <= set(RELEASES)


# --- keys


def test_the_key_is_the_file_s_own_unless_another_is_given():
    assert not verify(ended_file()).trusted
    assert verify(ended_file(), ended_battle().signer.key).trusted


def test_another_key_is_a_fault():
    other = Signer("localhost", b"\x05" * 32).key
    assert faulty(ended_file(), key=other) == ("other-key", 0)


# --- any game


def test_a_game_with_dice_and_sealed_orders_is_proven_too(toy_battle):
    report = verify(toy_battle.file(), rulesets={"toy": TOY})
    assert report.exit == OK, report.fault
    assert report.chance is not None
    assert report.chance.draws > 0


@pytest.fixture
def toy_battle() -> OfflineBattle:
    from server.offline.match import SeededClock, SeededEntropy

    battle = OfflineBattle(TOY, {"ruleset": "toy"}, SeededClock("toy"), SeededEntropy("toy"))
    battle.seat_bot("south", "random")
    battle.seat_bot("north", "random")
    for _ in range(500):
        if battle.recording.battle.ended:
            break
        battle.bot_order()
    return battle


# --- words


def text_of(report: Report) -> str:
    return "\n".join(verdict.lines(report))


def test_the_report_says_first_where_the_key_comes_from():
    report = verify(ended_file())
    told = text_of(report).splitlines()
    assert told[0].startswith("The key comes from this file")
    assert report.fingerprint in text_of(report)
    assert told[-1] == "OK: everything holds."
    assert text_of(verify(ended_file(), report.key)).startswith("Signed by the key that you gave")


def test_the_report_names_line_event_and_kind_of_a_fault():
    content = signed_again(ended_battle(), lambda log: changed(log, "CardDrawn", card="10c1"))
    last = text_of(verify(content)).splitlines()[-1]
    assert last.startswith("FAULT in line ")
    assert "(event " in last
    assert last.endswith("[card-differs]")


@pytest.mark.parametrize(
    ("numbers", "said"), [([1], "1"), ([3, 1, 2], "1-3"), ([1, 3, 4, 5, 9], "1, 3-5, 9"), ([], "")]
)
def test_turns_are_told_as_ranges(numbers, said):
    assert verdict.ranges(numbers) == said
