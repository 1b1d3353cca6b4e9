"""CORE-DSP-11: an umpire rules on a fallen flag, without a docket."""

import pytest

from domain.contract.dispute_lines import read, write
from domain.events.battle import FlagRuled
from tests.support.disputing import DAY_MS, Disputed

of = pytest.mark.parametrize


def flagged(umpire: bool = True, days: int = 3) -> tuple[Disputed, str]:
    """A battle in which the time of the side to act is up, and which side that is."""
    battle = Disputed(umpire=umpire, pace="1d+1d")
    battle.play()
    (side,) = battle.battle.to_act
    battle.clock.wait(days * DAY_MS)
    battle.battle.fire_clock("deadline", side)
    return battle, side


@of(
    ("line", "english", "french"),
    [
        ("flag north lost No word.", "flag north lost No word.", "drapeau nord perdu No word."),
        ("Drapeau Nord perdu", "flag north lost", "drapeau nord perdu"),
        ("drapeau sud nulle Assez.", "flag south draw Assez.", "drapeau sud nulle Assez."),
        ("FLAG south more He was ill.", "flag south more He was ill.", "drapeau sud délai He was ill."),
        ("drapeau sud delai", "flag south more", "drapeau sud délai"),
    ],
)
def test_a_ruling_on_a_flag_is_read_and_written(line: str, english: str, french: str):
    order = read(line)
    assert order is not None
    assert (write(order), write(order, "fr")) == (english, french)
    assert read(english) == read(french) == order


@of("line", ["flag", "flag north", "flag west lost", "flag north none", "flag lost north"])
def test_what_names_no_side_or_no_effect_is_not_one(line: str):
    assert read(line) is None


def test_who_is_out_of_time_loses_by_the_umpires_word():
    battle, late = flagged()
    events = battle.say(f"umpire: flag {late} lost Three letters, no answer.")
    assert [(one.type, one.by, one.rule) for one in events[1:3]] == [
        ("FlagRuled", "umpire", "CORE-DSP-11"),
        ("BattleEnded", "server", "CORE-RULING"),
    ]
    assert events[1].event == FlagRuled(late, "lost", "Three letters, no answer.")
    assert (battle.now.game.winner, battle.now.game.how) == ({"north": "south", "south": "north"}[late], "ruling")
    report = battle.assert_right()
    assert [(act.what, act.who, act.authority, act.about) for act in report.listed] == [
        ("umpire", "pjudge", "opening", "Judge"),
        ("clock-deadline", late, "clock", ""),
        ("flag", late, "umpire", "lost"),
    ]


def test_the_umpire_may_call_it_a_draw():
    battle, late = flagged()
    battle.say(f"umpire: flag {late} draw")
    assert (battle.now.ended, battle.now.game.winner, battle.now.game.how) == (True, "", "ruling")
    battle.assert_right()


def test_more_time_lifts_the_flag_and_play_goes_on():
    battle, late = flagged()
    battle.say(f"umpire: flag {late} more He was ill.")
    face = battle.battle.recording.clock(battle.clock.now())[late]
    assert (face.flagged, face.running) == (False, True)
    assert 0 < face.left_s <= 24 * 60 * 60
    other = {"north": "south", "south": "north"}[late]
    with pytest.raises(Exception, match="no-flag"):
        battle.battle.fire_clock("claim", other)
    battle.play()
    battle.assert_right()


def test_a_flag_falls_again_when_the_time_that_was_given_is_up():
    battle, late = flagged()
    battle.say(f"umpire: flag {late} more")
    assert battle.refused(f"umpire: flag {late} lost") == "core.docket-no-flag"
    battle.clock.wait(2 * DAY_MS)
    battle.battle.fire_clock("deadline", late)
    battle.say(f"umpire: flag {late} lost")
    battle.assert_right()


def test_a_flag_is_ruled_on_while_a_docket_halts_play():
    battle, late = flagged()
    other = {"north": "south", "south": "north"}[late]
    battle.say(f"{other}: dispute 1 time Too late.", f"{other}: halt d1", f"umpire: flag {late} more")
    face = battle.battle.recording.clock(battle.clock.now())[late]
    assert (face.flagged, face.running) == (False, False)
    battle.say(f"{other}: go on d1")
    battle.play()
    battle.assert_right()


def test_only_a_flag_that_has_fallen_is_ruled_on():
    battle, late = flagged()
    other = {"north": "south", "south": "north"}[late]
    assert battle.refused(f"umpire: flag {other} lost") == "core.docket-no-flag"
    while late in battle.battle.to_act:  # the move lifts it
        battle.play()
    assert battle.refused(f"umpire: flag {late} lost") == "core.docket-no-flag"
    without = Disputed(umpire=True)
    assert without.refused("umpire: flag north lost") == "core.docket-no-flag"


def test_nobody_but_the_umpire_rules_on_a_flag():
    battle, late = flagged()
    for side in ("north", "south"):
        assert battle.refused(f"{side}: flag {late} lost") == "core.docket-not-umpire"


def test_a_battle_that_is_over_has_no_flags():
    battle, late = flagged()
    battle.say(f"umpire: flag {late} draw")
    assert battle.refused(f"umpire: flag {late} lost") == "core.docket-battle-over"


def test_a_ruling_on_a_flag_is_no_order_to_take_back():
    battle, late = flagged()
    order = battle.play()
    battle.say(f"umpire: flag {late} more", f"{late}: takeback")
    assert battle.docket().about == order
    battle.assert_right()
