"""What explains a pairing, a bye, and a place in the table."""

import random

import pytest

from domain.campaign.boards import BoardResult, Contest, Place
from domain.campaign.standings import standings
from domain.campaign.swiss import Passed
from domain.campaign.tie_breaks import Part
from domain.campaign.why import why_above, why_round
from tests.domain.campaign.cups import random_cup
from tests.support.looping import some


def fought(name, south, north, winner, kept):
    return BoardResult(Place(name, int(name[0]), south, north), winner, "medals", kept)


ROUND = (
    fought("1.1", "a", "b", "a", (500, 0)),
    fought("1.2", "c", "d", "c", (300, 0)),
)
AFTER = Contest(("a", "b", "c", "d"), tuple(result.place for result in ROUND), ROUND)


@pytest.mark.rule("CAM-CUP-04")
@pytest.mark.rule("CAM-CUP-06")
def test_a_pair_is_explained_by_who_was_nearer_and_by_the_sides_before():
    first, second = why_round(AFTER, 2, [("a", "c")]).pairs
    assert (first.board, first.first.entrant, first.second.entrant, first.level) == ("2.1", "a", "d", 0)
    assert first.passed == (Passed("c", "apart"), Passed("b", "last"))
    assert (first.sides, second.sides) == ("balance", "balance")
    assert second.passed == ()


@pytest.mark.rule("CAM-CUP-07")
def test_sides_are_explained_by_what_decided_them():
    pair, _ = why_round(Contest(("a", "b", "c", "d")), 1).pairs
    assert pair.sides == "rank"
    places = (
        Place("1.1", 1, "a", "c"),
        Place("1.2", 1, "d", "b"),
        Place("2.1", 2, "d", "a"),
        Place("2.2", 2, "b", "c"),
    )
    pair, _ = why_round(Contest(("a", "b", "c", "d"), places), 3).pairs
    assert ({pair.first.entrant, pair.second.entrant}, pair.sides) == ({"a", "b"}, "latest")


@pytest.mark.rule("CAM-CUP-05")
def test_a_bye_is_explained_by_who_was_asked_before():
    left = Contest(AFTER.entrants, AFTER.places, AFTER.outcomes, left={"d"})
    bye = why_round(left, 2).bye
    assert bye is not None
    assert (bye.entrant.entrant, bye.level, bye.asked) == ("b", 0, ())
    assert why_round(AFTER, 2).bye is None


@pytest.mark.rule("CAM-CUP-04")
def test_what_explains_a_round_is_what_paired_it():
    for contest, absent, number, paired in some(random_cup(random.Random(8), [f"p{n}" for n in range(1, 12)], 8)):
        reasons = why_round(contest, number, absent=absent)
        explained = [{each.first.entrant, each.second.entrant} for each in reasons.pairs]
        assert explained == [set(pair) for pair in paired.pairs]
        assert (reasons.bye.entrant.entrant if reasons.bye else "") == paired.bye
        assert all(each.first.order < each.second.order for each in reasons.pairs)


@pytest.mark.rule("CAM-STD-04")
def test_a_place_is_explained_by_the_first_figure_that_differs_with_its_boards():
    a, c, d, b = standings(AFTER, ["buchholz", "margin"])
    above = why_above(a, c, AFTER)
    assert above.by == "margin" and above.upper is not None and above.upper.parts == (Part("1.1", 500),)
    assert why_above(c, d, AFTER).by == "points"
    assert why_above(d, b, AFTER).by == "margin"
    left = Contest(AFTER.entrants, AFTER.places, AFTER.outcomes, left={"a"})
    rows = standings(left)
    assert why_above(rows[-2], rows[-1], left).by == "left"
    none = Contest(("a", "b"))
    first, second = standings(none, ["margin"])
    assert why_above(first, second, none).by == "lots"
