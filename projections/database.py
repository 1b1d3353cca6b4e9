"""The SQLite file of the read models: rows and feed position change in one transaction.

All models share one SQLite file that belongs to one process; nothing in it is worth a backup. sqlite-utils makes the
tables, on a connection whose transactions we open ourselves, with BEGIN IMMEDIATE: rows and position are committed
together or not at all. The rows are written by our own statements: to let it find out each time what a table looks like
was half the cost of following.
"""

import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from projections.model import ModelRow, ModelTable, ReadModel

BUSY_S = 10.0
_TYPES: dict[type | None, type] = {str: str, int: int, None: str}


class NotReady(Exception):
    """The read models are not built yet, or belong to another release: try again in a moment."""


class Tracked(NamedTuple):
    """How far the feed is folded: the position, a digest of the line at that position, and the schema of these rows."""

    schema: str
    position: int
    battle: str
    n: int
    digest: str


NOWHERE = Tracked("", 0, "", 0, "")

TRACK = ModelTable(
    "tracking", {"name": str, "schema": str, "position": int, "battle": str, "n": int, "digest": str}, ("name",)
)
UNREADABLE = ModelTable("unreadable", {"battle": str, "n": int, "reason": str}, ("battle",))
"""How far the feed is folded, and what cannot be: tables of the runner, beside those of the models."""


def _insert(table: ModelTable) -> str:
    return f"INSERT INTO {table.name} ({', '.join(table.columns)}) VALUES ({', '.join('?' * len(table.columns))})"


def _upsert(table: ModelTable) -> str:
    """An insert that replaces the row with the same key; a table has columns beside those of its key."""
    others = ", ".join(f"{name}=excluded.{name}" for name in table.columns if name not in table.key)
    return f"{_insert(table)} ON CONFLICT ({', '.join(table.key)}) DO UPDATE SET {others}"


class Database:
    """The file as its only writer sees it."""

    def __init__(self, path: Path, models: Sequence[ReadModel], *, scratch: bool = False) -> None:
        self.path = path
        self._tables = {table.name: table for model in models for table in model.tables}
        path.parent.mkdir(parents=True, exist_ok=True)
        self._connection = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None, check_same_thread=False)
        # A scratch file is thrown away after a crash; the other may lose its last transactions, never half of one.
        for pragma in (
            ("journal_mode=OFF", "synchronous=OFF") if scratch else ("journal_mode=WAL", "synchronous=NORMAL")
        ):
            self._connection.execute(f"PRAGMA {pragma}")
        import sqlite_utils  # not for readers, who need the rest of this module

        self._utils = sqlite_utils.Database(self._connection)

    # --- writing

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    def create(self) -> None:
        """Create the tables in an empty file."""
        with self.transaction():
            for table in self._tables.values():
                self._create(table)
            self._create(TRACK)
            self._create(UNREADABLE)

    def _create(self, table: ModelTable) -> None:
        columns = {name: _TYPES[kind] for name, kind in table.columns.items()}
        present = {name for name, kind in table.columns.items() if kind is not None}
        made = self._utils.table(table.name).create(columns, pk=table.key, not_null=present)
        for index in table.indexes:
            made.create_index(index)

    def forget(self, battles: Sequence[str]) -> None:
        """Delete all rows of battles that are rewritten."""
        for name in (*self._tables, "unreadable"):
            self._connection.executemany(f"DELETE FROM {name} WHERE battle=?", [(battle,) for battle in battles])

    def write(self, rows: Mapping[str, Sequence[ModelRow]]) -> None:
        """Write rows to their tables, replacing those with the same key."""
        for name, values in rows.items():
            self._connection.executemany(_upsert(self._tables[name]), values)

    def insert(self, rows: Mapping[str, Sequence[ModelRow]]) -> None:
        """Write rows to their tables, where no row has these keys yet."""
        for name, values in rows.items():
            self._connection.executemany(_insert(self._tables[name]), values)

    def track(self, tracked: Tracked) -> None:
        """Record how far the feed is folded."""
        self._connection.execute(_upsert(TRACK), ("feed", *tracked))

    def set_aside(self, battle: str, n: int, reason: str) -> None:
        """Record a battle that cannot be read; its rows stay as they are."""
        self._connection.execute(_upsert(UNREADABLE), (battle, n, reason))

    # --- reading

    def tracked(self) -> Tracked:
        """How far the feed is folded; `NOWHERE` for a file without tables."""
        try:
            found = self._connection.execute(f"SELECT {', '.join(Tracked._fields)} FROM tracking").fetchone()
        except sqlite3.OperationalError:
            if self._utils.table("tracking").exists():
                raise
            return NOWHERE
        return Tracked(*found) if found else NOWHERE

    def unreadable(self) -> list[tuple[str, int, str]]:
        """The battles set aside: (battle, last known event, reason)."""
        if not self._utils.table("unreadable").exists():
            return []
        return self._connection.execute("SELECT battle, n, reason FROM unreadable ORDER BY battle").fetchall()

    # --- the file

    def copy_from(self, other: "Database") -> None:
        """Copy another file's whole content in one transaction: readers see the old rows or the new ones."""
        other._connection.backup(self._connection)
        self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Close the connection and leave the file in order."""
        self._utils.close()


class ModelReader:
    """The file as everyone else sees it: read-only, from any thread. A rebuild does not disturb it."""

    def __init__(self, path: Path | str) -> None:
        self._path = Path(path)
        self._connection: sqlite3.Connection | None = None
        self._lock = threading.Lock()

    def rows(self, sql: str, params: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """All rows that `sql` selects.

        Raises: NotReady
        """
        with self._lock:
            try:
                if self._connection is None:
                    self._connection = self._open()
                with closing(self._connection.execute(sql, params)) as cursor:
                    return cursor.fetchall()
            except sqlite3.OperationalError as failure:
                raise NotReady(str(failure)) from failure

    def position(self) -> int:
        """How far the feed is folded; 0 while there are no tables."""
        try:
            found = self.rows("SELECT position FROM tracking")
        except NotReady:
            return 0
        return int(found[0][0]) if found else 0

    def _open(self) -> sqlite3.Connection:
        address = f"{self._path.absolute().as_uri()}?mode=ro"
        return sqlite3.connect(address, uri=True, timeout=BUSY_S, isolation_level=None, check_same_thread=False)

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None


def remove(path: Path) -> None:
    """Delete a database and the files that SQLite keeps next to it."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
