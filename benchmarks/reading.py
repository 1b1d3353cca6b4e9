"""The cost of reading a battle: fold, seek, verify, audit, options.

    python -m benchmarks.reading

The base is the least that a reader of the same lines can do: hash them and decode each to a dictionary. All is
measured twice: in a battle of 5,000 events, and in the longest of five of 130 points that two bots play through
every phase.
"""

import gc
import random
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from statistics import median
from typing import Any

import msgspec

from benchmarks.measure import compare, show
from domain.basics.data import scenario_text
from domain.catalogue import RULESETS
from domain.contract.ruleset import Ruleset
from domain.games.to_the_strongest.armies.lists import army_list
from domain.games.to_the_strongest.armies.making import new_army
from domain.games.to_the_strongest.armies.points_battle import points_battle
from domain.games.to_the_strongest.orders.options import unit_options
from domain.log.record import Recorded, decode
from domain.run.decide import to_act
from domain.run.timeline import Timeline, catalogue_of, vault_of
from replay.proof import chain
from replay.proof.audit import audit
from replay.writing.entropy import SeededEntropy
from replay.writing.in_memory import OfflineBattle, SeededClock

LONG = 5_000
LISTS = ("republican_roman", "seleucid")
POINTS = 130
SEEDS = range(1, 6)
MOST_ORDERS = 3_000
TTS = RULESETS["tts"]


def long_battle(events: int = LONG) -> OfflineBattle:
    """A battle of two random bots with medals enough for `events` events, stopped there."""
    scenario = tomllib.loads(scenario_text("tts", "cannae"))
    scenario["options"] = {"turn_limit": 0}
    for side in scenario["sides"].values():
        side["medals"] = 9_999
    battle = OfflineBattle(TTS, scenario, SeededClock("bench"), SeededEntropy("bench"))
    battle.seat_bot("south", "random")
    battle.seat_bot("north", "random")
    while battle.recording.battle.n < events and battle.to_act:
        battle.bot_order()
    return battle


def battle_of_points(seed: int = 1) -> OfflineBattle:
    """A battle of two armies of 130 points between two sensible bots, from the first piece of terrain to its end."""
    pick = random.Random(f"points {seed}")
    armies = [new_army(army_list(key), POINTS, pick.randrange) for key in LISTS]
    name = f"bench points {seed}"
    battle = OfflineBattle(TTS, points_battle(armies[0], armies[1]), SeededClock(name), SeededEntropy(name))
    battle.seat_bot("south", "sensible")
    battle.seat_bot("north", "sensible")
    for _ in range(MOST_ORDERS):
        if not battle.to_act:
            return battle
        battle.bot_order()
    raise RuntimeError(f"battle {seed} of points does not end")


def main() -> None:
    """Measure, and print the tables."""
    _reading(long_battle(), "5,000 events")
    battles, seconds = [], []
    for seed in SEEDS:
        begun = time.perf_counter()
        battles.append(battle_of_points(seed))
        seconds.append(time.perf_counter() - begun)
    _reading(max(battles, key=lambda battle: battle.recording.battle.n), f"{POINTS} points")
    print(f"\n{len(battles)} battles of {POINTS} points, bot against bot, with host and log: ", end="")
    print(f"{median(seconds):.2f} s each, {max(seconds):.2f} s at most (reach: 5 s)")
    _options(long_battle(400).recording.battle.game, "Cannae")
    options_through([moment for battle in battles for moment in moments(battle)])


def _reading(battle: OfflineBattle, name: str) -> None:
    content = battle.file()
    gc.collect()
    gc.freeze()  # what else lies in memory is not this battle's cost
    log = chain.open_file(content)
    catalogue = catalogue_of(TTS)
    events = [decode(line, catalogue) for line in log.lines]
    count = len(events)
    print(f"\n{name}: {count:,} events, {len(content) / count:.0f} bytes each in the file")
    _read(content, log.lines, events, TTS, name)


def _read(content: bytes, lines: Sequence[bytes], events: list[Recorded], ruleset: Ruleset, name: str) -> None:
    catalogue = catalogue_of(ruleset)
    plain = msgspec.json.Decoder()
    count = len(events)
    vault = vault_of(events)

    def base() -> int:
        head = b""
        for line in lines:
            head = sha256(head + line).digest()
            plain.decode(line)
        return count

    def fold() -> int:
        timeline = Timeline(ruleset, vault)
        for recorded in events:
            timeline.feed(recorded)
        return count

    def decode_and_fold() -> int:
        timeline = Timeline(ruleset, vault)
        for line in lines:
            timeline.feed(decode(line, catalogue))
        return count

    rows = compare(
        "hash and decode to dictionaries (base)",
        {
            "hash and decode to dictionaries (base)": base,
            "decode to events and fold": decode_and_fold,
            "fold alone": fold,
            "bytes and chain (open_file)": lambda: len(chain.open_file(content).lines),
            "audit by the rules": lambda: len(events) * bool(audit(ruleset, events)),
        },
    )
    show(f"Reading {name}, per event", rows, {"fold alone": "≤ 5 µs", "audit by the rules": "≤ 300 µs"})
    timeline = Timeline(ruleset, vault)
    for recorded in events:
        timeline.feed(recorded)
    places = [count * at // 50 for at in range(1, 50)]

    def seek() -> int:
        for n in places:
            timeline.at(n)
        return len(places)

    def from_the_start() -> int:
        fold()
        return 1

    base_name = "fold the whole battle (base)"
    show(
        f"Seek in {count:,} events ({name}), per seek",
        compare(base_name, {base_name: from_the_start, "seek by keyframe": seek}),
        {"seek by keyframe": "≤ 20 ms"},
    )


def _options(state: Any, name: str) -> None:
    side = state.active
    known = TTS.secrets.known(state, side)
    units = [unit for unit in known.units.values() if unit.side == side and unit.box]

    def of_units() -> int:
        for unit in units:
            unit_options(known, unit)
        return len(units)

    def copy() -> int:
        msgspec.json.encode(known.units)
        return 1

    base = "encode the units as JSON (base)"
    rows = compare(
        base,
        {
            base: copy,
            "options of a side": lambda: len(TTS.orders.options(known, side)) and 1,
            "options of a unit": of_units,
        },
    )
    show(f"Options in {name}, {len(units)} units of the side", rows, OPTIONS)


# --- options all through a battle

OPTIONS = {"options of a side": "≤ 10 ms", "options of a unit": "≤ 1 ms"}
ROUNDS = 5
Moment = tuple[Any, str]
"""A state as a side knows it, and the side, which is to order."""


def moments(battle: OfflineBattle) -> Iterator[Moment]:
    """Each state in which somebody had to order."""
    for recorded in battle.events():
        if recorded.type == "OrderAccepted":
            state = battle.recording.timeline.at(recorded.n - 1).game
            side = to_act(TTS, state)[0]
            yield TTS.secrets.known(state, side), side


def options_through(moments: Sequence[Moment]) -> None:
    """How long the options of a side take in each phase, and those of each unit that may be ordered in the turns."""
    print(f"\n### Options in battles of {POINTS} points, µs\n")
    print("| what | moments | median | slowest | reach |\n|---|---|---|---|---|")
    for phase in dict.fromkeys(known.phase for known, _ in moments):
        taken = [_micros(TTS.orders.options, known, side) for known, side in moments if known.phase == phase]
        _show(f"a side, phase {phase}", taken, OPTIONS["options of a side"])
    units = [(known, unit) for known, side in moments for unit in known.units.values() if unit.side == side]
    taken = [_micros(unit_options, known, unit) for known, unit in units if unit_options(known, unit)]
    _show("a unit, phase turns", taken, OPTIONS["options of a unit"])


def _show(name: str, taken: Sequence[float], reach: str) -> None:
    print(f"| {name} | {len(taken)} | {median(taken):,.0f} | {max(taken):,.0f} | {reach} |")


def _micros(work: Callable[..., Any], *asked: Any) -> float:
    """The median of a few tries, so that what other programs take meanwhile is not counted."""
    taken = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        work(*asked)
        taken.append((time.perf_counter() - begun) * 1e6)
    return median(taken)


if __name__ == "__main__":
    main()
