"""The store in PostgreSQL beside that in a file, and beside the recorder of the library that it takes the table from.

    python -m benchmarks.postgresql [--rounds 5] [--appends 2000]

A cluster of its own, durable (`fsync` on), is made on the disk of the system's temporary folder, as is the file.
An append is six events and the record of its command. Ratios are medians of the ratios of each round.
"""

import argparse
import asyncio
import tempfile
import threading
import time
from itertools import count
from pathlib import Path

from eventsourcing.persistence import StoredEvent
from eventsourcing.postgres import PostgresFactory

from benchmarks.rounds import Measure, interleaved, show
from benchmarks.store import grouped_commits, rows_after
from server.store import EventStore
from server.store.postgresql.factory import named_by_library
from tests.support.postgres import Cluster, programs

CALLERS = (1, 20, 100)
DURABLE = ("shared_buffers=128MB",)
BATTLES = count()


def library_commits(factory: PostgresFactory, appends: int, callers: int) -> Measure:
    """Threads that append six events at a time to battles of their own, as the library does it: under a lock of the
    table."""
    recorder = factory.application_recorder()
    six = [(type_, hash_ + line) for type_, line, hash_ in rows_after(0, b"")]

    def play() -> None:
        battle = f"library{next(BATTLES)}"
        for number in range(appends // callers):
            recorder.insert_events(
                [StoredEvent(battle, number * 6 + i, topic, state) for i, (topic, state) in enumerate(six, 1)]
            )

    def measure() -> float:
        threads = [threading.Thread(target=play) for _ in range(callers)]
        start = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return appends / (time.perf_counter() - start)

    return measure


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--appends", type=int, default=2000)
    given = parser.parse_args()
    there = programs()
    if there is None:
        raise SystemExit("PostgreSQL is not installed (Debian: postgresql)")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)  # the cluster may run as another user
        (Path(folder) / "cluster").mkdir()
        cluster = Cluster(there, Path(folder) / "cluster", DURABLE)
        try:
            _compare(cluster, Path(folder), given.rounds, given.appends)
        finally:
            cluster.end()


def _compare(cluster: Cluster, folder: Path, rounds: int, appends: int) -> None:
    library = {**named_by_library(cluster.database()), "ORIGINATOR_ID_TYPE": "text"}
    with (
        asyncio.Runner() as runner,
        EventStore.open(folder / "log.db", runner.get_loop()) as file,
        EventStore.open(cluster.database(), runner.get_loop()) as database,
        PostgresFactory(library) as factory,
    ):
        for callers in CALLERS:
            some = min(appends, 300 * callers)
            measures = {
                "a file": grouped_commits(file, some, runner.run, callers),
                "PostgreSQL": grouped_commits(database, some, runner.run, callers),
                "the library's recorder, threads": library_commits(factory, some // 4, min(callers, 4)),
            }
            show(f"Appends per second, {callers} at a time", interleaved(measures, rounds), {"PostgreSQL": 0.6})


if __name__ == "__main__":
    main()
