"""Glicko-2, as Mark Glickman's paper describes it, step by step (CAM-RAT-02)."""

from collections.abc import Callable, Sequence
from math import exp, log, pi, sqrt

from msgspec import Struct

SCALE = 173.7178
"""Points of a rating to a unit of the paper's inner scale."""
CENTRE = 1500.0
WIDEST = 350.0
"""A deviation is never above it."""
EPSILON = 1e-6
TAU = 0.5


class Rating(Struct, frozen=True, gc=False):
    """A rating, its deviation, and how steadily its owner plays."""

    r: float = CENTRE
    rd: float = WIDEST
    vol: float = 0.06


class RatedGame(Struct, frozen=True, gc=False):
    """A battle against somebody as rated at the start of the period. Shape: `score` 1.0 won, 0.5 drawn, 0.0 lost."""

    opponent: Rating
    score: float


def after_period(rating: Rating, games: Sequence[RatedGame], tau: float = TAU) -> Rating:
    """A rating after all battles of a period, which are simultaneous; without any its deviation alone grows."""
    mu, phi = (rating.r - CENTRE) / SCALE, rating.rd / SCALE
    if not games:
        return Rating(rating.r, min(WIDEST, SCALE * sqrt(phi**2 + rating.vol**2)), rating.vol)
    information, surprise = 0.0, 0.0
    for game in games:
        weight, expected = _weight(game.opponent.rd / SCALE), expected_score(rating, game.opponent)
        information += weight**2 * expected * (1 - expected)
        surprise += weight * (game.score - expected)
    variance = 1 / information
    vol = _volatility(phi, rating.vol, variance, variance * surprise, tau)
    new_phi = 1 / sqrt(1 / (phi**2 + vol**2) + information)
    return Rating(SCALE * (mu + new_phi**2 * surprise) + CENTRE, min(WIDEST, SCALE * new_phi), vol)


def expected_score(rating: Rating, opponent: Rating) -> float:
    """What a rating is expected to win of 1.0 against another."""
    return 1 / (1 + exp(-_weight(opponent.rd / SCALE) * (rating.r - opponent.r) / SCALE))


def _weight(phi: float) -> float:
    """g(φ): how little a result says against somebody whose own rating is uncertain."""
    return 1 / sqrt(1 + 3 * phi**2 / pi**2)


def _volatility(phi: float, vol: float, variance: float, delta: float, tau: float) -> float:
    """Step 5: the root of f, found between two bounds by the Illinois algorithm."""
    a = log(vol**2)

    def f(x: float) -> float:
        spread = phi**2 + variance + exp(x)
        return exp(x) * (delta**2 - spread) / (2 * spread**2) - (x - a) / tau**2

    low = a
    if delta**2 > phi**2 + variance:
        high = log(delta**2 - phi**2 - variance)
    else:
        step = 1
        while f(a - step * tau) < 0:
            step += 1
        high = a - step * tau
    return exp(_root(f, low, high) / 2)


def _root(f: Callable[[float], float], low: float, high: float) -> float:
    f_low, f_high = f(low), f(high)
    while abs(high - low) > EPSILON:
        between = low + (low - high) * f_low / (f_high - f_low)
        f_between = f(between)
        if f_between * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = between, f_between
    return low
