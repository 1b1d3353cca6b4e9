"""Connections to the database, and what must be true of it.

Raises: schema.WrongDatabase and its kinds, psycopg.Error
"""

from typing import Any

import psycopg
from psycopg import Connection, Cursor, RawCursor
from psycopg.adapt import Dumper, Loader
from psycopg.conninfo import make_conninfo
from psycopg.rows import tuple_row

from server.release import release
from server.store import schema
from server.store.errors import StoreFailed
from server.store.postgresql import dialect

OLDEST = 150000
"""PostgreSQL 15: what this is tested with."""
MAKING, WRITING, SERVING = 0x5048414C01, 0x5048414C02, 0x5048414C03
"""Advisory locks: of whoever makes or migrates the tables, of a transaction that writes, of the one server."""
NAMED = {"application_name": "phalera", "client_encoding": "UTF8"}
SESSION = ("SET idle_in_transaction_session_timeout='60s'", "SET synchronous_commit=on")
"""A transaction left open would hold up whoever reads the feed; an acknowledged append outlives a power cut."""


class WholeNumber(Loader):
    """Sums and counts are whole numbers; PostgreSQL calls sums of them numeric."""

    def load(self, data: Any) -> int:
        """The number of a text like `12`."""
        return int(bytes(data))


class TruthAsNumber(Dumper):
    """Truth is kept as 0 or 1, as in SQLite: one column type for both databases."""

    oid = 20  # int8

    def dump(self, obj: bool) -> bytes:
        """`1` or `0`."""
        return b"1" if obj else b"0"


def connect(conninfo: str) -> "Connection[Any]":
    """A connection that begins no transaction by itself; its statements have `$1` parameters.

    Raises: StoreFailed where there is none; schema.WrongDatabase for a database that the store cannot use
    """
    try:
        db = psycopg.connect(make_conninfo(conninfo, **NAMED), autocommit=True, cursor_factory=RawCursor)
    except psycopg.OperationalError as failure:
        raise StoreFailed(f"the database cannot be reached: {failure}") from failure
    try:
        configure(db)
    except BaseException:
        db.close()
        raise
    return db


def configure(db: "Connection[Any]") -> None:
    """Make a connection one of ours.

    Raises: schema.WrongDatabase
    """
    db.adapters.register_loader("numeric", WholeNumber)
    db.adapters.register_dumper(bool, TruthAsNumber)
    for sql in SESSION:
        db.execute(sql)
    if db.info.server_version < OLDEST:
        raise schema.WrongDatabase(f"PostgreSQL {db.info.server_version // 10000} is too old: 15 is needed, or newer")
    if db.info.parameter_status("server_encoding") != "UTF8":
        raise schema.WrongDatabase("the database has another encoding than UTF8")


def prepare(db: "Connection[Any]") -> None:
    """Create the tables of a new store, in one transaction; several processes may do so at once.

    Raises: schema.WrongDatabase, before anything is touched; schema.Outdated, schema.Newer
    """
    with db.transaction(), RawCursor(db, row_factory=tuple_row) as cursor:  # the library's connections have others
        cursor.execute("SELECT pg_advisory_xact_lock($1)", (MAKING,))
        version = format_of(cursor)
        if version == schema.VERSION:
            return
        if version:
            raise schema.Outdated(f"this store has format {version}, this release needs {schema.VERSION}")
        for sql in dialect.tables():
            cursor.execute(sql)
        cursor.execute("INSERT INTO written_by (format, release) VALUES ($1, $2)", (schema.VERSION, release()))


def format_of(cursor: "Cursor[Any]") -> int:
    """The format of the store; 0 where there is none.

    Raises: schema.WrongDatabase; schema.Newer, with the release to install
    """
    there = {
        str(name) for (name,) in cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname=current_schema()")
    }
    if "written_by" not in there:
        if there:
            raise schema.WrongDatabase(f"the database has tables of another program: {min(there)}")
        return 0
    found = cursor.execute("SELECT format, release FROM written_by ORDER BY format DESC LIMIT 1").fetchone()
    version, by = found or (0, "")
    if version > schema.VERSION:
        raise schema.Newer(
            f"this store has format {version}, made by phalera {by}; phalera {release()} knows formats up to "
            f"{schema.VERSION}: install phalera {by}"
        )
    return int(version)
