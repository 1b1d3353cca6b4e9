"""Measures the strengths of the bots of a game against each other over its packaged battles, both sides each.

Run `python -m benchmarks.bots --games 10`; it takes `--ruleset` (`tts`), `--pair strong sensible` (the default),
`--seed`, `--jobs` and names of battles. A row is a battle: the games that the first bot won and lost as south, as
north, and the time of a game.
"""

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence

from domain.basics.data import parse_toml, scenario_names, scenario_text
from domain.catalogue import RULESETS
from domain.engine.state import OTHER, SIDES
from domain.run.bots import BOTS
from server.offline.simulate import GameResult, games_of, play_all

USUAL = "tts"


def counts(bot: str, played: Iterable[GameResult]) -> Counter[str]:
    """How often a bot won, lost and drew, in all and by its side (`south won` …); `games` and `ms` too."""
    found: Counter[str] = Counter()
    for one in played:
        side = next(side for side in SIDES if one.game.bots[side] == bot)
        outcome = {side: "won", OTHER[side]: "lost"}.get(one.winner, "drawn")
        found.update((f"{side} {outcome}", outcome, "games"))
        found["ms"] += one.took_ms
    return found


def row(name: str, found: Counter[str]) -> str:
    """One line of the table."""
    sides = "  ".join(f"{found[f'{side} won']:>4} – {found[f'{side} lost']:<4}" for side in SIDES)
    decided = found["won"] + found["lost"]
    share = f"{100 * found['won'] / decided:.0f}%" if decided else "–"
    return f"{name:<20}{sides}{found['drawn']:>6}{share:>8}{found['ms'] / found['games'] / 1000:>8.2f}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, and print a line as soon as a battle has been measured."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("battles", nargs="*", help="packaged battles; all of them if none is named")
    parser.add_argument("--ruleset", choices=list(RULESETS), default=USUAL)
    parser.add_argument("--pair", nargs=2, choices=list(BOTS), default=["strong", "sensible"], metavar="BOT")
    parser.add_argument("--games", type=int, default=10, help="games of each battle and side")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args(arguments)
    bots = dict(zip(SIDES, given.pair, strict=True))
    total: Counter[str] = Counter()
    print(f"{given.pair[0]} against {given.pair[1]}, seed {given.seed}")
    print(f"{'battle':<20}{'south':^13}{'north':^12}{'drawn':>6}{'won':>8}{'s/game':>8}")
    for name in given.battles or scenario_names(given.ruleset):
        tables = {name: parse_toml(scenario_text(given.ruleset, name), name)}
        games = games_of(given.ruleset, tables, given.games, given.seed, bots, mirror=True)
        found = counts(given.pair[0], play_all(games, tables, given.jobs))
        print(row(name, found), flush=True)
        total += found
    print(row("all", total))


if __name__ == "__main__":
    main()
