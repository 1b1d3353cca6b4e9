"""The store as the rest of the program uses it.

Open one, write with `submit` (from the event loop) or `append_now` (anywhere else), read from any thread. Everything
that is written, events or not, goes through the one writer; every answer comes after the COMMIT. Reads are raw rows:
a battle is folded from bytes, without an object per row in between.
"""

import asyncio
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self, cast

from eventsourcing.persistence import (
    ApplicationRecorder,
    InfrastructureFactory,
    InfrastructureFactoryError,
    Mapper,
    Notification,
    Subscription,
)

from server.store.append import Append, Appended, Statement, Value, Write
from server.store.batch_writer import Counts
from server.store.contract import Chore, Factory, StoredLog
from server.store.errors import BackendAbsent, RecordedCommand, StoredHead
from server.store.settings import StoreSettings
from server.store.tables import requests
from server.store.writer import StoreWriter


class StoredBattle(NamedTuple):
    """An opened battle: id, header line (bytes, without LF), time of opening, who may read it."""

    battle: str
    header: bytes
    created: str
    readers: str


class EventStore:
    """The log of all battles and the authoritative tables. Created by `open`, ended by `close`."""

    def __init__(self, factory: Factory, settings: StoreSettings, loop: asyncio.AbstractEventLoop | None) -> None:
        self.settings = settings
        self._factory = factory
        self._session = factory.session()
        self._log: StoredLog = factory.log()
        self.committed = self._log.position()
        """The last position of the feed that this process has heard of: no look into the database."""
        self._chores: list[Chore] = factory.chores()
        self._writer = StoreWriter(self._session, settings.max_batch, settings.max_waiting, self._announce, loop)
        self._closing = threading.Lock()
        self._closed = False
        for chore in self._chores:
            chore.start()
        self._writer.start()

    @classmethod
    def open(cls, where: str | Path | StoreSettings, loop: asyncio.AbstractEventLoop | None = None) -> Self:
        """Open or create a store. `loop` receives the answers; without it, the loop of the first `submit` does.

        Raises: BackendAbsent, schema.WrongDatabase, OSError for invalid settings
        """
        settings = where if isinstance(where, StoreSettings) else StoreSettings.at(where)
        try:
            made = cast(Any, InfrastructureFactory).construct(settings.environment())
        except InfrastructureFactoryError as failure:
            raise BackendAbsent(f"no backend {settings.module}: {failure}") from failure
        if not all(hasattr(made, part) for part in ("session", "log", "chores", "wake")):
            raise BackendAbsent(f"{settings.module} is a backend of the library, but none of this store")
        return cls(made, settings, loop)

    def hold(self) -> None:
        """Be the only server on this store; commands may write beside it. Before anything is written.

        Raises: StoreError where another one runs
        """
        self._session.hold()

    # --- writing

    def submit(self, append: Append) -> asyncio.Future[Appended]:
        """Queue an append from the event loop; the future is resolved after the COMMIT.

        A caller that stops waiting does not cancel the append: only its command id makes a repetition safe.

        Future: Conflict, Duplicate, UnknownBattle, Unmatched, Violated, StoreFailed
        Raises: Overloaded, Closed, ValueError
        """
        return cast("asyncio.Future[Appended]", self._writer.submit(append))

    def append_now(self, append: Append, timeout_s: float | None = None) -> Appended:
        """Append and wait for the COMMIT: for commands and tests, never in the event loop's thread.

        Raises: as `submit` and its future; TimeoutError, and the append stays queued
        """
        return cast(Appended, self._writer.run_now(append, timeout_s))

    def write(self, *statements: Statement) -> asyncio.Future[tuple[int, ...]]:
        """Queue statements without events, as one transaction; the result is the number of rows changed by each."""
        return self._writer.submit(Write(statements))

    def write_now(self, *statements: Statement, timeout_s: float | None = None) -> tuple[int, ...]:
        """Queue statements and wait for the COMMIT."""
        return self._writer.run_now(Write(statements), timeout_s)

    # --- reading a battle

    def read(self, battle: str, after: int = 0, limit: int | None = None) -> list[tuple[int, bytes, bytes]]:
        """(n, hash_n, line) of the events after `after`, in order; [] for an unknown battle."""
        return self._log.states(battle, after, -1 if limit is None else limit)

    def lines(self, battle: str, after: int = 0, limit: int | None = None) -> list[bytes]:
        """The lines alone, as a fold or an export needs them."""
        return self._log.lines(battle, after, -1 if limit is None else limit)

    def head(self, battle: str) -> StoredHead | None:
        """The committed end of a battle, (0, hash of the header) before its first event; None if never opened."""
        return self._log.head(battle)

    def header(self, battle: str) -> bytes | None:
        """The header line, as hashed."""
        found = self.battle(battle)
        return None if found is None else found.header

    def battle(self, battle: str) -> StoredBattle | None:
        """The properties fixed when the battle was opened."""
        found = self._log.rows("SELECT battle, header, created, readers FROM battles WHERE battle=?", (battle,))
        return StoredBattle(*found[0]) if found else None

    def battles(self) -> list[StoredBattle]:
        """All battles in the order of their opening."""
        query = "SELECT battle, header, created, readers FROM battles ORDER BY rowid"
        return [StoredBattle(*row) for row in self._log.rows(query)]

    # --- reading everything

    def feed(self, after_position: int = 0, limit: int = 500) -> list[tuple[int, str, int, bytes]]:
        """(position, battle, n, line) of all battles in the order of commit: what projections fold."""
        return self._log.feed(after_position, limit)

    def position(self) -> int:
        """The last position of the feed, whoever wrote it."""
        return self._log.position()

    def command(self, command_id: bytes) -> RecordedCommand | None:
        """The recorded answer to a command; None if it was never given."""
        return requests.command(self, command_id)

    def rows(self, sql: str, params: Sequence[Value] = ()) -> list[tuple[Any, ...]]:
        """Any query: for the modules of the authoritative tables."""
        return self._log.rows(sql, params)

    def going_on(self, kind: str, within: int, text: bytes, last: str) -> list[str]:
        """The battles, in the order of their opening, whose last event is not of type `last`, and of which an event of
        type `kind` among the first `within` contains `text`. One question for all of them, in SQLite."""
        return self._log.going_on(kind, within, text, last)

    # --- the library's side

    @property
    def recorder(self) -> ApplicationRecorder:
        """The library's recorder over this log."""
        return self._factory.application_recorder()

    @property
    def mapper(self) -> Mapper[str]:
        """The library's mapper for lines (`mapper.LoggedLine`)."""
        return self._factory.mapper()

    def select_notifications(self, start: int, limit: int, topics: Sequence[str] = ()) -> Sequence[Notification]:
        """The library's notifications from position `start`."""
        return self.recorder.select_notifications(start, limit, topics=topics)

    def subscribe(self, after_position: int | None = None, topics: Sequence[str] = ()) -> Subscription[Any]:
        """The library's subscription: an iterator that waits for new events. Use it as a context manager."""
        return self.recorder.subscribe(after_position, topics)

    def _announce(self, position: int) -> None:
        """Note a commit of events, and wake the library's subscriptions."""
        self.committed = position
        self._factory.wake()

    # --- keeping it

    @property
    def counts(self) -> Counts:
        """The writer's counters since the store was opened."""
        return self._writer.counts

    @property
    def waiting(self) -> int:
        """Jobs in the queue."""
        return self._writer.waiting

    def backup(self, path: str | Path) -> None:
        """Copy log and authoritative tables, as of one moment, into a file; play continues meanwhile."""
        self._log.backup(Path(path))

    def close(self) -> None:
        """Refuse new work, finish the queue, leave the file in order. A second call does nothing."""
        with self._closing:
            if self._closed:
                return
            self._writer.close()
            for chore in self._chores:
                chore.stop()
            self._log.close()
            self._factory.close()
            self._session.close()
            self._closed = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
