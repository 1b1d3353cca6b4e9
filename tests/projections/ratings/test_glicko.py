"""Glicko-2 beside the equations of the paper, whose example is a case (tests/cases/campaign/26-glicko-paper.toml)."""

import random
from math import exp, log, pi, sqrt

import pytest

from projections.ratings.glicko import RatedGame, Rating, after_period


def by_chance(rng):
    games = [
        RatedGame(Rating(rng.uniform(1000, 2000), rng.uniform(30, 350)), rng.choice([0.0, 0.5, 1.0]))
        for _ in range(rng.randint(1, 12))
    ]
    return Rating(rng.uniform(1000, 2000), rng.uniform(30, 350), rng.uniform(0.03, 0.1)), games


def by_halving(rating, games, tau):
    """The paper's steps 2 to 7, with the root of step 5 found by halving an interval."""
    mu, phi = (rating.r - 1500) / 173.7178, rating.rd / 173.7178
    weights = [1 / sqrt(1 + 3 * (game.opponent.rd / 173.7178) ** 2 / pi**2) for game in games]
    odds = [
        1 / (1 + exp(-weight * (mu - (game.opponent.r - 1500) / 173.7178)))
        for weight, game in zip(weights, games, strict=True)
    ]
    v = 1 / sum(weight**2 * odd * (1 - odd) for weight, odd in zip(weights, odds, strict=True))
    won = sum(weight * (game.score - odd) for weight, odd, game in zip(weights, odds, games, strict=True))
    delta2 = (v * won) ** 2

    def f(x):
        return (
            exp(x) * (delta2 - phi**2 - v - exp(x)) / (2 * (phi**2 + v + exp(x)) ** 2)
            - (x - log(rating.vol**2)) / tau**2
        )

    low, high = -30.0, 5.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    vol = exp(low / 2)
    after = 1 / sqrt(1 / (phi**2 + vol**2) + 1 / v)
    return 173.7178 * (mu + after**2 * won) + 1500, min(350, 173.7178 * after), vol


@pytest.mark.rule("CAM-RAT-02")
@pytest.mark.parametrize("tau", [0.3, 0.5, 1.2])
def test_the_volatility_is_the_root_of_the_paper(tau):
    rng = random.Random(7)
    for _ in range(300):
        rating, games = by_chance(rng)
        got, wanted = after_period(rating, games, tau), by_halving(rating, games, tau)
        assert (got.r, got.rd, got.vol) == pytest.approx(wanted, abs=1e-4)


@pytest.mark.rule("CAM-RAT-02")
def test_a_deviation_grows_without_battles_but_never_above_where_it_begins():
    rating = Rating(1600.0, 100.0, 0.06)
    grown = after_period(rating, [])
    assert (grown.r, grown.vol) == (1600.0, 0.06)
    assert grown.rd == pytest.approx(sqrt(100**2 + (0.06 * 173.7178) ** 2))
    assert after_period(Rating(1600.0, 350.0), []).rd == 350.0
    assert after_period(Rating(1500.0, 350.0, 2.0), [RatedGame(Rating(3000.0, 350.0), 0.0)]).rd <= 350.0
