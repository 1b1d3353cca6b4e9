"""Play random battles and look for crashes, hangs, and listed orders that are refused.

    python -m benchmarks.random_play RULESET [--battles 10000] [--seed 1] [--only NUMBER] [--processes 2] [--recorded]
                                             [--kept FILE] [--turns 3]

Battles are played through `options` alone, under random options; `benchmarks/random_battles` says what is played of
each game. Both sides order at random; now and then the sensible bot has a word, a draw is offered, or somebody resigns.
Whatever holds of every battle is asked of each (`watch`): somebody to act has something to order, what is listed is
taken, what a side cannot see changes none of it, and what the game says of its own (`Watch`). With `--recorded` each
battle is also written down as a host would, with the draws that it had, and verified. Prints how the battles
ended. Exit code 0 if all did; 1 at the first fault, with its number (for `--only`) and the orders that led there.

With `--kept` each battle that ended is a line of a file: a run that was stopped goes on with the others, and counts
those, too. A fault is told, and the next battle is played; it is in no file, so that the next run plays it again.
With `--turns` battles whose scenario limits the turns have no more than that: the rules end them sooner.
"""

import argparse
import random
import sys
import time
import traceback
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from benchmarks.random_battles import shot_to_pieces, singidunum, to_the_strongest, warmaster_shooting
from benchmarks.random_battles.game import Fault, Game, Watch
from domain.basics.errors import Refusal
from domain.contract.option import Option
from domain.contract.ruleset import Ruleset
from domain.disputes.corrections import canonical, corrected
from domain.engine.state import OTHER
from domain.events.battle import Fact
from domain.log.chance import DICE, OPEN
from domain.run.bots import BOTS
from domain.run.decide import beginning, decide, evolve, opening, proceeding, to_act
from replay.lab.proving import proof_failures

GAMES = {
    game.ruleset.code: game
    for game in (to_the_strongest.GAME, singidunum.GAME, warmaster_shooting.GAME, shot_to_pieces.GAME)
}
MOST_ORDERS = 6000
"""Orders after which a battle that goes on is a fault."""
WATCHED = 40
"""All that is listed is tried at one moment in so many."""
TRIED = 60
"""Options tried at such a moment."""
LIMIT = "turn_limit"
OFFERS, RESIGNS, THOUGHTS = 1500, 6000, 4
"""One order in so many offers a draw, or resigns; one in so many, in a battle with thought, is the sensible bot's."""


class Ended(Struct, frozen=True):
    """A battle that came to its end: what it was, how it ended, and what it took."""

    name: str
    how: str
    winner: str
    orders: int
    events: int
    tried: int
    seconds: float


class Dealt:
    """Chance of a seed; keeps what was drawn, by deck and by scope."""

    def __init__(self, pick: random.Random) -> None:
        self._pick = pick
        self.drawn = defaultdict[str, list[int | str]](list)

    def card(self, scope: str, pile: Sequence[str], t: int, deck: str) -> str:
        """One of the pile."""
        card = self._pick.choice(pile)
        self.drawn[deck].append(card)
        return card

    def die(self, scope: str, sides: int, t: int = 0, values: Sequence[int] = ()) -> int:
        """One die."""
        face = self._pick.randint(1, sides)
        self.drawn[scope.replace(OPEN, DICE, 1)].append(values[face - 1] if values else face)
        return face


# --- a battle


def play(
    game: Game, seed: int, number: int, watched: int = WATCHED, *, turns: int = 0, is_recorded: bool = False
) -> Ended:
    """Play a battle to its end; with `turns` after so many at the latest, if its scenario limits them.

    Raises:  Fault at the first thing that must not be
    """
    name, live = game.battle(number, random.Random(f"battle {seed} {number}"))
    options = live.get("options", {})
    if turns and options.get(LIMIT):
        live = {**live, "options": {**options, LIMIT: min(turns, options[LIMIT])}}
    return watch(game, name, live, random.Random(f"play {seed} {number}"), watched, is_recorded=is_recorded)


def watch(
    game: Game,
    name: str,
    table: Mapping[str, Any],
    pick: random.Random,
    watched: int = WATCHED,
    rulings: int = 0,
    *,
    is_recorded: bool = False,
) -> Ended:
    """Play a scenario to its end, and look that nothing happens on the way that must not. Before one order in
    `rulings` (0: none) an umpire sets something. If it is recorded, it is written down as a host would, and verified;
    rulings are not.

    Raises:  Fault
    """
    begun, chance, tried = time.perf_counter(), Dealt(pick), 0
    ruleset, watching = game.ruleset, game.watch()
    orders: list[str] = []
    thoughtful = pick.random() < 0.3
    state: Any = ruleset.rules.initial
    try:
        state = fold(ruleset, watching, state, opening(ruleset, table))
        state = fold(ruleset, watching, state, beginning(ruleset, state))
        state = fold(ruleset, watching, state, proceeding(ruleset, state, chance))
        while state.winner is None:
            if len(orders) >= MOST_ORDERS:
                raise Fault("it does not end", orders)
            if rulings and pick.randrange(rulings) == 0:
                text, facts = ruling(game, state, pick)
                orders.append(f"umpire: {text}")
                state = fold(ruleset, watching, state, facts)
                watching.after_order(state)
            side = to_act(ruleset, state)[0]
            if state.draw_offer and pick.randrange(2):
                side = OTHER[state.draw_offer]
            listed = ruleset.orders.options(ruleset.secrets.known(state, side), side)
            if side in to_act(ruleset, state) and pick.randrange(watched) == 0:
                tried += examine(ruleset, state, side, listed, pick)
            order = _order(ruleset, state, side, listed, pick, thoughtful)
            orders.append(f"{side}: {order}")
            state = fold(ruleset, watching, state, decide(ruleset, state, side, ruleset.orders.parse(order), chance))
            watching.after_order(state)
        if is_recorded:
            verify(ruleset, table, chance, orders)
    except Fault as fault:
        raise Fault(str(fault), orders) from None
    except Exception as failure:
        raise Fault("".join(traceback.format_exception(failure)), orders) from None
    return Ended(name, state.how, str(state.winner), len(orders), state.n, tried, time.perf_counter() - begun)


def verify(ruleset: Ruleset, table: Mapping[str, Any], chance: Dealt, orders: Sequence[str]) -> None:
    """Write a battle down with the draws that it had, and verify it as a reader would; a Fault if that finds one."""
    dice = {scope.removeprefix(DICE): drawn for scope, drawn in chance.drawn.items() if scope.startswith(DICE)}
    cards = {deck: drawn for deck, drawn in chance.drawn.items() if not deck.startswith(DICE)}
    given = [(side, text) for side, _, text in (order.partition(": ") for order in orders)]
    failures = proof_failures(ruleset, {**table, "dice": dice, "cards": cards}, given, "en")
    if failures:
        raise Fault("; ".join(failures))


def ruling(game: Game, state: Any, pick: random.Random) -> tuple[str, tuple[Fact, ...]]:
    """What an umpire sets, and the facts; no facts if it is refused."""
    lines = [game.setting(state, pick) for _ in range(pick.randint(1, 3))]
    if state.waiting and pick.randrange(4):
        lines.insert(0, "set decision withdrawn")
    try:
        text = canonical(game.ruleset, "; ".join(lines))
        return text, corrected(game.ruleset, state, "d1", text)
    except Refusal as refusal:
        return f"{lines}: {refusal.code}", ()


def fold(ruleset: Ruleset, watching: Watch, state: Any, facts: Iterable[Fact]) -> Any:
    """The state after some facts, each of them watched."""
    for fact in facts:
        state = evolve(ruleset, state, fact.event, state.n + 1)
        watching.after_event(state, fact.event)
    return state


def _order(
    ruleset: Ruleset, state: Any, side: str, listed: Sequence[Option], pick: random.Random, thoughtful: bool
) -> str:
    """Any of the options; now and then the offer of a draw, or what the sensible bot thinks."""
    if not listed:
        raise Fault(f"{side} is to act in {state.phase} and has nothing to order")
    if not (state.draw_offer or state.waiting) and pick.randrange(OFFERS) == 0:
        return "offer draw"
    if pick.randrange(RESIGNS) == 0:
        return "resign"
    bot = "sensible" if thoughtful and pick.randrange(THOUGHTS) == 0 else "random"
    return BOTS[bot](ruleset, ruleset.secrets.known(state, side), side, listed, Dealt(pick))


def examine(ruleset: Ruleset, state: Any, side: str, listed: Sequence[Option], pick: random.Random) -> int:
    """How many of the options were tried; a Fault if one is refused, or what is hidden changes them."""
    known = ruleset.secrets.known(state, side)
    if list(listed) != list(ruleset.orders.options(ruleset.secrets.known(known, side), side)):
        raise Fault(f"what {side} cannot see changes its options in {state.phase}")
    other = OTHER[side]
    others = ruleset.orders.options(ruleset.secrets.known(state, other), other)
    if other not in to_act(ruleset, state) and any(option.kind != "draw" for option in others):
        raise Fault(f"{other} has orders while {side} is to act in {state.phase}")
    orders = [option.order for option in listed]
    if len(orders) != len(set(orders)):
        raise Fault(f"listed twice: {[order for order, times in Counter(orders).items() if times > 1]}")
    chosen = orders if len(orders) <= TRIED else pick.sample(orders, TRIED)
    for order in chosen:
        command = ruleset.orders.parse(order)
        if ruleset.orders.write(command, "en") != order:
            raise Fault(f"{order} is written {ruleset.orders.write(command, 'en')}")
        if ruleset.orders.parse(ruleset.orders.write(command, "fr")) != command:
            raise Fault(f"{order} is written {ruleset.orders.write(command, 'fr')} in French, and read as another")
        try:
            decide(ruleset, state, side, command, Dealt(pick))
        except Refusal as refusal:
            raise Fault(f"{order} is listed and refused: {refusal.code} {refusal.params}") from None
    return len(chosen)


# --- many of them


def _played(task: tuple[str, int, int, int, bool]) -> Ended | tuple[int, str, list[str]]:
    code, seed, number, turns, is_recorded = task
    try:
        return play(GAMES[code], seed, number, turns=turns, is_recorded=is_recorded)
    except Fault as fault:
        return number, str(fault), fault.orders


def played(
    code: str, seed: int, numbers: Sequence[int], processes: int, *, turns: int = 0, is_recorded: bool = False
) -> Iterator[Any]:
    """The battles in their order, as they end."""
    tasks = [(code, seed, number, turns, is_recorded) for number in numbers]
    if processes == 1:
        yield from map(_played, tasks)
        return
    with ProcessPoolExecutor(processes) as pool:
        try:
            yield from pool.map(_played, tasks, chunksize=4)
        finally:
            pool.shutdown(cancel_futures=True)


class Kept(Struct, frozen=True):
    """A line of the file of battles that ended."""

    ruleset: str
    seed: int
    number: int
    ended: Ended


def kept_in(file: Path | None, code: str, seed: int) -> dict[int, Ended]:
    """The battles of a game and a seed that a file has, by number."""
    if file is None or not file.exists():
        return {}
    lines = (msgspec.json.decode(line, type=Kept) for line in file.read_bytes().splitlines())
    return {line.number: line.ended for line in lines if (line.ruleset, line.seed) == (code, seed)}


def outcomes(asked: argparse.Namespace) -> Iterator[Any]:
    """What became of each battle: those kept, then those that are played now, each kept as soon as it ends."""
    kept = kept_in(asked.kept, asked.ruleset, asked.seed)
    numbers = range(1, asked.battles + 1) if asked.only is None else [asked.only]
    yield from (kept[number] for number in numbers if number in kept)
    left = [number for number in numbers if number not in kept]
    ends = played(asked.ruleset, asked.seed, left, asked.processes, turns=asked.turns, is_recorded=asked.recorded)
    for number, one in zip(left, ends, strict=True):
        if asked.kept is not None and isinstance(one, Ended):
            with asked.kept.open("ab") as file:
                file.write(msgspec.json.encode(Kept(asked.ruleset, asked.seed, number, one)) + b"\n")
        yield one


def arguments() -> argparse.Namespace:
    """What is asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("ruleset", choices=GAMES)
    parser.add_argument("--battles", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="play this battle alone")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--recorded", action="store_true", help="write each battle down, and verify it")
    parser.add_argument("--kept", type=Path, help="a file of the battles that ended; those in it are not played again")
    parser.add_argument("--turns", type=int, default=0, help="the most turns, where the scenario limits them")
    return parser.parse_args()


def main() -> int:
    """Play, and tell."""
    asked, begun = arguments(), time.perf_counter()
    ended: list[Ended] = []
    faults = 0
    for one in outcomes(asked):
        if not isinstance(one, Ended):
            number, what, orders = one
            sys.stdout.write("\n".join([*orders, f"Battle {number} of seed {asked.seed}: {what}", ""]))
            sys.stdout.flush()
            faults += 1
            if asked.kept is None:
                return 1
            continue
        ended.append(one)
        if len(ended) % 100 == 0 and sys.stderr.isatty():
            sys.stderr.write(f"\r{len(ended):,} battles ")
    sys.stdout.write(summary(ended, time.perf_counter() - begun))
    return 1 if faults else 0


def summary(ended: Sequence[Ended], seconds: float) -> str:
    """How many battles of each name ended how, and what they took."""
    ends: dict[str, Counter[str]] = {}
    figures: Counter[str] = Counter()
    for one in ended:
        ends.setdefault(one.name, Counter())[one.how] += 1
        figures.update(orders=one.orders, events=one.events, tried=one.tried, won=bool(one.winner))
    total: Counter[str] = sum(ends.values(), Counter())
    width = max(map(len, [*ends, "all"]))
    lines = []
    for name, hows in [*sorted(ends.items()), ("all", total)]:
        told = ", ".join(f"{how} {times:,}" for how, times in hows.most_common())
        lines.append(f"{name.ljust(width)}  {hows.total():7,}  {told}")
    slowest = max((one.seconds for one in ended), default=0.0)
    longest = max((one.orders for one in ended), default=0)
    lines.append(
        f"{figures['orders']:,} orders, {figures['events']:,} events, {figures['tried']:,} further options tried; "
        f"{figures['won']:,} battles won; {seconds:.0f} s, the slowest battle {slowest:.1f} s, "
        f"the longest {longest:,} orders"
    )
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    sys.exit(main())
