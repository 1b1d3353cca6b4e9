"""Rounds of a Swiss cup: levels, byes, sides, and why it was paired so."""

import random
from itertools import combinations

import pytest

from domain.campaign.boards import BoardResult, Contest, Idle, Place
from domain.campaign.sides import SideRecord, is_south, side_records
from domain.campaign.swiss import Contender, Passed, contenders_of, pair_round, rounds_without
from tests.domain.campaign.cups import random_cup
from tests.support.looping import some


def contender(entrant, points, rank, met=(), last=(), without=0, sides=""):
    return Contender(entrant, points, SideRecord(rank, sides), without, frozenset(met), frozenset(last))


def may_meet(one, other, level, apart):
    """CAM-CUP-06, word for word."""
    met = other.entrant in one.met or one.entrant in other.met
    kept_apart = (one.entrant, other.entrant) in apart or (other.entrant, one.entrant) in apart
    last = other.entrant in one.last or one.entrant in other.last
    return [not met and not kept_apart, not met, not last, True][level]


def can_be_paired(contenders, level, apart):
    """Whether another program finds a pairing that leaves out at most one."""
    networkx = pytest.importorskip("networkx", reason="networkx is not installed")
    graph = networkx.Graph()
    graph.add_nodes_from(each.entrant for each in contenders)
    pairs = combinations(contenders, 2)
    graph.add_edges_from((a.entrant, b.entrant) for a, b in pairs if may_meet(a, b, level, apart))
    return len(networkx.max_weight_matching(graph, maxcardinality=True)) == len(contenders) // 2


def check_round(contest, absent, number, paired, apart):
    """Everybody once, nobody who may not meet, at no higher level than needed."""
    contenders = contenders_of(contest, absent)
    by_name = {each.entrant: each for each in contenders}
    seated = [entrant for pair in paired.pairs for entrant in pair]
    assert sorted([*seated, *([paired.bye] if paired.bye else [])]) == sorted(by_name)
    assert all(may_meet(by_name[south], by_name[north], paired.level, apart) for south, north in paired.pairs)
    assert paired.level == next(level for level in range(4) if can_be_paired(contenders, level, apart))
    records = side_records(contest.entrants, contest.places)
    assert all(is_south(records[south], records[north], number) for south, north in paired.pairs)


@pytest.mark.slow
@pytest.mark.rule("CAM-CUP-04")
@pytest.mark.rule("CAM-CUP-05")
@pytest.mark.rule("CAM-CUP-06")
@pytest.mark.parametrize("part", range(10))
def test_a_thousand_cups_by_chance_are_paired_at_the_lowest_level_there_is(part):
    rng, levels = random.Random(part), set()
    for _ in range(100):
        entrants = [f"p{number}" for number in range(1, rng.randint(2, 14))]
        apart = {tuple(rng.sample(entrants, 2)) for _ in range(rng.randint(0, 4))} if len(entrants) > 1 else set()
        for contest, absent, number, paired in random_cup(rng, entrants, rng.randint(1, 9), tuple(apart)):
            check_round(contest, absent, number, paired, apart)
            levels.add(paired.level)
    assert levels == {0, 1, 2, 3}


@pytest.mark.rule("CAM-CUP-03")
def test_the_order_is_points_then_rank_and_never_a_tie_break():
    field = [contender("a", 2, 4), contender("b", 0, 1), contender("c", 2, 3), contender("d", 0, 2)]
    assert [set(pair) for pair in pair_round(field, 1).pairs] == [{"c", "a"}, {"b", "d"}]


@pytest.mark.rule("CAM-CUP-05")
def test_byes_are_spread_before_they_are_given_twice():
    entrants = ["p1", "p2", "p3", "p4", "p5"]
    rng = random.Random(5)
    byes = [paired.bye for *_, paired in random_cup(rng, entrants, 5, defaults=0, leaving=0)]
    assert sorted(byes) == entrants


@pytest.mark.rule("CAM-CUP-05")
def test_one_alone_has_the_bye():
    paired = pair_round([contender("a", 0, 1)], 1)
    assert (paired.pairs, paired.bye, paired.level) == ((), "a", 0)


@pytest.mark.rule("CAM-CUP-06")
def test_a_level_gives_way_for_the_whole_round():
    two = [contender("a", 2, 1, ["b"], ["b"]), contender("b", 0, 2, ["a"], ["a"])]
    assert pair_round(two, 2).level == 3
    assert pair_round([contender("a", 2, 1, ["b"]), contender("b", 0, 2)], 3).level == 2
    assert pair_round([contender("a", 2, 1), contender("b", 0, 2)], 1, [("b", "a")]).level == 1
    assert pair_round([contender("a", 2, 1), contender("b", 0, 2)], 1, [("b", "gone")]).level == 0


@pytest.mark.rule("CAM-CUP-06")
def test_a_round_tells_who_was_passed_over_and_why():
    field = [
        contender("a", 6, 1, ["b"], ["b"]),
        contender("b", 4, 2, ["a"], ["a"]),
        contender("c", 4, 3),
        contender("d", 2, 4, ["e"]),
        contender("e", 2, 5),
        contender("f", 0, 6),
    ]
    paired = pair_round(field, 3, [("a", "c")])
    assert paired.pairs == (("a", "d"), ("b", "c"), ("e", "f"))
    assert paired.passed == ((Passed("b", "last"), Passed("c", "apart")), (), ())
    assert paired.spared == ()


@pytest.mark.rule("CAM-CUP-05")
def test_a_round_tells_who_had_the_bye_before_others_were_asked():
    field = [
        contender("a", 4, 1, "bc"),
        contender("b", 2, 2, "c"),
        contender("c", 2, 3),
        contender("d", 2, 4, "", "", 1),
    ]
    paired = pair_round([*field, contender("e", 0, 5)], 3)
    assert (paired.bye, paired.spared) == ("c", (Passed("e", "rest"),))


@pytest.mark.rule("CAM-CUP-07")
@pytest.mark.parametrize(
    ("one", "other", "number", "first"),
    [
        (("SN", 1), ("SS", 2), 3, True),
        (("NS", 1), ("SN", 2), 3, False),
        (("SN", 1), ("NS", 2), 3, True),
        (("SN-", 1), ("NS-", 2), 4, True),
        (("S-", 1), ("NSS", 2), 4, False),
        (("", 1), ("", 2), 1, True),
        (("", 1), ("", 2), 2, False),
        (("SN", 2), ("SN", 1), 3, False),
    ],
)
def test_south_goes_by_how_often_then_by_the_latest_side_then_by_rank_and_round(one, other, number, first):
    assert is_south(SideRecord(one[1], one[0]), SideRecord(other[1], other[0]), number) is first
    assert is_south(SideRecord(other[1], other[0]), SideRecord(one[1], one[0]), number) is not first


@pytest.mark.rule("CAM-CUP-07")
@pytest.mark.rule("CAM-CUP-10")
def test_sides_are_those_of_first_legs():
    places = (Place("1.1", 1, "a", "b"), Place("1.1.2", 1, "b", "a"), Place("2.1", 2, "b", "c"))
    records = side_records(("a", "b", "c"), places)
    assert {entrant: record.sides for entrant, record in records.items()} == {"a": "S-", "b": "NS", "c": "-N"}


@pytest.mark.rule("CAM-CUP-05")
@pytest.mark.rule("CAM-STD-03")
def test_a_round_without_a_battle_is_counted_once_however_it_came():
    legs = (Place("1.1", 1, "a", "b"), Place("1.1.2", 1, "b", "a"))
    half = (BoardResult(legs[0], "a", is_default=True), BoardResult(legs[1], "b"))
    both = tuple(BoardResult(leg, "a", is_default=True) for leg in legs)
    bye = (Idle("c", 1, "bye"),)
    assert rounds_without(Contest(("a", "b", "c"), legs, half, bye)) == {"a": 0, "b": 0, "c": 1}
    assert rounds_without(Contest(("a", "b", "c"), legs, both, bye)) == {"a": 1, "b": 1, "c": 1}


def test_who_has_left_or_is_absent_is_not_paired():
    contest = Contest(("a", "b", "c", "d"), left={"a"})
    assert [each.entrant for each in some(contenders_of(contest, {"c"}))] == ["b", "d"]
