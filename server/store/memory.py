"""A store in memory, gone when its process ends.

`PERSISTENCE_MODULE=server.store.memory`. The log is the library's in-memory recorder; the authoritative tables are an
in-memory SQLite database, with the same triggers. It is for tests and for showing that the writer knows no backend.
Reads wait for the transaction that is being written, because there is only one connection.
"""

import sqlite3
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from eventsourcing import persistence
from eventsourcing import popo as library
from eventsourcing.utils import Environment, EnvType

from server.store import schema
from server.store.append import HASH_BYTES, StoredRow, Value
from server.store.connections import HEADER
from server.store.errors import BackendAbsent, Closed, StoredHead, head_of_header


class MemoryBackend:
    """Session and readers in one (contract.Session, contract.StoredLog).

    The lock is held from begin to commit or rollback.
    """

    def __init__(self, recorder: library.POPOApplicationRecorder) -> None:
        self._recorder = recorder
        self._lock = threading.RLock()
        self._db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self._db.execute("PRAGMA recursive_triggers=ON")
        schema.prepare(self._db, schema.SIDE_TABLES)
        self._staged: list[persistence.StoredEvent] = []
        self._closed = False
        self._held = False

    # --- writing

    def hold(self) -> None:
        """Nothing to do: the lock of the data folder is enough."""

    def begin(self) -> None:
        """Take the lock, open a transaction."""
        self._lock.acquire()
        self._opened()

    def begin_at_once(self) -> bool:
        """The same, unless somebody has the lock."""
        if not self._lock.acquire(blocking=False):
            return False
        self._opened()
        return True

    def _opened(self) -> None:
        self._held = True
        try:
            self._db.execute("BEGIN IMMEDIATE")
        except BaseException:
            self._release()
            raise

    def fetch(self, sql: str, params: Sequence[Value] = ()) -> list[tuple[Any, ...]]:
        """All rows that `sql` selects."""
        return self._db.execute(sql, params).fetchall()

    def execute(self, sql: str, params: Sequence[Value] = ()) -> int:
        """Run one statement; returns the number of rows changed."""
        return self._db.execute(sql, params).rowcount

    def insert(self, sql: str, rows: Sequence[tuple[Value, ...]]) -> None:
        """Insert rows."""
        self._db.executemany(sql, rows)

    def insert_events(self, events: list[StoredRow]) -> int:
        """Stage the events until the commit: the library's list cannot undo an insert."""
        self._staged += [persistence.StoredEvent(*row) for row in events]
        return (self._recorder.max_notification_id() or 0) + len(self._staged)

    def commit(self) -> None:
        """Commit, release the lock."""
        if self._staged:
            self._recorder.insert_events(self._staged)  # refuses all or none
            self._staged = []
        self._db.execute("COMMIT")
        self._release()

    def rollback(self) -> None:
        """Undo, release the lock."""
        self._staged = []
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")
        self._release()

    def _release(self) -> None:
        if self._held:
            self._held = False
            self._lock.release()

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""
        return self._db.in_transaction

    def is_violation(self, failure: BaseException) -> bool:
        """Whether it comes from a constraint of a table, or from a version that is taken."""
        return isinstance(failure, (sqlite3.IntegrityError, persistence.IntegrityError))

    def tidy(self) -> None:
        """Nothing to clean."""

    # --- reading

    def rows(self, sql: str, params: Sequence[Value] = ()) -> list[tuple[Any, ...]]:
        """All rows that `sql` selects."""
        with self._lock:
            if self._closed:
                raise Closed("the store is closed")
            return self._db.execute(sql, params).fetchall()

    def states(self, battle: str, after: int, limit: int) -> list[tuple[int, bytes, bytes]]:
        """(n, hash, line) of the events after `after`."""
        with self._lock:
            events = self._recorder.select_events(battle, gt=after, limit=None if limit < 0 else limit)
        return [(e.originator_version, e.state[:HASH_BYTES], e.state[HASH_BYTES:]) for e in events] if limit else []

    def lines(self, battle: str, after: int, limit: int) -> list[bytes]:
        """Lines of the events after `after`."""
        return [line for _, _, line in self.states(battle, after, limit)]

    def head(self, battle: str) -> StoredHead | None:
        """The end of a battle; within a transaction, after the staged events."""
        with self._lock:
            last = [event for event in self._staged if event.originator_id == battle][-1:]
            last = last or list(self._recorder.select_events(battle, desc=True, limit=1))
            if last:
                return StoredHead(last[0].originator_version, last[0].state[:HASH_BYTES])
            found = self.rows(HEADER, (battle,))
        return head_of_header(found[0][0]) if found else None

    def feed(self, after: int, limit: int) -> list[tuple[int, str, int, bytes]]:
        """(position, battle, n, line) by position."""
        with self._lock:
            found = self._recorder.select_notifications(after, limit, inclusive_of_start=False) if limit else ()
        return [(f.id, str(f.originator_id), f.originator_version, f.state[HASH_BYTES:]) for f in found]

    def going_on(self, kind: str, within: int, text: bytes, last: str) -> list[str]:
        """The battles that are not over and of which an early event says something."""
        found = []
        for (battle,) in self.rows("SELECT battle FROM battles ORDER BY rowid"):
            with self._lock:
                events = list(self._recorder.select_events(battle))
            says = any(event.topic == kind and text in event.state for event in events[:within])
            if says and events[-1].topic != last:
                found.append(battle)
        return found

    def position(self) -> int:
        """The last position."""
        with self._lock:
            return self._recorder.max_notification_id() or 0

    def backup(self, path: Path) -> None:
        """Refuse: a store in memory is not meant to be kept.

        Raises: BackendAbsent
        """
        raise BackendAbsent(f"a store in memory has no backup to write to {path}")

    def close(self) -> None:
        """Discard everything."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._db.close()


class MemoryFactory(library.POPOFactory):
    """Provides the library's recorder, and our session and readers (contract.Factory)."""

    def __init__(self, env: Environment | EnvType | None) -> None:
        super().__init__(env)
        self._recorder = library.POPOApplicationRecorder()
        self._memory = MemoryBackend(self._recorder)

    def application_recorder(self) -> library.POPOApplicationRecorder:
        """The one recorder of this store."""
        return self._recorder

    def session(self) -> MemoryBackend:
        """The writing side."""
        return self._memory

    def log(self) -> MemoryBackend:
        """The reading side."""
        return self._memory

    def chores(self) -> list[Any]:
        """None."""
        return []

    def wake(self) -> None:
        """Do nothing: the recorder has already done so."""
