"""The writing connection to PostgreSQL (contract.Session)."""

from collections.abc import Sequence
from itertools import chain
from typing import Any

import psycopg
from psycopg import Connection
from psycopg.pq import TransactionStatus

from server.store.append import StoredRow, Value
from server.store.connections import AT_ONCE, head, of_rows
from server.store.errors import StoredHead, StoreError
from server.store.postgresql import connecting
from server.store.postgresql.dialect import translated

INSERT_EVENTS = (
    "INSERT INTO stored_events (originator_id, originator_version, topic, state) "
    "SELECT battle, n, topic, state FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bytea[]) "
    "WITH ORDINALITY AS row (battle, n, topic, state, place) ORDER BY place RETURNING notification_id"
)
"""All events of a transaction in one statement; they get their positions in their order."""
BEGIN = f"BEGIN; SELECT pg_advisory_xact_lock({connecting.WRITING})"
POSITION = "SELECT COALESCE(MAX(notification_id), 0) FROM stored_events"


class InUse(StoreError):
    """Another server runs on the database; the text is a sentence for the host."""


class PostgresSession:
    """One connection. When it is lost the next transaction begins with another one, with the lock of a server if it had
    that, unless another server has taken it meanwhile."""

    def __init__(self, conninfo: str) -> None:
        self._conninfo = conninfo
        self._is_server = False
        self._db = self._connected()

    def _connected(self) -> "Connection[Any]":
        db = connecting.connect(self._conninfo)
        try:
            connecting.prepare(db)
            if self._is_server:
                _lock(db)
        except BaseException:
            db.close()
            raise
        return db

    def hold(self) -> None:
        """Be the only server on this database, on whatever machine.

        Raises: InUse
        """
        _lock(self._db)
        self._is_server = True

    @property
    def connection(self) -> "Connection[Any]":
        """The connection that holds the lock, for what is done to the whole database."""
        return self._db

    def begin(self) -> None:
        """Begin a transaction, one at a time of all processes: so positions follow the order of commits."""
        if self._db.closed:
            self._db = self._connected()
        self._db.execute(BEGIN)

    def begin_at_once(self) -> bool:
        """Never from the loop's thread: the database answers over a network."""
        return False

    def fetch(self, sql: str, params: Sequence[Value] = ()) -> list[tuple[Any, ...]]:
        """All rows that `sql` selects."""
        return self._db.execute(translated(sql), params).fetchall()

    def execute(self, sql: str, params: Sequence[Value] = ()) -> int:
        """Run one statement; returns the number of rows changed."""
        return self._db.execute(translated(sql), params).rowcount

    def insert(self, sql: str, rows: Sequence[tuple[Value, ...]]) -> None:
        """Insert rows, many in one statement."""
        for start in range(0, len(rows), AT_ONCE):
            some = rows[start : start + AT_ONCE]
            self.execute(of_rows(sql, len(some[0]), len(some)), tuple(chain.from_iterable(some)))

    def insert_events(self, events: list[StoredRow]) -> int:
        """Append rows; their positions are contiguous, because one transaction writes at a time."""
        columns = [list(column) for column in zip(*events, strict=True)]
        return int(self._db.execute(INSERT_EVENTS, columns).fetchall()[-1][0])

    def head(self, battle: str) -> StoredHead | None:
        """The end of a battle in this transaction."""
        return head(self.fetch, battle)

    def position(self) -> int:
        """The last position of the feed."""
        return int(self.fetch(POSITION)[0][0])

    def commit(self) -> None:
        """COMMIT: the rows are durable when it returns. If the connection is lost before the answer nobody knows
        whether they are; whoever repeats the command learns it."""
        self._db.execute("COMMIT")

    def rollback(self) -> None:
        """ROLLBACK; with a connection that is lost PostgreSQL does so by itself."""
        if self.in_transaction:
            self._db.execute("ROLLBACK")

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open, also one that has failed."""
        return self._db.info.transaction_status in (TransactionStatus.INTRANS, TransactionStatus.INERROR)

    def is_violation(self, failure: BaseException) -> bool:
        """Whether a constraint or trigger refused a row, or a value that no row can hold."""
        return isinstance(failure, (psycopg.IntegrityError, psycopg.DataError))

    def tidy(self) -> None:
        """Nothing to do: PostgreSQL cleans up by itself."""

    def close(self) -> None:
        """Close the connection; the lock goes with it."""
        self._db.close()


def _lock(db: "Connection[Any]") -> None:
    (is_ours,) = db.execute("SELECT pg_try_advisory_lock($1)", (connecting.SERVING,)).fetchone() or (False,)
    if not is_ours:
        raise InUse("another server runs on this database")
