"""CORE-DSP-12: a substitute takes the seat that was named, and from nobody who is there."""

from typing import Any

import pytest
from msgspec import UNSET

from domain.basics.errors import Refusal
from domain.contract.dispute_lines import read, words_of, write
from domain.engine.dockets import Substitute
from domain.engine.state import OTHER
from domain.events.battle import SideLeft, SubstituteAgreed
from tests.support.disputing import DAY_MS, JUDGE, Disputed

of = pytest.mark.parametrize
EVE = "peve"


def sits_down(battle: Disputed, side: str, player: str = EVE) -> str:
    """Somebody takes a seat; the code of the refusal, "" if it is theirs."""
    n = battle.n
    try:
        battle.battle.seat_person(side, "Eve", player)
    except Refusal as refusal:
        assert battle.n == n
        return f"{refusal.code} {refusal.rule}"
    assert battle.now.seats[side].player == player
    return ""


PRESENT, TAKEN = "core.seat-present CORE-DSP-12", "core.side-taken CORE-SIDE"


def waiting(umpire: bool = True, pace: str = "1d+1d", bot: str = "") -> tuple[Disputed, str]:
    """A battle that waits for a side, and which that is."""
    battle = Disputed(umpire=umpire, pace=pace, bot=bot)
    battle.play()
    while battle.now.owing:
        battle.battle.contribute(battle.now.owing[0])
    (side,) = battle.battle.to_act
    return battle, side


def flag_falls(battle: Disputed, side: str) -> None:
    battle.clock.wait(3 * DAY_MS)
    battle.battle.fire_clock("deadline", side)


# --- the line


@of(
    ("line", "english", "french"),
    [
        ("substitute north peve", "substitute north peve", "remplaçant nord peve"),
        ("Remplaçant Sud Eve Weiss", "substitute south Eve Weiss", "remplaçant sud Eve Weiss"),
        ("remplacant nord eve@example.org", "substitute north eve@example.org", "remplaçant nord eve@example.org"),
        ("substitute peve", "substitute peve", "remplaçant peve"),
        ("substitute north", "substitute north", "remplaçant north"),
    ],
)
def test_a_line_is_read_and_written(line: str, english: str, french: str):
    order = read(line)
    assert order is not None
    assert (write(order), write(order, "fr")) == (english, french)
    assert read(english) == read(french) == order


def test_the_canonical_lines_of_both_forms_are_known():
    named, unnamed = words_of("substitute north peve"), words_of("substitute peve")
    assert (named.verb, named.side, named.player) == ("substitute", "north", EVE)
    assert (unnamed.verb, unnamed.side, unnamed.player) == ("substitute", "", EVE)
    assert words_of("substitute west peve").verb == ""


@of("who", ["south", "north", "umpire"])
def test_a_new_line_says_whose_seat(who: str):
    battle = Disputed(umpire=True)
    assert battle.refused(f"{who}: substitute {EVE}") == "core.substitute-seat"
    battle.say(f"{who}: substitute north {EVE}")
    assert battle.now.disputes.substitutes == {"north": {who: Substitute(EVE, battle.n, name=EVE)}}
    battle.assert_right()


def test_a_substitute_is_nobody_who_plays_or_rules():
    battle = Disputed(umpire=True)
    for player in ("north-person", "south-person", JUDGE):
        assert battle.refused(f"south: substitute north {player}") == "core.substitute-plays"
    assert battle.refused("south: substitute north ?") == "core.docket-unknown-player"
    battle.say("south: resign")
    assert battle.refused(f"south: substitute north {EVE}") == "core.docket-battle-over"
    battle.assert_right()


# --- from nobody who is there


@of("by", ["umpire", "other"])
def test_nobody_takes_the_seat_of_a_player_who_is_there(by: str):
    """P8 was meant, and P9 got the seat of P7, who was present."""
    battle, side = waiting()
    battle.say(f"{by if by == 'umpire' else OTHER[side]}: substitute {side} {EVE}")
    assert sits_down(battle, side) == PRESENT
    assert sits_down(battle, OTHER[side]) == TAKEN
    assert sits_down(battle, side, "pother") == TAKEN
    battle.clock.wait(29 * DAY_MS)
    assert sits_down(battle, side) == PRESENT
    battle.assert_right()


@of("by", ["umpire", "other"])
@of("asks_first", [True, False])
def test_who_sits_there_agrees_and_the_seat_is_given(by: str, asks_first: bool):
    battle, side = waiting()
    lines = [f"{by if by == 'umpire' else OTHER[side]}: substitute {side} {EVE}", f"{side}: substitute {side} {EVE}"]
    for line in reversed(lines) if asks_first else lines:
        assert sits_down(battle, side) in (PRESENT, TAKEN)
        battle.say(line)
    assert sits_down(battle, OTHER[side]) == TAKEN
    assert sits_down(battle, side) == ""
    assert battle.now.disputes.substitutes == {}
    report = battle.assert_right()
    how = "umpire" if by == "umpire" else "agreed"
    assert [(act.what, act.who, act.authority) for act in report.listed[-2:]] == [
        ("left", side, "host"),
        ("substitute-asked", side, how),
    ]


def test_asking_for_a_substitute_alone_gives_nothing():
    battle, side = waiting()
    battle.say(f"{side}: substitute {side} {EVE}")
    assert sits_down(battle, side) == PRESENT
    battle.say(f"umpire: substitute {side} pother")
    assert sits_down(battle, side) == PRESENT


def test_against_a_bot_a_player_needs_nobody_elses_word():
    battle, _ = waiting(umpire=False, pace="", bot="easy")
    battle.say(f"south: substitute south {EVE}")
    assert sits_down(battle, "south") == ""
    battle.assert_right()


def test_the_seat_of_a_bot_is_given_by_the_other_player():
    battle, _ = waiting(umpire=False, pace="", bot="easy")
    assert sits_down(battle, "north") == TAKEN
    battle.say(f"south: substitute north {EVE}")
    assert sits_down(battle, "north") == ""
    battle.assert_right()


def test_a_bot_gives_its_seat_to_nobody():
    battle, _ = waiting(umpire=False, pace="", bot="easy")
    assert battle.refused(f"north: substitute north {EVE}") == "core.docket-bot"


def test_a_word_is_taken_back_by_naming_who_sits_there():
    battle, side = waiting()
    sitting = f"{side}-person"
    assert battle.refused(f"umpire: substitute {side} {sitting}") == "core.substitute-plays"
    battle.say(f"umpire: substitute {side} {EVE}", f"{side}: substitute {side} {EVE}")
    assert battle.refused(f"umpire: substitute {side} {OTHER[side]}-person") == "core.substitute-plays"
    battle.say(f"umpire: substitute {side} {sitting}")
    assert sits_down(battle, side) == PRESENT
    assert sits_down(battle, side, sitting) == PRESENT
    battle.assert_right()


# --- who has been silent


@of("by", ["umpire", "other"])
def test_the_seat_of_one_whose_flag_has_fallen_is_given(by: str):
    battle, side = waiting()
    flag_falls(battle, side)
    (_, agreed, *_) = battle.say(f"{by if by == 'umpire' else OTHER[side]}: substitute {side} {EVE}")
    assert isinstance(agreed.event, SubstituteAgreed)
    assert (agreed.event.seat, agreed.event.silent, agreed.rule) == (side, True, "CORE-DSP-12")
    assert sits_down(battle, OTHER[side]) == TAKEN
    assert sits_down(battle, side) == ""
    assert battle.assert_right().listed[-1].what == "substitute-silent"


def test_who_was_named_before_the_silence_is_named_again():
    battle, side = waiting()
    (_, agreed, *_) = battle.say(f"umpire: substitute {side} {EVE}")
    assert getattr(agreed.event, "silent", None) is UNSET
    flag_falls(battle, side)
    assert sits_down(battle, side) == PRESENT
    battle.say(f"umpire: substitute {side} {EVE}")
    assert sits_down(battle, side) == ""
    battle.assert_right()


@of("back", ["dispute 1 x", "answer", "play"])
def test_who_says_something_is_there_again(back: str):
    battle, side = waiting()
    battle.say(f"{OTHER[side]}: dispute 1 x")
    flag_falls(battle, side)
    battle.say(f"umpire: substitute {side} {EVE}")
    if back == "play":
        battle.play()
    else:
        battle.say(f"{side}: {back}" if back != "answer" else f"{side}: answer d1 I am here.")
    assert sits_down(battle, side) == PRESENT
    battle.say(f"umpire: substitute {side} {EVE}")
    assert sits_down(battle, side) == PRESENT
    battle.assert_right()


@of("lifts", ["pause", "vacation", "more", "halt"])
def test_no_silence_where_the_clock_stands_still(lifts: str):
    battle, side = waiting()
    flag_falls(battle, side)
    battle.say(f"umpire: substitute {side} {EVE}")
    if lifts == "pause":
        battle.battle.fire_clock("pause-asked", OTHER[side])
        battle.battle.fire_clock("pause", side)
    elif lifts == "vacation":
        battle.battle.fire_clock("vacation", side)
    elif lifts == "more":
        battle.say(f"umpire: flag {side} more")
    else:
        battle.say(f"{OTHER[side]}: dispute 1 x", f"{OTHER[side]}: halt d1")
    assert sits_down(battle, side) == PRESENT
    battle.assert_right()


def test_without_a_clock_thirty_days_are_silence():
    battle, side = waiting(pace="")
    battle.say(f"umpire: substitute {side} {EVE}")
    battle.clock.wait(29 * DAY_MS)
    battle.say(f"umpire: substitute {side} {EVE}")
    battle.clock.wait(DAY_MS)
    assert sits_down(battle, side) == PRESENT, "nobody had been silent for thirty days when they were named"
    (_, agreed, *_) = battle.say(f"umpire: substitute {side} {EVE}", f"umpire: substitute {OTHER[side]} pother")[:2]
    assert getattr(agreed.event, "silent", None) is UNSET, "the battle does not wait for that side"
    assert sits_down(battle, OTHER[side], "pother") == PRESENT
    assert sits_down(battle, side) == ""
    assert battle.assert_right().listed[-1].what == "substitute-silent"


def test_thirty_days_begin_anew_with_each_word_of_the_player_and_each_order():
    battle, side = waiting(pace="")
    battle.clock.wait(25 * DAY_MS)
    battle.say(f"{side}: dispute 1 x")
    battle.clock.wait(25 * DAY_MS)
    battle.say(f"umpire: substitute {side} {EVE}")
    assert sits_down(battle, side) == PRESENT
    battle.clock.wait(6 * DAY_MS)
    battle.say(f"umpire: substitute {side} {EVE}")
    battle.say(f"{side}: answer d1 I am here.")
    assert sits_down(battle, side) == PRESENT
    battle.assert_right()


# --- what is spent, and what goes on


def test_a_new_player_of_a_seat_is_named_anew():
    battle, side = waiting()
    battle.say(f"umpire: substitute {side} {EVE}", f"{side}: substitute {side} {EVE}")
    battle.say(f"umpire: substitute {side} {EVE}", f"{side}: substitute {OTHER[side]} pother")
    assert sits_down(battle, side) == ""
    battle.say(f"{OTHER[side]}: substitute {OTHER[side]} pother")
    assert sits_down(battle, OTHER[side], "pother") == PRESENT, "the word of a player who is gone does not count"
    assert sits_down(battle, side, f"{side}-person") == TAKEN
    battle.assert_right()


def test_a_substitute_plays_on():
    battle, side = waiting()
    battle.say(f"umpire: substitute {side} {EVE}", f"{side}: substitute {side} {EVE}")
    assert sits_down(battle, side) == ""
    assert sorted(battle.now.owing) == ["north", "south"], "both give a phrase anew"
    battle.play(3)
    left: Any = next(one.event for one in battle.battle.events() if isinstance(one.event, SideLeft))
    assert (left.side, left.reason) == (side, "substitute")
    battle.assert_right()
