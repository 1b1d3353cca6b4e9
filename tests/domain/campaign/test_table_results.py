"""Battles that were fought on a table count on the word of both, or of the umpire."""

from typing import Any

import pytest
from msgspec.json import encode

from domain.basics.decoding import decode
from domain.basics.errors import Refusal
from domain.campaign.events import ResultCounted, TableResult
from domain.events.battle import Fact, OrderAccepted
from tests.support.cups import ORGANISER, PlayedCampaign, names, swiss

FOUR = ("ann", "bob", "cid", "dee")
LINE = "table 1.1 ann kept 640 210 lost N2 N5 worn S1"


@pytest.mark.rule("CAM-CLB-04")
def test_two_equal_claims_are_a_result():
    cup = swiss(*FOUR)
    assert cup.say("ann", LINE) == []
    (result,) = cup.say("bob", LINE)
    assert result == TableResult(
        board="1.1",
        winner="south",
        kept={"south": 640, "north": 210},
        said=("ann", "bob"),
        rated=False,
        fates={"": {"N2": "lost", "N5": "lost", "S1": "worn"}},
    )
    assert (cup.state.boards["1.1"].how, cup.state.boards["1.1"].victor) == ("table", "ann")
    assert names(cup.end("1.2"))[0] == "RoundEnded"
    assert cup.refused("ann", LINE)[0] == "campaign.already-counted"


@pytest.mark.rule("CAM-CLB-04")
@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("table 1.1 draw kept 640 210 lost N2 N5 worn S1", "draw"),
        ("table 1.1 ann kept 641 210 lost N2 N5 worn S1", "641"),
        ("table 1.1 ann kept 640 210 lost N2 N5 S1", "S1 lost"),
        ("table 1.1 ann kept 640 210 lost N2 N5", "S1 worn"),
        ("table 1.1 ann kept 640 210 lost F1:N2 N5 worn S1", "N5 lost"),
    ],
)
def test_a_claim_that_differs_is_refused_with_the_first_word(line, word):
    cup = swiss(*FOUR)
    cup.say("ann", LINE)
    with pytest.raises(Refusal) as refused:
        cup.say("bob", line)
    assert (refused.value.code, refused.value.params["word"]) == ("campaign.table-differs", word)


@pytest.mark.rule("CAM-CLB-04")
def test_a_claim_of_ones_own_may_be_changed():
    cup = swiss(*FOUR)
    cup.say("ann", "table 1.1 draw kept 1 1")
    cup.say("ann", LINE)
    assert names(cup.say("bob", LINE)) == ["TableResult"]


@pytest.mark.rule("CAM-CLB-04")
def test_the_word_of_the_umpire_is_enough_but_not_on_their_own_board():
    cup = swiss(*FOUR)
    assert names(cup.say(ORGANISER, LINE)) == ["RulingGiven", "TableResult"]
    result: Any = cup.facts[-1].event
    assert result.said == ("umpire",)
    order = next(fact.event for fact in cup.facts if isinstance(fact.event, OrderAccepted))
    assert decode(encode(order), OrderAccepted) == order
    cup = swiss(*FOUR)
    cup.umpired_by("ann")
    assert cup.say("ann", LINE) == []


@pytest.mark.rule("CAM-CLB-04")
def test_a_battle_that_goes_on_by_letters_is_not_fought_on_a_table():
    cup = swiss(*FOUR)
    cup.turned.add("1.1")
    assert cup.refused("ann", LINE)[0] == "campaign.battle-begun"
    assert cup.refused("cid", LINE)[0] == "campaign.no-such-board"
    assert cup.refused("ann", LINE.replace(" ann ", " cid "))[0] == "campaign.no-such-entrant"
    assert cup.refused("ann", LINE.replace("1.1", "7.1"))[0] == "campaign.no-such-board"
    assert swiss("ann", "bob", begun=False).refused("ann", LINE)[0] == "campaign.no-such-board"


@pytest.mark.rule("CAM-CLB-04")
def test_a_table_is_rated_only_if_the_ladder_says_so():
    cup = swiss(*FOUR, ladder={"table": True})
    assert cup.say(ORGANISER, LINE)[1].rated is True


@pytest.mark.rule("CAM-RAT-01")
def test_a_ladder_counts_each_battle_once():
    ladder = PlayedCampaign("ladder")
    ladder.enter("ann", "bob")
    result = ResultCounted(
        board="",
        battle="k1",
        n=9,
        hash="00",
        winner="south",
        how="medals",
        kept={"south": 400, "north": 0},
        rated=True,
        players={"south": "ann", "north": "bob"},
    )
    assert ladder.take(Fact("server", "", result)) == []
    with pytest.raises(Refusal, match="already-counted"):
        ladder.take(Fact("server", "", result))
