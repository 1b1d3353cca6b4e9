"""The Merkle log of a host, in a SQLite file of its own in the data folder.

Entries are appended and never altered: triggers see to that. Each append writes entries, tiles and the position in the
feed of the store in one transaction, so that a crash loses all of them or nothing, and the log is completed from the
store afterwards. A checkpoint is in the file before anybody sees it.
"""

import sqlite3
import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from msgspec import Struct

from domain.log import merkle, tiles
from domain.log.entries import Checkpoint, LogEntry
from domain.log.tiles import ENTRIES, WIDTH, Tile
from server.store.schema import connect, transaction

FILE = "tlog.db"
FORMAT = 1
KEPT = 50
"""Checkpoints that are kept, apart from those that no newer one of the same witness replaces."""
FRESH_S = 600
"""A checkpoint that is younger by so much counts for more than one that a witness more has signed."""
_NO_NAMES: Mapping[str, str] = MappingProxyType({})
TABLES = """
CREATE TABLE entries (
    place INTEGER PRIMARY KEY, battle TEXT NOT NULL, n INTEGER NOT NULL, what TEXT NOT NULL, hash TEXT NOT NULL) STRICT;
CREATE INDEX of_battle ON entries (battle, place);
CREATE TABLE tiles (level INTEGER, n INTEGER, content BLOB NOT NULL, PRIMARY KEY (level, n)) STRICT;
CREATE TABLE named (name TEXT PRIMARY KEY, battle TEXT NOT NULL) STRICT;
CREATE TABLE standing (
    one INTEGER PRIMARY KEY CHECK (one = 1), position INTEGER NOT NULL, further TEXT NOT NULL) STRICT;
INSERT INTO standing VALUES (1, 0, '');
CREATE TABLE checkpoints (
    origin TEXT, size INTEGER, note TEXT NOT NULL, at_s INTEGER NOT NULL, PRIMARY KEY (origin, size)) STRICT;
CREATE TABLE cosignatures (
    origin TEXT, size INTEGER, key TEXT, time_s INTEGER NOT NULL, line TEXT NOT NULL,
    PRIMARY KEY (origin, size, key)) STRICT;
CREATE TRIGGER kept_as_it_is BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, 'entries are never altered'); END;
CREATE TRIGGER kept_for_ever BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, 'entries are never deleted'); END;
"""
OF_CAMPAIGNS = """
CREATE TABLE IF NOT EXISTS campaigns_standing (
    one INTEGER PRIMARY KEY CHECK (one = 1), position INTEGER NOT NULL) STRICT;
INSERT OR IGNORE INTO campaigns_standing VALUES (1, 0);
"""
"""How far the logs of campaigns are read: a log of an earlier release has no such table, and gets it."""


class SignedCheckpoint(Struct, frozen=True):
    """A checkpoint as it was signed at a Unix time, with the lines of witnesses; each line with its key and time."""

    size: int
    note: str
    at_s: int
    cosigned: tuple[tuple[str, int, str], ...] = ()

    @property
    def whole(self) -> str:
        """The note with all signatures."""
        return self.note + "".join(line + "\n" for _, _, line in self.cosigned)


class LogFile:
    """The file; any thread may use it.

    Raises: sqlite3.Error, WrongDatabase
    """

    def __init__(self, path: Path) -> None:
        self._lock = threading.RLock()
        self._db = connect(str(path), "FULL")
        self._db.execute("PRAGMA journal_mode=WAL")
        with self._lock:
            ((version,),) = self._db.execute("PRAGMA user_version")
            if version != FORMAT:
                with transaction(self._db, "EXCLUSIVE"):
                    for statement in _statements(TABLES):
                        self._db.execute(statement)
                    self._db.execute(f"PRAGMA user_version={FORMAT}")
            for statement in _statements(OF_CAMPAIGNS):
                self._db.execute(statement)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()

    # --- entries

    @property
    def size(self) -> int:
        """The number of entries."""
        return int(self._row("SELECT COALESCE(MAX(place) + 1, 0) FROM entries")[0])

    @property
    def position(self) -> int:
        """The position in the feed of the store up to which everything is entered."""
        return int(self._row("SELECT position FROM standing")[0])

    @property
    def further(self) -> str:
        """The witness that has signed more of this log than there is here; "" if none has."""
        return str(self._row("SELECT further FROM standing")[0])

    def note_further(self, witness: str) -> None:
        """Note which witness knows more, "" for none."""
        with self._lock:
            self._db.execute("UPDATE standing SET further=?", (witness,))

    @property
    def campaigns_position(self) -> int:
        """The position in the logs of campaigns up to which everything is entered."""
        return int(self._row("SELECT position FROM campaigns_standing")[0])

    def append_campaigns(self, entries: Sequence[LogEntry], position: int, names: Mapping[str, str]) -> None:
        """Add entries about campaigns behind all others, as `append`."""
        with self._lock, transaction(self._db, "IMMEDIATE"):
            self._enter(entries, names)
            self._db.execute("UPDATE campaigns_standing SET position=?", (position,))

    def append(self, entries: Sequence[LogEntry], position: int, names: Mapping[str, str] = _NO_NAMES) -> None:
        """Add entries behind all others, and note how far the feed is read, and which battles have these names."""
        with self._lock, transaction(self._db, "IMMEDIATE"):
            self._enter(entries, names)
            self._db.execute("UPDATE standing SET position=?", (position,))

    def _enter(self, entries: Sequence[LogEntry], names: Mapping[str, str]) -> None:
        """Write entries, tiles and names, in the transaction of the caller."""
        size = self.size
        self._db.executemany(
            "INSERT INTO entries (place, battle, n, what, hash) VALUES (?,?,?,?,?)",
            [(size + at, one.battle, one.n, one.what, one.hash) for at, one in enumerate(entries)],
        )
        contents = [entry.content() for entry in entries]
        self._grow(ENTRIES, size, [tiles.bundle([content]) for content in contents])
        self._grow(0, size, [merkle.leaf_hash(content) for content in contents])
        self._db.executemany("INSERT OR REPLACE INTO named VALUES (?,?)", list(names.items()))

    def _grow(self, level: int, size: int, added: Sequence[bytes]) -> None:
        """Put hashes (or bundled entries) behind the `size` ones of a level; what is complete goes a level higher."""
        above: list[bytes] = []
        place = 0
        while place < len(added):
            n, width = divmod(size + place, WIDTH)
            some = added[place : place + WIDTH - width]
            content = self.tile(level, n) + b"".join(some)
            self._db.execute("INSERT OR REPLACE INTO tiles (level, n, content) VALUES (?,?,?)", (level, n, content))
            place += len(some)
            if level != ENTRIES and width + len(some) == WIDTH:
                above.append(merkle.root_of_leaves(_hashes(content)))
        if above:
            self._grow(level + 1, size // WIDTH, above)

    def tile(self, level: int, n: int) -> bytes:
        """The content of a tile as wide as it is; empty if there is none."""
        found = self._row("SELECT content FROM tiles WHERE level=? AND n=?", level, n)
        return bytes(found[0]) if found else b""

    def tile_cut(self, tile: Tile) -> bytes:
        """The content of a tile at a width that it has or had."""
        content = self.tile(tile.level, tile.n)
        if tile.level == ENTRIES:
            return tiles.bundle(tiles.entries_in(content)[: tile.width])
        return content[: tile.width * merkle.HASH_BYTES]

    def node(self, level: int, index: int) -> bytes:
        """The hash of a subtree (`domain.log.merkle.Node`)."""
        return tiles.node_in_tiles(self.tile)(level, index)

    def of_battle(self, battle: str, before: int | None = None, upto: int | None = None) -> tuple[int, LogEntry] | None:
        """The newest entry of a battle with its place, below a size of the log, of an event up to `upto`."""
        found = self._row(
            "SELECT place, battle, hash, n, what FROM entries WHERE battle=? AND place<? AND n<=? "
            "ORDER BY place DESC LIMIT 1",
            battle,
            1 << 60 if before is None else before,
            1 << 60 if upto is None else upto,
        )
        return (found[0], LogEntry(*found[1:])) if found else None

    def battle_named(self, name: str) -> str:
        """The id of a battle by its name in the log, "" if none has it."""
        found = self._row("SELECT battle FROM named WHERE name=?", name)
        return str(found[0]) if found else ""

    def has(self, battle: str, what: str) -> bool:
        """Whether the log has an entry of that kind about a battle."""
        return bool(self._row("SELECT 1 FROM entries WHERE battle=? AND what=?", battle, what))

    # --- checkpoints

    def checkpoint(self, origin: str) -> Checkpoint:
        """The state of the log now."""
        with self._lock:
            size = self.size
            return Checkpoint(origin, size, merkle.root(size, self.node))

    def keep(self, origin: str, size: int, note: str, at_s: int) -> None:
        """Keep a signed checkpoint. One that was signed for this size before stays."""
        with self._lock, transaction(self._db, "IMMEDIATE"):
            self._db.execute("INSERT OR IGNORE INTO checkpoints VALUES (?,?,?,?)", (origin, size, note, at_s))
            self._db.execute(
                "DELETE FROM checkpoints WHERE origin=? AND size < (SELECT MIN(size) FROM (SELECT size FROM checkpoints"
                " WHERE origin=? ORDER BY size DESC LIMIT ?)) AND size NOT IN (SELECT MAX(size) FROM cosignatures"
                " WHERE origin=? GROUP BY key)",
                (origin, origin, KEPT, origin),
            )
            self._db.execute(
                "DELETE FROM cosignatures WHERE origin=? AND size NOT IN (SELECT size FROM checkpoints WHERE origin=?)",
                (origin, origin),
            )

    def keep_cosignature(self, origin: str, size: int, key: str, time_s: int, line: str) -> None:
        """Keep what a witness has signed."""
        with self._lock:
            self._db.execute(
                "INSERT OR REPLACE INTO cosignatures VALUES (?,?,?,?,?)", (origin, size, key, time_s, line)
            )

    def signed(self, origin: str) -> Iterator[SignedCheckpoint]:
        """The checkpoints that are kept, the newest first."""
        with self._lock:
            rows = self._db.execute(
                "SELECT size, note, at_s FROM checkpoints WHERE origin=? ORDER BY size DESC", (origin,)
            ).fetchall()
        for size, note, at_s in rows:
            yield SignedCheckpoint(size, note, at_s, self._cosigned(origin, size))

    def newest(self, origin: str) -> SignedCheckpoint | None:
        """The newest checkpoint."""
        return next(self.signed(origin), None)

    def newest_cosigned(self, origin: str, asked: Collection[str]) -> SignedCheckpoint | None:
        """Of the checkpoints of the last minutes that which most of these witnesses have signed; if none has signed any
        of them, of all that are kept; the newest if none has ever signed. `asked` are keys."""

        def count(one: SignedCheckpoint) -> int:
            return sum(key in asked for key, _, _ in one.cosigned)

        kept = [*self.signed(origin)]
        fresh = [one for one in kept if kept[0].at_s - one.at_s <= FRESH_S and count(one)]
        return max(fresh or kept, key=lambda one: (count(one), one.size), default=None)

    def cosigned_by(self, origin: str, key: str) -> tuple[int, int]:
        """The size that a witness has signed last, and when; zeros if it never has."""
        query = "SELECT size, time_s FROM cosignatures WHERE origin=? AND key=? ORDER BY size DESC LIMIT 1"
        found = self._row(query, origin, key)
        return (found[0], found[1]) if found else (0, 0)

    def _cosigned(self, origin: str, size: int) -> tuple[tuple[str, int, str], ...]:
        query = "SELECT key, time_s, line FROM cosignatures WHERE origin=? AND size=? ORDER BY time_s, key"
        with self._lock:
            return tuple(self._db.execute(query, (origin, size)).fetchall())

    def _row(self, query: str, *params: object) -> tuple:  # type: ignore[type-arg]  # of any shape
        with self._lock:
            return self._db.execute(query, params).fetchone() or ()


def _hashes(content: bytes) -> list[bytes]:
    return [content[at : at + merkle.HASH_BYTES] for at in range(0, len(content), merkle.HASH_BYTES)]


def _statements(script: str) -> Iterator[str]:
    """The statements of a script, one by one: `executescript` would commit the transaction around them."""
    waiting = ""
    for line in script.strip().splitlines():
        waiting += line + "\n"
        if sqlite3.complete_statement(waiting):
            yield waiting
            waiting = ""
