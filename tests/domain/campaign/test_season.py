"""Between two seasons some go up, some go down, and places of who has gone are filled from below (CAM-CLB-07)."""

import pytest

from domain.campaign.season import DOWN, STAYS, UP, Division, division_of, next_season
from tests.support.cups import round_robin

FOUR = ("ann", "bob", "cid", "dan")
pytestmark = pytest.mark.rule("CAM-CLB-07")
HIGH, LOW = ("a", "b", "c", "d", "e", "f"), ("g", "h", "i", "j", "k", "l")


def names(divisions):
    return ["".join(berth.entrant for berth in division) for division in next_season(divisions)]


@pytest.mark.parametrize(
    ("divisions", "expected"),
    [
        ((Division(HIGH), Division(LOW)), ["abcdgh", "efijkl"]),
        ((Division(HIGH, promote=1, relegate=1), Division(LOW, promote=1, relegate=1)), ["abcdeg", "fhijkl"]),
        ((Division(HIGH, relegate=0), Division(LOW, promote=0)), ["abcdef", "ghijkl"]),
        ((Division(HIGH[:5], gone=1), Division(LOW)), ["abcdgh", "eijkl"]),
        ((Division(HIGH[:3], gone=3), Division(LOW)), ["abcghi", "jkl"]),
        ((Division(HIGH), Division(LOW[:4], gone=2)), ["abcdgh", "efij"]),
        ((Division(HIGH), Division(LOW[:1], gone=5)), ["abcdg", "ef"]),
        ((Division(HIGH),), ["abcdef"]),
        ((Division(HIGH[:2]), Division(LOW[:2])), ["gh", "ab"]),
        ((Division(()), Division(LOW)), ["gh", "ijkl"]),
    ],
    ids=(
        "two and two",
        "one and one",
        "nobody",
        "who has gone is relegated first",
        "a third place is filled from below",
        "newcomers fill the last",
        "fewer than are to go up",
        "one division",
        "all of both",
        "an empty one",
    ),
)
def test_who_goes_up_and_who_goes_down(divisions, expected):
    assert names(divisions) == expected


def test_a_place_of_the_first_division_is_filled_through_the_second_from_the_third():
    first, second, third = (Division(tuple(word), gone, 1, 1) for word, gone in (("ab", 2), ("cdef", 0), ("ghij", 0)))
    assert names([first, second, third]) == ["abcd", "efgh", "ij"]


def test_each_berth_says_how_somebody_came_to_it():
    (first, second) = next_season([Division(HIGH, relegate=1), Division(LOW, promote=1)])
    assert [berth.move for berth in first] == [*[STAYS] * 5, UP]
    assert [berth.move for berth in second] == [DOWN, *[STAYS] * 5]
    assert [(berth.division, berth.entrant) for berth in (first[-1], second[0])] == [(1, "g"), (0, "f")]


def test_nobody_is_lost_and_nobody_is_in_two_divisions():
    for gone in range(5):
        for promote in range(4):
            for relegate in range(4):
                orders = [tuple(f"{at}{one}" for one in range(6 - gone)) for at in "abc"]
                rows = [Division(order, gone, promote, relegate) for order in orders]
                found = [berth.entrant for division in next_season(rows) for berth in division]
                assert sorted(found) == sorted(entrant for row in rows for entrant in row.order)


def test_a_division_is_read_from_its_table_without_who_has_left():
    cup = round_robin(*FOUR, season={"club": "leeds", "name": "Spring League", "promote": 1, "relegate": 1})
    cup.say("dan", "withdraw")
    found = division_of(cup.state, lambda entrant: entrant.id != "cid")
    assert (found.gone, found.promote, found.relegate) == (2, 1, 1)
    assert sorted(found.order) == ["ann", "bob"]
