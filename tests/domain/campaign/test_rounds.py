"""Rounds of cups: how they open, end, and end the cup."""

import pytest

from domain.campaign.events import BattleSet, ByeGiven, CampaignEnded, LotCast, LotsDrawn, RoundBegan
from domain.campaign.state import contest_of
from tests.support.cups import ORGANISER, knock_out, names, round_robin, swiss

FOUR = ("ann", "bob", "cid", "dee")
SIX = (*FOUR, "eve", "fay")


def of(kind, events):
    return [event for event in events if isinstance(event, kind)]


@pytest.mark.rule("CAM-RND-02", "CAM-LOG-03")
def test_lots_take_one_after_the_other_out_of_those_left():
    cup = swiss(*FOUR, lots=(2, 0, 1, 0))
    assert cup.state.order == ("cid", "ann", "dee", "bob")
    assert cup.lots.drawn == [("lots", 4, 0), ("lots", 3, 0), ("lots", 2, 0), ("lots", 1, 0)]


@pytest.mark.rule("CAM-RND-02")
def test_a_cup_is_seeded_by_rating_and_equal_ones_by_lot():
    cup = swiss(begun=False, seed="rating k3jz81aq")
    for player, rating in (("ann", 900), ("bob", 1200), ("cid", 900)):
        cup.enter(player, rating=rating)
    cup.lots.stacked.extend([2, 0, 0])
    cup.say(ORGANISER, "begin")
    assert cup.state.order == ("bob", "cid", "ann")


@pytest.mark.rule("CAM-RND-02")
def test_an_organiser_may_give_the_order():
    assert swiss(*FOUR, seed="given", order=["dee", "ann"]).state.order == ("dee", "ann", "bob", "cid")


@pytest.mark.rule("CAM-RND-03")
def test_a_round_has_number_deadline_and_boards_in_order():
    cup = swiss(*SIX[:5])
    began = of(RoundBegan, [fact.event for fact in cup.facts])
    assert [(event.round, event.deadline, event.level) for event in began] == [(1, "2000-03-01T00:00:00.000Z", 0)]
    assert names(fact.event for fact in cup.facts[-4:]) == ["RoundBegan", "BattleSet", "BattleSet", "ByeGiven"]
    assert cup.pairs(1) == [("ann", "bob"), ("cid", "dee")]


@pytest.mark.rule("CAM-CUP-01")
def test_a_round_robin_goes_by_rounds_if_the_file_says_so():
    cup = round_robin(*FOUR, concurrent=False)
    assert cup.state.round == 1
    cup.end("1.1")
    followed = cup.end("1.2")
    assert names(followed) == ["RoundEnded", "RoundBegan", "BattleSet", "BattleSet"]
    assert round_robin(*FOUR).state.round == 3


@pytest.mark.rule("CAM-CUP-02")
def test_who_would_meet_one_who_left_has_a_bye_in_rounds_to_come():
    cup = round_robin(*FOUR, concurrent=False)
    for board in ("1.1", "1.2", "2.1", "2.2"):
        cup.end(board)
    assert cup.pairs(3) == [("cid", "dee"), ("ann", "bob")]
    cup = round_robin(*FOUR, concurrent=False)
    for board in ("1.1", "1.2"):
        cup.end(board)
    cup.end("2.1")
    cup.say("dee", "withdraw")  # has fought two of three
    followed = cup.end("2.2")
    assert names(followed) == ["RoundEnded", "RoundBegan", "BattleSet", "ByeGiven"]
    assert of(ByeGiven, followed)[0].entrant == "cid"


@pytest.mark.rule("CAM-PPL-04")
def test_of_one_who_was_struck_nothing_comes_in_later_rounds():
    cup = round_robin(*FOUR, concurrent=False)
    cup.say("dee", "withdraw")
    followed = cup.end("1.2")
    assert cup.pairs(2) == [("cid", "ann")]
    assert names(followed) == ["RoundEnded", "RoundBegan", "BattleSet"]


@pytest.mark.rule("CAM-RND-05")
def test_a_cup_opens_its_next_round_with_the_last_result():
    cup = swiss(*FOUR)
    assert names(cup.end("1.1")) == []
    assert names(cup.end("1.2")) == ["RoundEnded", "RoundBegan", "BattleSet", "BattleSet"]


@pytest.mark.rule("CAM-RND-06")
def test_one_who_has_left_is_no_winner():
    cup = swiss(*FOUR, rounds=1)
    cup.end("1.1")
    cup.say("ann", "withdraw")
    followed = cup.end("1.2")
    assert of(CampaignEnded, followed)[0].winners == ("cid",)
    assert cup.table()[-1][0] == "ann"


def test_a_cup_ends_when_fewer_than_two_are_left():
    cup = swiss(*FOUR[:3], rounds=3)
    cup.say("bob", "withdraw")
    assert cup.state.round == 2
    followed = cup.say("cid", "withdraw")
    assert names(followed) == ["DefaultGiven", "RoundEnded", "CampaignEnded"]
    assert cup.state.winners == ("ann",)


# --- knock-out


@pytest.mark.rule("CAM-CUP-08")
def test_a_knock_out_goes_on_until_one_is_left():
    cup = knock_out(*SIX)
    assert cup.state.rounds[0].byes == ("ann", "bob")
    assert cup.pairs(1) == [("dee", "eve"), ("cid", "fay")]
    cup.end("1.1", "north")
    cup.end("1.2", "south")
    assert sorted(cup.pairs(2)[0]) == ["ann", "eve"]
    cup.end("2.1", "south" if cup.pairs(2)[0][0] == "eve" else "north")
    cup.end("2.2")
    winner = cup.pairs(3)[0][1]
    ended = cup.end("3.1", "north")
    assert names(ended) == ["RoundEnded", "CampaignEnded"]
    assert ended[-1].winners == (winner,)


@pytest.mark.rule("CAM-CUP-09")
def test_a_drawn_board_goes_by_what_was_kept_and_then_by_lot():
    cup = knock_out(*FOUR, lots=(0, 0, 0, 0, 1))
    assert cup.end("1.1", "", (300, 301)) == []
    lot, *_, final = cup.end("1.2", "", (300, 300))
    assert lot == LotCast("1.2", cup.state.boards["1.2"].place.north, 1, "lots")
    assert cup.lots.drawn[-1] == ("lots", 2, 1)
    assert {final.south, final.north} == {cup.state.boards["1.1"].place.north, lot.through}


@pytest.mark.rule("CAM-CUP-10")
def test_two_legs_of_a_knock_out_go_by_points_then_by_margin():
    cup = knock_out("ann", "bob", legs=2)
    assert cup.pairs(1) == [("ann", "bob"), ("bob", "ann")]
    cup.end("1.1", "south", (400, 0))
    assert cup.end("1.1.2", "south", (500, 0))[-1].winners == ("bob",)


def test_one_whose_opponent_left_after_winning_has_a_bye():
    cup = knock_out(*FOUR)
    cup.end("1.1")
    gone = cup.state.boards["1.1"].victor
    cup.say(gone, "withdraw")
    ended = cup.end("1.2")
    assert names(ended) == ["RoundEnded", "CampaignEnded"]
    assert ended[-1].winners == (cup.state.boards["1.2"].victor,)


def test_nobody_goes_on_where_both_lost_by_default():
    cup = knock_out(*SIX, "gus", "hal")
    cup.say(ORGANISER, "default 1.1 both")
    for board in ("1.2", "1.3", "1.4"):
        cup.end(board)
    assert len(cup.pairs(2)) == 1 and len(cup.state.rounds[1].byes) == 1
    cup.end("2.1")
    assert cup.end("3.1")[-1].how == "rounds"


def test_pairs_behind_a_free_pair_move_up():
    cup = knock_out(*SIX, "gus", "hal")
    cup.say(ORGANISER, "default 1.1 both")
    cup.say(ORGANISER, "default 1.2 both")
    cup.end("1.3")
    cup.end("1.4")
    assert len(cup.pairs(2)) == 1
    assert cup.end("2.1")[-1].winners == (cup.state.boards["2.1"].victor,)


# --- Swiss


@pytest.mark.rule("CAM-CUP-05")
def test_an_absent_entrant_is_not_paired_and_the_round_counts_as_lost():
    cup = swiss(*FOUR, "eve")
    cup.say("dee", "absent 2")
    cup.end("1.1")
    cup.end("1.2", "")
    assert all("dee" not in pair for pair in cup.pairs(2))
    assert cup.state.rounds[1].byes == ()
    assert [idle.entrant for idle in contest_of(cup.state).idle if idle.kind == "absent"] == ["dee"]
    assert dict(cup.table())["dee"] == 1


def test_a_round_in_which_all_are_absent_is_over_at_once():
    cup = swiss("ann", "bob", "cid", rounds=3)
    for player in ("ann", "bob", "cid"):
        cup.say(player, "absent 2")
    followed = cup.end("1.1")
    assert names(followed) == ["RoundEnded", "RoundBegan", "RoundEnded", "RoundBegan", "BattleSet", "ByeGiven"]


@pytest.mark.rule("CAM-PPL-01")
def test_who_comes_late_has_lost_the_rounds_that_are_missed():
    cup = swiss(*FOUR, rounds=3, entry={"late": 1})
    cup.enter("eve")
    assert cup.state.order[-1] == "eve"
    cup.end("1.1")
    cup.end("1.2")
    assert any("eve" in pair for pair in cup.pairs(2))  # the bye goes to one who never had a round without a battle
    assert [(idle.round, idle.kind) for idle in contest_of(cup.state).idle if idle.entrant == "eve"] == [(1, "absent")]


def test_lots_are_drawn_once():
    cup = swiss(*FOUR)
    cup.end("1.1")
    cup.end("1.2")
    assert len(of(LotsDrawn, [fact.event for fact in cup.facts])) == 1


@pytest.mark.rule("CAM-LOG-05")
def test_a_battle_that_is_set_names_board_players_and_scenario():
    cup = swiss("ann", "bob", rounds=1, time={"show": "14d", "round": "60d", "grace": "7d"})
    (battle,) = of(BattleSet, [fact.event for fact in cup.facts])
    assert (battle.board, battle.battle, battle.scenario) == ("1.1", "b1", "00")
    assert battle.players == {"south": "ann", "north": "bob"}
    assert battle.show == "2000-01-15T00:00:00.000Z"
