"""Table of the battles of a store, as a list for whoever looks after them."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from server.store.contract import TableRows
from server.store.tables.accounts import name_key

END = (1 << 63) - 1
NOT_REMOVED = "NOT EXISTS (SELECT 1 FROM closings c WHERE c.battle=b.battle AND c.how='removed')"
HELD = (
    "b.battle IN (SELECT h.battle FROM holdings h JOIN accounts a ON a.player=h.player "
    "WHERE a.player=? OR instr(a.name_key, ?) > 0)"
)


class ListedBattle(NamedTuple):
    """A battle: id, header line, time of opening, who may read it."""

    battle: str
    header: bytes
    created: str
    readers: str


def sought(store: TableRows, words: str, before: str, limit: int) -> list[ListedBattle]:
    """Battles, the newest first, behind the battle `before` ("": from the start): all, or the one with an id and those
    that players hold now whose id or name the words are. Those that were taken away are left out."""
    return [
        ListedBattle(*row)
        for row in store.rows(
            "SELECT b.battle, b.header, b.created, b.readers FROM battles b "
            "WHERE b.rowid < COALESCE((SELECT rowid FROM battles WHERE battle=?), ?) "
            f"AND {NOT_REMOVED} AND (?='' OR b.battle=? OR {HELD}) ORDER BY b.rowid DESC LIMIT ?",
            (before, END, words, words, words, name_key(words), limit),
        )
    ]


class ReadableBattle(NamedTuple):
    """A battle with its header line, and how it was closed; "" if it is open."""

    battle: str
    header: bytes
    closed: str


def readable(store: TableRows, readers: Sequence[str], page: int = 500) -> Iterator[ReadableBattle]:
    """The battles that one of `readers` may read, oldest first, without those that were taken away. They are asked for
    `page` by `page`, so that a million of them need no more memory than a few."""
    marks, last = ",".join("?" * len(readers)), 0
    while True:
        found = store.rows(
            "SELECT b.rowid, b.battle, b.header, COALESCE(c.how, '') FROM battles b "
            "LEFT JOIN closings c ON c.battle=b.battle "
            f"WHERE b.rowid > ? AND b.readers IN ({marks}) AND {NOT_REMOVED} ORDER BY b.rowid LIMIT ?",
            (last, *readers, page),
        )
        if not found:
            return
        last = found[-1][0]
        yield from (ReadableBattle(*row[1:]) for row in found)


class BattleCount(NamedTuple):
    """How many battles there are, and how many of them are closed beside their logs."""

    all: int
    closed: int


def count(store: TableRows) -> BattleCount:
    """Count the battles that have not been taken away."""
    closed = "EXISTS (SELECT 1 FROM closings c WHERE c.battle=b.battle)"
    return BattleCount(
        *store.rows(f"SELECT COUNT(*), COUNT(*) FILTER (WHERE {closed}) FROM battles b WHERE {NOT_REMOVED}")[0]
    )
