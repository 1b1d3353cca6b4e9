"""Readers of a store in PostgreSQL (contract.StoredLog)."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import psycopg
from psycopg import RawCursor
from psycopg.conninfo import make_conninfo
from psycopg_pool import ConnectionPool, PoolClosed

from server.store.append import HASH_BYTES, Value
from server.store.connections import GOING_ON, LINES, STATES, head
from server.store.errors import Closed, StoredHead, StoreFailed
from server.store.postgresql import connecting
from server.store.postgresql.copying import copy_to_file
from server.store.postgresql.dialect import translated
from server.store.postgresql.session import POSITION

READERS, PATIENCE_S = 8, 5.0
"""Connections at most; a reader who finds none idle waits, but not for long: it may be the event loop that reads."""
FEED = (
    f"SELECT notification_id, originator_id, originator_version, substr(state, {HASH_BYTES + 1}) FROM stored_events "
    "WHERE notification_id>? ORDER BY notification_id LIMIT ?"
)
"""By the column that the library numbers its rows in; the other queries are those of a file."""


class PostgresReader:
    """A store that is looked into without being opened (contract.UnopenedStore).

    Raises: StoreFailed, schema.WrongDatabase
    """

    def __init__(self, conninfo: str) -> None:
        self._db = connecting.connect(conninfo)
        self.server = f"PostgreSQL {self._db.info.parameter_status('server_version')}"

    def format(self) -> int:
        """The format of the store, 0 where there is none."""
        with self._db.cursor() as cursor:
            return connecting.format_of(cursor)

    def is_served(self) -> bool:
        """Whether a server runs on the database."""
        query = "SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype='advisory' AND classid=? AND objid=?)"
        return bool(self.rows(query, divmod(connecting.SERVING, 1 << 32))[0][0])

    def rows(self, sql: str, params: Sequence[Value] = ()) -> list[tuple[Any, ...]]:
        """All rows that `sql` selects."""
        try:
            return self._db.execute(translated(sql), params).fetchall()
        except psycopg.Error as failure:
            raise StoreFailed(f"the database does not answer: {failure}") from failure

    def read(self, battle: str) -> list[tuple[int, bytes, bytes]]:
        """(n, hash_n, line) of all events of a battle."""
        return self.rows(STATES, (battle, 0, None))

    def close(self) -> None:
        """Close the connection."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class PostgresLog:
    """A few connections; a read sees the last commit and waits for no writer."""

    def __init__(self, conninfo: str) -> None:
        self._conninfo = conninfo
        self._pool = ConnectionPool(
            make_conninfo(conninfo, **connecting.NAMED),
            kwargs={"autocommit": True, "cursor_factory": RawCursor},
            configure=connecting.configure,
            min_size=1,
            max_size=READERS,
            timeout=PATIENCE_S,
            open=True,
        )

    def rows(self, sql: str, params: Sequence[Value] = ()) -> list[tuple[Any, ...]]:
        """All rows that `sql` selects.

        Raises: Closed, StoreFailed
        """
        try:
            with self._pool.connection() as db:
                return db.execute(translated(sql), params).fetchall()
        except PoolClosed as failure:
            raise Closed("the store is closed") from failure
        except psycopg.Error as failure:
            raise StoreFailed(f"the database does not answer: {failure}") from failure

    def states(self, battle: str, after: int, limit: int) -> list[tuple[int, bytes, bytes]]:
        """(n, hash, line) of the events after `after`."""
        return self.rows(STATES, (battle, after, None if limit < 0 else limit))

    def lines(self, battle: str, after: int, limit: int) -> list[bytes]:
        """Lines of the events after `after`."""
        return [line for (line,) in self.rows(LINES, (battle, after, None if limit < 0 else limit))]

    def head(self, battle: str) -> StoredHead | None:
        """The committed end of a battle."""
        return head(self.rows, battle)

    def feed(self, after: int, limit: int) -> list[tuple[int, str, int, bytes]]:
        """(position, battle, n, line) by position: with one process that writes, the order of commit."""
        return self.rows(FEED, (after, limit))

    def going_on(self, kind: str, within: int, text: bytes, last: str) -> list[str]:
        """The battles that are not over and of which an early event says something."""
        return [battle for (battle,) in self.rows(GOING_ON, (within, kind, text, last))]

    def position(self) -> int:
        """The last committed position."""
        return int(self.rows(POSITION)[0][0])

    def backup(self, path: Path) -> None:
        """Copy everything committed at this moment into a file of the SQLite store, which that store can open."""
        with connecting.connect(self._conninfo) as db:
            copy_to_file(db, path)

    def close(self) -> None:
        """Close the connections."""
        self._pool.close()
