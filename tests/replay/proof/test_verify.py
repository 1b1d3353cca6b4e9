"""Every lie is found, and named where it stands."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec import structs

from domain.catalogue import RULESETS
from domain.events.battle import Fact, OrderAccepted, RulesChanged, Seen
from domain.log.record import Recorded
from replay.proof import verdict
from replay.proof.notes import Signer
from replay.proof.verify import FAULT, NOT_A_FILE, NOT_ALL_JUDGED, OK, OTHER_RULES, Report, verify
from replay.writing.in_memory import OfflineBattle
from tests.support.looping import some
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
    assert (report.exit, report.fault, report.ended, report.signed) == (OK, None, True, True)
    assert report.draws == report.checked > 0
    assert report.judged > 5
    assert (report.unopened, report.not_judged, report.excused) == ((), (), ())


@pytest.mark.slow
def test_a_change_of_any_byte_is_found_and_its_line_named():
    battle = tiny_battle()
    battle.order("south", "R1 ahead")
    battle.order("south", "resign")
    content = bytearray(battle.file())
    assert verify(bytes(content)).exit == OK
    n, last = 0, len(list(battle.events()))
    for at in range(len(content)):
        original, bit = content[at], at % 8  # the chain is tried with every bit (`test_chain`)
        content[at] = original ^ (1 << bit)
        report = verify(bytes(content))
        assert report.exit in (FAULT, NOT_A_FILE), f"bit {bit} of byte {at}"
        assert report.fault is not None
        # the header has no hash of its own: it is the hash of the line behind it that breaks
        assert report.fault.n == n or (n, report.fault.n) == (0, 1) or n >= last, report.fault
        content[at] = original
        n += original == ord("\n")


@pytest.mark.parametrize("cut", [1, 2, 100, 1000])
def test_a_file_that_was_cut_off_is_found(cut):
    assert verify(ended_file()[:-cut]).exit == FAULT


def test_a_line_left_out_or_told_twice_is_found():
    lines = ended_file().splitlines(keepends=True)
    for at in range(1, len(lines) - 1):
        assert faulty(b"".join(lines[:at] + lines[at + 1 :]))[1] in (at, at - 1, 0)
        assert faulty(b"".join(lines[:at] + lines[at - 1 : at] + lines[at:]))[1] in (at, 0)


# --- lies that are signed


def lying(kind: str, **members: Any) -> tuple[tuple[str, int], int]:
    place = 0

    def lie(log: list[Recorded]) -> None:
        nonlocal place
        place = changed(log, kind, **members)

    return faulty(signed_again(ended_battle(), lie)), place


def test_the_first_event_cites_its_own_rule():
    def lie(log: list[Recorded]) -> None:
        log[0] = structs.replace(log[0], rule="TTS-MOV-01")

    assert faulty(signed_again(ended_battle(), lie)) == ("other-rule", 1)


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
    assert faulty(signed_again(battle, lie))[0] in ("not-allowed", "contribution-without-order")


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
    for one in some(battle.events()):
        for name in one.event.__struct_fields__:
            value = getattr(one.event, name)
            if type(value) in (int, str):
                report = verify(
                    signed_again(battle, with_member(one.n, name, value + 1 if type(value) is int else value + "x"))
                )
                assert report.exit == FAULT or name in HARMLESS, (one.type, name)


@pytest.mark.slow
def test_no_line_can_be_put_into_another_mouth_or_under_another_rule():
    battle = ended_battle()
    for one in some(battle.events()):
        for member in ("by", "rule"):

            def lie(log: list[Recorded], n: int = one.n, member: str = member) -> None:
                log[n - 1] = structs.replace(log[n - 1], **{member: "north" if log[n - 1].by != "north" else "south"})

            report = verify(signed_again(battle, lie))
            assert report.exit == FAULT or one.n == 1, (one.type, member)


HARMLESS = ("name", "key", "line", "readers", "title")
"""Nothing follows from these: names, the ids of requests and lines, who may read."""


def with_member(n: int, name: str, value: Any) -> Callable[[list[Recorded]], None]:
    def lie(log: list[Recorded]) -> None:
        log[n - 1] = structs.replace(log[n - 1], event=structs.replace(log[n - 1].event, **{name: value}))

    return lie


# --- unfinished, running, and of other rules


def without_checkpoint(content: bytes) -> bytes:
    return content[: content.rfind(b"\n", 0, -1) + 1]


def test_an_ended_battle_without_signature_is_a_fault():
    content = without_checkpoint(ended_file())
    assert faulty(content) == ("unsigned", content.count(b"\n") - 1)


def test_a_running_battle_is_not_all_judged_yet():
    report = verify(played_battle().file())
    assert (report.exit, report.ended) == (NOT_ALL_JUDGED, False)
    assert report.draws == report.checked
    assert report.not_judged and set(report.not_judged) <= set(report.unopened)
    assert verify(without_checkpoint(played_battle().file())).exit == NOT_ALL_JUDGED


def test_draws_of_the_open_turn_are_bound():
    battle = tiny_battle("a card that passes")
    battle.order("south", "R1 ahead")
    report = verify(battle.file())
    assert report.exit == (NOT_ALL_JUDGED if report.bound else OK)
    assert report.bound or battle.to_act != ("south",)


def other_version(header):
    return structs.replace(header, rules="0.9")


def test_other_rules_are_no_fault_but_another_release():
    report = verify(signed_again(ended_battle(), lambda log: None, other_version))
    assert (report.exit, report.other_rules) == (OTHER_RULES, ("0.9",))
    assert "0.9" in report.install[0]
    assert report.draws == report.checked > 0  # chain, signatures and draws are always checked


def test_a_lie_about_draws_is_found_whatever_the_rules():
    content = signed_again(ended_battle(), lambda log: changed(log, "CardDrawn", card="10c1"), other_version)
    assert faulty(content)[0] == "card-differs"


def test_rules_that_change_midway_judge_what_was_before_and_leave_the_rest():
    """Who orders on behind the change has accepted it: the players' later orders must have seen it."""

    def lie(log: list[Recorded]) -> None:
        at = next(i for i, one in enumerate(log) if one.type == "ContributionGiven" and one.by == "north" and i > 12)
        fact = Fact("server", "CORE-RULES", RulesChanged(TTS.version, "7.0"))
        log.insert(at, Recorded(0, log[at].at, fact.by, fact.rule, "RulesChanged", fact.event))
        for place, one in enumerate(log[at + 1 :], at + 1):
            if isinstance(one.event, OrderAccepted) and isinstance(one.event.seen, Seen):
                head = structs.replace(one.event.seen, n=place)
                log[place] = structs.replace(one, event=structs.replace(one.event, seen=head))

    report = verify(signed_again(played_battle(), lie))
    assert (report.exit, report.other_rules) == (OTHER_RULES, ("7.0",)), report.fault


def test_a_game_that_this_release_does_not_have_is_no_fault():
    content = signed_again(
        ended_battle(),
        lambda log: changed(log, "BattleOpened", ruleset="chess"),
        lambda header: structs.replace(header, ruleset="chess"),
    )
    report = verify(content)
    assert report.exit == OTHER_RULES
    assert "chess" in report.install[0]


def test_every_version_of_the_rules_names_its_release():
    assert all(ruleset.version in ruleset.releases for ruleset in RULESETS.values())


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
    assert report.draws == report.checked > 0


@pytest.fixture
def toy_battle() -> OfflineBattle:
    from replay.writing.entropy import SeededEntropy
    from replay.writing.in_memory import SeededClock

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


def test_the_report_says_where_the_key_comes_from():
    report = verify(ended_file())
    own = f"The host's key comes from this file itself; its fingerprint is {report.fingerprint}."
    assert text_of(report).splitlines()[1] == own
    assert text_of(report).splitlines()[-1] == "Everything that the protocol checks holds."
    assert own not in text_of(verify(ended_file(), report.key))


def test_the_report_names_event_and_kind_of_a_fault():
    content = signed_again(ended_battle(), lambda log: changed(log, "CardDrawn", card="10c1"))
    first = text_of(verify(content)).splitlines()[0]
    assert first.startswith("FAULT at event ")
    assert ": card-differs (" in first


@pytest.mark.parametrize(
    ("numbers", "said"), [([1], "1"), ([3, 1, 2], "1-3"), ([1, 3, 4, 5, 9], "1, 3-5, 9"), ([], "")]
)
def test_turns_are_told_as_ranges(numbers, said):
    assert verdict.ranges(numbers) == said
