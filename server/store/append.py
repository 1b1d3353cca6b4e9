"""The requests and answers of the store: appends and writes.

An `Append` is one input with its consequences: lines and hashes computed by its caller, with whatever belongs into the
same transaction. A `Statement` is one row of an authoritative table; the modules of those tables make them
(`vault.put`, `outbox.post` …), so SQL stays with its table. A job is stored whole or not at all.
"""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Struct

HASH_BYTES = 32

Value = str | int | bytes | None
StoredRow = tuple[str, int, str, bytes]
"""A row of `stored_events`: battle, n, event type, `hash_n` and canonical line in one piece."""

EventRow = tuple[str, bytes, bytes]
"""One event: its type, its canonical line without hash (the very bytes that were hashed), and `hash_n` (32 bytes)."""


class Statement(NamedTuple):
    """One SQL statement with `?` parameters. `changes` is the number of rows it must change; None: any."""

    sql: str
    params: tuple[Value, ...]
    changes: int | None = None


class CommandRecord(NamedTuple):
    """Makes an append happen once: the id of the command, the digest of its request, and the answer to repeat."""

    command_id: bytes
    digest: bytes
    answer: bytes


class Opening(NamedTuple):
    """A new battle: header line, time (`YYYY-MM-DDTHH:MM:SS.mmmZ`), and who may read: public, link, players."""

    header: bytes
    created: str
    readers: str


class Append(Struct, frozen=True):
    """Rows from `expected + 1` on of a battle, in one transaction with everything that belongs to them.

    Shape:   `rows` may be empty (a command of which only the answer is recorded)
    Checks:  the store holds `expected` against its head; `prev` (`hash_expected` as the caller knew it) too when given
    Opening: with `opens` the battle must be new, and `expected` 0
    """

    battle: str
    expected: int
    rows: Sequence[EventRow]
    command: CommandRecord | None = None
    also: Sequence[Statement] = ()
    opens: Opening | None = None
    prev: bytes | None = None


class Write(Struct, frozen=True):
    """Statements without events, in one transaction."""

    statements: tuple[Statement, ...]


class Appended(NamedTuple):
    """The append is durable: events `first` to `n` (`n < first` if none), `position` of the last one in the feed.

    `position` lets a caller wait until a projection has caught up; without events it is that of the store.
    """

    first: int
    n: int
    position: int


def stored_rows(append: Append) -> list[StoredRow]:
    """The rows as the table holds them.

    Raises: ValueError for a hash that is not 32 bytes, or a line that would break the file (a LF inside, or empty)
    """
    rows: list[StoredRow] = []
    battle, n = append.battle, append.expected
    for type_, line, hash_ in append.rows:
        n += 1
        if len(hash_) != HASH_BYTES or not line or b"\n" in line:
            raise ValueError(f"{battle} {n}: neither a line nor a hash that can be stored")
        rows.append((battle, n, type_, hash_ + line))
    return rows
