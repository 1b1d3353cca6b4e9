"""Entering, leaving, reserves, substitutes, and who commands a battle."""

import pytest

from domain.basics.errors import Refusal
from domain.campaign.events import CampaignBegan, EntrantJoined, EntrantLeft, ResultsStruck
from domain.events.battle import Fact
from tests.support.cups import ORGANISER, PlayedCampaign, names, round_robin, swiss

FOUR = ("ann", "bob", "cid", "dee")


def code_of(act, *arguments):
    with pytest.raises(Refusal) as refused:
        act(*arguments)
    return refused.value.code


@pytest.mark.rule("CAM-PPL-01")
def test_nobody_enters_twice_or_under_anothers_name():
    cup = swiss("ann", begun=False)
    assert code_of(cup.enter, "ann") == "campaign.already-entered"
    other = EntrantJoined("ann", "zoe", "Zoe")
    assert code_of(cup.take, Fact("ann", "", other)) == "campaign.already-entered"
    for taken in ("draw", "umpire"):
        assert code_of(cup.take, Fact(taken, "", EntrantJoined(taken, "zoe", "Zoe"))) == "campaign.already-entered"
    assert code_of(cup.take, Fact("Z", "", EntrantJoined("Z Z", "zoe", "Zoe"))) == "campaign.no-such-entrant"


@pytest.mark.rule("CAM-PPL-01")
def test_a_cup_may_be_full_or_closed():
    assert code_of(swiss("ann", "bob", begun=False, entry={"most": 2}).enter, "cid") == "campaign.full"
    assert code_of(swiss("ann", "bob", rounds=1).enter, "cid") == "campaign.entry-closed"
    late = swiss("ann", "bob", begun=False, entry={"closes": "2000-01-11"})
    late.day = 10
    assert code_of(late.enter, "cid") == "campaign.entry-closed"


@pytest.mark.rule("CAM-PPL-01")
def test_leaving_before_the_beginning_leaves_no_trace_but_the_events():
    cup = swiss("ann", "bob", "cid", begun=False)
    assert cup.say("ann", "withdraw") == []
    cup.enter("ann")
    cup.say(ORGANISER, "begin")
    assert cup.state.order == ("bob", "cid", "ann")
    assert cup.state.seats == ("ann", "bob", "cid")


@pytest.mark.rule("CAM-RND-01")
def test_only_the_organiser_begins_and_only_once():
    cup = swiss("ann", "bob", begun=False, rounds=1)
    assert cup.refused("ann", "begin") == ("campaign.not-organiser", "CAM-RUL-01")
    assert code_of(cup.take, Fact("server", "", CampaignBegan())) == "campaign.not-organiser"
    cup.say(ORGANISER, "begin")
    assert cup.refused(ORGANISER, "begin")[0] == "campaign.begun"


@pytest.mark.rule("CAM-RND-01")
def test_a_cup_begins_by_itself_when_entering_closes():
    cup = swiss("ann", "bob", begun=False, rounds=1, entry={"closes": "2000-01-11"})
    assert cup.wait(9) == []
    assert names(cup.wait(10))[:2] == ["CampaignBegan", "LotsDrawn"]
    few = swiss("ann", begun=False, rounds=1, entry={"closes": "2000-01-11"})
    assert few.wait(10) == []


@pytest.mark.rule("CAM-PPL-02")
def test_a_reserve_takes_the_place_of_one_who_was_expelled():
    cup = swiss(*FOUR)
    cup.reserve("eve", "fay")
    assert cup.refused("eve", "take dee")[0] == "campaign.not-vacant"
    cup.say(ORGANISER, "expel dee because gone")
    assert cup.refused("zoe", "take dee")[0] == "campaign.not-entered"
    assert cup.refused("eve", "take zoe")[0] == "campaign.no-such-entrant"
    assert cup.refused("ann", "take dee")[0] == "campaign.already-entered"
    cup.say("eve", "take dee")
    assert (cup.state.entrants["dee"].player, cup.state.players["eve"]) == ("eve", "dee")
    assert [reserve.player for reserve in cup.state.reserves] == ["fay"]
    cup.end("1.1")
    assert any("dee" in pair for pair in cup.pairs(2))
    assert code_of(cup.reserve, "eve") == code_of(cup.reserve, "fay") == "campaign.already-entered"


@pytest.mark.rule("CAM-PPL-02", "CAM-PPL-04")
def test_nobody_takes_the_place_of_one_whose_results_are_struck():
    cup = round_robin(*FOUR)
    cup.reserve("eve")
    cup.say(ORGANISER, "expel dee")
    assert cup.state.entrants["dee"].is_struck
    assert cup.refused("eve", "take dee")[0] == "campaign.not-vacant"
    assert cup.refused(ORGANISER, "replace dee by Eve")[0] == "campaign.no-such-entrant"


@pytest.mark.rule("CAM-PPL-02")
def test_who_withdrew_is_not_vacant():
    cup = swiss(*FOUR)
    cup.reserve("eve")
    cup.say("dee", "withdraw")
    assert cup.refused("eve", "take dee")[0] == "campaign.not-vacant"


@pytest.mark.rule("CAM-PPL-03")
def test_a_substitute_takes_over_what_runs_and_nothing_else():
    cup = swiss(*FOUR)
    cup.end("1.1")
    followed = cup.say(ORGANISER, "replace ann by Eve")
    assert [(event.entrant, type(event)) for event in followed] == [("ann", EntrantLeft), ("ann", EntrantJoined)]
    assert cup.state.boards["1.1"].players["south"] == "ann"
    cup.say(ORGANISER, "replace cid by Fay")
    assert cup.state.boards["1.2"].players == {"south": "fay", "north": "dee"}
    assert cup.refused(ORGANISER, "replace cid by Nobody", "")[0] == "core.docket-unknown-player"
    assert cup.refused(ORGANISER, "replace zoe by Gus")[0] == "campaign.no-such-entrant"
    assert cup.refused("ann", "replace cid by Gus")[0] == "campaign.not-umpire"
    assert cup.refused("ann", "withdraw")[0] == "campaign.not-entered"


@pytest.mark.rule("CAM-PPL-04")
def test_one_who_leaves_a_swiss_cup_is_no_more_paired():
    cup = swiss(*FOUR)
    followed = cup.say("bob", "withdraw")
    assert (followed[0].board, followed[0].winner, followed[0].losers) == ("1.1", "ann", ("bob",))
    cup.end("1.2")
    assert all("bob" not in pair for pair in cup.pairs(2))
    assert dict(cup.table()) == {"ann": 2, "cid": 2, "dee": 2, "bob": 0}  # dee has the bye


@pytest.mark.rule("CAM-PPL-04")
def test_half_of_the_battles_is_not_fewer_than_half():
    cup = round_robin("ann", "bob", "cid")
    cup.end("2.1")
    assert "ResultsStruck" not in names(cup.say("ann", "withdraw"))
    assert dict(cup.table())["ann"] == 0
    struck = round_robin(*FOUR)
    assert ResultsStruck("ann", 0, 3) in struck.say("ann", "withdraw")
    assert "ann" not in dict(struck.table())


@pytest.mark.rule("CAM-PPL-04")
def test_expelling_is_a_ruling_and_then_as_a_withdrawal():
    cup = swiss(*FOUR)
    ruling, left, default = cup.say(ORGANISER, "expel bob because he is never there")
    assert (ruling.docket, ruling.ruling, ruling.effect) == ("D1", "he is never there", "expel bob")
    assert (left.reason, default.reason, default.winner) == ("expelled", "expelled", "ann")
    assert cup.refused(ORGANISER, "expel bob")[0] == "campaign.no-such-entrant"


@pytest.mark.rule("CAM-PPL-05")
def test_another_member_commands_before_the_first_turn():
    cup = swiss(*FOUR, lots=())
    cup.say("ann", "send Cid to 1.1")
    assert cup.state.boards["1.1"].players == {"south": "cid", "north": "bob"}
    assert cup.refused("ann", "send Zoe to 1.1")[0] == "campaign.not-member"
    assert cup.refused("ann", "send Cid to 1.2")[0] == "campaign.no-such-board"
    assert cup.refused("ann", "send Cid to 9.2")[0] == "campaign.no-such-board"
    assert cup.refused("zoe", "send Cid to 1.1")[0] == "campaign.not-entered"
    cup.turned.add("1.1")
    assert cup.refused("ann", "send Dee to 1.1")[0] == "campaign.battle-begun"
    cup.end("1.1")
    assert cup.refused("ann", "send Dee to 1.1")[0] == "campaign.already-counted"
    assert swiss("ann", "bob", begun=False).refused("ann", "send Bob to 1.1")[0] == "campaign.not-begun"


@pytest.mark.rule("CAM-CUP-05")
def test_only_rounds_to_come_can_be_left_out():
    cup = swiss(*FOUR)
    assert cup.refused("ann", "absent 1")[0] == "campaign.round-begun"
    assert cup.refused("ann", "absent 3")[0] == "campaign.round-begun"
    assert round_robin(*FOUR).refused("ann", "absent 2")[0] == "campaign.round-begun"


@pytest.mark.rule("CAM-ORD-03", "CAM-CLB-05", "CAM-CLB-07")
@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("march F1 enna", "campaign.no-such-force"),
        ("recruit F1 I slingers as R9", "campaign.no-such-force"),
        ("ready", "campaign.orders-closed"),
        ("season next", "campaign.no-season"),
        ("say all hello", "campaign.press-not-allowed"),
    ],
)
def test_a_cup_has_neither_forces_nor_orders_that_close(line, code):
    assert swiss(*FOUR).refused("ann", line)[0] == code


def test_a_ladder_is_entered_at_any_time():
    ladder = PlayedCampaign("ladder")
    ladder.enter("ann", "bob")
    ladder.day = 400
    ladder.enter("cid")
    ladder.say("bob", "withdraw")
    assert [entrant.id for entrant in ladder.state.competing()] == ["ann", "cid"]
    ladder.enter("bob")
    assert ladder.refused(ORGANISER, "begin")[0] == "campaign.begun"
