"""How likely each side was to win at the start of each player-turn: bots play the battle on from there, many times.

What holds:
- The same file, seed and number give the same chances, however many processes play. Each game of each player-turn has a
  stream of its own, so that one more turn changes nothing of the others.
- It plays from the whole truth, which a file has when the battle is over.
- What the bots make of a position is not what the players would have made of it. It says how the position stood among
  equals, not who played better.
- The games come one by one. Whoever stops asking for them stops the processes, too.

Rejected: weighing the position by a formula (each game would need one, and nobody could check it); playing from every
order (many times the work for a curve that looks the same).
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from hashlib import sha256
from signal import SIG_DFL, SIGINT, signal
from typing import Any

from msgspec import Struct

from domain.catalogue import RULESETS
from domain.engine.state import SIDES
from domain.events.battle import OrderAccepted, TurnBegan
from domain.log.chance import StreamChance
from domain.log.fairness import Stream
from domain.run.bots import BOTS, USUAL, play_on
from domain.run.timeline import Timeline
from replay.telling.words import ENGLISH, phrase
from replay.telling.words.sentences import fragment

MOST_ORDERS = 3_000
"""Orders after which a game is left undecided: its bots only wait for each other."""
NO_END = "no-end"
"""Who has won a game without an end."""


class Rollout(Struct, frozen=True):
    """A game played on from event `n`, the start of player-turn `t` of `side` in turn `turn`. `winner` is a side, ""
    for a draw, or NO_END."""

    n: int
    t: int
    turn: int
    side: str
    number: int
    winner: str


class WinningChance(Struct, frozen=True):
    """The games played on from the start of a player-turn: how many each side has won, how many were drawn, and how
    many had no end."""

    n: int
    t: int
    turn: int
    side: str
    games: int
    won: dict[str, int]
    drawn: int
    no_end: int

    def percent(self, side: str) -> int:
        """The share of the games that a side has won, rounded."""
        return (200 * self.won[side] + self.games) // (2 * self.games)


def starts(timeline: Timeline) -> list[tuple[int, int]]:
    """The player-turns that count and in which somebody gave an order: the event that began each, and the last one
    before that order."""
    found: list[tuple[int, int]] = []
    began = 0
    for recorded in timeline.events:
        if not timeline.counts(recorded.n):
            continue
        if isinstance(recorded.event, TurnBegan):
            began = recorded.n
        elif isinstance(recorded.event, OrderAccepted) and began:
            found.append((began, recorded.n - 1))
            began = 0
    return found


def rollouts(timeline: Timeline, battle: str, count: int, seed: int, jobs: int = 1) -> Generator[Rollout]:
    """Play on from the start of each player-turn, `count` times each, in `jobs` processes; the games in their order.

    Shape: `battle` is its id, from which, with the seed, all chance follows
    """
    positions = {n: timeline.at(last).game for n, last in starts(timeline)}
    games = [(n, number) for n in positions for number in range(1, count + 1)]
    play = partial(_play, timeline.ruleset.code, f"{battle} {seed}")
    if jobs == 1:
        yield from (play(positions[n], n, number) for n, number in games)
        return
    with ProcessPoolExecutor(jobs, initializer=_begin, initargs=(play, positions)) as pool:
        try:
            yield from pool.map(_play_one, games)
        finally:
            pool.shutdown(cancel_futures=True)


def games_of(timeline: Timeline, count: int) -> int:
    """How many games `rollouts` will play."""
    return len(starts(timeline)) * count


def chances(played: Iterable[Rollout]) -> list[WinningChance]:
    """The winning chance of each side at each start, in order."""
    by_start: dict[int, list[Rollout]] = {}
    for one in played:
        by_start.setdefault(one.n, []).append(one)
    return [_chance_of(games) for games in by_start.values()]


def _chance_of(games: Sequence[Rollout]) -> WinningChance:
    first, winners = games[0], [one.winner for one in games]
    return WinningChance(
        n=first.n,
        t=first.t,
        turn=first.turn,
        side=first.side,
        games=len(games),
        won={side: winners.count(side) for side in SIDES},
        drawn=winners.count(""),
        no_end=winners.count(NO_END),
    )


def _play(code: str, name: str, state: Any, n: int, number: int) -> Rollout:
    """One game, to its end."""
    ruleset = RULESETS[code]
    stream = partial(_chance, f"{name} {n} {number}")
    bots = {side: (BOTS[USUAL], stream(side)) for side in ruleset.seats.names}
    end, _ = play_on(ruleset, state, bots, stream("battle"), MOST_ORDERS)
    winner = NO_END if end.winner is None else end.winner
    return Rollout(n=n, t=state.t, turn=state.turn, side=state.mover, number=number, winner=winner)


class _Worker:
    """What a process of the pool is given once, rather than with each game."""

    play: Callable[[Any, int, int], Rollout]
    positions: Mapping[int, Any]


def _begin(play: Callable[[Any, int, int], Rollout], positions: Mapping[int, Any]) -> None:
    _Worker.play, _Worker.positions = staticmethod(play), positions
    signal(SIGINT, SIG_DFL)  # interrupted, it ends at once and says nothing


def _play_one(game: tuple[int, int]) -> Rollout:
    n, number = game
    return _Worker.play(_Worker.positions[n], n, number)


def _chance(game: str, whose: str) -> StreamChance:
    """A stream of its own for the battle and for each bot, so that none disturbs another."""
    return StreamChance(Stream(sha256(f"phalera rollouts 1 {game} {whose}".encode()).digest()))


# --- as lines

WIDTH = 12
BAR = 20
"""Columns of a number, and of a bar."""


def chance_lines(found: Sequence[WinningChance], count: int, seed: int, lang: str = ENGLISH) -> Iterator[str]:
    """A table, a line for each player-turn, with a bar: full on the southern side's share."""
    yield "  " + phrase("rollouts.title", {"count": count, "seed": seed}, lang)
    heads = (*(phrase(f"side.{side}", {}, lang) for side in SIDES), fragment("rollouts.drawn", {}, lang))
    yield f"    {fragment('luck.turn', {}, lang):<{WIDTH}}" + "".join(f"{head:>{WIDTH}}" for head in heads)
    for one in found:
        mover = phrase(f"side.{one.side}", {}, lang) if one.side else ""
        shares = [f"{one.percent(side)} %" for side in SIDES] + [str(one.drawn + one.no_end)]
        bar = "█" * (one.percent(SIDES[0]) * BAR // 100)
        yield (
            f"    {f'{one.turn} {mover}':<{WIDTH}}"
            + "".join(f"{share:>{WIDTH}}" for share in shares)
            + f"  {bar:·<{BAR}}"
        )
