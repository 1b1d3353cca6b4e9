"""The library's factory, recorder and subscription over our SQLite log.

`PERSISTENCE_MODULE=server.store.sqlite`. The table is the library's own; we add a connection with a statement cache
and a stated durability, the refusal of gaps, and the subscription that the library lacks for SQLite. Play does not
go through the recorder: `session` and `log` are for the group writer and the raw readers.
"""

import sqlite3
from collections.abc import Sequence
from typing import Any

from eventsourcing import persistence
from eventsourcing import sqlite as library
from eventsourcing.utils import Environment, EnvType

from server.store import connections, schema
from server.store.listening import WokenRecorder


class LogPool(library.SQLiteConnectionPool):
    """The library's pool. As shipped its connections cache one statement only, and leave durability to SQLite."""

    def __init__(self, *, db_name: str, lock_timeout: int | None, synchronous: str) -> None:
        super().__init__(db_name=db_name, lock_timeout=lock_timeout)
        self._synchronous = synchronous

    def _create_connection(self) -> library.SQLiteConnection:
        try:
            db = schema.connect(self.db_name, self._synchronous, self.lock_timeout or 5)
        except (sqlite3.Error, TypeError) as failure:
            raise persistence.InterfaceError(failure) from failure
        db.row_factory = sqlite3.Row
        return library.SQLiteConnection(sqlite_conn=db, max_age=self.max_age)


class LogRecorder(WokenRecorder, library.SQLiteApplicationRecorder):
    """The library's recorder over our tables: no gaps, many rows at once, subscriptions."""

    def create_table(self) -> None:
        """Create all our tables and triggers."""
        with self.datastore.get_connection(commit=True) as connection:
            schema.prepare(connection._sqlite_conn)

    def insert_events(self, stored_events: Sequence[persistence.StoredEvent], **kwargs: Any) -> Sequence[int] | None:
        """Append, and wake the subscriptions.

        Raises: persistence.IntegrityError for a version that is taken or would leave a gap
        """
        ids = super().insert_events(stored_events, **kwargs)
        self.wake()
        return ids

    def _insert_events(
        self, c: library.SQLiteCursor, stored_events: Sequence[persistence.StoredEvent], **_: Any
    ) -> Sequence[int] | None:
        if not stored_events:
            return ()
        c.executemany(
            connections.INSERT_EVENT,
            [(str(s.originator_id), s.originator_version, s.topic, s.state) for s in stored_events],
        )
        c.execute("SELECT last_insert_rowid()")
        last = int(c.fetchone()[0])
        # checked after the insert: reading first would let another process write in between, and fail as locked
        for event in stored_events:
            self._require_predecessor(c, event)
        return range(last - len(stored_events) + 1, last + 1)

    def _require_predecessor(self, c: library.SQLiteCursor, event: persistence.StoredEvent) -> None:
        if event.originator_version == 1:
            return
        c.execute(
            "SELECT 1 FROM stored_events WHERE originator_id=? AND originator_version=?",
            (str(event.originator_id), event.originator_version - 1),
        )
        if event.originator_version < 1 or c.fetchone() is None:
            raise persistence.IntegrityError(f"gap before {event.originator_id} {event.originator_version}")


class LogFactory(library.SQLiteFactory):
    """Provides the library's recorder, and our session, readers and checkpoint thread (contract.Factory)."""

    SQLITE_SYNCHRONOUS = "SQLITE_SYNCHRONOUS"
    CHECKPOINT_S = "STORE_CHECKPOINT_S"

    application_recorder_class: type[library.SQLiteApplicationRecorder] = LogRecorder

    def __init__(self, env: Environment | EnvType | None) -> None:
        super().__init__(env)
        self._synchronous = self.env.get(self.SQLITE_SYNCHRONOUS) or "FULL"
        if self._synchronous not in ("FULL", "NORMAL", "EXTRA"):
            raise OSError(f"{self.SQLITE_SYNCHRONOUS} is FULL, NORMAL or EXTRA, not {self._synchronous!r}")
        shipped = self.datastore.pool
        if shipped.is_sqlite_memory_mode:
            raise OSError("an SQLite store needs a file; in memory it is PERSISTENCE_MODULE=server.store.memory")
        self._path, self._lock_timeout = shipped.db_name, shipped.lock_timeout
        shipped.close()
        self.datastore.pool = LogPool(
            db_name=self._path, lock_timeout=self._lock_timeout, synchronous=self._synchronous
        )
        self._recorder: LogRecorder | None = None
        self._session: connections.SQLiteSession | None = None

    def application_recorder(self) -> LogRecorder:
        """One recorder per factory, so that the writer wakes all subscriptions."""
        if self._recorder is None:
            recorder = super().application_recorder()
            assert isinstance(recorder, LogRecorder)
            self._recorder = recorder
        return self._recorder

    def session(self) -> connections.SQLiteSession:
        """The one writing connection; creates the tables."""
        if self._session is None:
            self._session = connections.SQLiteSession(self._path, self._synchronous, self._lock_timeout or 5)
        return self._session

    def log(self) -> connections.SQLiteLog:
        """The readers."""
        return connections.SQLiteLog(self._path)

    def chores(self) -> list[connections.WalKeeper]:
        """The checkpoint thread."""
        every_s = float(self.env.get(self.CHECKPOINT_S) or "0.5")
        return [connections.WalKeeper(self._path, self.session(), every_s)]

    def wake(self) -> None:
        """Tell the subscriptions that the writer has committed events."""
        if self._recorder is not None:
            self._recorder.wake()
