"""The table of a round robin: everybody meets everybody, and sides are shared out."""

from collections import Counter

import pytest

from domain.campaign.boards import places_of
from domain.campaign.round_robin import table_rounds
from tests.support.looping import some


@pytest.mark.rule("CAM-CUP-02")
@pytest.mark.parametrize("count", range(2, 40))
def test_all_meet_once_and_sides_differ_by_at_most_one(count):
    entrants = [f"p{number}" for number in range(1, count + 1)]
    rounds = table_rounds(entrants)
    pairs = [pair for each in rounds for pair in each.pairs]
    assert len(rounds) == count - 1 + count % 2
    assert len({frozenset(pair) for pair in pairs}) == len(pairs) == count * (count - 1) // 2
    souths, norths = Counter(south for south, _ in pairs), Counter(north for _, north in pairs)
    assert all(abs(souths[entrant] - norths[entrant]) <= 1 for entrant in entrants)


@pytest.mark.rule("CAM-CUP-02")
def test_in_each_round_all_fight_but_the_one_at_the_free_place():
    entrants = tuple("abcde")
    for each in some(table_rounds(entrants)):
        assert sorted([*(entrant for pair in each.pairs for entrant in pair), each.free]) == list(entrants)


@pytest.mark.rule("CAM-CUP-10")
def test_the_second_leg_follows_the_first_with_sides_changed():
    places = places_of(2, (("a", "b"), ("d", "c")), legs=2)
    assert [(place.name, place.leg, *place.pair) for place in places] == [
        ("2.1", 1, "a", "b"),
        ("2.1.2", 2, "b", "a"),
        ("2.2", 1, "d", "c"),
        ("2.2.2", 2, "c", "d"),
    ]
    assert [place.name for place in places_of(2, (("a", "b"),))] == ["2.1"]
