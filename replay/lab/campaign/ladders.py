"""The asks `rating` and `rated`: which battles count for a ladder, and what they make of its members."""

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.campaign.rated import EndedBattle, rated
from projections.ratings.glicko import TAU, Rating
from projections.ratings.ladder import LadderGame, ratings, standing_number
from replay.lab.campaign.answer import Answer, Case, Count, Row, question, read

DIGITS = 6


class _Player(Struct, forbid_unknown_fields=True):
    id: str
    r: Annotated[float, Meta(ge=0, le=10_000)]
    rd: Annotated[float, Meta(ge=1, le=1_000)]
    vol: Annotated[float, Meta(ge=0.001, le=1)]


class _Game(Struct, forbid_unknown_fields=True):
    period: Count
    a: str
    b: str
    score: Literal[0, 1, 2]


class _Ratings(Struct, forbid_unknown_fields=True):
    player: list[_Player]
    game: list[_Game]
    tau: Annotated[float, Meta(ge=0.01, le=10)] = TAU
    periods: Count = 0


class _Wanted(Struct, forbid_unknown_fields=True):
    """Shape: rating, deviation and volatility, and how far off each may be."""

    ratings: dict[str, tuple[float, float, float]]
    tolerance: tuple[float, float, float]
    standing: dict[str, int] = {}


class _LadderBattle(Struct, forbid_unknown_fields=True):
    id: str
    ended: Annotated[str, Meta(pattern=r"^\d{4}-\d\d")]
    players: tuple[str, str]
    kinds: tuple[str, str]
    held: bool
    turns: int
    how: str
    winner: str
    rated: bool


class _Battles(Struct, forbid_unknown_fields=True):
    members: list[str]
    check: list[_LadderBattle]


def rating(case: Case) -> Answer:
    """The ratings after some periods; without `periods`, after the last that has a battle."""
    ladder: _Ratings = question(case, _Ratings)
    start = {each.id: Rating(each.r, each.rd, each.vol) for each in ladder.player}
    games = [LadderGame(each.period, each.a, each.b, each.score) for each in ladder.game]
    until = ladder.periods or max((game.period for game in games), default=0)
    found = ratings(games, until, start, ladder.tau)
    return Answer(
        {
            "ratings": {player: [round(n, DIGITS) for n in (at.r, at.rd, at.vol)] for player, at in found.items()},
            "standing": {player: standing_number(at) for player, at in found.items()},
        }
    )


def apart(got: Row, final: Row) -> Iterator[str]:
    """Compare the ratings that are listed, within the tolerance of the case, and the standing numbers exactly."""
    wanted = read(final, _Wanted)
    for player, values in wanted.ratings.items():
        have = got["ratings"].get(player, [])
        near = len(have) == len(values) and all(
            abs(one - other) <= room for one, other, room in zip(have, values, wanted.tolerance, strict=True)
        )
        if not near:
            yield f"final.ratings.{player} is {have!r}, not {list(values)!r}"
    for player, number in wanted.standing.items():
        if got["standing"].get(player) != number:
            yield f"final.standing.{player} is {got['standing'].get(player)!r}, not {number!r}"


def counts(case: Case) -> Answer:
    """Which battles of a list are rated."""
    ladder: _Battles = question(case, _Battles)
    members = frozenset(ladder.members)
    battles = [
        EndedBattle(row.ended, row.players, row.kinds, members, row.held, row.turns, row.how, row.winner)
        for row in ladder.check
    ]
    return Answer(checks=[{"rated": each} for each in rated(battles)])
