"""What is known of the logs that are watched: one SQLite file. Nothing of a host is taken back by the host.

Of each log: its key, the newest checkpoint that was seen, how far its entries were read with the hashes over them, and
the newest entry of each battle. Of what was found wrong: since when, and whether it is proven for ever.
"""

import threading
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Struct

from domain.log.entries import STOPPED, LogEntry
from domain.log.merkle import HASH_BYTES
from server.store.schema import connect, transaction

FILE = "watch.db"
FORMAT = 1
VANISHED, UNLOGGED = "vanished", "unlogged"
TABLES = (
    "CREATE TABLE IF NOT EXISTS hosts (origin TEXT PRIMARY KEY, key TEXT NOT NULL, address TEXT NOT NULL,"
    " note TEXT NOT NULL DEFAULT '', followed INTEGER NOT NULL DEFAULT 0, peaks BLOB NOT NULL DEFAULT x'') STRICT",
    "CREATE TABLE IF NOT EXISTS battles (origin TEXT, name TEXT, hash TEXT NOT NULL, n INTEGER NOT NULL,"
    " what TEXT NOT NULL, asked_s INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (origin, name)) STRICT",
    "CREATE INDEX IF NOT EXISTS to_ask ON battles (origin, asked_s)",
    "CREATE TABLE IF NOT EXISTS faults (origin TEXT, what TEXT, battle TEXT, since_s INTEGER NOT NULL,"
    " n INTEGER NOT NULL, said TEXT NOT NULL, PRIMARY KEY (origin, what, battle)) STRICT",
)


class FollowedLog(Struct, frozen=True):
    """A log that is watched: the newest checkpoint that was seen ("" before the first), and the hashes of the complete
    subtrees over the entries that were read, the largest first."""

    origin: str
    key: str
    address: str
    note: str
    followed: int
    peaks: tuple[bytes, ...]

    @property
    def host(self) -> str:
        """The name of the host."""
        return self.origin.rpartition("/")[0]


class WatchFault(Struct, frozen=True):
    """What was found wrong with a log, or with a battle in it, at which event, and since when, in Unix seconds."""

    what: str
    since_s: int
    said: str
    battle: str = ""
    n: int = 0


class WatchFile:
    """The file; other processes may use it, too.

    Raises: sqlite3.Error, WrongDatabase
    """

    def __init__(self, path: Path) -> None:
        self._lock = threading.RLock()
        self._db = connect(str(path), "FULL")
        self._db.execute("PRAGMA journal_mode=WAL")
        with self._lock, transaction(self._db, "IMMEDIATE"):
            for statement in TABLES:
                self._db.execute(statement)
            self._db.execute(f"PRAGMA user_version={FORMAT}")

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()

    # --- logs

    def log(self, origin: str, address: str) -> FollowedLog | None:
        """A log by its origin or, if that is "", by its address."""
        with self._lock:
            row = self._db.execute(
                "SELECT origin, key, address, note, followed, peaks FROM hosts WHERE origin=? OR (?='' AND address=?)",
                (origin, origin, address),
            ).fetchone()
        if row is None:
            return None
        found, key, at, note, followed, peaks = row
        hashes = tuple(peaks[place : place + HASH_BYTES] for place in range(0, len(peaks), HASH_BYTES))
        return FollowedLog(found, key, at, note, followed, hashes)

    def name(self, origin: str, key: str, address: str) -> None:
        """Watch a log at an address with a key from now on."""
        with self._lock:
            self._db.execute(
                "INSERT INTO hosts (origin, key, address) VALUES (?,?,?) ON CONFLICT (origin) DO UPDATE"
                " SET key=excluded.key, address=excluded.address",
                (origin, key, address),
            )

    def forget(self, origin: str) -> None:
        """Forget all that is known of a log."""
        with self._lock, transaction(self._db, "IMMEDIATE"):
            for table in ("hosts", "battles", "faults"):
                self._db.execute(f"DELETE FROM {table} WHERE origin=?", (origin,))

    def keep_note(self, log: FollowedLog, note: str) -> bool:
        """Keep a newer checkpoint; False if another process has kept one meanwhile."""
        with self._lock:
            changed = self._db.execute(
                "UPDATE hosts SET note=? WHERE origin=? AND note=?", (note, log.origin, log.note)
            ).rowcount
        return changed == 1

    def follow(
        self,
        log: FollowedLog,
        size: int,
        peaks: Iterable[bytes],
        entries: Sequence[LogEntry],
        faults: Iterable[WatchFault],
    ) -> bool:
        """Keep entries that were read, up to `size`, and the faults in them; False if another process has read them
        meanwhile. Of a battle that the host has stopped nothing is missed any more."""
        with self._lock, transaction(self._db, "IMMEDIATE"):
            changed = self._db.execute(
                "UPDATE hosts SET followed=?, peaks=? WHERE origin=? AND followed=?",
                (size, b"".join(peaks), log.origin, log.followed),
            ).rowcount
            if changed != 1:
                return False
            self._db.executemany(
                "INSERT INTO battles (origin, name, hash, n, what) VALUES (?,?,?,?,?) ON CONFLICT (origin, name)"
                " DO UPDATE SET hash=excluded.hash, n=excluded.n, what=excluded.what WHERE excluded.n >= n",
                [(log.origin, one.battle, one.hash, one.n, one.what) for one in entries],
            )
            self._db.executemany(
                "DELETE FROM faults WHERE origin=? AND battle=? AND what IN (?,?)",
                [(log.origin, one.battle, VANISHED, UNLOGGED) for one in entries if one.what == STOPPED],
            )
            for fault in faults:
                self._note(log.origin, fault)
        return True

    # --- battles

    def battle(self, origin: str, name: str) -> LogEntry | None:
        """The newest entry of a battle."""
        with self._lock:
            row = self._db.execute(
                "SELECT name, hash, n, what FROM battles WHERE origin=? AND name=?", (origin, name)
            ).fetchone()
        return LogEntry(*row) if row else None

    def to_ask(self, origin: str, most: int) -> list[LogEntry]:
        """The battles after which the host was not asked for longest, but for those that it has stopped."""
        with self._lock:
            rows = self._db.execute(
                "SELECT name, hash, n, what FROM battles WHERE origin=? AND what<>? ORDER BY asked_s, name LIMIT ?",
                (origin, STOPPED, most),
            ).fetchall()
        return [LogEntry(*row) for row in rows]

    def note_asked(self, origin: str, name: str, now_s: int) -> None:
        """Note that the host was asked after a battle."""
        with self._lock:
            self._db.execute("UPDATE battles SET asked_s=? WHERE origin=? AND name=?", (now_s, origin, name))

    # --- faults

    def note_fault(self, origin: str, fault: WatchFault) -> None:
        """Note what is wrong; what is known already keeps the time since which it is."""
        with self._lock:
            self._note(origin, fault)

    def _note(self, origin: str, fault: WatchFault) -> None:
        self._db.execute(
            "INSERT INTO faults VALUES (?,?,?,?,?,?) ON CONFLICT (origin, what, battle) DO NOTHING",
            (origin, fault.what, fault.battle, fault.since_s, fault.n, fault.said),
        )

    def drop_fault(self, origin: str, what: str, battle: str = "") -> None:
        """What was wrong is well again."""
        with self._lock:
            self._db.execute("DELETE FROM faults WHERE origin=? AND what=? AND battle=?", (origin, what, battle))

    def fault(self, origin: str, what: str, battle: str = "") -> WatchFault | None:
        """What is wrong in that way, if anything is."""
        return next((one for one in self.faults(origin) if (one.what, one.battle) == (what, battle)), None)

    def faults(self, origin: str) -> list[WatchFault]:
        """What is wrong with a log, the oldest first."""
        query = "SELECT what, since_s, said, battle, n FROM faults WHERE origin=? ORDER BY since_s, what, battle"
        with self._lock:
            return [WatchFault(*row) for row in self._db.execute(query, (origin,))]
