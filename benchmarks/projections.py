"""How fast the read models are rebuilt, and how fast they follow.

    python -m benchmarks.projections [--battles 1000] [--rounds 3] [--quick]

Ten battles of three scenarios are played by choosing among the legal orders, fights first, and put into a store under
as many ids as wanted, a hundred of them at a time and six events of each in turn. The base is what one would write by
hand, with the rows known beforehand: the feed in batches of 500, each line decoded, the rows that the batch changes
upserted with `sqlite3`, the position with them. Ratios are medians of the ratios of each round; the disk is that of
the system's temporary folder (set TMPDIR to measure another).
"""

import argparse
import random
import shutil
import sqlite3
import statistics
import tempfile
import time
import tomllib
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

from domain.basics.data import scenario_text
from domain.basics.errors import Refusal
from domain.catalogue import RULESETS
from domain.engine.state import SIDES
from domain.log.record import Header, decode
from domain.run.inputs import Entry, Phrase
from domain.run.seats import Battle, Seat, evolve_battle
from domain.run.timeline import catalogue_of
from projections.catalogue import MODELS
from projections.database import Database, remove
from projections.runner import BATCH, ProjectionRunner
from replay.writing.recording import Recording, Row
from server.store import Append, EventStore, Opening, StoreSettings

RULES = RULESETS["tts"]
CATALOGUE = catalogue_of(RULES)
AT = "2026-01-01T00:00:00.000Z"
PHRASE = "a phrase of sixteen bytes"
SCENARIOS = ("skirmish",) * 4 + ("cannae",) * 3 + ("zama",) * 3
AT_ONCE = 100
EVENTS_IN_TURN = 6
REACH = 50_000
TABLES = {table.name: table for model in MODELS for table in model.tables}
Measure = Callable[[], float]

# --- battles


def played(seed: int, scenario: str) -> tuple[bytes, list[Row]]:
    """The header and the rows of a whole battle."""
    header = Header("b0000000", AT, "phalera-battle", "h.example", "h.example+0+key", RULES.version, "tts", 2)
    salts = iter(range(1 << 20))
    recording = Recording(header, b"\x02" * 32, RULES, lambda: sha256(b"%d" % next(salts)).digest())
    rows: list[Row] = []

    def take(batch: Any) -> None:
        recording.adopt(batch)
        rows.extend(batch.rows)

    take(recording.open(tomllib.loads(scenario_text("tts", scenario)), "public", AT))
    take(recording.join(Seat("south", "p-anna", "Anna"), {}, AT))
    take(recording.join(Seat("north", "p-bob", "Bob"), dict.fromkeys(SIDES, Phrase(PHRASE, "cli")), AT))
    pick = random.Random(seed)
    while not recording.battle.ended and recording.battle.n < 3000:
        game = recording.battle.game
        side = game.waiting.side if game.waiting else game.active
        orders = [option for option in RULES.orders.options(recording.known(side), side) if option.kind != "resign"]
        fights = [option for option in orders if option.kind in ("charge", "shoot")]
        order = pick.choice(fights if fights and pick.random() < 0.6 else orders).order
        try:
            take(recording.order(Entry(side, order, "p", "cli", phrase=PHRASE), AT))
        except Refusal:
            continue
    return recording.header_line, rows


def fill(store: EventStore, battles: int) -> int:
    """Put battles into a store; returns the number of events."""
    kinds = [played(seed, scenario) for seed, scenario in enumerate(SCENARIOS)]
    total = 0
    for start in range(0, battles, AT_ONCE):
        cohort = range(start, min(start + AT_ONCE, battles))
        at = dict.fromkeys(cohort, 0)
        while at:
            for number, done in list(at.items()):
                header, rows = kinds[number % len(kinds)]
                some = rows[done : done + EVENTS_IN_TURN]
                if not some:
                    del at[number]
                    continue
                opens = None if done else Opening(header, AT, "public")
                store.append_now(Append(f"b{number:07}", done, some, opens=opens))
                at[number] = done + len(some)
                total += len(some)
    return total


# --- what is measured


def rebuild(path: Path, store: EventStore, events: int) -> Measure:
    """A new file, battle by battle."""

    def measure() -> float:
        remove(path)
        with closing(ProjectionRunner(path, store)) as runner:
            start = time.perf_counter()
            runner.rebuild()
            return events / (time.perf_counter() - start)

    return measure


class _Late:
    """A store whose feed seems empty at first, so that a runner follows it from the start."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self.shown = False

    def feed(self, after_position: int, limit: int) -> Any:
        return self._store.feed(after_position, limit) if self.shown else []

    def lines(self, battle: str, after: int, limit: int | None) -> Any:
        return self._store.lines(battle, after, limit)


def follow(path: Path, store: EventStore, events: int) -> Measure:
    """The whole feed, batch by batch, as if it were just being written."""

    def measure() -> float:
        remove(path)
        late = _Late(store)
        with closing(ProjectionRunner(path, late)) as runner:
            runner.catch_up()
            late.shown = True
            start = time.perf_counter()
            runner.catch_up()
            return events / (time.perf_counter() - start)

    return measure


def batches_of(path: Path, store: EventStore) -> list[dict[str, Any]]:
    """The rows that each batch changes."""
    remove(path)
    written: list[dict[str, Any]] = []
    write = Database.write
    late = _Late(store)
    with closing(ProjectionRunner(path, late)) as runner:
        runner.catch_up()
        late.shown = True

        def kept(database: Database, rows: Any) -> None:
            written.append({live: list(values) for live, values in rows.items()})
            write(database, rows)

        Database.write = kept  # type: ignore[method-assign, assignment]  # put back below
        try:
            runner.catch_up()
        finally:
            Database.write = write  # type: ignore[method-assign]  # as it was
    return written


def by_hand(path: Path, store: EventStore, events: int, batches: list[dict[str, Any]]) -> Measure:
    """The same rows without folding: the base."""
    upserts = {}
    for name, live in TABLES.items():
        marks = ", ".join("?" * len(live.columns))
        others = ", ".join(f"{column}=excluded.{column}" for column in live.columns if column not in live.key)
        upserts[name] = f"INSERT INTO {name} VALUES ({marks}) ON CONFLICT({', '.join(live.key)}) DO UPDATE SET {others}"

    def measure() -> float:
        remove(path)
        database = Database(path, MODELS)
        database.create()
        database.close()
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("PRAGMA synchronous=NORMAL")
            start, position = time.perf_counter(), 0
            for rows in batches:
                found = store.feed(position, BATCH)
                for *_, line in found:
                    decode(line, CATALOGUE)
                position = found[-1][0]
                connection.execute("BEGIN IMMEDIATE")
                for name, values in rows.items():
                    connection.executemany(upserts[name], values)
                connection.execute("REPLACE INTO tracking VALUES ('feed', '', ?, '', 0, '')", (position,))
                connection.execute("COMMIT")
            return events / (time.perf_counter() - start)

    return measure


def stages(store: EventStore, battles: int, events: int, folding: bool) -> Measure:
    """Reading and decoding alone, or with folding: what no read model can do without."""

    def measure() -> float:
        start = time.perf_counter()
        for number in range(battles):
            battle = Battle(0, RULES.rules.initial)
            for n, line in enumerate(store.lines(f"b{number:07}"), 1):
                recorded = decode(line, CATALOGUE)
                if folding:
                    battle = evolve_battle(RULES, battle, recorded.event, n)
        return events / (time.perf_counter() - start)

    return measure


# --- printing


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--battles", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="few battles, one round: does it run?")
    arguments = parser.parse_args()
    battles, rounds = (30, 1) if arguments.quick else (arguments.battles, arguments.rounds)
    folder = Path(tempfile.mkdtemp(prefix="phalera-projections-"))
    try:
        with EventStore.open(StoreSettings(dbname=str(folder / "store.db"), synchronous="NORMAL")) as store:
            events = fill(store, battles)
            batches = batches_of(folder / "rows.db", store)
            measures = {
                "by hand: feed, decode, the same upserts (BASE)": by_hand(folder / "hand.db", store, events, batches),
                "read and decode only": stages(store, battles, events, folding=False),
                "read, decode and fold only": stages(store, battles, events, folding=True),
                "rebuild of all read models": rebuild(folder / "anew.db", store, events),
                "following the feed, 500 events a batch": follow(folder / "live.db", store, events),
            }
            results: dict[str, list[float]] = {name: [] for name in measures}
            for _ in range(rounds):
                for name, measure in measures.items():
                    results[name].append(measure())
            size = (folder / "anew.db").stat().st_size / events
        show(f"{battles:,} battles, {events:,} events; events per second", results)
        print(f"  read models on disk: {size:.1f} bytes per event")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def show(title: str, results: dict[str, list[float]]) -> None:
    """A table with medians, spread, ratio to the base and verdict."""
    base = next(iter(results.values()))
    print(f"\n{title}")
    for name, values in results.items():
        ratio = statistics.median(value / of for value, of in zip(values, base, strict=True))
        median, verdict = statistics.median(values), ""
        if name.startswith("rebuild"):
            verdict = f"  reach {REACH:,}: {'yes' if median >= REACH else 'NO'}"
        print(f"  {name:48s} {median:>9,.0f}  [{min(values):,.0f} … {max(values):,.0f}]  x{ratio:.2f}{verdict}")


if __name__ == "__main__":
    main()
