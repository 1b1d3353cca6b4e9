"""Notice, grace, consequence: what the clock of a campaign does, and what it never does."""

import pytest

from domain.basics.errors import Refusal
from domain.basics.pace import DAY_MS
from domain.campaign.deadlines import Due, agenda
from domain.campaign.events import BattleCutOff, ClockFired, DefaultGiven, LateNoted
from domain.events.battle import Fact
from tests.support.cups import ORGANISER, START_MS, names, round_robin, swiss

FOUR = ("ann", "bob", "cid", "dee")
SHOW = {"show": "14d", "round": "60d", "grace": "7d"}


def on(day):
    return START_MS + day * DAY_MS


@pytest.mark.rule("CAM-TIM-02")
def test_the_agenda_has_what_is_due_and_what_will_be():
    cup = swiss("ann", "bob", rounds=1, time=SHOW)
    assert agenda(cup.state, {}) == (Due(on(14), "show-late", 1), Due(on(60), "round-late", 1))
    assert agenda(cup.state, {"1.1": {"ann", "bob"}}) == (Due(on(60), "round-late", 1),)
    cup.wait(14)
    assert agenda(cup.state, {}) == (Due(on(21), "show-over", 1), Due(on(60), "round-late", 1))
    cup.end("1.1")
    assert agenda(cup.state, {}) == ()


@pytest.mark.rule("CAM-TIM-02")
def test_entering_closes_on_the_agenda():
    cup = swiss("ann", begun=False, entry={"closes": "2000-01-11"})
    assert agenda(cup.state, {}) == (Due(on(10), "begin"),)
    cup.say(ORGANISER, "end")
    assert agenda(cup.state, {}) == ()


@pytest.mark.rule("CAM-TIM-03")
def test_nothing_follows_before_the_grace_is_over():
    cup = swiss("ann", "bob", rounds=1, time=SHOW)
    assert cup.wait(13) == []
    assert names(cup.wait(14)) == ["ClockFired", "LateNoted"]
    assert cup.wait(20) == []
    assert names(cup.wait(21)) == ["ClockFired", "DefaultGiven", "RoundEnded", "CampaignEnded"]


@pytest.mark.rule("CAM-TIM-04")
@pytest.mark.parametrize(
    ("shown", "winner", "losers"), [((), "", ("ann", "bob")), (("ann",), "ann", ("bob",)), (("bob",), "bob", ("ann",))]
)
def test_one_who_never_came_loses_and_both_do_if_neither_has(shown, winner, losers):
    cup = swiss("ann", "bob", rounds=1, time=SHOW)
    cup.shown["1.1"] = frozenset(shown)
    cup.wait(14)
    default = next(event for event in cup.wait(21) if isinstance(event, DefaultGiven))
    assert (default.winner, default.losers, default.reason) == (winner, losers, "no-show")


@pytest.mark.rule("CAM-TIM-03")
def test_one_who_comes_in_the_grace_has_come():
    cup = swiss("ann", "bob", rounds=1, time=SHOW)
    cup.wait(14)
    cup.shown["1.1"] = frozenset({"ann", "bob"})
    assert cup.wait(40) == []


@pytest.mark.rule("CAM-TIM-03")
def test_a_clock_that_stood_still_gives_a_day_before_anything_follows():
    cup = swiss("ann", "bob", rounds=1, time=SHOW)
    fired, late = cup.wait(50)
    assert (fired.what, late.until) == ("show-late", "2000-02-21T00:00:00.000Z")
    assert names(cup.wait(51))[:2] == ["ClockFired", "DefaultGiven"]


@pytest.mark.rule("CAM-TIM-05")
def test_a_round_that_is_over_is_cut_off_after_its_grace():
    cup = swiss(*FOUR, rounds=1)
    cup.end("1.1")
    late = cup.wait(60)[1]
    assert late == LateNoted(board="1.2", what="round", who=("cid", "dee"), until="2000-03-08T00:00:00.000Z")
    assert cup.wait(67)[1:] == [BattleCutOff("1.2")]
    assert cup.wait(90) == []
    assert cup.end("1.2", "", how="adjudicated")[-1].how == "rounds"


@pytest.mark.rule("CAM-TIM-05")
def test_a_round_that_waits_is_noted_weekly():
    cup = swiss(*FOUR[:2], rounds=1, time={"show": "", "round": "60d", "grace": "7d", "late": "wait"})
    days = [day for day in range(59, 90) if cup.wait(day)]
    assert days == [60, 67, 74, 81, 88]
    assert {type(fact.event) for fact in cup.facts[-10:]} == {ClockFired, LateNoted}


@pytest.mark.rule("CAM-RUL-02")
def test_a_deadline_is_moved_also_in_the_grace():
    cup = swiss(*FOUR, rounds=1)
    cup.wait(60)
    cup.day = 65
    cup.say(ORGANISER, "extend 1 20d")
    assert cup.wait(79) == []
    assert names(cup.wait(80)) == ["ClockFired", "LateNoted", "LateNoted"]
    assert names(cup.wait(87)) == ["ClockFired", "BattleCutOff", "BattleCutOff"]


@pytest.mark.rule("CAM-RUL-03")
def test_a_battle_that_is_set_anew_has_the_time_of_a_round():
    cup = swiss(*FOUR)
    cup.end("1.1")
    cup.end("1.2")
    cup.wait(50)
    cup.say(ORGANISER, "void 1.1")
    cup.end("2.1")
    cup.end("2.2")
    assert cup.wait(109) == []
    assert [event.board for event in cup.wait(110)[1:]] == ["1.1"]
    cup.say(ORGANISER, "extend 1 10d")
    assert cup.wait(119) == []
    assert names(cup.wait(120)) == ["ClockFired", "LateNoted"]
    assert names(cup.wait(127)) == ["ClockFired", "BattleCutOff"]


@pytest.mark.rule("CAM-RUL-02")
def test_only_a_round_that_is_fought_has_a_deadline_to_move():
    cup = swiss(*FOUR)
    assert cup.refused(ORGANISER, "extend 2 7d")[0] == "campaign.no-such-board"
    cup.end("1.1")
    cup.end("1.2")
    assert cup.refused(ORGANISER, "extend 1 7d")[0] == "campaign.no-such-board"
    endless = swiss(*FOUR, time={"show": "", "round": "", "grace": "7d"})
    assert endless.refused(ORGANISER, "extend 1 7d")[0] == "campaign.no-such-board"
    assert endless.wait(4000) == []


def test_the_clock_does_nothing_twice_and_nothing_too_early():
    cup = round_robin(*FOUR, time=SHOW)
    for fired in (ClockFired(what="show-late", round=1), ClockFired(what="show-over", round=1)):
        with pytest.raises(Refusal, match="not-due"):
            cup.take(Fact("server", "", fired))
    assert names(cup.wait(14)).count("LateNoted") == 6
    assert cup.wait(14) == []
    with pytest.raises(Refusal, match="not-due"):
        cup.take(Fact("server", "", ClockFired(what="show-late", round=7)))
