"""What is said of a pairing, a bye, a float, a default, a seeding and a place: each with its rule, in words."""

import random

import pytest

from domain.basics.errors import Refusal
from domain.campaign.career import career_of
from replay.telling.rulebook import rules_of
from replay.telling.words import LANGUAGES
from server.shown.campaign_reasons import reasons_of
from tests.support.cups import ORGANISER, PlayedCampaign, knock_out, round_robin, swiss
from tests.support.looping import some

FOUR = ("ann", "bob", "cid", "dee")
FIVE = (*FOUR, "eve")


def told(cup: PlayedCampaign, about: str, lang: str = "en") -> list[tuple[str, str]]:
    """Rule and sentence of each reason."""
    reasons = reasons_of([fact.event for fact in cup.facts], cup.state, about, lang).reasons
    return [(one.rule, one.text) for one in reasons]


def by(cup: PlayedCampaign, about: str, rule: str) -> list[str]:
    """The sentences by one rule."""
    return [text for found, text in told(cup, about) if found == rule]


def second_round() -> PlayedCampaign:
    """Of five: ann and cid have won, eve had the bye."""
    cup = swiss(*FIVE)
    cup.end("1.1", kept=(500, 0))
    cup.end("1.2", kept=(300, 100))
    return cup


@pytest.mark.rule("CAM-CUP-03", "CAM-CUP-04", "CAM-CUP-06", "CAM-CUP-07")
def test_a_pairing_tells_who_was_first_who_nearest_at_which_level_and_the_sides() -> None:
    cup = second_round()
    assert cup.pairs(2) == [("cid", "ann"), ("bob", "eve")]
    assert told(cup, "2.1")[:4] == [
        (
            "CAM-CUP-03",
            "Board 2.1 is made for whoever is the first in order, by points, then by rank number, and not paired yet: "
            "Ann, with 2 points and rank 1.",
        ),
        (
            "CAM-CUP-04",
            "Cid, with 2 points and rank 3, is the nearest below Ann with whom all the others can still be paired.",
        ),
        ("CAM-CUP-06", "In the whole round nobody meets an earlier opponent, and all who are kept apart are."),
        (
            "CAM-CUP-07",
            "Nothing earlier decides the sides: in rounds of even number the higher rank number has the south, which "
            "is Cid.",
        ),
    ]


@pytest.mark.rule("CAM-CUP-04")
def test_a_float_and_whoever_was_passed_over_are_told() -> None:
    cup = second_round()
    (nearest, floats) = by(cup, "2.2", "CAM-CUP-04")
    assert "Bob, with 0 points and rank 2, is the nearest below Eve" in nearest
    assert floats == "Nobody with 2 points was left for Eve: Eve floats down, and Bob floats up from 0 points."
    (sides,) = by(cup, "2.2", "CAM-CUP-07")
    assert sides == "Bob has the south, who has been there less often: souths less norths so far −1, of Eve 0."
    cup = swiss(*FOUR, apart=[["ann", "bob"]])
    assert "Bob was nearer, but the campaign keeps the two apart." in by(cup, "1.1", "CAM-CUP-06")
    cup = swiss(*FOUR, rounds=3)
    for board in ("1.1", "1.2", "2.1", "2.2"):
        cup.end(board, winner="")
    passed = [text for _, text in told(cup, "3.1") if "was nearer" in text]
    assert "Bob was nearer, but has met Ann already: board 1.1." in passed
    assert "Cid was nearer, but met Ann in the round before: board 2.1." in passed


@pytest.mark.rule("CAM-CUP-05")
def test_a_bye_tells_who_was_asked_and_why() -> None:
    cup = second_round()
    (first,) = by(cup, "eve", "CAM-CUP-05")
    assert first.startswith("Round 1: an odd number was to be paired. Eve goes without: the fewest rounds")
    assert by(cup, "dee", "CAM-CUP-05")[0].startswith("Round 2: an odd number was to be paired. Dee goes without")
    assert "the place beside Ann in the bracket is free" in by(knock_out(*FIVE[:3]), "ann", "CAM-CUP-08")[0]


@pytest.mark.rule("CAM-RND-02")
def test_a_seeding_tells_where_the_rank_comes_from() -> None:
    drawn = swiss(*FOUR, lots=(2, 0, 1, 0))
    assert told(drawn, "cid")[0] == ("CAM-RND-02", "Rank number 1 of 4: drawn by lot when the campaign began.")
    given = swiss(*FOUR, seed="given", order=["dee", "ann"])
    assert told(given, "dee")[0] == ("CAM-RND-02", "Rank number 1 of 4: by the organiser’s list.")
    rated = swiss(begun=False, seed="rating k3jz81aq")
    for player, rating in (("ann", 900), ("bob", 1200), ("cid", 900)):
        rated.enter(player, rating=rating)
    rated.say(ORGANISER, "begin")
    assert "the ladder’s number at entry, 1200" in told(rated, "bob")[0][1]


@pytest.mark.rule("CAM-CUP-08", "CAM-CUP-09")
def test_a_bracket_tells_ranks_whom_one_beat_and_the_lot() -> None:
    cup = knock_out(*FOUR)
    assert by(cup, "1.1", "CAM-CUP-08")[0].startswith("Rank 1 and rank 4 stand side by side in the bracket of 4")
    cup.end("1.1", winner="", kept=(300, 300))
    cup.end("1.2", winner="north")
    assert by(cup, "1.1", "CAM-CUP-09") == ["Drawn, and both kept the same: Ann goes on by lot."]
    assert by(cup, "2.1", "CAM-CUP-08") == [
        f"{name} won board {board}, and goes on to this place in the bracket."
        for name, board in ((cup.state.entrants[one].name, "1.1" if one == "ann" else "1.2") for one in cup.pairs(2)[0])
    ]


@pytest.mark.rule("CAM-TIM-03", "CAM-TIM-04", "CAM-PPL-04", "CAM-RUL-03", "CAM-RUL-04")
def test_a_default_tells_the_notice_before_it_and_its_reason() -> None:
    cup = swiss(*FOUR, time={"show": "14d", "round": "60d", "grace": "7d"})
    cup.shown = {"1.1": frozenset({"ann"}), "1.2": frozenset({"cid", "dee"})}
    cup.wait(14)
    cup.wait(21)
    assert by(cup, "1.1", "CAM-TIM-03") == [
        "Late: Bob had given no first word. Nothing follows before 22 January, 00:00 UTC."
    ]
    assert by(cup, "1.1", "CAM-TIM-04") == ["Bob did not come to the battle in time: Ann wins by default."]
    cup = swiss(*FOUR)
    cup.say("bob", "withdraw")
    assert by(cup, "1.1", "CAM-PPL-04") == ["Bob withdrew while the board was still fought: Ann wins by default."]
    cup = swiss(*FOUR)
    cup.say(ORGANISER, "pair 1.1 ann cid")
    assert by(cup, "1.1", "CAM-RUL-04") == [
        "The umpire paired this board. The rules had paired Ann and Bob here, as follows."
    ]
    cup.say(ORGANISER, "default 1.1 both")
    assert by(cup, "1.1", "CAM-RUL-03") == ["The umpire ruled: both lose by default."]


@pytest.mark.rule("CAM-STD-01", "CAM-STD-03", "CAM-STD-04")
def test_a_place_tells_its_points_its_neighbours_and_each_sum() -> None:
    cup = second_round()
    assert by(cup, "ann", "CAM-STD-01")[0] == "Ann has 2 points: 1.1: 2."
    (above, *_) = by(cup, "cid", "CAM-STD-04")
    assert above == "Ann stands above Cid: equal up to there, then Margin, 500 to 200."
    assert "Margin: 200, since 1.2 gives 200." in by(cup, "cid", "CAM-STD-04")
    assert "Buchholz −1: 0, since 1.1 is left out (the lowest, 0)." in by(cup, "ann", "CAM-STD-04")
    assert "Margin: −500, since 1.1 gives −500." in by(cup, "bob", "CAM-STD-04")
    assert by(cup, "eve", "CAM-STD-03") != [] == by(cup, "ann", "CAM-STD-03")
    cup.say(ORGANISER, "penalty ann 1")
    assert by(cup, "ann", "CAM-RUL-07") == ["The umpire took from Ann: 1 of the points."]


@pytest.mark.rule("CAM-STD-05", "CAM-CUP-02", "CAM-CUP-10")
def test_a_table_of_all_against_all_tells_ranks_legs_and_direct_comparison() -> None:
    cup = round_robin(*FOUR, legs=2)
    south, north = cup.pairs(2)[0]
    ranks = f"rank {FOUR.index(south) + 1} in the south meets rank {FOUR.index(north) + 1} in the north"
    assert by(cup, "2.1", "CAM-CUP-02") == [f"By the table of a round robin of 4: in round 2 {ranks}."]
    assert by(cup, "2.1.2", "CAM-CUP-10") == ["The second leg of board 2.1, with the sides changed."]
    assert any("Direct" in text for text in by(cup, "ann", "CAM-STD-05"))


def test_an_event_is_explained_by_what_it_is_about_and_what_is_not_there_is_refused() -> None:
    cup = second_round()
    names = [type(fact.event).__name__ for fact in cup.facts]
    n = names.index("BattleSet") + 1
    assert told(cup, str(n)) == told(cup, "1.1")
    assert told(cup, str(names.index("ByeGiven") + 1)) == told(cup, "eve")
    for about, code in (
        ("9.9", "campaign.no-such-board"),
        ("nobody", "campaign.no-such-entrant"),
        ("900", "core.no-such-event"),
        ("1", "campaign.no-such-board"),
    ):
        with pytest.raises(Refusal) as refused:
            told(cup, about)
        assert refused.value.code == code


@pytest.mark.parametrize("seed", range(6))
def test_everything_in_a_cup_played_by_chance_is_explained_in_each_language_by_known_rules(seed: int) -> None:
    chance, known = random.Random(seed), {rule.id for rule in rules_of("campaign")}
    players = [f"p{n}" for n in range(1, 8)]
    cup = swiss(*players, rounds=3) if seed % 3 == 0 else (round_robin, knock_out)[seed % 3 - 1](*players)
    while cup.running():
        board = chance.choice(cup.running())
        if chance.random() < 0.1:
            cup.say(ORGANISER, f"default {board} {chance.choice([cup.state.boards[board].place.south, 'both'])}")
        else:
            cup.end(board, chance.choice(["south", "north", ""]), (chance.randrange(900), chance.randrange(900)))
    for about in some([*cup.state.boards, *cup.state.entrants]):
        for lang in LANGUAGES:
            reasons = some(told(cup, about, lang))
            assert {rule for rule, _ in reasons} <= known
            assert not [text for _, text in reasons if "reason." in text or "{" in text or "[" in text]


@pytest.mark.rule("CAM-STD-01")
def test_a_career_is_whom_they_met_what_came_of_it_and_the_points_after_each_round() -> None:
    cup = second_round()
    rows = career_of(cup.state, "eve")
    assert [(row.round, row.board, row.opponent, row.side, row.result, row.points) for row in rows] == [
        (1, "", "", "", "bye", 2),
        (2, "2.2", "bob", "north", "running", 2),
    ]
    cup.end("2.2", winner="", kept=(120, 340))
    (_, row) = career_of(cup.state, "eve")
    assert (row.result, row.points, row.kept) == ("drawn", 3, (340, 120))
    cup.say(ORGANISER, "default 2.1 both")
    assert [(row.result, row.is_default, row.points) for row in career_of(cup.state, "ann")] == [
        ("won", False, 2),
        ("lost", True, 2),
    ]
    assert career_of(swiss(*FOUR, begun=False).state, "ann") == ()
