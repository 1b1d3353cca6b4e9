"""Play random battles and look for crashes, hangs, and listed orders that are refused.

    python -m benchmarks.random_play [--battles 10000] [--seed 1] [--only NUMBER] [--processes 2]

Battles are played through `options` alone: packaged scenarios and points battles of two random lists, on boards of
several sizes, under random options (to-the-strongest.md 1). Both sides order at random; now and then the sensible bot
has a word, a draw is offered, or somebody resigns. Whatever holds of every battle is asked of each (`watch`): somebody
to act has something to order, what is listed is taken, what a side cannot see changes none of it, medals are
conserved, a deck deals each card once an epoch, no box holds enemies. Prints how the battles ended. Exit code 0 if all
did; 1 at the first fault, with its number (for `--only`) and the orders that led there.
"""

import argparse
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from msgspec import Struct

from domain.catalogue import RULESETS
from domain.data import read_toml, scenario_names
from domain.engine.bots import BOTS
from domain.engine.decide import beginning, decide, evolve, opening, proceeding, to_act
from domain.engine.errors import Refusal
from domain.engine.events import CardDrawn, Fact
from domain.engine.state import OTHER
from domain.games.to_the_strongest.armies.army import Army, units_of
from domain.games.to_the_strongest.armies.lists import army_list, list_keys
from domain.games.to_the_strongest.armies.making import new_army
from domain.games.to_the_strongest.armies.points_battle import points_battle
from domain.games.to_the_strongest.chapters.medals import MedalsTransferred
from domain.games.to_the_strongest.chapters.stacking import UNITS_IN_A_BOX
from domain.games.to_the_strongest.state.state import State, kind
from domain.ruleset import Option

TTS = RULESETS["tts"]
MOST_ORDERS = 6000
"""Orders after which a battle that goes on is a fault."""
SIZES = (80, 130)
COLUMNS, ROWS = (8, 16), (6, 10)
"""Points of an army, columns and rows of a board: the least and the most."""
WATCHED = 40
"""All that is listed is tried at one moment in so many."""
TRIED = 60
"""Options tried at such a moment."""
OFFERS, RESIGNS, THOUGHTS = 1500, 6000, 4
"""One order in so many offers a draw, or resigns; one in so many, in a battle with thought, is the sensible bot's."""
TURN_LIMITS = (0, 0, 10)
CHOICES: Mapping[str, Sequence[Any]] = {
    "deck_mode": ("exhaust", "each_turn", "d10"),
    "deep_difficulty": ("double_when_difficult", "always_plus_one"),
    "disorder_difficulty": (0, 1),
    "rally_costs_medal": (False, True),
    "rout_strict": (True, False),
    "rout_same_box": (True, False),
    "closing_fire": (True, False),
    "exertion": (True, False),
    "run_amok": (True, False),
    "hero_shooting": (False, True),
    "auto_end_turn": (True, False),
    "turn_limit": TURN_LIMITS,
    "deploy_rows": (2, 2, 3),
    "terrain_phase": (True, True, False),
    "blind_deployment": (False, True),
    "stratagems_per_side": (0, 1, 2, 3),
}
"""The options (to-the-strongest.md 1) that are varied, and their values."""


class Fault(Exception):
    """What must not be; `orders` led there."""

    def __init__(self, what: str, orders: Sequence[str]) -> None:
        super().__init__(what)
        self.orders = list(orders)


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
    """Chance of a seed."""

    def __init__(self, pick: random.Random) -> None:
        self._pick = pick

    def card(self, scope: str, pile: Sequence[str], t: int, deck: str) -> str:
        """One of the pile."""
        return self._pick.choice(pile)

    def die(self, scope: str, sides: int, t: int = 0, values: Sequence[int] = ()) -> int:
        """One die."""
        return self._pick.randint(1, sides)


# --- what is played


def battle_of(seed: int, number: int) -> tuple[str, dict[str, Any]]:
    """Name and scenario of a battle: one in two of points, under options of chance."""
    pick = random.Random(f"battle {seed} {number}")
    if number % 2:
        names = scenario_names("tts")
        name = names[(number // 2) % len(names)]
        table = read_toml("tts", "scenarios", f"{name}.toml")
        if pick.random() < 0.5:
            own = {key: pick.choice(values) for key, values in CHOICES.items() if key != "deploy_rows"}
            table = {**table, "options": {**table.get("options", {}), **own}}
        return name, table
    return points(pick, {key: pick.choice(values) for key, values in CHOICES.items()})


def points(pick: random.Random, options: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """A battle between two armies of points on a board of some size; larger ones get the room they need."""
    size = pick.randint(*SIZES)
    south, north = any_army(pick, size), any_army(pick, size)
    live = points_battle(south, north, options)
    most = max(len(list(units_of(army))) for army in (south, north))
    columns = max(pick.randint(*COLUMNS), -(-most // 2) + 2)
    return "points", {**live, "board": {"columns": columns, "rows": pick.randint(*ROWS)}}


def any_army(pick: random.Random, size: int) -> Army:
    """An army of any list that can be had for so many points."""
    while True:
        try:
            return new_army(army_list(pick.choice(list_keys())), size, pick.randrange)
        except Refusal:
            continue


# --- a battle


def play(seed: int, number: int, watched: int = WATCHED) -> Ended:
    """Play a battle to its end.

    Raises:  Fault at the first thing that must not be
    """
    name, live = battle_of(seed, number)
    return watch(name, live, random.Random(f"play {seed} {number}"), watched)


def watch(name: str, table: Mapping[str, Any], pick: random.Random, watched: int = WATCHED) -> Ended:
    """Play a scenario to its end, and look that nothing happens on the way that must not.

    Raises:  Fault
    """
    begun, chance = time.perf_counter(), Dealt(pick)
    ledger, tried = Ledger(), 0
    orders: list[str] = []
    thoughtful = pick.random() < 0.3
    state: State = TTS.rules.initial
    try:
        state = ledger.fold(state, opening(TTS, table))
        state = ledger.fold(state, beginning(TTS, state))
        state = ledger.fold(state, proceeding(TTS, state, chance))
        while state.winner is None:
            if len(orders) >= MOST_ORDERS:
                raise Fault("it does not end", orders)
            side = to_act(TTS, state)[0]
            if state.draw_offer and pick.randrange(2):
                side = OTHER[state.draw_offer]
            listed = TTS.orders.options(TTS.secrets.known(state, side), side)
            if side in to_act(TTS, state) and pick.randrange(watched) == 0:
                tried += examine(state, side, listed, pick)
            order = _order(state, side, listed, pick, thoughtful)
            orders.append(f"{side}: {order}")
            state = ledger.fold(state, decide(TTS, state, side, TTS.orders.parse(order), chance))
            require_sound(state)
    except Fault as fault:
        raise Fault(str(fault), orders) from None
    except Exception as failure:
        raise Fault("".join(traceback.format_exception(failure)), orders) from None
    return Ended(name, state.how, str(state.winner), len(orders), state.n, tried, time.perf_counter() - begun)


def _order(state: State, side: str, listed: Sequence[Option], pick: random.Random, thoughtful: bool) -> str:
    """Any of the options; now and then the offer of a draw, or what the sensible bot thinks."""
    if not listed:
        raise Fault(f"{side} is to act in {state.phase} and has nothing to order", ())
    if not (state.draw_offer or state.waiting) and pick.randrange(OFFERS) == 0:
        return "offer draw"
    if pick.randrange(RESIGNS) == 0:
        return "resign"
    bot = "sensible" if thoughtful and pick.randrange(THOUGHTS) == 0 else "random"
    return BOTS[bot](TTS, TTS.secrets.known(state, side), side, listed, Dealt(pick))


def examine(state: State, side: str, listed: Sequence[Option], pick: random.Random) -> int:
    """How many of the options were tried; a Fault if one is refused, or what is hidden changes them."""
    known = TTS.secrets.known(state, side)
    if list(listed) != list(TTS.orders.options(TTS.secrets.known(known, side), side)):
        raise Fault(f"what {side} cannot see changes its options in {state.phase}", ())
    if any(option.kind != "draw" for option in TTS.orders.options(TTS.secrets.known(state, OTHER[side]), OTHER[side])):
        raise Fault(f"{OTHER[side]} has orders while {side} is to act in {state.phase}", ())
    orders = [option.order for option in listed]
    if len(orders) != len(set(orders)):
        raise Fault(f"listed twice: {[order for order, times in Counter(orders).items() if times > 1]}", ())
    chosen = orders if len(orders) <= TRIED else pick.sample(orders, TRIED)
    for order in chosen:
        command = TTS.orders.parse(order)
        if TTS.orders.write(command, "en") != order:
            raise Fault(f"{order} is written {TTS.orders.write(command, 'en')}", ())
        try:
            decide(TTS, state, side, command, Dealt(pick))
        except Refusal as refusal:
            raise Fault(f"{order} is listed and refused: {refusal.code} {refusal.params}", ()) from None
    return len(chosen)


def require_sound(state: State) -> None:
    """A Fault if a box holds enemies, hidden ones too, or more than goes into it."""
    for box, names in state.boxes.items():
        units = [state.units[name] for name in names]
        units += [state.units[name] for ambush in state.ambushes if ambush.box == box for name in ambush.units]
        size = sum(kind(unit).stack for unit in units)
        if len({unit.side for unit in units}) > 1 or len(units) > UNITS_IN_A_BOX or size > state.options.stack_capacity:
            raise Fault(f"{box} holds {', '.join(unit.id for unit in units)}", ())
        if any(unit.box not in ("", box) or not unit.alive for unit in units) or state.terrain.get(box) == "impassable":
            raise Fault(f"{', '.join(unit.id for unit in units)} cannot stand in {box}", ())


class Ledger:
    """The medals paid, and the cards dealt."""

    def __init__(self) -> None:
        self.paid: Counter[str] = Counter()
        self.dealt: dict[tuple[str, int], set[str]] = {}

    def fold(self, state: State, facts: Iterable[Fact]) -> State:
        """The state after some facts, each of them checked."""
        for fact in facts:
            state = evolve(TTS, state, fact.event, state.n + 1)
            if isinstance(fact.event, CardDrawn):
                self._deal(fact.event)
            elif isinstance(fact.event, MedalsTransferred):
                back = fact.event.reason == "return"
                self.paid[fact.event.to if back else fact.event.from_] += (
                    -fact.event.count if back else fact.event.count
                )
                for army in state.armies.values():
                    if army.medals + self.paid[army.side] != army.medals_full or army.medals < 0:
                        raise Fault(f"{army.side} has {army.medals} medals, paid {self.paid[army.side]}", ())
        return state

    def _deal(self, drawn: CardDrawn) -> None:
        """Each card once an epoch, unless draws are independent (TTS-DCK-03, -04)."""
        card = str(drawn.card)
        epoch = self.dealt.setdefault((drawn.deck, drawn.epoch), set())
        if card in epoch and card[-1] != "0":
            raise Fault(f"{card} of {drawn.deck} is dealt twice in epoch {drawn.epoch}", ())
        epoch.add(card)


# --- many of them


def _played(task: tuple[int, int, int]) -> Ended | tuple[int, str, list[str]]:
    try:
        return play(*task)
    except Fault as fault:
        return task[1], str(fault), fault.orders


def played(seed: int, numbers: Sequence[int], processes: int, watched: int) -> Iterator[Any]:
    """The battles in their order, as they end."""
    tasks = [(seed, number, watched) for number in numbers]
    if processes == 1:
        yield from map(_played, tasks)
        return
    with ProcessPoolExecutor(processes) as pool:
        try:
            yield from pool.map(_played, tasks, chunksize=4)
        finally:
            pool.shutdown(cancel_futures=True)


def main() -> int:
    """Play, and tell."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--battles", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="play this battle alone")
    parser.add_argument("--processes", type=int, default=2)
    asked = parser.parse_args()
    numbers = range(1, asked.battles + 1) if asked.only is None else [asked.only]
    watched = WATCHED
    begun = time.perf_counter()
    ends: dict[str, Counter[str]] = {}
    figures: Counter[str] = Counter()
    slowest, longest = 0.0, 0
    for count, one in enumerate(played(asked.seed, numbers, asked.processes, watched), start=1):
        if not isinstance(one, Ended):
            number, what, orders = one
            sys.stdout.write("\n".join([*orders, f"Battle {number} of seed {asked.seed}: {what}", ""]))
            return 1
        ends.setdefault(one.name, Counter())[one.how] += 1
        figures.update(orders=one.orders, events=one.events, tried=one.tried, won=bool(one.winner))
        slowest, longest = max(slowest, one.seconds), max(longest, one.orders)
        if count % 100 == 0 and sys.stderr.isatty():
            sys.stderr.write(f"\r{count:,} battles ")
    width = max(map(len, ends))
    for name, hows in sorted(ends.items()):
        told = ", ".join(f"{how} {times:,}" for how, times in hows.most_common())
        sys.stdout.write(f"{name.ljust(width)}  {hows.total():7,}  {told}\n")
    total: Counter[str] = sum(ends.values(), Counter())
    told = ", ".join(f"{how} {times:,}" for how, times in total.most_common())
    sys.stdout.write(f"{'all'.ljust(width)}  {total.total():7,}  {told}\n")
    sys.stdout.write(
        f"{figures['orders']:,} orders, {figures['events']:,} events, {figures['tried']:,} further options tried; "
        f"{figures['won']:,} battles won; {time.perf_counter() - begun:.0f} s, the slowest battle {slowest:.1f} s, "
        f"the longest {longest:,} orders\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
