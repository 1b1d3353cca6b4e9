"""Why the store did not do what it was asked.

`Conflict`, `Duplicate`, `UnknownBattle`, `Unmatched`, `Violated` answer one job and leave the others of its batch
alone; the job leaves no trace. `Overloaded` and `Closed` are raised before a job is queued. `StoreFailed` is a fault of
the disk or the database: its owner decides whether to retry the job, which is safe with a command id.
"""

from hashlib import sha256
from typing import NamedTuple


class StoredHead(NamedTuple):
    """The end of a battle: `n` of its last event, and `hash_n` (32 bytes; of the header while `n` is 0)."""

    n: int
    hash: bytes


def head_of_header(header: bytes) -> StoredHead:
    """The end of a battle before its first event: the hash of its header line."""
    return StoredHead(0, sha256(header).digest())


class RecordedCommand(NamedTuple):
    """A command that the store has answered before.

    `first` is its first event, `events` their number (0: there is only an answer), `digest` is that of the
    request, `answer` the bytes given.
    """

    command_id: bytes
    battle: str
    first: int
    events: int
    digest: bytes
    answer: bytes


class StoreError(Exception):
    """Base class of the store's errors."""


class Conflict(StoreError):
    """The append was made for another end of the battle than `head`: stale, ahead (a gap), or on another branch."""

    def __init__(self, battle: str, expected: int, head: StoredHead) -> None:
        super().__init__(f"{battle} is at {head.n}, the append was made for {expected}")
        self.battle = battle
        self.expected = expected
        self.head = head


class Duplicate(StoreError):
    """The command id is known: `recorded` is the earlier answer. The caller compares `recorded.digest`."""

    def __init__(self, recorded: RecordedCommand) -> None:
        super().__init__(f"command {recorded.command_id.hex()} stands in {recorded.battle} at {recorded.first}")
        self.recorded = recorded

    @property
    def answer(self) -> bytes:
        """The bytes answered the first time."""
        return self.recorded.answer


class UnknownBattle(StoreError):
    """No battle of this id was opened here."""


class Unmatched(StoreError):
    """A statement changed another number of rows than required: used up, gone, or somebody was faster."""


class Violated(StoreError):
    """A constraint of an authoritative table refused a row (a name taken, a key repeated, an append-only row)."""


class Overloaded(StoreError):
    """Too many jobs are waiting; the caller should come back later (HTTP 503)."""


class Closed(StoreError):
    """The store is closed, or closing."""


class StoreFailed(StoreError):
    """The database failed: locked, full, unreadable. The cause is chained."""


class BackendAbsent(StoreError):
    """The settings name a backend that does not exist."""
