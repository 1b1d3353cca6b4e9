"""All battles of a host together: how scenarios and armies have fared, and what luck had to do with it.

Only battles that anybody may read, and that were fought to their end: a branch is none, nor is one that the host has
closed. The figures are sums in SQLite over the rows of the read models, which follow the log.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from projections.model import Rows

_OVER = (
    "lobby.readers = 'public' AND lobby.status = 'ended' AND lobby.winner IS NOT NULL AND lobby.branch_of = '' "
    "AND lobby.battle NOT IN (SELECT value FROM json_each(?))"
)
_SIDES = "FROM lobby JOIN seats USING (battle) LEFT JOIN luck_sums USING (battle, side)"


class ScenarioFigures(Struct, frozen=True):
    """A scenario by its title: its battles, how many of them each side has won, how many nobody has, and their
    player-turns, the mean."""

    title: str
    battles: int
    won: dict[str, int]
    drawn: int
    player_turns: int


class ArmyFigures(Struct, frozen=True):
    """An army by its name: how often it has fought, and how; `luck` is what luck has brought it in a battle, the mean
    in thousandths of the tally, null where nothing was at stake."""

    army: str
    battles: int
    won: int
    lost: int
    drawn: int
    luck: int | None


class LuckFigures(Struct, frozen=True):
    """The luck of those who won, in the battles that somebody has won by draws with something at stake: in how many of
    them the winner was the luckier side, and what luck has brought the winner, the mean in thousandths of the tally."""

    battles: int
    luckier_won: int
    of_winner: int


class GameFigures(Struct, frozen=True):
    """A game by its code: its battles, the scenarios and the armies by the number of their battles, and luck, null
    where none was weighed."""

    ruleset: str
    battles: int
    scenarios: tuple[ScenarioFigures, ...]
    armies: tuple[ArmyFigures, ...]
    luck: LuckFigures | None


def freshness(rows: Rows) -> tuple[Any, ...]:
    """What changes when a public battle ends; quick to ask."""
    return rows.rows("SELECT COUNT(*), MAX(at) FROM lobby WHERE readers = 'public' AND status = 'ended'")[0]


def figures(rows: Rows, closed: Sequence[str], most: int) -> tuple[GameFigures, ...]:
    """The figures of each game that has any, in the order of their codes; of the battles in `closed` nothing is told.
    A game has at most `most` scenarios and armies, those with the most battles."""
    left_out = (msgspec.json.encode(closed).decode(),)
    luck = _luck(rows, left_out)
    armies = _armies(rows, left_out)
    return tuple(
        GameFigures(code, sum(one.battles for one in of), of[:most], armies.get(code, ())[:most], luck.get(code))
        for code, of in _scenarios(rows, left_out).items()
    )


def _scenarios(rows: Rows, left_out: tuple[str]) -> Mapping[str, tuple[ScenarioFigures, ...]]:
    query = (
        f"SELECT ruleset, title, winner, COUNT(*), SUM(t) FROM lobby WHERE {_OVER} GROUP BY ruleset, title, winner "
        "ORDER BY ruleset, title, winner"
    )
    counts: dict[str, dict[str, dict[str, tuple[int, int]]]] = {}
    for ruleset, title, winner, battles, turns in rows.rows(query, left_out):
        counts.setdefault(ruleset, {}).setdefault(title, {})[winner] = (battles, turns)
    return {
        code: tuple(sorted((_scenario(*one) for one in by_title.items()), key=lambda one: (-one.battles, one.title)))
        for code, by_title in counts.items()
    }


def _scenario(title: str, by_winner: Mapping[str, tuple[int, int]]) -> ScenarioFigures:
    battles = sum(count for count, _ in by_winner.values())
    turns = sum(turns for _, turns in by_winner.values())
    won = {side: count for side, (count, _) in by_winner.items() if side}
    return ScenarioFigures(title, battles, won, battles - sum(won.values()), round(turns / battles))


def _armies(rows: Rows, left_out: tuple[str]) -> Mapping[str, tuple[ArmyFigures, ...]]:
    query = (
        "SELECT ruleset, army, COUNT(*) AS battles, SUM(winner = side), SUM(winner NOT IN ('', side)), "
        f"SUM(winner = ''), AVG(luck) {_SIDES} WHERE {_OVER} AND army <> '' GROUP BY ruleset, army "
        "ORDER BY ruleset, battles DESC, army"
    )
    found: dict[str, list[ArmyFigures]] = {}
    for ruleset, army, battles, won, lost, drawn, luck in rows.rows(query, left_out):
        mean = None if luck is None else round(luck)
        found.setdefault(ruleset, []).append(ArmyFigures(army, battles, won, lost, drawn, mean))
    return {code: tuple(armies) for code, armies in found.items()}


def _luck(rows: Rows, left_out: tuple[str]) -> Mapping[str, LuckFigures]:
    query = (
        f"SELECT ruleset, COUNT(*), SUM(luck > 0), AVG(luck) {_SIDES} WHERE {_OVER} AND winner = side "
        "AND luck IS NOT NULL GROUP BY ruleset"
    )
    return {row[0]: LuckFigures(row[1], row[2], round(row[3])) for row in rows.rows(query, left_out)}
