"""The cost of the store beside the bare database, and the disk space of an event.

    python -m benchmarks.store [--rounds 7] [--quick]

Bases are measured in the same run, in interleaved rounds: a base is what one would write by hand with `sqlite3` and
`msgspec` and nothing else (six small rows a commit, no hash, no command id). Ratios are medians of the ratios of each
round. The disk is that of the system's temporary folder; set TMPDIR to measure another.
"""

import argparse
import asyncio
import itertools
import os
import random
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from benchmarks.rounds import Measure, interleaved, show
from server.store import Append, CommandRecord, EventRow, EventStore, Opening, StoreSettings

CALLERS = 100
BATTLES = itertools.count()  # ids are spread by a multiplication, as random ones would be

# --- six events, as an activation makes them: small bodies for the base, canonical lines for the store


class CardDrawn(Struct, frozen=True, gc=False, array_like=True, tag="cd"):
    unit: int
    card: int


class UnitActivated(Struct, frozen=True, gc=False, array_like=True, tag="ua"):
    unit: int
    order: int


class HitRolled(Struct, frozen=True, gc=False, array_like=True, tag="hr"):
    attacker: int
    target: int
    die: int
    need: int


class SaveRolled(Struct, frozen=True, gc=False, array_like=True, tag="sr"):
    target: int
    die: int
    need: int
    saved: bool


class WoundTaken(Struct, frozen=True, gc=False, array_like=True, tag="wt"):
    target: int
    left: int


class MedalMoved(Struct, frozen=True, gc=False, array_like=True, tag="mm"):
    src: int
    dst: int
    count: int


SIX = (CardDrawn(3, 41), UnitActivated(3, 1), HitRolled(3, 9, 5, 4), SaveRolled(9, 2, 5, False), WoundTaken(9, 2),
       MedalMoved(9, 3, 1))  # fmt: skip
ENCODER = msgspec.msgpack.Encoder()
TAGS = ("cd", "ua", "hr", "sr", "wt", "mm")

AT = b'{"at":"2025-03-01T12:00:00.000Z","by":"south","data":'
LINES = (
    (
        "OrderAccepted",
        b'{"channel":"api","command":{"order":"activate","unit":"R1"},"key":"0123456789abcdef","line":1,'
        b'"player":"p7x2k9","side":"south","t":7,"text":"R1 activate"}',
        b"CORE-ORDER",
    ),
    (
        "CardDrawn",
        b'{"card":"7h1","deck":"south","discard":1,"epoch":1,"index":12,"purpose":"activation","remaining":68,'
        b'"scope":"draw:south","t":7,"unit":"R1"}',
        b"TTS-ACT-02",
    ),
    ("UnitActivated", b'{"needed":2,"unit":"R1","value":7}', b"TTS-ACT-03"),
    ("UnitMoved", b'{"facing":"N","from":"E3","place":1,"to":"E4","unit":"R1"}', b"TTS-MOV-01"),
    (
        "CardDrawn",
        b'{"card":"2c1","deck":"south","discard":1,"epoch":1,"index":13,"purpose":"hit","remaining":67,'
        b'"scope":"draw:south","t":7,"unit":"R1"}',
        b"TTS-SHO-04",
    ),
    ("HitMissed", b'{"needed":8,"target":"C2","unit":"R1","value":2}', b"TTS-SHO-05"),
)


def rows_after(n: int, previous: bytes) -> list[EventRow]:
    """Six rows that go on from event `n`: lines made and chained, as the caller of the store does."""
    rows: list[EventRow] = []
    for type_, data, rule in LINES:
        n += 1
        line = b'%b%b,"n":%d,"rule":"%b","type":"%b"}' % (AT, data, n, rule, type_.encode())
        previous = sha256(previous + line).digest()
        rows.append((type_, line, previous))
    return rows


# --- the bases


INSERT = "INSERT INTO stored_events VALUES (?,?,?,?)"


def raw_connection(path: Path, synchronous: str) -> sqlite3.Connection:
    """The table of the library, nothing else."""
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode=WAL")
    db.execute(f"PRAGMA synchronous={synchronous}")
    db.execute(
        "CREATE TABLE stored_events (originator_id TEXT, originator_version INTEGER, topic TEXT, state BLOB, "
        "PRIMARY KEY (originator_id, originator_version))"
    )
    return db


def raw_commits(path: Path, synchronous: str, count: int, large: bool = False) -> Measure:
    """One transaction for each six events: small bodies encoded on the way, or ready rows as large as the store's."""
    db = raw_connection(path, synchronous)
    ready = [(type_, hash_ + line) for type_, line, hash_ in rows_after(1000, b"")]

    def measure() -> float:
        battle, v = os.urandom(16).hex(), 0
        start = time.perf_counter()
        for _ in range(count):
            db.execute("BEGIN IMMEDIATE")
            if large:
                db.executemany(INSERT, [(battle, v + i, topic, state) for i, (topic, state) in enumerate(ready)])
            else:
                db.executemany(INSERT, [(battle, v + i, TAGS[i], ENCODER.encode(event)) for i, event in enumerate(SIX)])
            db.execute("COMMIT")
            v += 6
        return count / (time.perf_counter() - start)

    return measure


# --- the store


def header_of(battle: str) -> bytes:
    """A header line of the usual length."""
    return (
        b'{"battle":"%b","created":"2025-03-01T12:00:00.000Z","format":"phalera-battle","host":"example.org",'
        b'"key":"example.org/phalera+0123abcd+AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcdefg","rules":"tts",'
        b'"ruleset":"tts","version":1}' % battle.encode()
    )


def grouped_commits(
    store: EventStore, count: int, runner: Callable[[Any], Any], callers: int = CALLERS, commands: bool = True
) -> Measure:
    """`callers` battles at once, each waiting for its answer before it goes on; `count` appends in all."""

    async def play(battle: str) -> None:
        header = header_of(battle)
        head, previous = 0, sha256(header).digest()
        for _ in range(count // callers):
            rows = rows_after(head, previous)
            command = CommandRecord(os.urandom(16), previous, b'{"events":[%d,%d]}' % (head + 1, head + 6))
            opens = None if head else Opening(header, "2025-03-01T12:00:00.000Z", "public")
            done = await store.submit(Append(battle, head, rows, command if commands else None, opens=opens))
            head, previous = done.n, rows[-1][2]

    async def all_play() -> float:
        names = [f"{next(BATTLES) * 2654435761 % 2**32:08x}" for _ in range(callers)]
        start = time.perf_counter()
        await asyncio.gather(*(play(name) for name in names))
        return count / (time.perf_counter() - start)

    def measure() -> float:
        return float(runner(all_play()))

    return measure


# --- reading


class Drawn(Struct, frozen=True, gc=False):
    card: str
    remaining: int
    unit: str


class Moved(Struct, frozen=True, gc=False):
    to: str
    unit: str


class Activated(Struct, frozen=True, gc=False):
    value: int
    unit: str


class Ordered(Struct, frozen=True, gc=False):
    side: str
    t: int


class CardLine(Struct, frozen=True, gc=False, tag="CardDrawn"):
    data: Drawn


class MovedLine(Struct, frozen=True, gc=False, tag="UnitMoved"):
    data: Moved


class ActivatedLine(Struct, frozen=True, gc=False, tag="UnitActivated"):
    data: Activated


class MissedLine(Struct, frozen=True, gc=False, tag="HitMissed"):
    data: Activated


class OrderLine(Struct, frozen=True, gc=False, tag="OrderAccepted"):
    data: Ordered


DECODE = msgspec.json.Decoder(CardLine | MovedLine | ActivatedLine | MissedLine | OrderLine).decode


def fold(lines: Iterable[bytes]) -> dict[str, Any]:
    """A small board from lines."""
    places: dict[str, str] = {}
    drawn = orders = total = 0
    for line in lines:
        event = DECODE(line)
        kind = event.__class__
        if kind is CardLine:
            drawn += 1
        elif kind is MovedLine:
            places[event.data.unit] = event.data.to
        elif kind is OrderLine:
            orders += 1
        else:
            total += event.data.value
    return {"places": places, "drawn": drawn, "orders": orders, "total": total}


def rates(measured: Callable[[], object], events: int) -> Measure:
    """Events per second of one call."""

    def measure() -> float:
        start = time.perf_counter()
        measured()
        return events / (time.perf_counter() - start)

    return measure


def readings(folder: Path, events: int) -> dict[str, Measure]:
    """One battle of `events` events read and folded, by hand and through the store."""
    previous, rows = b"", list[EventRow]()
    while len(rows) < events:
        six = rows_after(len(rows), previous)
        previous = six[-1][2]
        rows += six
    raw = raw_connection(folder / "read-raw.db", "NORMAL")
    raw.execute("BEGIN")
    raw.executemany(INSERT, (("b0000001", n + 1, type_, line) for n, (type_, line, _) in enumerate(rows)))
    raw.execute("COMMIT")
    query = "SELECT state FROM stored_events WHERE originator_id=? AND originator_version>? ORDER BY originator_version"
    store = EventStore.open(StoreSettings(dbname=str(folder / "read.db"), synchronous="NORMAL"))
    store.append_now(Append("b0000001", 0, rows, opens=Opening(header_of("b0000001"), "", "public")))
    assert fold(store.lines("b0000001")) == fold(line for _, line, _ in rows)
    return {
        "raw sqlite3 + Decoder + fold (BASE)": rates(
            lambda: fold([state for (state,) in raw.execute(query, ("b0000001", 0))]), len(rows)
        ),
        "store.lines + Decoder + fold": rates(lambda: fold(store.lines("b0000001")), len(rows)),
        "store.read (n, hash, line) + Decoder + fold": rates(
            lambda: fold([line for _, _, line in store.read("b0000001")]), len(rows)
        ),
    }


# --- the disk


def disk(folder: Path, battles: int = 1000, appends: int = 100) -> dict[str, float]:
    """Bytes per event of a store of many battles that grew at the same time, in tens: log, and all with commands."""
    path = folder / "disk.db"
    with EventStore.open(StoreSettings(dbname=str(path), synchronous="NORMAL")) as store:
        asyncio.run(_grow(store, battles, appends))
    db = sqlite3.connect(path)
    events, lines = db.execute("SELECT COUNT(*), SUM(LENGTH(state)) FROM stored_events").fetchone()
    sizes = dict.fromkeys(("log", "commands"), 0)
    try:
        for name, size in db.execute("SELECT name, SUM(pgsize) FROM dbstat GROUP BY name"):
            sizes["commands" if "commands" in name else "log"] += size
    except sqlite3.OperationalError:  # SQLite without dbstat: no division
        sizes["log"] = path.stat().st_size
    db.close()
    return {
        "line and hash": lines / events,
        "log (table and key)": sizes["log"] / events,
        "log and commands": path.stat().st_size / events,
    }


async def _grow(store: EventStore, battles: int, appends: int) -> None:
    async def one(battle: str) -> None:
        header = header_of(battle)
        head, previous = 0, sha256(header).digest()
        for _ in range(appends):
            rows = rows_after(head, previous)
            command = CommandRecord(os.urandom(16), previous, b'{"events":[%d,%d]}' % (head + 1, head + 6))
            opens = None if head else Opening(header, "2025-03-01T12:00:00.000Z", "public")
            await store.submit(Append(battle, head, rows, command, opens=opens))
            head, previous = head + 6, rows[-1][2]

    names = [f"b{i:07x}" for i in range(battles)]
    random.Random(1).shuffle(names)
    await asyncio.gather(*map(one, names))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--quick", action="store_true", help="few rounds, small sizes: does it run?")
    arguments = parser.parse_args()
    rounds = 2 if arguments.quick else arguments.rounds
    loops: dict[str, Callable[[Any], Any]] = {"asyncio": asyncio.run}
    try:
        import uvloop
    except ImportError:
        pass
    else:
        loops["uvloop"] = uvloop.run
    folder = Path(tempfile.mkdtemp(prefix="phalera-store-"))
    try:
        for synchronous, count, goal in (("NORMAL", 400, 0.8), ("FULL", 200, 2.5)):
            measures = {
                "raw, 6 small events a commit (BASE)": raw_commits(folder / f"s{synchronous}", synchronous, count),
                "raw, 6 rows as large as the store's": raw_commits(
                    folder / f"l{synchronous}", synchronous, count, True
                ),
            }
            stores = []
            for name, runner in loops.items():
                store = EventStore.open(
                    StoreSettings(dbname=str(folder / f"{name}{synchronous}"), synchronous=synchronous)
                )
                stores.append(store)
                total = 1000 if arguments.quick else 4000
                measures[f"store, {CALLERS} callers, chain, no command id, {name}"] = grouped_commits(
                    store, total, runner, commands=False
                )
                measures[f"store, {CALLERS} callers, chain and command id, {name}"] = grouped_commits(
                    store, total, runner
                )
                measures[f"store, 1 caller, chain and command id, {name}"] = grouped_commits(store, 200, runner, 1)
            reach = {name: goal for name in measures if f"{CALLERS} callers, chain and command id" in name}
            results = interleaved(measures, rounds)
            for store in stores:
                store.close()
            show(f"appends of 6 events per second, synchronous={synchronous}", results, reach)
        for events in (1_000, 20_000):
            (folder / str(events)).mkdir()
            show(
                f"read and fold {events:,} events, events per second",
                interleaved(readings(folder / str(events), events), rounds * 3),
                {"store.lines + Decoder + fold": 0.9},
            )
        print("\nbytes per event on disk (reach: at most 350)")
        for name, size in disk(folder, *((50, 20) if arguments.quick else ())).items():
            print(f"  {name:52s} {size:>11,.1f}")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
