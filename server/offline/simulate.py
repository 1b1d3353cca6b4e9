"""Bots fight a battle many times: who wins, how often, how fast.

`phalera simulate` plays for balance and load: rules, bots and seeded chance in one process, or in several
in parallel. No game here has a protocol of fairness, a log or signatures: where those
matter, replay.writing.in_memory plays. The same seed produces the same games, whatever the number of processes.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from time import perf_counter
from typing import Any

from msgspec import Struct

from domain.catalogue import RULESETS
from domain.log.chance import StreamChance
from domain.log.fairness import Stream
from domain.run.bots import BOTS, play_on
from domain.run.decide import beginning, folded, opening, proceeding

MOST_ORDERS = 20_000
NO_END = "no-end"
"""How a game ends that is cut off after MOST_ORDERS: its bots only wait for each other."""
CHUNK = 4
"""Games that a process takes at a time."""


class PlannedGame(Struct, frozen=True):
    """A game to play: `scenario` is a name, `number` counts the seeds from 1, `bots` is by side."""

    ruleset: str
    scenario: str
    seed: int
    number: int
    bots: dict[str, str]


class GameResult(Struct, frozen=True):
    """A game that was played. `winner` is a side or "", `tally` the ruleset's tally at the end, `took_ms` the time of
    this machine, the only thing here that a seed does not settle."""

    game: PlannedGame
    winner: str
    how: str
    player_turns: int
    orders: int
    events: int
    tally: dict[str, int]
    took_ms: int


class Balance(Struct, frozen=True):
    """The results of the games of a scenario: counts, and means to one decimal place.

    `won` is by side, `won_by_bot` by bot where two different ones play; `seconds` is the mean time
    of a game, to three places.
    """

    scenario: str
    games: int
    won: dict[str, int]
    drawn: int
    won_by_bot: dict[str, int]
    ends: dict[str, int]
    player_turns: float
    orders: float
    events: float
    tally: dict[str, float]
    seconds: float


# --- playing


def games_of(
    ruleset: str, scenarios: Iterable[str], count: int, seed: int, bots: Mapping[str, str], mirror: bool
) -> list[PlannedGame]:
    """The games to play: `count` of each scenario, twice as many when mirrored (each also with the
    bots exchanged)."""
    seats = [dict(bots)]
    if mirror:
        seats.append(dict(zip(bots, reversed(list(bots.values())), strict=True)))
    return [
        PlannedGame(ruleset, scenario, seed, number, seated)
        for scenario in scenarios
        for number in range(1, count + 1)
        for seated in seats
    ]


def play_all(
    games: Sequence[PlannedGame], tables: Mapping[str, Mapping[str, Any]], jobs: int = 1
) -> Iterator[GameResult]:
    """Play games in their order, in `jobs` processes; `tables` has the parsed scenario of each name.

    Raises:  Refusal for a scenario that the ruleset does not accept, before any game is played
    """
    for ruleset, scenario in dict.fromkeys((game.ruleset, game.scenario) for game in games):
        opening(RULESETS[ruleset], tables[scenario])
    tasks = [(game, tables[game.scenario]) for game in games]
    if jobs == 1:
        yield from map(_play_task, tasks)
        return
    with ProcessPoolExecutor(jobs) as pool:
        try:
            yield from pool.map(_play_task, tasks, chunksize=CHUNK)
        finally:
            pool.shutdown(cancel_futures=True)


def play_game(game: PlannedGame, scenario: Mapping[str, Any]) -> GameResult:
    """One game, to its end.

    Raises:  Refusal for a scenario that the ruleset does not accept
    """
    begun = perf_counter()
    ruleset = RULESETS[game.ruleset]
    name = f"{game.ruleset} {game.scenario} {game.seed} {game.number}"
    chance = _chance(name, "battle")
    bots = {side: (BOTS[bot], _chance(name, side)) for side, bot in game.bots.items()}
    state = folded(ruleset, ruleset.rules.initial, opening(ruleset, scenario))
    state = folded(ruleset, state, beginning(ruleset, state))
    state = folded(ruleset, state, proceeding(ruleset, state, chance))
    state, orders = play_on(ruleset, state, bots, chance, MOST_ORDERS)
    return GameResult(
        game=game,
        winner=state.winner or "",
        how=state.how if state.winner is not None else NO_END,
        player_turns=state.t,
        orders=orders,
        events=state.n,
        tally=ruleset.shown.tally(state),
        took_ms=round((perf_counter() - begun) * 1000),
    )


def _play_task(task: tuple[PlannedGame, Mapping[str, Any]]) -> GameResult:
    return play_game(*task)


def _chance(game: str, whose: str) -> StreamChance:
    """A stream of its own for the battle and for each bot, so that none disturbs another."""
    return StreamChance(Stream(sha256(f"phalera simulate 1 {game} {whose}".encode()).digest()))


# --- counting


def balance(played: Sequence[GameResult]) -> Balance:
    """Summarise the games of one scenario, at least one of them."""
    count, sides = len(played), RULESETS[played[0].game.ruleset].seats.names
    winners = Counter(one.winner for one in played)
    bots = sorted({bot for one in played for bot in one.game.bots.values()})
    by_bot = Counter(one.game.bots[one.winner] for one in played if one.winner)

    def mean(value: Callable[[GameResult], int]) -> float:
        return round(sum(map(value, played)) / count, 1)

    return Balance(
        scenario=played[0].game.scenario,
        games=count,
        won={side: winners[side] for side in sides},
        drawn=winners[""],
        won_by_bot={bot: by_bot[bot] for bot in bots} if len(bots) > 1 else {},
        ends=dict(Counter(one.how for one in played).most_common()),
        player_turns=mean(lambda one: one.player_turns),
        orders=mean(lambda one: one.orders),
        events=mean(lambda one: one.events),
        tally={side: round(sum(one.tally[side] for one in played) / count, 1) for side in sides},
        seconds=round(sum(one.took_ms for one in played) / count / 1000, 3),
    )


def balances(played: Iterable[GameResult]) -> list[Balance]:
    """A `Balance` for each scenario, in the order in which they were played."""
    by_scenario: dict[str, list[GameResult]] = {}
    for one in played:
        by_scenario.setdefault(one.game.scenario, []).append(one)
    return [balance(games) for games in by_scenario.values()]


# --- telling


def summary(results: Sequence[Balance]) -> Iterator[str]:
    """The table, a line for each scenario; with the mean tally of each side, in the order of play."""
    sides = results[0].won if results else ()
    heads = ("scenario", "games", *sides, "drawn", "player-turns", "events", "tally", "s/game", "ended by")
    rows = [heads, *(_row(one) for one in results)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for name, *figures, ends in rows:
        inner = (figure.rjust(width) for figure, width in zip(figures, widths[1:-1], strict=True))
        yield "  ".join((name.ljust(widths[0]), *inner, ends))
    for one in results:
        if one.won_by_bot:
            won = ", ".join(f"{bot} bot {count}" for bot, count in one.won_by_bot.items())
            yield f"{one.scenario}: won by {won} of {one.games}."


def _row(one: Balance) -> tuple[str, ...]:
    return (
        one.scenario,
        f"{one.games:,}",
        *(f"{won:,}" for won in one.won.values()),
        f"{one.drawn:,}",
        f"{one.player_turns:.1f}",
        f"{one.events:,.0f}",
        " / ".join(f"{tally:.1f}" for tally in one.tally.values()),
        f"{one.seconds:.2f}",
        ", ".join(f"{how} {count:,}" for how, count in one.ends.items()),
    )
