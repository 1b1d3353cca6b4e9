"""What the sums of campaigns cost: pairing a cup of 1,000, its table, and the ratings of a ladder.

    python -m benchmarks.campaigns

CPU time, medians of seven rounds, all variants in turns. The base of pairing and table is one pass over the results of
the cup that adds up plain points; that of the ratings is one expected score for each battle, seen from both sides.
"""

import random
import time
from collections.abc import Callable, Mapping
from functools import partial
from math import exp
from statistics import median

from domain.campaign.boards import BoardResult, Contest, Idle, Place, places_of
from domain.campaign.standings import standings
from domain.campaign.swiss import contenders_of, pair_round
from projections.ratings.ladder import LadderGame, ratings

ROUNDS = 7
ENTRANTS, CUP_ROUNDS, TABLE_ROUNDS = 1000, 11, 9
TIE_BREAKS = ("buchholz-1", "sonneborn", "margin", "direct")
PLAYERS, BATTLES, PERIODS = 500, 10_000, 20


def main() -> None:
    """Print the tables."""
    rng = random.Random(1)
    for count, title in ((ENTRANTS, "even"), (ENTRANTS - 1, "odd")):
        _pairing(_cup(rng, count), f"{count} entrants, {title}")
    _table(_cup(rng, ENTRANTS)[TABLE_ROUNDS])
    _ladder(rng)


def _cup(rng: random.Random, count: int) -> list[Contest]:
    """A Swiss cup: what it was before each round, and after the last."""
    contest = Contest(tuple(f"p{number}" for number in range(1, count + 1)))
    found = [contest]
    for number in range(1, CUP_ROUNDS + 1):
        paired = pair_round(contenders_of(contest), number)
        places = places_of(number, paired.pairs)
        byes = (Idle(paired.bye, number, "bye"),) if paired.bye else ()
        results = tuple(_result(rng, place) for place in places)
        contest = Contest(
            contest.entrants, (*contest.places, *places), (*contest.outcomes, *results), (*contest.idle, *byes)
        )
        found.append(contest)
    return found


def _result(rng: random.Random, place: Place) -> BoardResult:
    return BoardResult(place, rng.choice([*place.pair, *place.pair, ""]), "medals", (rng.randrange(1001), 0))


def _pairing(before: list[Contest], title: str) -> None:
    print(f"\npairing a round of {title}: ms, and × one pass over the results so far")
    for number in range(1, CUP_ROUNDS + 1):
        contest = before[number - 1]
        contenders = contenders_of(contest)
        base, pair, whole = _cpu_ms(
            {
                "base": partial(_plain_points, contest),
                "pair": partial(pair_round, contenders, number),
                "whole": partial(_pair_anew, contest, number),
            }
        ).values()
        ratio = f"{whole / base:5.1f} ×" if number > 1 else ""
        print(f"round {number:>2}: {pair:6.1f}, with whom everybody has met {whole:6.1f}  {ratio}")


def _table(contest: Contest) -> None:
    times = _cpu_ms(
        {
            "points added up": partial(_plain_points, contest),
            "standings, no tie-break": partial(standings, contest, ()),
            f"standings, {' '.join(TIE_BREAKS)}": partial(standings, contest, TIE_BREAKS),
        }
    )
    _show(f"the table of {ENTRANTS} × {TABLE_ROUNDS}", times)


def _ladder(rng: random.Random) -> None:
    players = [f"m{number}" for number in range(PLAYERS)]
    games: list[LadderGame] = []
    for number in range(BATTLES):
        first, second = rng.sample(players, 2)
        games.append(LadderGame(number * PERIODS // BATTLES, first, second, rng.choice([0, 1, 2])))
    times = _cpu_ms(
        {
            "one expected score a seat": partial(_expected, games),
            "ratings from nothing": partial(ratings, games, PERIODS - 1),
        }
    )
    _show(f"{BATTLES} battles of {PLAYERS} players in {PERIODS} periods", times)


def _plain_points(contest: Contest) -> None:
    points = dict.fromkeys(contest.entrants, 0)
    for result in contest.outcomes:
        for entrant in result.place.pair:
            points[entrant] += 2 if result.winner == entrant else 0 if result.winner else 1


def _pair_anew(contest: Contest, number: int) -> None:
    pair_round(contenders_of(contest), number)


def _expected(games: list[LadderGame]) -> None:
    for game in games:
        for at in (0.1, -0.1):
            1 / (1 + exp(at * game.score))


def _cpu_ms(work: Mapping[str, Callable[[], object]]) -> dict[str, float]:
    """The CPU time of each, in turns."""
    taken: dict[str, list[float]] = {name: [] for name in work}
    for _ in range(ROUNDS):
        for name, do in work.items():
            start = time.process_time()
            do()
            taken[name].append((time.process_time() - start) * 1000)
    return {name: median(times) for name, times in taken.items()}


def _show(title: str, times: Mapping[str, float]) -> None:
    print(f"\n{title}: ms, and × the first line")
    base = next(iter(times.values()))
    for name, taken in times.items():
        print(f"{name:<50}{taken:>9.1f} {taken / base:>7.1f} ×")


if __name__ == "__main__":
    main()
