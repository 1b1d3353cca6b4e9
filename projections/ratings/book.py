"""What the log of a ladder says of its battles: who were members when, what was rated, and what came of it.

A `LadderBook` is fed with the events in order and kept as long as the log goes on; the ratings are worked out from it
each time (CAM-RAT-04).
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from domain.campaign.config import config_of
from domain.campaign.events import CampaignOpened, EntrantJoined, EntrantLeft, ResultCounted
from domain.campaign.rated import ON_TIME, PERSON, EndedBattle, Unit, is_rated, period
from domain.events.battle import Event
from projections.ratings.glicko import RatedGame, Rating, after_period, expected_score
from projections.ratings.ladder import WON, LadderGame, LadderRow, ladder, ratings

SIDES = ("south", "north")
PROVISIONAL = 110.0
"""A rating with a greater deviation is provisional: it may still move far."""


class LadderResult(Struct, frozen=True, gc=False):
    """A battle of a ladder that was counted by event `n`, at a time of the log. `winner` is an entrant, "" of a
    draw."""

    n: int
    at: str
    battle: str
    south: str
    north: str
    winner: str
    how: str
    rated: bool

    def score(self, entrant: str) -> int:
        """What one of the two has won, in half points."""
        return WON // 2 if not self.winner else WON * (self.winner == entrant)

    def other(self, entrant: str) -> str:
        """The opponent of one of the two."""
        return self.north if entrant == self.south else self.south


class RatingStep(Struct, frozen=True):
    """What a battle has changed for one of its two, and by what.

    Shape: `before` and `after` as shown then and now, `opponent` as rated at the beginning of the period; `score` of
           1.0 and `expected` by both ratings at the beginning of the period
    """

    result: LadderResult
    entrant: str
    opponent: Rating
    before: Rating
    after: Rating
    score: float
    expected: float


class LadderBook:
    """The battles of one ladder. `last` is the newest event that it was fed with."""

    def __init__(self) -> None:
        self.last = 0
        self.unit: Unit = "quarter"
        self.results: list[LadderResult] = []
        self._spans: dict[str, list[list[str]]] = defaultdict(list)
        self._lost_on_time: dict[int, set[str]] = defaultdict(set)

    def feed(self, n: int, at: str, event: Event) -> None:
        """Go on behind the next event of the log."""
        self.last = n
        if isinstance(event, CampaignOpened):
            self.unit = config_of(event.config).ladder.period
        elif isinstance(event, EntrantJoined):
            self._spans[event.entrant].append([at, ""])
        elif isinstance(event, EntrantLeft):
            self._spans[event.entrant][-1][1] = at
        elif isinstance(event, ResultCounted) and not event.board:
            self._count(n, at, event)

    def _count(self, n: int, at: str, event: ResultCounted) -> None:
        players: Any = event.players or {}
        south, north = (players.get(side, "") for side in SIDES)
        winner = players.get(event.winner, "")
        result = LadderResult(n, at, event.battle, south, north, winner, event.how, event.rated)
        self.results.append(result)
        if event.rated and event.how == ON_TIME and winner:
            self._lost_on_time[period(at, self.unit)].add(result.other(winner))

    def is_member(self, entrant: str, at: str) -> bool:
        """Whether somebody was a member at a time of the log."""
        return any(joined <= at and (not left or at <= left) for joined, left in self._spans.get(entrant, ()))

    def may_be_rated(self, at: str, began: str, fighters: tuple[str, str], winner: str, how: str, held: bool) -> bool:
        """Whether a battle counted next, at a time of the log, is rated (CAM-RAT-01).

        Shape: `began` the time at which it did; `fighters` entrants of south and north; `winner` a side; `held`: by its
               own log one person each held the seats, and two player-turns had begun
        """
        won = dict(zip(SIDES, fighters, strict=True)).get(winner, "")
        members = frozenset(entrant for entrant in fighters if self.is_member(entrant, began))
        battle = EndedBattle(at, fighters, (PERSON, PERSON), members, held, 2 if held else 0, how, won)
        return is_rated(battle, self._lost_on_time.get(period(at, self.unit), frozenset()))

    # --- ratings

    def games(self, upto: int | None = None) -> list[LadderGame]:
        """The rated battles, as the ratings take them; those that were counted up to an event."""
        return [
            LadderGame(period(result.at, self.unit), result.south, result.north, result.score(result.south))
            for result in self.results
            if result.rated and (upto is None or result.n <= upto)
        ]

    def rows(self, at: str, upto: int | None = None) -> list[LadderRow]:
        """The members who have a rating, the best first; as if the period ended now. Shape: `upto` as of `games`"""
        return ladder(self.games(upto), period(at, self.unit))

    def of(self, entrant: str) -> list[LadderResult]:
        """The battles of an entrant, rated or not, in the order in which they were counted."""
        return [result for result in self.results if entrant in (result.south, result.north)]

    def steps(self, entrant: str) -> list[RatingStep]:
        """What each rated battle has changed for an entrant: the curve of their rating."""
        games = self.games()
        by_period: dict[int, list[LadderResult]] = defaultdict(list)
        for result in self.of(entrant):
            if result.rated:
                by_period[period(result.at, self.unit)].append(result)
        return [
            step
            for number, results in sorted(by_period.items())
            for step in _steps(entrant, results, ratings((game for game in games if game.period < number), number - 1))
        ]


def _steps(entrant: str, results: list[LadderResult], start: dict[str, Rating]) -> Iterator[RatingStep]:
    """The steps of one period, from the ratings at its beginning."""
    own, fought = start.get(entrant, Rating()), list[RatedGame]()
    before = after_period(own, ()) if entrant in start else own
    for result in results:
        opponent = start.get(result.other(entrant), Rating())
        score = result.score(entrant) / WON
        fought.append(RatedGame(opponent, score))
        after = after_period(own, fought)
        yield RatingStep(result, entrant, opponent, before, after, score, expected_score(own, opponent))
        before = after
