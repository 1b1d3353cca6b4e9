"""Readers of a store in PostgreSQL (contract.StoredLog)."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from psycopg import RawCursor
from psycopg.conninfo import make_conninfo
from psycopg_pool import ConnectionPool, PoolClosed

from server.store.append import HASH_BYTES, Value
from server.store.connections import HEADER
from server.store.errors import Closed, StoredHead, head_of_header
from server.store.postgresql import connecting
from server.store.postgresql.copying import copy_to_file
from server.store.postgresql.dialect import translated
from server.store.postgresql.session import LAST, POSITION

READERS = 8
"""Connections at most; who finds none idle waits."""
OF_BATTLE = "FROM stored_events WHERE originator_id=? AND originator_version>? ORDER BY originator_version LIMIT ?"
STATES = f"SELECT originator_version, substr(state, 1, {HASH_BYTES}), substr(state, {HASH_BYTES + 1}) {OF_BATTLE}"
LINES = f"SELECT substr(state, {HASH_BYTES + 1}) {OF_BATTLE}"
FEED = (
    f"SELECT notification_id, originator_id, originator_version, substr(state, {HASH_BYTES + 1}) FROM stored_events "
    "WHERE notification_id>? ORDER BY notification_id LIMIT ?"
)
GOING_ON = (
    "SELECT battle FROM battles WHERE EXISTS (SELECT 1 FROM stored_events WHERE originator_id=battle "
    "AND originator_version<=? AND topic=? AND instr(state, ?) > 0) AND (SELECT topic FROM stored_events "
    "WHERE originator_id=battle ORDER BY originator_version DESC LIMIT 1)<>? ORDER BY rowid"
)


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
            open=True,
        )

    def rows(self, sql: str, params: Sequence[Value] = ()) -> list[tuple[Any, ...]]:
        """All rows that `sql` selects.

        Raises: Closed
        """
        try:
            with self._pool.connection() as db:
                return db.execute(translated(sql), params).fetchall()
        except PoolClosed as failure:
            raise Closed("the store is closed") from failure

    def states(self, battle: str, after: int, limit: int) -> list[tuple[int, bytes, bytes]]:
        """(n, hash, line) of the events after `after`."""
        return self.rows(STATES, (battle, after, None if limit < 0 else limit))

    def lines(self, battle: str, after: int, limit: int) -> list[bytes]:
        """Lines of the events after `after`."""
        return [line for (line,) in self.rows(LINES, (battle, after, None if limit < 0 else limit))]

    def head(self, battle: str) -> StoredHead | None:
        """The committed end of a battle."""
        if found := self.rows(LAST, (battle,)):
            return StoredHead(*found[0])
        found = self.rows(HEADER, (battle,))
        return head_of_header(found[0][0]) if found else None

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
