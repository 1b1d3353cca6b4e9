"""The ratings of a ladder: periods, newcomers, and the order."""

import pytest

from projections.ratings.glicko import RatedGame, Rating, after_period
from projections.ratings.ladder import LadderGame, ladder, ratings, standing_number


@pytest.mark.rule("CAM-RAT-02")
def test_all_battles_of_a_period_are_simultaneous():
    games = [LadderGame(1, "ann", "bob", 2), LadderGame(1, "bob", "cid", 0), LadderGame(1, "cid", "ann", 1)]
    assert ratings(games, 1) == ratings(reversed(games), 1)
    assert ratings(games, 1)["ann"] == after_period(Rating(), [RatedGame(Rating(), 1.0), RatedGame(Rating(), 0.5)])
    later = [games[0], *(LadderGame(2, game.first, game.second, game.score) for game in games[1:])]
    assert ratings(later, 2) != ratings(games, 2)


@pytest.mark.rule("CAM-RAT-03")
def test_a_member_enters_with_the_first_battle_and_then_grows_less_certain():
    games = [LadderGame(1, "ann", "bob", 2), LadderGame(3, "ann", "cid", 2)]
    start = {"cid": Rating(1500.0, 100.0)}
    first, last = ratings(games, 1, start), ratings(games, 3, start)
    assert set(first) == {"ann", "bob"}
    assert last["bob"] == after_period(after_period(first["bob"], []), [])
    assert last["cid"] == after_period(start["cid"], [RatedGame(after_period(first["ann"], []), 0.0)])


@pytest.mark.rule("CAM-RAT-03")
def test_a_ladder_is_ordered_by_what_somebody_is_almost_surely_worth():
    games = [LadderGame(1, "ann", "bob", 2), *(LadderGame(1, "cid", "dee", 1) for _ in range(6))]
    rows = ladder(games, 1)
    assert [row.player for row in rows] == ["cid", "dee", "ann", "bob"]
    assert rows[0].rating.r < next(row.rating.r for row in rows if row.player == "ann")
    assert [(row.number, row.games) for row in rows[:1]] == [(standing_number(rows[0].rating), 6)]
    assert standing_number(Rating(1500.0, 100.0)) == 1300


@pytest.mark.rule("CAM-RAT-04")
def test_another_result_later_changes_what_is_computed():
    games = [LadderGame(1, "ann", "bob", 2), LadderGame(2, "ann", "bob", 2)]
    ruled = [LadderGame(1, "ann", "bob", 0), games[1]]
    assert ratings(games, 2)["ann"].r > ratings(ruled, 2)["ann"].r
    assert ratings(games, 1) == ratings(games[:1], 1)


def test_a_ladder_without_battles_has_no_ratings():
    assert ratings([], 4) == {} and ladder([], 4) == []


@pytest.mark.rule("CAM-RAT-03")
def test_battles_of_later_periods_do_not_count_yet():
    games = [LadderGame(1, "ann", "bob", 2), LadderGame(2, "ann", "bob", 0)]
    assert ladder(games, 1) == ladder(games[:1], 1)
