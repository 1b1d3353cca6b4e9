"""Set-up comes in its order, and binds all keys before anybody contributes."""

from base64 import b64encode

import pytest
from msgspec import UNSET

from domain.events.battle import BattleBegan, Keys, SideJoined, SideLeft
from domain.log.keys import HostKeys
from tests.replay.faulty import assert_right, fault_of
from tests.replay.made_battle import BATTLE, MASTER, MadeBattle, small_battle

of = pytest.mark.parametrize


@of("north", ["sealed", "plain"])
@of("south", ["sealed", "plain"])
def test_an_honest_battle_holds(north, south):
    report = assert_right(small_battle(north, south))
    assert (report.draws, report.checked, report.ended) == (10, 10, True)


def test_keys_may_come_in_many_generations():
    made = MadeBattle(length=2).started().first_turn("south")
    for _ in range(7):
        with made.order(made.mover):
            made.card(made.mover)
        made.end_turn(made.mover)
    assert assert_right(made).continued_from == 2
    made.end(made.mover)
    report = assert_right(made)
    assert (report.checked, report.continued_from) == (7, 0)


@of("length", [0, 1, -1, 65537, 1 << 52])
def test_a_chain_has_a_length_within_its_limits(length):
    made = small_battle()
    made.change(1, keys=Keys(made.anchors(0), length))
    assert fault_of(made) == ("bad-length", 1)


def test_the_first_event_has_commitment_and_anchors():
    for members, what in (
        ({"commitment": UNSET}, "bad-hex"),
        ({"commitment": "00" * 32}, "anchors-differ"),
        ({"commitment": "ZZ" * 32}, "bad-hex"),
        ({"keys": UNSET}, "bad-length"),
    ):
        made = small_battle()
        made.change(1, **members)
        assert fault_of(made) == (what, 1)


def test_there_is_a_chain_for_each_hand_and_no_other():
    for change in (lambda anchors: anchors.pop("hand:north"), lambda anchors: anchors.update({"hand:east": "00" * 32})):
        made = small_battle()
        anchors = made.anchors(0)
        change(anchors)
        made.change(1, keys=Keys(anchors, 16))
        assert fault_of(made) == ("chains-differ", 1)


def test_anchors_of_another_master_are_found_when_the_master_is_out():
    made = MadeBattle()
    made.keys = HostKeys(bytes(32), BATTLE, ("north", "south"), 16)
    made.started().first_turn("south").end("south")
    assert fault_of(made) == ("master-differs", len(made.log))
    assert made.keys.master != MASTER


def test_a_log_begins_with_its_opening_and_has_one():
    made = small_battle()
    made.remove(1)
    assert fault_of(made)[1] == 1
    made = small_battle()
    made.insert(2, made.log[0].event)
    assert fault_of(made)[1] == 2


def test_both_seats_are_taken_before_the_start_and_none_twice():
    made = MadeBattle().open()
    made.join("north")
    made.alone(BattleBegan())
    assert fault_of(made) == ("began-before-joined", 3)
    made = MadeBattle().open()
    made.join("north")
    made.join("north")
    assert fault_of(made) == ("seat-taken", 3)
    made = MadeBattle().start()
    made.alone(BattleBegan())
    assert fault_of(made) == ("began-twice", 5)


def test_before_the_start_a_seat_may_be_given_back():
    made = MadeBattle().open()
    made.join("north")
    made.alone(SideLeft("north", "no time"), "north")
    made.join("north", player="other")
    made.join("south")
    made.alone(BattleBegan())
    assert_right(made)


@of(
    ("members", "what"),
    [
        ({"kind": UNSET}, "other-seat"),
        ({"kind": "ghost"}, "other-seat"),
        ({"mode": UNSET}, "other-seat"),
        ({"mode": "open"}, "other-seat"),
        ({"player": UNSET}, "bad-player"),
        ({"player": "-x"}, "bad-player"),
        ({"anchor": UNSET}, "anchor-of-other-seat"),
        ({"anchor": "00"}, "bad-hex"),
        ({"mode": "plain"}, "anchor-of-other-seat"),
        ({"operator": False}, "bad-member"),
        ({"signer": "AAAA"}, "bad-member"),
        ({"signer": b64encode(b"\1" + bytes(31)).decode()}, "weak-key"),
        ({"side": "east"}, "other-author"),
    ],
)
def test_a_seat_says_all_that_must_be_said_of_it(members, what):
    made = small_battle()
    n = made.find("SideJoined")
    if members.get("player") == "-x":  # a writer refuses it, and so does the reader of lines
        with pytest.raises(Exception, match="player"):
            made.change(n, **members)
            made.file()
        return
    made.change(n, **members)
    assert fault_of(made) == (what, n)


def test_nobody_orders_or_contributes_before_the_start():
    made = MadeBattle().open()
    made.join("north")
    made.join("south")
    made.contribute("north", alone=True)
    assert fault_of(made) == ("contribution-before-start", 4)
    made = MadeBattle().open()
    made.join("north")
    made.join("south")
    made.plain_order("north")
    assert fault_of(made) == ("order-before-start", 4)


def test_a_seat_that_nobody_holds_gives_nothing():
    made = MadeBattle().started().first_turn("south")
    made.alone(SideLeft("south", "ill"), "south")
    made.plain_order("south")
    assert fault_of(made)[0] == "seat-empty"


def test_a_sealed_bot_is_a_seat_like_any_other_but_names_no_head():
    made = MadeBattle(north="plain")
    made.joining["north"] = {"kind": "bot"}
    made.start()
    made.enter("north", channel="bot", seen=UNSET)
    made.enter("south")
    report = assert_right(made)
    assert [seat.kind for seat in report.seats] == ["bot", "person"]


def test_an_operator_who_plays_is_told():
    made = MadeBattle()
    made.joining["south"] = {"operator": True}
    report = assert_right(made.start())
    assert [seat.is_operator for seat in report.seats] == [False, True]
    assert SideJoined.RULE == "CORE-SIDE"
