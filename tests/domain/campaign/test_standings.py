"""The table of a cup, beside one that is worked out from the words of the rules."""

import random
from itertools import combinations

import pytest

from domain.campaign.boards import BoardResult, Contest, Idle, Place, Points, points_of
from domain.campaign.standings import TABLE_TIE_BREAKS, standings, winners
from domain.campaign.tie_breaks import DIRECT, TIE_BREAKS, Part
from tests.domain.campaign.cups import random_cup, result_of
from tests.support.looping import some

ALL = (*TIE_BREAKS, DIRECT)


def fought(name, south, north, winner="", kept=(0, 0)):
    return BoardResult(Place(name, int(name[0]), south, north), winner, "medals", kept)


def defaulted(name, south, north, winner, *losers):
    return BoardResult(Place(name, int(name[0]), south, north), winner, "no-show", is_default=True, losers=losers)


def figures_of(contest, *tie_breaks):
    return {row.entrant: tuple(figure.value for figure in row.figures) for row in standings(contest, tie_breaks)}


# --- worked out from the words


def plain_points(contest, entrant, adjusted=False):
    worth, total = contest.points, 0
    for result in contest.outcomes:
        if entrant in result.place.pair:
            if result.is_default:
                total += worth.draw if adjusted else worth.bye if result.winner == entrant else worth.loss
            elif result.winner:
                total += worth.win if result.winner == entrant else worth.loss
            else:
                total += worth.draw
    for idle in contest.idle:
        if idle.entrant == entrant:
            total += worth.draw if adjusted else worth.bye if idle.kind == "bye" else worth.loss
    return total


def plain_figures(contest, entrant):
    """CAM-STD-03 and -04: (opponent or itself, half points, own margin) of each round."""
    rows = [(entrant, 1, 0) for idle in contest.idle if idle.entrant == entrant]
    for result in contest.outcomes:
        south, north = result.place.pair
        if entrant in (south, north):
            other = north if entrant == south else south
            kept = result.kept if entrant == south else result.kept[::-1]
            score = 1 if not result.winner else 2 if result.winner == entrant else 0
            rows.append((entrant, 1, 0) if result.is_default else (other, score, kept[0] - kept[1]))
    terms = [plain_points(contest, other, True) for other, _, _ in rows]
    wins = sum(result.winner == entrant and not result.is_default for result in contest.outcomes)
    return {
        "buchholz": sum(terms),
        "buchholz-1": sum(terms) - min(terms, default=0),
        "sonneborn": sum(term * score for term, (_, score, _) in zip(terms, rows, strict=True)),
        "margin": sum(margin for _, _, margin in rows),
        "wins": wins,
        "lots": -contest.entrants.index(entrant) - 1,
    }


@pytest.mark.slow
@pytest.mark.rule("CAM-STD-01")
@pytest.mark.rule("CAM-STD-03")
@pytest.mark.rule("CAM-STD-04")
@pytest.mark.parametrize("seed", range(30))
def test_every_column_is_what_the_words_of_the_rules_say(seed):
    rng = random.Random(seed)
    entrants = [f"p{number}" for number in range(1, rng.randint(3, 12))]
    *_, (contest, _, _, _) = random_cup(rng, entrants, 7, defaults=0.2)
    names = tuple(TIE_BREAKS)
    for row in some(standings(contest, names)):
        wanted = plain_figures(contest, row.entrant)
        assert row.points == plain_points(contest, row.entrant)
        assert row.adjusted == plain_points(contest, row.entrant, adjusted=True)
        assert {figure.name: figure.value for figure in row.figures} == wanted
        traced = {
            figure.name: sum(part.value for part in figure.parts if not part.is_dropped)
            for figure in row.figures
            if figure.name != "lots"
        }
        assert traced == {name: value for name, value in wanted.items() if name != "lots"}


@pytest.mark.slow
@pytest.mark.rule("CAM-STD-05")
@pytest.mark.parametrize("seed", range(20))
def test_direct_encounter_counts_in_groups_of_equals_who_have_all_fought(seed):
    rng = random.Random(seed)
    entrants = ("a", "b", "c", "d", "e")
    outcomes = tuple(
        result_of(rng, Place(f"{number}.1", number, *pair), 0.15)
        for number, pair in enumerate(combinations(entrants, 2), 1)
        if rng.random() < 0.9
    )
    contest = Contest(entrants, outcomes=outcomes)
    battles = [result for result in outcomes if not result.is_default]
    for row in some(standings(contest, [DIRECT])):
        equal = {each for each in entrants if plain_points(contest, each) == row.points}
        among = [result for result in battles if set(result.place.pair) <= equal]
        complete = {frozenset(result.place.pair) for result in among} == set(map(frozenset, combinations(equal, 2)))
        own = sum(points_of(each, row.entrant, Points()) for each in among if row.entrant in each.place.pair)
        assert row.figures[0].value == (own if complete else 0)


# --- one by one


@pytest.mark.rule("CAM-STD-01")
def test_points_are_those_of_the_cup():
    worth = Points(win=5, draw=2, loss=1, bye=3)
    outcomes = (fought("1.1", "a", "b", "a"), fought("1.2", "c", "d"), defaulted("2.1", "a", "b", "b", "a"))
    contest = Contest(("a", "b", "c", "d"), outcomes=outcomes, idle=(Idle("c", 2, "bye"),), points=worth)
    points = {row.entrant: row.points for row in standings(contest)}
    assert points == {"a": 6, "b": 4, "c": 5, "d": 2}


@pytest.mark.rule("CAM-STD-01")
def test_a_default_of_both_is_lost_by_both():
    contest = Contest(("a", "b"), outcomes=(defaulted("1.1", "a", "b", "", "a", "b"),))
    assert [(row.entrant, row.points, row.adjusted) for row in standings(contest)] == [("a", 0, 1), ("b", 0, 1)]


@pytest.mark.rule("CAM-STD-03")
def test_boards_still_fought_count_nowhere():
    contest = Contest(("a", "b"), places=(Place("1.1", 1, "a", "b"),))
    assert figures_of(contest, *TIE_BREAKS) == {"a": (0, 0, 0, 0, 0, -1), "b": (0, 0, 0, 0, 0, -2)}


@pytest.mark.rule("CAM-STD-04")
def test_a_column_names_the_boards_that_it_comes_from():
    outcomes = (fought("1.1", "a", "b", "a", (400, 0)), fought("2.1", "c", "a", "c", (300, 100)))
    contest = Contest(("a", "b", "c"), outcomes=outcomes, idle=(Idle("a", 3, "bye"),))
    row = next(row for row in standings(contest, ["buchholz-1", "margin"]) if row.entrant == "a")
    assert row.figures[0].parts == (Part("1.1", 0, is_dropped=True), Part("2.1", 2), Part("3", 3))
    assert row.figures[1].parts == (Part("1.1", 400), Part("2.1", -200))


@pytest.mark.rule("CAM-STD-04")
def test_lots_decide_also_where_nobody_names_them():
    assert [row.entrant for row in standings(Contest(("b", "a")), ["margin"])] == ["b", "a"]


@pytest.mark.rule("CAM-STD-04")
def test_a_tie_break_that_is_none_is_an_error():
    with pytest.raises(KeyError):
        standings(Contest(("a",)), ["luck"])


@pytest.mark.rule("CAM-STD-05")
def test_direct_encounter_decides_among_those_whom_what_stands_before_it_leaves_equal():
    """By points three are equal in a circle; by margin before it only two are left, who have met."""
    outcomes = (
        fought("1.1", "a", "b", "a", (500, 0)),
        fought("2.1", "b", "c", "b", (300, 0)),
        fought("3.1", "c", "a", "c", (100, 0)),
    )
    contest = Contest(("a", "b", "c"), outcomes=outcomes)
    assert figures_of(contest, "direct", "margin") == {"a": (2, 400), "b": (2, -200), "c": (2, -200)}
    assert figures_of(contest, "margin", "direct") == {"a": (400, 0), "b": (-200, 2), "c": (-200, 0)}
    assert [row.entrant for row in standings(contest, ["margin", "direct"])] == ["a", "b", "c"]


@pytest.mark.rule("CAM-STD-05")
def test_a_default_is_no_direct_encounter():
    outcomes = (defaulted("1.1", "a", "b", "a", "b"), fought("2.1", "b", "c", "b"))
    assert figures_of(Contest(("a", "b", "c"), outcomes=outcomes), DIRECT) == {"a": (0,), "b": (0,), "c": (0,)}


@pytest.mark.rule("CAM-RND-06")
@pytest.mark.rule("CAM-PPL-04")
def test_who_has_left_stands_last_and_wins_nothing():
    contest = Contest(("a", "b", "c"), outcomes=(fought("1.1", "a", "b", "a", (900, 0)),), left={"a"})
    rows = standings(contest, TABLE_TIE_BREAKS)
    assert [row.entrant for row in rows] == ["c", "b", "a"]
    assert winners(rows, contest) == ("c",)
    assert winners(standings(Contest(("a",), left={"a"})), Contest(("a",), left={"a"})) == ()


@pytest.mark.rule("CAM-PPL-04")
def test_results_of_who_is_struck_count_for_nobody():
    outcomes = (fought("1.1", "a", "b", "a"), fought("2.1", "b", "c", "b"), defaulted("3.1", "a", "c", "c", "a"))
    contest = Contest(("a", "b", "c"), outcomes=outcomes, left={"a"}, struck={"a"})
    assert [(row.entrant, row.points, row.adjusted) for row in standings(contest)] == [("b", 2, 2), ("c", 0, 0)]


@pytest.mark.rule("CAM-RUL-07")
def test_points_taken_by_the_umpire_are_no_loss_to_opponents():
    outcomes = (fought("1.1", "a", "b", "a"),)
    contest = Contest(("a", "b"), outcomes=outcomes, taken={"a": 3})
    rows = standings(contest, ["buchholz"])
    assert [(row.entrant, row.points, row.figures[0].value) for row in rows] == [("b", 0, 2), ("a", -1, 0)]
