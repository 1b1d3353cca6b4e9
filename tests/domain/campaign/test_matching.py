"""The first complete pairing, beside one that tries everything and beside another program."""

import random
from itertools import combinations

import pytest

from domain.campaign.matching import first_pairing, paired_from, spared
from tests.support.looping import some


def field(rng, count, share):
    """Who may not meet whom, each pair with the same probability."""
    barred: list[set[int]] = [set() for _ in range(count)]
    for one, other in combinations(range(count), 2):
        if rng.random() < share:
            barred[one].add(other)
            barred[other].add(one)
    return barred


def by_trying(barred, left):
    """The lexicographically first complete pairing, found by trying every one in order."""
    if not left:
        return []
    first = left[0]
    for second in left[1:]:
        if second not in barred[first]:
            rest = by_trying(barred, [each for each in left if each not in {first, second}])
            if rest is not None:
                return [(first, second), *rest]
    return None


@pytest.mark.slow
@pytest.mark.rule("CAM-CUP-04")
@pytest.mark.parametrize("count", [2, 4, 6, 8, 10])
def test_it_is_the_first_of_all_that_there_are(count):
    rng, none = random.Random(count), 0
    for _ in range(600):
        barred = field(rng, count, rng.random())
        found, wanted = first_pairing(barred), by_trying(barred, list(range(count)))
        none += wanted is None
        assert (None if found is None else [(pair.first, pair.second) for pair in found]) == wanted
    assert 0 < none < 600


@pytest.mark.slow
@pytest.mark.rule("CAM-CUP-05")
@pytest.mark.parametrize("count", [1, 3, 5, 7, 9])
def test_the_one_without_an_opponent_is_the_first_whom_the_rest_can_spare(count):
    rng, moved = random.Random(count), 0
    for _ in range(400):
        barred, order = field(rng, count, rng.random()), rng.sample(range(count), count)
        able = [one for one in order if by_trying(barred, [each for each in range(count) if each != one]) is not None]
        assert spared(barred, order) == next(iter(able), None)
        moved += able[:1] != order[:1]
    assert moved > 0 or count == 1


@pytest.mark.rule("CAM-CUP-04")
def test_nobody_is_refused_where_nobody_stands_in_the_way():
    pairs = first_pairing([set() for _ in range(1000)])
    assert [(pair.first, pair.second, pair.refused) for pair in some(pairs or ())] == [
        (n, n + 1, ()) for n in range(0, 1000, 2)
    ]


@pytest.mark.rule("CAM-CUP-04")
def test_who_is_refused_for_the_sake_of_the_rest_is_told():
    """2 and 3 have met all but 0 and 1; with 0-1 nobody would be left for them."""
    pairs = first_pairing([set(), set(), {3, 4, 5}, {2, 4, 5}, {2, 3}, {2, 3}])
    assert [(pair.first, pair.second, pair.refused) for pair in some(pairs or ())] == [
        (0, 2, (1,)),
        (1, 3, ()),
        (4, 5, ()),
    ]


def test_an_odd_number_has_no_complete_pairing():
    assert first_pairing([set(), set(), set()]) is None
    assert spared([{1, 2}, {0, 2}, {0, 1}], [0, 1, 2]) is None


@pytest.mark.rule("CAM-CUP-04")
def test_from_a_bound_on_nothing_has_to_be_searched():
    """Below it there may be a pairing, as of two groups who meet each other alone, or none, as of a crowd."""
    halves = [{each for each in range(10) if each != one and each % 2 == one % 2} for one in range(10)]
    assert paired_from(halves) == 10 and first_pairing(halves) is not None
    crowd = [{each for each in range(6) if each != one} if one < 6 else set() for one in range(10)]
    assert paired_from(crowd) == 12 and first_pairing(crowd) is None


@pytest.mark.slow
@pytest.mark.rule("CAM-CUP-04")
def test_a_large_club_whose_members_may_not_meet_is_paired_with_the_others():
    """180 of 400 are kept apart: each meets somebody of the 220."""
    barred = [{each for each in range(180) if each != one} if one < 180 else set() for one in range(400)]
    pairs = first_pairing(barred)
    assert pairs is not None and all(pair.second not in barred[pair.first] for pair in pairs)
    assert sorted(each for pair in pairs for each in (pair.first, pair.second)) == list(range(400))
    crowd = [{each for each in range(201) if each != one} if one < 201 else set() for one in range(400)]
    assert first_pairing(crowd) is None
