"""Export all battles of a host as tables, one battle after another.

Beside a running server: each battle is written as it stood when it was read, whole.
"""

from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from domain.catalogue import RULESETS
from domain.log.record import FileFault
from projections.bulk.placing import placed
from projections.bulk.rows import battle_rows
from projections.bulk.tables import SCHEMA, BulkRows, column_rows
from projections.bulk.writers import SQLITE, BulkWriter, files_of, writer_of
from projections.reading import Games
from server.play.live_battles import READERS
from server.release import release
from server.store import EventStore
from server.store.tables import battles


class Exported(Struct):
    """How many battles and events were written, and the battles that this release cannot read, each with a code."""

    battles: int
    events: int
    unreadable: list[tuple[str, str]]


def export_all(
    store: EventStore,
    target: Path,
    form: str,
    at: str,
    readers: str = READERS[0],
    over: bool = False,
    follow: Callable[[int], None] | None = None,
) -> Exported:
    """Write the battles that at least `readers` may read to a file or folder; what is there already is replaced if
    `over`. `follow` is told how many battles are done.

    Raises: NotReplaced; OSError
    """
    members = set() if form == SQLITE else files_of(form)
    with placed(target, over, members) as path:
        writer = writer_of(form, path)
        try:
            done = _write(store, writer, READERS[: READERS.index(readers) + 1], follow)
            about = (SCHEMA, release(), at, readers, done.battles, done.events)
            writer.add({"unreadable": [*done.unreadable], "export": [about], "columns": column_rows()})
            writer.finish()
        finally:
            writer.close()
    return done


def _write(
    store: EventStore, writer: BulkWriter, readers: tuple[str, ...], follow: Callable[[int], None] | None
) -> Exported:
    games, done = Games(RULESETS), Exported(0, 0, [])
    for one in battles.readable(store, readers):
        rows = _rows(store, one, games, done)
        if rows is not None:
            done.battles += 1
            done.events += len(rows["events"])
            writer.add(rows)
        if follow is not None:
            follow(done.battles + len(done.unreadable))
    return done


def _rows(store: EventStore, one: battles.ReadableBattle, games: Games, done: Exported) -> BulkRows | None:
    """The rows of a battle; None if it cannot be read: a broken one must not stop the others."""
    try:
        return battle_rows(one.header, store.lines(one.battle), games, one.closed)
    except Exception as failure:
        reason = failure.what if isinstance(failure, FileFault) else type(failure).__name__
        done.unreadable.append((one.battle, reason))  # nothing of its content
        return None
