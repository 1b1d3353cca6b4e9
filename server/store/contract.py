"""The contract of a storage backend, so that writer and readers need not know which one it is.

Besides the library's contract (a factory with recorder and mapper) a backend offers a `Session`, the one writing
connection, and a `StoredLog` for reading. Both exchange rows and bytes; the SQL comes from the authoritative tables,
with `?` parameters.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from eventsourcing.persistence import ApplicationRecorder, Mapper

from server.store.append import StoredRow, Value
from server.store.errors import StoredHead


class TableRows(Protocol):
    """Runs a query: what the reading functions of the table modules need."""

    def rows(self, sql: str, params: Sequence[Value] = ()) -> list[tuple[Any, ...]]:
        """All rows that `sql` selects."""


class UnopenedStore(TableRows, Protocol):
    """A store that is looked into without being opened: nothing is written, no table is made."""

    def format(self) -> int:
        """Its format.

        Raises: schema.WrongDatabase, schema.Newer
        """

    def read(self, battle: str) -> list[tuple[int, bytes, bytes]]:
        """(n, hash_n, line) of all events of a battle."""


class Session(Protocol):
    """The writing connection. One thread at a time uses it. Its methods raise the driver's own errors."""

    def hold(self) -> None:
        """Be the only server on this store, where a lock in the data folder does not say so already; before the first
        transaction."""

    def begin(self) -> None:
        """Open a transaction and take the write lock at once."""

    def begin_at_once(self) -> bool:
        """The same, but wait for nobody: False if that does not go now, or if it is time to `tidy`."""

    def fetch(self, sql: str, params: Sequence[Value] = ()) -> list[tuple[Any, ...]]:
        """All rows that `sql` selects, those of this transaction included."""

    def execute(self, sql: str, params: Sequence[Value] = ()) -> int:
        """Run one statement; returns the number of rows changed."""

    def insert(self, sql: str, rows: Sequence[tuple[Value, ...]]) -> None:
        """Insert rows; `sql` inserts one, and ends with its `?`."""

    def insert_events(self, events: list[StoredRow]) -> int:
        """Append rows to the log; returns the position of the last. All or none."""

    def head(self, battle: str) -> StoredHead | None:
        """The end of a battle as this transaction sees it; None if it was never opened."""

    def position(self) -> int:
        """The last position of the global feed, 0 while it is empty."""

    def commit(self) -> None:
        """Make the transaction durable."""

    def rollback(self) -> None:
        """Undo the transaction, if one is open."""

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open. A disk error may have ended it."""

    def is_violation(self, failure: BaseException) -> bool:
        """Whether a constraint refused a row (rather than the disk failing)."""

    def tidy(self) -> None:
        """Clean up, between two transactions, whatever only the writing connection can."""

    def close(self) -> None:
        """Close the connection and leave the database in order."""


class StoredLog(TableRows, Protocol):
    """Reading. Any thread may call it; a read never waits for the writer (in memory it does)."""

    def states(self, battle: str, after: int, limit: int) -> list[tuple[int, bytes, bytes]]:
        """(n, hash, line) of the events after `after`; `limit` < 0 means all."""

    def lines(self, battle: str, after: int, limit: int) -> list[bytes]:
        """The same, lines only."""

    def head(self, battle: str) -> StoredHead | None:
        """The committed end of a battle."""

    def feed(self, after: int, limit: int) -> list[tuple[int, str, int, bytes]]:
        """(position, battle, n, line) of all battles in the order of commit."""

    def going_on(self, kind: str, within: int, text: bytes, last: str) -> list[str]:
        """The battles whose last event is not of type `last`, and of which an event of type `kind` among the first
        `within` contains `text`."""

    def position(self) -> int:
        """The last committed position."""

    def backup(self, path: Path) -> None:
        """A consistent copy into a new file."""

    def close(self) -> None:
        """Close the connections."""


class Chore(Protocol):
    """Something that runs alongside the writer."""

    def start(self) -> None:
        """Start it."""

    def stop(self) -> None:
        """Stop it; returns once it has ended."""


class Factory(Protocol):
    """A backend's factory: the library's part and ours."""

    def application_recorder(self) -> ApplicationRecorder:
        """The library's recorder over our log."""

    def mapper(self) -> Mapper[str]:
        """The library's mapper for our lines."""

    def session(self) -> Session:
        """The one writing connection."""

    def log(self) -> StoredLog:
        """The readers."""

    def chores(self) -> list[Chore]:
        """What has to run alongside the writer. Called after `session`."""

    def wake(self) -> None:
        """Tell the library's subscriptions that the writer has committed events."""

    def close(self) -> None:
        """Close what the library opened."""
