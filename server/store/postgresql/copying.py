"""A whole store from PostgreSQL into an SQLite file, and back: positions, rows and bytes stay as they are.

Raises: psycopg.Error, sqlite3.Error
"""

import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from psycopg import Connection, IsolationLevel
from psycopg.sql import SQL, Identifier

from server.store import schema
from server.store.postgresql import dialect

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


def copy_to_file(db: "Connection[Any]", path: Path) -> None:
    """Everything that is committed at this moment, as a file of the SQLite store; it gets its name when it is whole."""
    part = path.with_name(path.name + ".part")
    part.unlink(missing_ok=True)
    with closing(schema.connect(str(part))) as file:
        schema.prepare(file)
        db.isolation_level = IsolationLevel.REPEATABLE_READ
        db.read_only = True
        with db.transaction(), schema.transaction(file, "IMMEDIATE"):
            for table in copied_tables():
                _fill_file(db, file, table)
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        file.execute("PRAGMA journal_mode=DELETE")
    with part.open("rb+") as written:
        os.fsync(written.fileno())
    part.replace(path)


def copy_from_file(path: Path, db: "Connection[Any]") -> None:
    """Everything of a file of the SQLite store, into an empty store in PostgreSQL, in one transaction."""
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as file, db.transaction():
        for table in copied_tables():
            _fill_database(file, db, table)
        for table, column in _numbered(db):
            db.execute(
                SQL("SELECT setval(pg_get_serial_sequence({0}, {1}), MAX({2})) FROM {3} HAVING MAX({2}) > 0").format(
                    table, column, Identifier(column), Identifier(table)
                )
            )


def _fill_file(db: "Connection[Any]", file: sqlite3.Connection, table: str) -> None:
    columns = _columns(file, table)
    order = _order_of(columns)
    here = ["notification_id" if name == "rowid" and table == EVENTS else name for name in columns]
    with db.cursor(f"copy_{table}") as rows:  # named: the server keeps the rows, not this process
        rows.execute(
            SQL("SELECT {} FROM {} ORDER BY {}").format(
                SQL(", ").join(map(Identifier, here)),
                Identifier(table),
                SQL(", ").join(Identifier(here[columns.index(name)]) for name in order),
            )
        )
        marks = ",".join("?" * len(columns))
        while some := rows.fetchmany(AT_ONCE):
            file.executemany(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", some)


def _fill_database(file: sqlite3.Connection, db: "Connection[Any]", table: str) -> None:
    columns = _columns(file, table)
    here = ["notification_id" if name == "rowid" and table == EVENTS else name for name in columns]
    query = f"SELECT {', '.join(columns)} FROM {table} ORDER BY {', '.join(_order_of(columns))}"
    into = SQL("COPY {} ({}) FROM STDIN").format(Identifier(table), SQL(", ").join(map(Identifier, here)))
    with db.cursor() as cursor, cursor.copy(into) as copy:
        for row in file.execute(query):
            copy.write_row(row)


def _columns(file: sqlite3.Connection, table: str) -> list[str]:
    """The columns of a table, with `rowid` in front where its order is the order of the rows."""
    named = [str(row[1]) for row in file.execute(f"PRAGMA table_info({table})")]
    return ["rowid", *named] if table == EVENTS or dialect.has_rowid(table) else named


def _order_of(columns: list[str]) -> list[str]:
    return columns[:1]


def _numbered(db: "Connection[Any]") -> Iterator[tuple[str, str]]:
    """The tables that number their rows, with the column that does."""
    yield from db.execute(
        "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema=current_schema() "
        "AND (is_identity='YES' OR column_default LIKE 'nextval%')"
    ).fetchall()
