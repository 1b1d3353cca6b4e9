"""A whole store from PostgreSQL into an SQLite file, and back: positions, rows and bytes stay as they are.

Raises: psycopg.Error, sqlite3.Error
"""

import os
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

from psycopg import Connection, IsolationLevel
from psycopg.sql import SQL, Identifier

from server.store import schema
from server.store.postgresql import dialect

Row = tuple[Any, ...]
Follow = Callable[[int, int], None] | None
"""Is told how many rows are done, and of how many."""
AT_ONCE = 500
"""Rows in memory at a time."""
EVENTS = "stored_events"
_TABLE = re.compile(r"CREATE TABLE IF NOT EXISTS (\w+)")
_MADE_HERE = ("written_by",)
"""What each store writes itself."""


def copied_tables() -> list[str]:
    """The names of all tables that are copied, the log first."""
    named = (_TABLE.match(sql) for sql in schema.ALL)
    return [found[1] for found in named if found and found[1] not in _MADE_HERE]


def copy_to_file(db: "Connection[Any]", path: Path, follow: Follow = None) -> None:
    """Everything that is committed at this moment, as a file of the SQLite store; it gets its name when it is whole."""
    part = path.with_name(path.name + ".part")
    part.unlink(missing_ok=True)
    with closing(schema.connect(str(part))) as file, _one_moment(db):
        schema.prepare(file)
        told = _Progress(follow, _count(db.execute))
        with schema.transaction(file, "IMMEDIATE"):
            for table in map(CopiedTable, copied_tables()):
                marks = ",".join("?" * len(table.columns))
                into = f"INSERT INTO {table.name} ({', '.join(table.columns)}) VALUES ({marks})"
                for some in _in_parts(table.rows_of_database(db)):
                    file.executemany(into, some)
                    told.more(len(some))
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        file.execute("PRAGMA journal_mode=DELETE")
    with part.open("rb+") as written:
        os.fsync(written.fileno())
    part.replace(path)


def copy_from_file(path: Path, db: "Connection[Any]", follow: Follow = None) -> None:
    """Everything of a file of the SQLite store, into an empty store in PostgreSQL, in one transaction."""
    with closing(_readable(path)) as file, db.transaction():
        told = _Progress(follow, _count(file.execute))
        for table in map(CopiedTable, copied_tables()):
            names = SQL(", ").join(map(Identifier, table.there))
            into = SQL("COPY {} ({}) FROM STDIN").format(Identifier(table.name), names)
            with db.cursor() as cursor, cursor.copy(into) as copy:
                for some in _in_parts(table.rows_of_file(file)):
                    for row in some:
                        copy.write_row(row)
                    told.more(len(some))
        for table_name, column in _numbered(db):
            db.execute(
                SQL("SELECT setval(pg_get_serial_sequence({0}, {1}), MAX({2})) FROM {3} HAVING MAX({2}) > 0").format(
                    table_name, column, Identifier(column), Identifier(table_name)
                )
            )


def digests_of_file(path: Path) -> dict[str, str]:
    """The digest of all rows of each table of a file, in their order."""
    with closing(_readable(path)) as file:
        return {name: _digest(CopiedTable(name).rows_of_file(file)) for name in copied_tables()}


def digests_of_database(db: "Connection[Any]") -> dict[str, str]:
    """The same of a store in PostgreSQL, as of one moment."""
    with _one_moment(db):
        return {name: _digest(CopiedTable(name).rows_of_database(db)) for name in copied_tables()}


class CopiedTable:
    """A table with its columns: those of a file, with `rowid` in front where SQLite numbers the rows, and their names
    in PostgreSQL. Rows come in the order of their key."""

    def __init__(self, name: str) -> None:
        self.name = name
        with closing(sqlite3.connect(":memory:")) as empty:
            for sql in schema.ALL:
                if sql.startswith(f"CREATE TABLE IF NOT EXISTS {name} ("):
                    empty.execute(sql)
            found = empty.execute(f"PRAGMA table_info({name})").fetchall()
        is_numbered = name == EVENTS or dialect.has_rowid(name)
        self.columns = [*(["rowid"] if is_numbered else []), *(str(row[1]) for row in found)]
        self.order = ["rowid"] if is_numbered else [str(row[1]) for row in sorted(found, key=_place_in_key) if row[5]]
        self.there = ["notification_id" if one == "rowid" and name == EVENTS else one for one in self.columns]

    def rows_of_file(self, file: sqlite3.Connection) -> Iterator[Row]:
        """All rows of the table in a file."""
        query = f"SELECT {', '.join(self.columns)} FROM {self.name} ORDER BY {', '.join(self.order)}"
        yield from file.execute(query)

    def rows_of_database(self, db: "Connection[Any]") -> Iterator[Row]:
        """All rows of the table in PostgreSQL, within a transaction; the server keeps them, not this process."""
        by = [self.there[self.columns.index(name)] for name in self.order]
        names, order = (SQL(", ").join(map(Identifier, part)) for part in (self.there, by))
        with db.cursor(f"copy_{self.name}") as rows:
            rows.itersize = AT_ONCE
            rows.execute(SQL("SELECT {} FROM {} ORDER BY {}").format(names, Identifier(self.name), order))
            yield from rows


class _Progress:
    def __init__(self, follow: Follow, total: int) -> None:
        self._follow, self._total, self._done = follow, total, 0

    def more(self, rows: int) -> None:
        self._done += rows
        if self._follow is not None:
            self._follow(self._done, self._total)


@contextmanager
def _one_moment(db: "Connection[Any]") -> Iterator[None]:
    db.isolation_level, db.read_only = IsolationLevel.REPEATABLE_READ, True
    try:
        with db.transaction():
            yield
    finally:
        db.isolation_level = db.read_only = None


def _readable(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)


def _count(execute: Callable[[str], Any]) -> int:
    return sum(int(execute(f"SELECT COUNT(*) FROM {name}").fetchone()[0]) for name in copied_tables())


def _in_parts(rows: Iterator[Row]) -> Iterator[list[Row]]:
    while some := list(islice(rows, AT_ONCE)):
        yield some


def _digest(rows: Iterator[Row]) -> str:
    digest = sha256()
    for row in rows:
        digest.update(repr(tuple(row)).encode())
    return digest.hexdigest()


def _place_in_key(column: Row) -> int:
    return int(column[5])


def _numbered(db: "Connection[Any]") -> list[tuple[str, str]]:
    """The tables that number their rows, with the column that does."""
    return db.execute(
        "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema=current_schema() "
        "AND (is_identity='YES' OR column_default LIKE 'nextval%')"
    ).fetchall()
