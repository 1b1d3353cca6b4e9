"""A job in the writer's queue: when it fits, and the rows it becomes."""

import asyncio
import concurrent.futures

from server.store.append import Append, Appended, CommandRecord, StoredRow, Value, Write, stored_rows
from server.store.errors import Conflict, StoredHead, StoreFailed, UnknownBattle, head_of_header

INSERT_BATTLE = "INSERT INTO battles (battle, header, created, readers) VALUES (?,?,?,?)"
INSERT_COMMAND = "INSERT INTO commands (command_id, battle, first, count, digest, answer) VALUES (?,?,?,?,?,?)"
SELECT_COMMAND = "SELECT command_id, battle, first, count, digest, answer FROM commands WHERE command_id=?"

Work = Append | Write
Done = Appended | tuple[int, ...]
Promise = asyncio.Future[Done] | concurrent.futures.Future[Done]


class Job:
    """Work in the queue, with the place where its answer goes."""

    __slots__ = ("events", "outcome", "promise", "work")

    def __init__(self, work: Work, promise: Promise) -> None:
        self.work = work
        self.events: list[StoredRow] = stored_rows(work) if isinstance(work, Append) else []
        self.promise = promise
        self.outcome: Done | Exception = StoreFailed("never tried")

    def answer(self) -> None:
        """Hand over the outcome, unless nobody is waiting any more (the work is not cancelled)."""
        if not self.promise.done():
            if isinstance(self.outcome, Exception):
                self.promise.set_exception(self.outcome)
            else:
                self.promise.set_result(self.outcome)


def fitting(append: Append, head: StoredHead | None) -> StoredHead:
    """The head that `append` continues.

    Raises: Conflict, UnknownBattle
    """
    if append.opens is not None:
        if head is not None or append.expected != 0:
            raise Conflict(append.battle, append.expected, head or StoredHead(0, b""))
        return head_of_header(append.opens.header)
    if head is None:
        raise UnknownBattle(append.battle)
    if append.expected != head.n or (append.prev is not None and append.prev != head.hash):
        raise Conflict(append.battle, append.expected, head)
    return head


def command_row(append: Append, command: CommandRecord) -> tuple[Value, ...]:
    """The row of `commands` that makes the append happen once."""
    first, count = append.expected + 1, len(append.rows)
    return (command.command_id, append.battle, first, count, command.digest, command.answer)
