"""The ratings of a ladder: its rated battles, one period after the other (CAM-RAT-02, -03, -04).

Computed again from the log each time, so that a later ruling changes what is computed and nothing that is stored.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from msgspec import Struct

from projections.ratings.glicko import TAU, RatedGame, Rating, after_period

WON = 2
"""The score of a victory in half points."""
DEVIATIONS = 2


class LadderGame(Struct, frozen=True, gc=False):
    """A rated battle. Shape: `score` of the first of the two in half points: 2 won, 1 drawn, 0 lost."""

    period: int
    first: str
    second: str
    score: int


class LadderRow(Struct, frozen=True, gc=False):
    """A member in the order of the ladder. Shape: `number` round(r − 2·RD); `games` rated battles so far."""

    player: str
    rating: Rating
    number: int
    games: int


def ratings(
    games: Iterable[LadderGame], until: int, start: Mapping[str, Rating] | None = None, tau: float = TAU
) -> dict[str, Rating]:
    """The ratings at the end of a period; of one that lasts, as if it ended now.

    Members enter in the period of their first battle, and in periods without one their deviation grows (CAM-RAT-03).

    Shape: `start` ratings with which members enter, otherwise 1500 / 350 / 0.06
    """
    by_period: dict[int, list[LadderGame]] = defaultdict(list)
    for game in games:
        by_period[game.period].append(game)
    found: dict[str, Rating] = {}
    for period in range(min(by_period, default=until + 1), until + 1):
        found = _after(found, by_period.get(period, ()), start or {}, tau)
    return found


def standing_number(rating: Rating) -> int:
    """The number by which a ladder is ordered: what somebody is almost surely worth (CAM-RAT-03)."""
    return round(rating.r - DEVIATIONS * rating.rd)


def ladder(games: Iterable[LadderGame], until: int) -> list[LadderRow]:
    """The members, the best first; of equal numbers the one with the higher rating, then by name."""
    counted = [game for game in games if game.period <= until]
    played: dict[str, int] = defaultdict(int)
    for game in counted:
        played[game.first] += 1
        played[game.second] += 1
    rows = [
        LadderRow(player, rating, standing_number(rating), played[player])
        for player, rating in ratings(counted, until).items()
    ]
    return sorted(rows, key=lambda row: (-row.number, -row.rating.r, row.player))


def _after(
    before: Mapping[str, Rating], games: Iterable[LadderGame], start: Mapping[str, Rating], tau: float
) -> dict[str, Rating]:
    """All ratings after a period, from what they were when it began."""
    now, fought = dict(before), defaultdict[str, list[RatedGame]](list)
    games = list(games)
    for game in games:
        for player in (game.first, game.second):
            now.setdefault(player, start.get(player, Rating()))
    for game in games:
        fought[game.first].append(RatedGame(now[game.second], game.score / WON))
        fought[game.second].append(RatedGame(now[game.first], (WON - game.score) / WON))
    return {player: after_period(rating, fought[player], tau) for player, rating in now.items()}
