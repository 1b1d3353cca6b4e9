"""Options, fold and audit in large battles of Shot to Pieces: woods, long guns, up to 24 units a side.

    python -m benchmarks.large_tables [SCENARIO …] [--orders 200]

Random bots play each battle. At every moment the options of the side to order are asked as in play: what the moments
before have left in memory is there. Before each, those of one of its units are asked alone; at one moment in ten all is
asked with nothing left. The base of a moment is the distance of each unit to each other, measured in turns with it and
with nothing left; that of fold and audit is to hash the same lines and to decode them. All is processor time.
"""

import argparse
import gc
import time
from collections.abc import Callable, Iterator, Sequence
from functools import _lru_cache_wrapper
from hashlib import sha256
from itertools import combinations
from statistics import median, quantiles
from typing import Any

import msgspec

from benchmarks.measure import Row, show
from domain.catalogue import RULESETS
from domain.games import shot_to_pieces
from domain.games.shot_to_pieces.orders.options import options_of
from domain.games.shot_to_pieces.plane.gaps import distance
from domain.games.shot_to_pieces.state.kept import Kept
from domain.games.shot_to_pieces.state.vocabulary import CODE
from domain.log.record import Recorded, decode
from domain.run.decide import to_act
from domain.run.timeline import Timeline, catalogue_of, vault_of
from replay.proof import chain
from replay.proof.audit import audit
from replay.writing.entropy import SeededEntropy
from replay.writing.in_memory import OfflineBattle, SeededClock, scenario_table

STP = RULESETS[CODE]
LARGE = ("spicheren", "le-cateau", "craonne", "komarow", "villers-bretonneux", "coulmiers")
ORDERS, COLD, ROUNDS = 200, 10, 5
"""Orders of a battle; one moment in so many with nothing left in memory; rounds of fold and audit."""
REACHES = {"side": "≤ 60 ms", "unit": "≤ 5 ms", "fold alone": "≤ 5 µs", "audit by the rules": "≤ 500 µs"}
Moment = tuple[Any, str]
"""A state as a side knows it, and the side, which is to order."""


def played(name: str, orders: int) -> OfflineBattle:
    """A battle of random bots, so many orders long."""
    battle = OfflineBattle(STP, scenario_table(STP, name), SeededClock(name), SeededEntropy(name))
    for side in STP.seats.names:
        battle.seat_bot(side, "random")
    for _ in range(orders):
        if not battle.to_act:
            break
        battle.bot_order()
    return battle


def moments(battle: OfflineBattle) -> Iterator[Moment]:
    """Each state in which somebody had to order."""
    for recorded in battle.events():
        if recorded.type == "OrderAccepted":
            state = battle.recording.timeline.at(recorded.n - 1).game
            side = to_act(STP, state)[0]
            yield STP.secrets.known(state, side), side


def keepers() -> list[Callable[[], None]]:
    """What leaves nothing in memory of all that the game keeps between two questions."""
    found = list[Callable[[], None]]()
    for one in gc.get_objects():
        if isinstance(one, Kept):
            found.append(one.forget)
        elif isinstance(one, _lru_cache_wrapper) and one.__module__.startswith(shot_to_pieces.__name__):
            found.append(one.cache_clear)
    return found


def taken(work: Callable[..., Any], *asked: Any) -> float:
    """Milliseconds of processor time."""
    begun = time.process_time()
    work(*asked)
    return (time.process_time() - begun) * 1e3


def measure_all(state: Any) -> None:
    """The base: each unit on the table to each other."""
    for one, other in combinations([unit.base for unit in state.units.values() if unit.here], 2):
        distance.__wrapped__(one, other)


# --- options


def options_through(name: str, found: Sequence[Moment], forgetting: Sequence[Callable[[], None]]) -> None:
    """The options at each moment, and those of units."""
    sides, units, cold = [], [], []
    for number, (state, side) in enumerate(found):
        base = taken(measure_all, state)
        own = state.of(side)
        if own:
            unit = own[number % len(own)].id
            units.append((taken(options_of, state, unit), base))
        sides.append((taken(STP.orders.options, state, side), base))
    for state, side in found[::COLD]:
        base = taken(measure_all, state)
        for forget in forgetting:
            forget()
        cold.append((taken(STP.orders.options, state, side), base))
    most = max(len(state.of(side)) for state, side in found for side in STP.seats.names)
    for what, these, reach in (
        ("a side", sides, REACHES["side"]),
        ("a side, nothing kept", cold, REACHES["side"]),
        ("a unit", units, REACHES["unit"]),
    ):
        spent = [one for one, _ in these]
        ratio = median(one / base for one, base in these)
        high = quantiles(spent, n=20, method="inclusive")[-1]
        print(
            f"| {name}, {most} units: {what} | {len(these)} | {median(spent):.1f} | {high:.1f} | {max(spent):.1f} "
            f"| {ratio:.2f} | {reach} |"
        )


# --- fold and audit


def reading(name: str, battle: OfflineBattle) -> None:
    """Fold and audit, an event."""
    lines = chain.open_file(battle.file()).lines
    events: list[Recorded] = [decode(line, catalogue_of(STP)) for line in lines]
    vault, plain = vault_of(events), msgspec.json.Decoder()

    def base() -> None:
        head = b""
        for line in lines:
            head = sha256(head + line).digest()
            plain.decode(line)

    def fold() -> None:
        timeline = Timeline(STP, vault)
        for recorded in events:
            timeline.feed(recorded)

    works = {
        "hash and decode to dictionaries (base)": base,
        "fold alone": fold,
        "audit by the rules": lambda: audit(STP, events),
    }
    spent: dict[str, list[float]] = {what: [] for what in works}
    for _ in range(ROUNDS):
        for what, work in works.items():
            spent[what].append(taken(work) * 1e3 / len(events))
    bases = next(iter(spent.values()))
    rows = [
        Row(what, median(micros), median(one / raw for one, raw in zip(micros, bases, strict=True)))
        for what, micros in spent.items()
    ]
    show(f"Reading {name}, {len(events):,} events, per event", rows, REACHES)


def main() -> None:
    """Measure, and print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("scenarios", nargs="*", default=LARGE, metavar="SCENARIO")
    parser.add_argument("--orders", type=int, default=ORDERS)
    asked = parser.parse_args()
    battles = {name: played(name, asked.orders) for name in asked.scenarios}
    gc.collect()
    forgetting = keepers()
    gc.freeze()  # what else lies in memory is not this battle's cost
    print("| options of | moments | median, ms | p95 | most | ratio to the base | reach |")
    print("|---|---|---|---|---|---|---|")
    for name, battle in battles.items():
        options_through(name, list(moments(battle)), forgetting)
    for name, battle in battles.items():
        reading(name, battle)


if __name__ == "__main__":
    main()
