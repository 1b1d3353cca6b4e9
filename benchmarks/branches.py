"""Branch random battles at random places, and play on.

    python -m benchmarks.branches [--positions 2000] [--seed 1] [--only GAME/NUMBER]

Battles of all games are played by random bots (`benchmarks/random_battles`). At random places of each, known by nobody,
by a side, and at the end by all, the position is frozen and thawed: the state must be equal, and so must the options of
both sides. Then the battle branches there, bots play on, and its file is verified against the source. Prints how many
there were of each game, their sizes, and what they take. Exit code 0 if all did; 1 at the first that did not.
"""

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from benchmarks.random_battles.game import Fault, Game
from benchmarks.random_play import GAMES
from domain.basics.errors import Refusal
from domain.engine.positions import freeze
from domain.engine.state import SIDES
from domain.events.battle import Branch
from domain.run.branching import ALL, STRANGER, facts_of_branch
from domain.run.rewind_points import ends_block
from replay.proof.heads import Evidence
from replay.proof.verify import NOT_ALL_JUDGED, OK, verify
from replay.writing.entropy import SeededEntropy
from replay.writing.in_memory import HOST, OfflineBattle, SeededClock

FIRST, MOST = 5, 160
"""Orders of a source: the least and the most."""
PLACES, ORDERS = 8, 12
"""Places tried in a battle, and orders played on from each."""


class Tried(Struct, frozen=True):
    """A position that came through: its bytes as a line has them, and seconds of processor time to write and read."""

    phase: str
    known: str
    size: int
    freezing: float
    thawing: float


def source_of(game: Game, seed: int, number: int) -> OfflineBattle:
    """A random battle of random bots, some orders long."""
    name = f"{game.ruleset.code} {seed} {number}"
    pick = random.Random(f"branch {name}")
    _, table = game.battle(number, pick)
    battle = OfflineBattle(game.ruleset, table, SeededClock(name), SeededEntropy(name))
    for side in SIDES:
        battle.seat_bot(side, "random")
    play_on(battle, pick.randint(FIRST, MOST))
    return battle


def play_on(battle: OfflineBattle, orders: int) -> None:
    """Give so many orders of its bots, or those up to its end."""
    for _ in range(orders):
        if battle.recording.battle.ended:
            return
        battle.bot_order()


def branch_at(source: OfflineBattle, n: int, known: str) -> OfflineBattle:
    """A branch of a battle after event `n`, as known by somebody, with bots on both sides."""
    recording = source.recording
    head = recording.head_at(n).hash
    branch = Branch(recording.gid, HOST, n, head, known)
    opened: Any = next(source.events()).event
    state = recording.timeline.at(n).game

    opening = facts_of_branch(source.ruleset, opened, state, branch)
    name = f"{recording.gid} {n} {known}"
    battle = OfflineBattle(source.ruleset, opening, SeededClock(name), SeededEntropy(name))
    for side in SIDES:
        battle.seat_bot(side, "random")
    return battle


def tried(game: Game, seed: int, number: int) -> Iterator[Tried]:
    """The positions of a battle.

    Raises:  Fault at the first that is not what it was, or does not go on
    """
    source = source_of(game, seed, number)
    pick = random.Random(f"places {game.ruleset.code} {seed} {number}")
    events = list(source.events())
    places = [n for n in range(1, len(events) + 1) if ends_block(events, n)]
    for n in sorted(pick.sample(places, min(PLACES, len(places)))):
        state = source.recording.timeline.at(n).game
        if state.winner is not None:
            continue
        knowers = (*((ALL,) if source.recording.battle.ended else ()), STRANGER, *game.ruleset.seats.names)
        known = pick.choice(knowers)
        yield _round_trip(game, state, known)
        branch = branch_at(source, n, known)
        play_on(branch, ORDERS)
        # what a side alone knows of a running battle is in nobody's file yet
        is_open = known not in SIDES or source.recording.battle.ended
        against = Evidence("the source", source.file()) if is_open else None
        report = verify(branch.file(), source=against)
        if report.exit not in (OK, NOT_ALL_JUDGED) or report.is_of_source is not is_open:
            raise Fault(f"{game.ruleset.code}/{number} at {n}, known by {known}: {report.fault}")


def _round_trip(game: Game, state: Any, known: str) -> Tried:
    ruleset = game.ruleset
    begun = time.process_time()
    frozen = freeze(state)
    written = time.process_time()
    line = msgspec.json.encode(frozen)
    data = msgspec.json.decode(line)
    decoded = time.process_time()
    thawed = ruleset.thaw(data)
    ended = time.process_time()
    if thawed != state:
        raise Fault(f"{ruleset.code}: a state of {state.phase} does not come back equal")
    for side in SIDES:
        own, other = (ruleset.secrets.known(one, side) for one in (state, thawed))
        if list(ruleset.orders.options(own, side)) != list(ruleset.orders.options(other, side)):
            raise Fault(f"{ruleset.code}: the options of {side} in {state.phase} do not come back equal")
    return Tried(state.phase, known, len(line), written - begun, ended - decoded)


def main() -> int:
    """Try, and tell."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--positions", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="a game and the number of a battle of it")
    asked = parser.parse_args()
    found: dict[str, list[Tried]] = {code: [] for code in GAMES}
    number, code = 0, ""
    try:
        if asked.only:
            code, _, one = asked.only.partition("/")
            found[code] += tried(GAMES[code], asked.seed, int(one))
        while not asked.only and sum(map(len, found.values())) < asked.positions:
            number += 1
            for code, game in GAMES.items():
                found[code] += tried(game, asked.seed, number)
    except (Fault, Refusal) as fault:
        sys.stdout.write(f"battle {number} of {code}: {fault}\n")
        return 1
    for code, positions in found.items():
        count = len(positions) or 1
        phases = Counter(one.phase or "set-up" for one in positions)
        known = Counter(one.known for one in positions)
        sys.stdout.write(
            f"{code:<20}{len(positions):>6} positions, {max((one.size for one in positions), default=0):>7,} bytes at "
            f"most; freeze {1e3 * sum(one.freezing for one in positions) / count:.2f} ms, "
            f"thaw {1e3 * sum(one.thawing for one in positions) / count:.2f} ms\n"
        )
        for told in (phases, known):
            sys.stdout.write(f"{'':<20}  {', '.join(f'{what} {times}' for what, times in told.most_common())}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
