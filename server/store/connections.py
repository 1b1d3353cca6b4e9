"""Read and write the rows of the SQLite store.

One connection writes; readers have their own, as many as read at the same time. In WAL mode a reader sees the last
commit and waits for nobody. Checkpoints run on a thread of their own: on the writing connection one in a thousand
commits would pay for all.
"""

import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from server.store import schema
from server.store.append import HASH_BYTES, StoredRow, Value
from server.store.errors import Closed, StoredHead, head_of_header
from server.store.migrations import copy_whole

INSERT_EVENT = "INSERT INTO stored_events VALUES (?,?,?,?)"
AT_ONCE = 32
"""Rows in one statement: each number of them is a statement that SQLite prepares once."""

OF_BATTLE = "FROM stored_events WHERE originator_id=? AND originator_version>? ORDER BY originator_version LIMIT ?"
# SQLite splits the state while it copies the row: no slower than the bare column, and half the work of slicing here
STATES = f"SELECT originator_version, substr(state,1,{HASH_BYTES}), substr(state,{HASH_BYTES + 1}) {OF_BATTLE}"
LINES = f"SELECT substr(state,{HASH_BYTES + 1}) {OF_BATTLE}"
FEED = (
    f"SELECT rowid, originator_id, originator_version, substr(state,{HASH_BYTES + 1}) "
    "FROM stored_events WHERE rowid>? ORDER BY rowid LIMIT ?"
)
LAST = (
    f"SELECT originator_version, substr(state,1,{HASH_BYTES}) FROM stored_events "
    "WHERE originator_id=? ORDER BY originator_version DESC LIMIT 1"
)
HEADER = "SELECT header FROM battles WHERE battle=?"
GOING_ON = (
    "SELECT battle FROM battles WHERE EXISTS (SELECT 1 FROM stored_events WHERE originator_id=battle "
    "AND originator_version<=? AND topic=? AND instr(state, ?) > 0) AND (SELECT topic FROM stored_events "
    "WHERE originator_id=battle ORDER BY originator_version DESC LIMIT 1)<>? ORDER BY rowid"
)
POSITION = "SELECT COALESCE(MAX(rowid), 0) FROM stored_events"

WAL_LIMIT_PAGES = 16_384  # 64 MiB of 4 KiB pages


@cache
def of_rows(insert: str, columns: int, rows: int) -> str:
    """The statement that inserts `rows` rows at once; `insert` inserts one."""
    return insert + f",({','.join('?' * columns)})" * (rows - 1)


def head(rows: Callable[[str, tuple[str]], list[tuple[Any, ...]]], battle: str) -> StoredHead | None:
    """The end of a battle as `rows`, which runs a query, sees it."""
    if found := rows(LAST, (battle,)):
        return StoredHead(*found[0])
    found = rows(HEADER, (battle,))
    return head_of_header(found[0][0]) if found else None


class SQLiteSession:
    """The writing connection (contract.Session)."""

    def __init__(self, path: str, synchronous: str, lock_timeout_s: float) -> None:
        self._db = schema.connect(path, synchronous, lock_timeout_s)
        try:
            schema.prepare(self._db)
        except BaseException:
            self._db.close()
            raise
        self._db.execute("PRAGMA wal_autocheckpoint=0")
        self._db.execute("PRAGMA cache_size=-16384")  # KiB: a full batch touches more pages than the usual 2 MiB
        self.wal_is_long = False
        self._patience_ms = round(lock_timeout_s * 1000)
        self._waits = True  # for other processes that write

    def hold(self) -> None:
        """Nothing to do: the lock of the data folder is enough."""

    def begin(self) -> None:
        """BEGIN IMMEDIATE: a deferred one could fail at its first write, after reading."""
        self._wait_for_others(True)
        self._db.execute("BEGIN IMMEDIATE")

    def begin_at_once(self) -> bool:
        """The same, unless another process is writing, or the WAL is long."""
        if self.wal_is_long:
            return False
        self._wait_for_others(False)
        try:
            self._db.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return False
        return True

    def _wait_for_others(self, waits: bool) -> None:
        if waits != self._waits:
            self._db.execute(f"PRAGMA busy_timeout={self._patience_ms if waits else 0}")
            self._waits = waits

    def fetch(self, sql: str, params: Sequence[Value] = ()) -> list[tuple[Any, ...]]:
        """All rows that `sql` selects."""
        return self._db.execute(sql, params).fetchall()

    def execute(self, sql: str, params: Sequence[Value] = ()) -> int:
        """Run one statement; returns the number of rows changed."""
        return self._db.execute(sql, params).rowcount

    def insert(self, sql: str, rows: Sequence[tuple[Value, ...]]) -> None:
        """Insert rows; `sql` inserts one, and ends with its `?`."""
        self._insert(sql, rows)

    def insert_events(self, events: list[StoredRow]) -> int:
        """Append rows; their positions are contiguous, because one transaction writes at a time."""
        return self._insert(INSERT_EVENT, events)

    def _insert(self, sql: str, rows: Sequence[tuple[Value, ...]]) -> int:
        """Insert many rows in one statement: after each statement the writer's thread waits for the interpreter."""
        last: int | None = 0
        for start in range(0, len(rows), AT_ONCE):
            some = rows[start : start + AT_ONCE]
            statement = of_rows(sql, len(some[0]), len(some))
            last = self._db.execute(statement, tuple(chain.from_iterable(some))).lastrowid
        return last or 0

    def head(self, battle: str) -> StoredHead | None:
        """The end of a battle in this transaction."""
        return head(self.fetch, battle)

    def position(self) -> int:
        """The last position of the feed."""
        return int(self._db.execute(POSITION).fetchone()[0])

    def commit(self) -> None:
        """COMMIT: with synchronous=FULL the rows are on the disk when it returns."""
        self._db.execute("COMMIT")

    def rollback(self) -> None:
        """ROLLBACK, unless SQLite has already done so (disk full)."""
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""
        return self._db.in_transaction

    def is_violation(self, failure: BaseException) -> bool:
        """Whether it comes from a constraint or trigger rather than the disk."""
        return isinstance(failure, sqlite3.IntegrityError)

    def tidy(self) -> None:
        """Checkpoint here when the WAL is long.

        The thread's checkpoint never catches up with a writer that does not pause, and SQLite reuses a WAL only when
        all of it is copied. Here, between two transactions, nobody adds to it.
        """
        if self.wal_is_long:
            self._db.execute("PRAGMA wal_checkpoint(PASSIVE)")
            self.wal_is_long = False

    def close(self) -> None:
        """Fold the WAL into the file, as far as other processes allow."""
        self._db.execute("PRAGMA busy_timeout=200")
        self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._db.close()


class SQLiteLog:
    """Readers: a stack of idle connections, one more whenever none is idle (contract.StoredLog)."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._idle: deque[sqlite3.Connection] = deque()
        self._closed = False

    def _connect(self) -> sqlite3.Connection:
        db = schema.connect(self._path)
        db.execute("PRAGMA query_only=ON")
        return db

    def _take(self) -> sqlite3.Connection:
        if self._closed:
            raise Closed("the store is closed")
        try:
            return self._idle.pop()
        except IndexError:
            return self._connect()

    def _give(self, db: sqlite3.Connection) -> None:
        self._idle.append(db)
        if self._closed:
            self.close()

    def rows(self, sql: str, params: Sequence[Value] = ()) -> list[tuple[Any, ...]]:
        """All rows that `sql` selects."""
        db = self._take()
        try:
            return db.execute(sql, params).fetchall()
        finally:
            self._give(db)

    def states(self, battle: str, after: int, limit: int) -> list[tuple[int, bytes, bytes]]:
        """(n, hash, line) of the events after `after`."""
        return self.rows(STATES, (battle, after, limit))

    def lines(self, battle: str, after: int, limit: int) -> list[bytes]:
        """Lines of the events after `after`."""
        db = self._take()
        try:  # not via `rows`: a list of tuples next to the list of lines costs a tenth of a long battle
            return [line for (line,) in db.execute(LINES, (battle, after, limit))]
        finally:
            self._give(db)

    def head(self, battle: str) -> StoredHead | None:
        """The committed end of a battle."""
        return head(self.rows, battle)

    def feed(self, after: int, limit: int) -> list[tuple[int, str, int, bytes]]:
        """(position, battle, n, line) by position."""
        return self.rows(FEED, (after, limit))

    def going_on(self, kind: str, within: int, text: bytes, last: str) -> list[str]:
        """The battles that are not over and of which an early event says something; no row leaves SQLite for it."""
        return [battle for (battle,) in self.rows(GOING_ON, (within, kind, text, last))]

    def position(self) -> int:
        """The last committed position."""
        return int(self.rows(POSITION)[0][0])

    def backup(self, path: Path) -> None:
        """Copy everything committed at this moment, in one step, so that a busy writer cannot make it restart."""
        db = self._take()
        try:
            copy_whole(db, path)
        finally:
            self._give(db)

    def close(self) -> None:
        """Close the idle connections; those in use are closed when they are returned."""
        self._closed = True
        while self._idle:
            try:
                self._idle.pop().close()
            except IndexError:
                return


class WalKeeper(threading.Thread):
    """Checkpoints every `every_s` seconds, and tells the session when that is not enough (contract.Chore)."""

    def __init__(self, path: str, session: SQLiteSession, every_s: float) -> None:
        super().__init__(daemon=True, name="wal-keeper")
        self._path = path
        self._session = session
        self._every_s = every_s
        self._over = threading.Event()

    def run(self) -> None:
        """Run until stopped. A failed checkpoint (disk full) is tried again next time: the WAL keeps everything."""
        db = schema.connect(self._path)
        while not self._over.wait(self._every_s):
            try:
                _, pages, _ = db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            except sqlite3.Error:
                continue
            if pages > WAL_LIMIT_PAGES:
                self._session.wal_is_long = True
        db.close()

    def stop(self) -> None:
        """End the thread."""
        self._over.set()
        self.join()
