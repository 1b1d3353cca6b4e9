"""What an umpire rules, and what follows from it."""

import pytest

from domain.basics.errors import Refusal
from domain.basics.pace import DAY_MS
from domain.campaign.events import (
    BattleSet,
    CampaignEnded,
    DefaultGiven,
    PairingChanged,
    PointsTaken,
    ResultChanged,
    RoleGiven,
)
from domain.campaign.people import waits_for_organiser
from domain.events.battle import Fact, RulingGiven
from tests.support.cups import ORGANISER, START_MS, knock_out, names, round_robin, swiss

FOUR = ("ann", "bob", "cid", "dee")


def finished(cup):
    """Both boards of the first round are counted."""
    cup.end("1.1")
    cup.end("1.2")
    return cup


@pytest.mark.rule("CAM-RUL-01")
def test_a_ruling_has_docket_reason_and_line():
    cup = swiss(*FOUR)
    ruling, taken = cup.say(ORGANISER, "pénalité ann 1 parce que en retard")
    assert ruling == RulingGiven("D1", "en retard", "penalty ann 1")
    assert taken == PointsTaken("ann", 1)
    assert cup.say(ORGANISER, "open 3")[0].docket == "D2"
    assert [fact.by for fact in cup.facts[-2:]] == ["umpire", "umpire"]


@pytest.mark.rule("CAM-RUL-01")
def test_the_organiser_rules_until_an_umpire_is_named():
    cup = swiss(*FOUR)
    cup.umpired_by("uma")
    assert cup.refused(ORGANISER, "penalty ann 1") == ("campaign.not-umpire", "CAM-RUL-01")
    cup.say("uma", "penalty ann 1")
    assert cup.say(ORGANISER, "end")[-1] == CampaignEnded((), "ended")
    assert cup.refused("uma", "penalty ann 1")[0] == "campaign.ended"
    with pytest.raises(Refusal, match="ended"):
        cup.umpired_by("una")


@pytest.mark.rule("CAM-RUL-03")
def test_a_changed_result_changes_the_table_and_no_pairing():
    cup = finished(swiss(*FOUR))
    pairs = cup.pairs(2)
    changed = cup.say(ORGANISER, "result 1.1 bob")[1]
    assert changed == ResultChanged("1.1", "north", "south", "D1")
    assert dict(cup.table())["bob"] == 2 and cup.pairs(2) == pairs
    assert cup.say(ORGANISER, "result 1.1 draw")[1].was == "north"
    assert cup.state.boards["1.1"].kept == (400, 0)
    assert cup.refused(ORGANISER, "result 2.1 ann")[0] == "campaign.battle-running"
    assert cup.refused(ORGANISER, "result 1.1 cid")[0] == "campaign.no-such-entrant"
    assert cup.refused(ORGANISER, "result 3.1 cid")[0] == "campaign.no-such-board"


@pytest.mark.rule("CAM-RUL-03")
def test_a_default_may_be_given_to_any_board():
    cup = finished(swiss(*FOUR))
    assert cup.say(ORGANISER, "default 1.1 ann")[1] == DefaultGiven("1.1", "bob", ("ann",), "ruling")
    assert dict(cup.table())["bob"] == 2
    cup.say(ORGANISER, "default 2.1 both")
    assert not cup.state.boards["2.1"].is_running and cup.state.boards["2.1"].victor == ""
    cup.say(ORGANISER, "result 1.1 draw")
    assert (cup.state.boards["1.1"].status, cup.state.boards["1.1"].how) == ("counted", "ruling")
    assert cup.refused(ORGANISER, "default 1.1 cid")[0] == "campaign.no-such-entrant"


@pytest.mark.rule("CAM-RUL-03")
def test_a_void_battle_is_set_anew():
    cup = finished(swiss(*FOUR))
    battle = cup.say(ORGANISER, "void 1.1")[1]
    assert isinstance(battle, BattleSet) and battle.battle == "b5"
    board = cup.state.boards["1.1"]
    assert (board.is_running, board.before) == (True, ("b1",))
    cup.say(ORGANISER, "void 1.1")
    assert cup.state.boards["1.1"].before == ("b1", "b5")
    cup.end("2.1")
    assert names(cup.end("2.2")) == ["RoundEnded"]
    assert names(cup.end("1.1", "north")) == ["CampaignEnded"]


@pytest.mark.rule("CAM-RUL-03")
def test_a_battle_of_one_who_left_is_not_fought_anew():
    cup = finished(swiss(*FOUR))
    cup.say("ann", "withdraw")
    assert cup.refused(ORGANISER, "void 1.1")[0] == "campaign.no-such-entrant"


@pytest.mark.rule("CAM-RUL-04")
def test_a_pairing_is_changed_and_shows_what_the_rules_had_paired():
    cup = swiss(*FOUR)
    followed = cup.say(ORGANISER, "pair 1.1 ann cid because they live in one town")
    assert names(followed) == ["RulingGiven", "PairingChanged", "BattleSet", "PairingChanged", "BattleSet"]
    assert followed[1] == PairingChanged("1.1", "ann", "cid", {"south": "ann", "north": "bob"})
    assert cup.pairs(1) == [("ann", "cid"), ("bob", "dee")]
    again = cup.say(ORGANISER, "pair 1.1 ann dee")[1]
    assert again.ruled == {"south": "ann", "north": "bob"}
    cup.turned.add("1.2")
    assert cup.refused(ORGANISER, "pair 1.1 bob ann")[0] == "campaign.battle-begun"
    cup.turned.clear()
    cup.end("1.2")
    assert cup.refused(ORGANISER, "pair 1.1 cid ann")[0] == "campaign.already-counted"
    assert names(cup.say(ORGANISER, "pair 1.1 dee ann")) == ["RulingGiven", "PairingChanged", "BattleSet"]
    assert cup.pairs(1)[0] == ("dee", "ann")


@pytest.mark.rule("CAM-RUL-04")
def test_who_is_pushed_away_gets_the_bye_of_who_comes():
    cup = swiss(*FOUR, "eve")
    followed = cup.say(ORGANISER, "pair 1.1 ann eve")
    assert names(followed) == ["RulingGiven", "PairingChanged", "BattleSet", "ByeGiven"]
    assert cup.state.rounds[0].byes == ("bob",)
    assert cup.state.rounds[0].slots == ("1.1", "1.2", "bob")
    assert cup.refused(ORGANISER, "pair 1.1 ann ann")[0] == "campaign.no-such-entrant"
    assert cup.refused(ORGANISER, "pair 1.1 ann zoe")[0] == "campaign.no-such-entrant"


@pytest.mark.rule("CAM-RUL-04")
def test_both_legs_of_a_pair_are_set_anew():
    cup = knock_out(*FOUR, legs=2)
    (south, north), (other, last) = cup.pairs(1)[::2]
    cup.say(ORGANISER, f"pair 1.1 {south} {other}")
    assert cup.pairs(1) == [(south, other), (other, south), (north, last), (last, north)]
    assert cup.refused(ORGANISER, f"pair 1.1.2 {south} {other}")[0] == "campaign.no-such-board"


@pytest.mark.rule("CAM-RUL-06")
@pytest.mark.parametrize("line", ["default 1.1 bob", "void 1.1", "result 1.1 draw", "pair 1.1 ann cid"])
def test_nobody_rules_on_a_board_that_they_command(line):
    cup = swiss(*FOUR)
    cup.umpired_by("ann")
    assert cup.refused("ann", line) == ("campaign.own-cause", "CAM-RUL-06")
    cup.say("ann", "default 1.2 dee")


@pytest.mark.rule("CAM-RUL-05")
def test_neither_cups_nor_ladders_go_back():
    assert swiss(*FOUR).refused(ORGANISER, "rewind 3") == ("campaign.built-upon", "CAM-RUL-05")


@pytest.mark.rule("CAM-RUL-07")
def test_points_are_taken_and_nothing_is_ruled_before_the_beginning_but_on_people():
    cup = swiss(*FOUR, begun=False)
    cup.say(ORGANISER, "penalty ann 3")
    cup.say(ORGANISER, "expel dee")
    assert cup.refused(ORGANISER, "default 1.1 ann")[0] == "campaign.not-begun"
    assert cup.refused(ORGANISER, "penalty zoe 3")[0] == "campaign.no-such-entrant"
    cup.say(ORGANISER, "begin")
    assert cup.table()[-1] == ("ann", -1)  # three less, and the bye of the lowest


@pytest.mark.rule("CAM-RND-04")
def test_a_board_is_counted_once_and_only_by_its_own_battle():
    cup = swiss(*FOUR)
    cup.end("1.1")
    for board, code in (("1.1", "already-counted"), ("9.1", "no-such-board"), ("", "no-such-board")):
        with pytest.raises(Refusal, match=code):
            cup.end(board)
    cup.say(ORGANISER, "void 1.2")
    old = cup.result("1.2", battle="b2")
    assert cup.state.boards["1.2"].battle == "b3"
    with pytest.raises(Refusal, match="no-such-board"):
        cup.take(old)


def test_the_end_by_the_umpire_has_no_winner():
    cup = round_robin(*FOUR)
    cup.end("1.1")
    assert cup.say(ORGANISER, "end because of the flood")[-1] == CampaignEnded((), "ended")
    with pytest.raises(Refusal, match="ended"):
        cup.end("1.2")
    assert cup.refused("ann", "withdraw")[0] == "campaign.ended"


# --- a silent organiser


def given(cup, by, role="organiser", player="ann"):
    """Somebody gives a role to a player."""
    return cup.take(Fact(by, "", RoleGiven(role, player, player.title())))


@pytest.mark.rule("CAM-RUL-08")
def test_the_host_gives_the_role_of_a_silent_organiser_where_there_is_no_umpire():
    cup = swiss(*FOUR)
    with pytest.raises(Refusal, match="not-organiser"):
        given(cup, "umpire")
    with pytest.raises(Refusal, match="not-organiser"):
        given(cup, "server", "umpire")
    with pytest.raises(Refusal, match="not-member"):
        given(cup, "server", player="zoe")
    given(cup, "server")
    assert cup.state.organiser.player == "ann"
    cup.say("ann", "end")


@pytest.mark.rule("CAM-RUL-08")
def test_the_umpire_gives_it_where_there_is_one():
    cup = swiss(*FOUR)
    cup.umpired_by("uma")
    with pytest.raises(Refusal, match="not-organiser"):
        given(cup, "server")
    given(cup, "umpire", player="uma")
    assert cup.state.organiser.player == "uma"


@pytest.mark.rule("CAM-RUL-08")
def test_what_waits_for_an_organiser():
    cup = swiss("ann", "bob", begun=False, entry={"closes": "2000-01-11"})
    assert not waits_for_organiser(cup.state, START_MS)
    assert waits_for_organiser(cup.state, START_MS + 10 * DAY_MS)
    cup = swiss("ann", "bob", rounds=1, time={"show": "14d", "round": "60d", "grace": "7d"})
    assert not waits_for_organiser(cup.state, START_MS)
    cup.wait(14)
    assert waits_for_organiser(cup.state, START_MS)
    cup.umpired_by("uma")
    assert not waits_for_organiser(cup.state, START_MS)
    cup.say(ORGANISER, "end")
    assert not waits_for_organiser(cup.state, START_MS)
