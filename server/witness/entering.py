"""Enter the heads of a store's own battles into the log of its host, in the order in which they were committed.

An entry stands for the end of a block, that is for each head of which a receipt may tell. Which entries there are
follows from the feed of the store alone, closings beside logs apart, so that a log that a crash has left behind is
completed to what it would have been.
"""

import logging
from collections.abc import Iterator
from typing import Protocol

from domain.log.entries import ENDED, HEAD, KEY, OPENED, STOPPED, LogEntry, battle_name
from replay.proof.blocks import INPUTS
from replay.proof.blocks import STOPPED as BATTLE_STOPPED
from server.store.contract import TableRows
from server.store.tables import closings, vault
from server.witness.log_file import LogFile

ROWS = 500

log = logging.getLogger(__name__)


class StoreFeed(TableRows, Protocol):
    """What is read of a store."""

    def feed(self, after_position: int, limit: int) -> list[tuple[int, str, int, bytes]]:
        """(position, battle, n, line) of all battles in the order of commit."""

    def read(self, battle: str, after: int, limit: int | None) -> list[tuple[int, bytes, bytes]]:
        """(n, hash, line) of a battle."""

    def position(self) -> int:
        """The last position of the feed."""


class LogFollower:
    """Completes a log from a store."""

    def __init__(self, store: StoreFeed, log: LogFile) -> None:
        self._store, self._log = store, log
        self._closed: set[str] = set()
        self._closings = -1  # how many have been looked at
        self._names: dict[str, str] = {}  # of the battles that a batch has entries of

    @property
    def is_ahead(self) -> bool:
        """Whether the log has more than the store, as behind a copy of the store from before."""
        return self._log.position > self._store.position()

    def follow(self) -> bool:
        """Enter what has come, a few hundred events at most; False if nothing has. Where the store has less than the
        log, what is new of it is entered from there on, and the log of the server says so."""
        after = self._log.position
        if self.is_ahead:
            after = self._store.position()
            log.error(
                "the log of heads has entries of events that the store lacks, as behind an old copy of the store: "
                "witnesses and players who kept those heads see two histories of what is played on (docs/witnesses.md)"
            )
            self._log.append([], after)
        rows = self._store.feed(after, ROWS)
        entries = list(self._entries(rows))
        entries += self._from_closings()
        if rows or entries:
            self._log.append(entries, rows[-1][0] if rows else after, self._names)
        self._names = {}
        return bool(rows)

    def _entries(self, rows: list[tuple[int, str, int, bytes]]) -> Iterator[LogEntry]:
        imported: dict[str, bool] = {}
        kinds: dict[str, list[str]] = {}  # of the block that is being read, by battle
        following = {(battle, n): line for _, battle, n, line in rows}
        for _, battle, n, line in rows:
            if battle not in imported:
                imported[battle] = self._is_imported(battle)
            if imported[battle]:
                continue
            block = kinds.setdefault(battle, [])
            block.append(_kind(line))
            after = following.get((battle, n + 1)) or self._line(battle, n + 1)
            if not after or _kind(after) in INPUTS:
                entry = self._entry(battle, n, _what(self._whole_block(battle, n, block)))
                kinds[battle] = []
                if entry is not None:
                    yield entry

    def _whole_block(self, battle: str, n: int, block: list[str]) -> list[str]:
        """The types of a block up to event `n`, of which a batch may have only the end."""
        whole = list(block)
        while whole[0] not in INPUTS and (line := self._line(battle, n - len(whole))):
            whole.insert(0, _kind(line))
        return whole

    def _from_closings(self) -> Iterator[LogEntry]:
        """Battles that were closed beside their logs, as one that is removed."""
        ((count,),) = self._store.rows("SELECT COUNT(*) FROM closings")
        if count == self._closings:
            return
        self._closings = count
        for battle, closing in closings.all_of(self._store).items():
            if battle in self._closed or closing.how == closings.OUTDATED:
                continue
            self._closed.add(battle)
            last = self._store.rows(
                "SELECT originator_version FROM stored_events WHERE originator_id=? "
                "ORDER BY originator_version DESC LIMIT 1",
                (battle,),
            )
            entry = self._entry(battle, last[0][0], STOPPED) if last and not self._is_imported(battle) else None
            if entry is not None and not self._log.has(entry.battle, STOPPED):
                yield entry

    def _entry(self, battle: str, n: int, what: str) -> LogEntry | None:
        first, now = self._store.read(battle, 0, 1), self._store.read(battle, n - 1, 1)
        if not first or not now:  # removed meanwhile
            return None
        name = battle_name(first[0][1])
        self._names[name] = battle
        return LogEntry(name, now[0][1].hex(), n, what)  # type: ignore[arg-type]  # one of them

    def _line(self, battle: str, n: int) -> bytes:
        rows = self._store.read(battle, n - 1, 1) if n > 0 else []
        return rows[0][2] if rows else b""

    def _is_imported(self, battle: str) -> bool:
        return bool(
            self._store.rows("SELECT 1 FROM vault WHERE battle=? AND n=0 AND kind=?", (battle, vault.CHECKPOINT))
        )


def _kind(line: bytes) -> str:
    """The type of an event, which stands last in its line."""
    return line[line.rfind(b'"type":"') + len(b'"type":"') : -2].decode()


def _what(block: list[str]) -> str:
    """What an entry says of a block, by the types of its events."""
    for kind, what in (
        (BATTLE_STOPPED, STOPPED),
        ("BattleEnded", ENDED),
        ("BattleOpened", OPENED),
        ("KeyChanged", KEY),
    ):
        if kind in block:
            return what
    return HEAD
