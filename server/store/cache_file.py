"""Keep something about battles, one value for each, in a SQLite file of its own, which may be deleted at any time.

Not in the file of the store: nothing here is worth a backup or a migration, and what is written here must not wait for
the orders, nor they for it. A failure of this file is logged and otherwise the same as an empty one.
"""

import logging
import sqlite3
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from server.store.schema import WrongDatabase, connect, transaction

log = logging.getLogger(__name__)

FORMAT = 1
TABLE = "CREATE TABLE IF NOT EXISTS kept (battle TEXT PRIMARY KEY NOT NULL, content BLOB NOT NULL) STRICT"


class CacheFile:
    """The file; any thread may use it. It is opened when it is first needed, and made anew if it cannot be read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._db: sqlite3.Connection | None = None
        self._lock = threading.Lock()

    def get(self, battle: str) -> bytes | None:
        """What is kept of a battle, None if nothing is."""
        return self._rows("SELECT battle, content FROM kept WHERE battle=?", (battle,)).get(battle)

    def all(self) -> dict[str, bytes]:
        """What is kept of all battles."""
        return self._rows("SELECT battle, content FROM kept", ())

    def _rows(self, sql: str, params: tuple[str, ...]) -> dict[str, bytes]:
        with self._lock:
            try:
                return {battle: bytes(content) for battle, content in self._open().execute(sql, params)}
            except (sqlite3.Error, WrongDatabase, OSError) as failure:
                self._give_up(failure)
                return {}

    def put(self, values: Mapping[str, bytes]) -> None:
        """Replace what is kept of some battles, in one transaction; with b"" nothing is kept of it any more."""
        with self._lock:
            for _ in range(2):  # a damaged file is found out by the first try
                try:
                    self._put(values)
                    break
                except (sqlite3.Error, WrongDatabase, OSError) as failure:
                    self._give_up(failure)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._close()

    def _put(self, values: Mapping[str, bytes]) -> None:
        db = self._open()
        rows = [(battle, content) for battle, content in values.items() if content]
        with transaction(db, "IMMEDIATE"):
            db.executemany("DELETE FROM kept WHERE battle=?", [(battle,) for battle in values])
            db.executemany("INSERT INTO kept (battle, content) VALUES (?,?)", rows)

    def _open(self) -> sqlite3.Connection:
        if self._db is None:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._db = connect(str(self.path), "NORMAL")
            self._db.execute("PRAGMA journal_mode=WAL")
            (version,) = self._db.execute("PRAGMA user_version").fetchone()
            if version != FORMAT:
                self._db.execute("DROP TABLE IF EXISTS kept")
                self._db.execute(TABLE)
                self._db.execute(f"PRAGMA user_version={FORMAT}")
        return self._db

    def _give_up(self, failure: Exception) -> None:
        """Close the file after a failure; if it is damaged, or no database, the next one to ask makes another."""
        log.warning("nothing is kept in %s: %s", self.path, failure)
        self._close()
        if not isinstance(failure, (sqlite3.OperationalError, OSError)):  # neither busy nor a full disk
            with suppress(OSError):
                remove(self.path)

    def _close(self) -> None:
        if self._db is not None:
            with suppress(sqlite3.Error):
                self._db.close()
            self._db = None


def remove(path: Path) -> None:
    """Delete such a file: what was in it is made again as battles go on."""
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
