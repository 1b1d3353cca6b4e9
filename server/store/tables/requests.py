"""Table of accepted requests, and which of them a crash cut.

A request is kept whole before its first line is played, and until its last one is. Its lines are commands of their own,
answered from `commands`; a request that is not done when the server starts is played again from its body, and continues
at the first line without an answer.
"""

from typing import NamedTuple

from server.store.append import CommandRecord, Statement
from server.store.contract import TableRows
from server.store.errors import RecordedCommand
from server.store.job import INSERT_COMMAND, SELECT_COMMAND


class Request(NamedTuple):
    """A request as received: account and idempotency key, digest of the body, body, and whether it is all answered."""

    account: str
    key: str
    digest: bytes
    body: bytes
    done: bool


def accept(account: str, key: str, digest: bytes, body: bytes) -> Statement:
    """Keep a request; a key used before makes the job Violated (then compare `find`: same digest or 422)."""
    return Statement(
        "INSERT INTO requests (account, key, digest, body) VALUES (?,?,?,?)", (account, key, digest, body), 1
    )


def finish(account: str, key: str) -> Statement:
    """Record that all its lines are answered. Repeating it does no harm."""
    return Statement("UPDATE requests SET done=1 WHERE account=? AND key=?", (account, key), 1)


def close(account: str, key: str, battle: str) -> Statement:
    """Record that the orders of a request are all answered. Its body is needed no longer, only the battle's id: what
    stays of a request for good has the same size, however long it was."""
    return Statement("UPDATE requests SET done=1, body=? WHERE account=? AND key=?", (battle.encode(), account, key), 1)


KNOWN = (
    "SELECT EXISTS (SELECT 1 FROM requests WHERE account=? AND key=?) "
    "OR EXISTS (SELECT 1 FROM commands WHERE command_id=?)"
)


def forget(player: str) -> Statement:
    """Delete the requests of a player; a repetition of one would be played anew."""
    return Statement("DELETE FROM requests WHERE account=?", (player,))


SELECT = "SELECT account, key, digest, body, done FROM requests"


def find(store: TableRows, account: str, key: str) -> Request | None:
    """The request with a key."""
    found = store.rows(f"{SELECT} WHERE account=? AND key=?", (account, key))
    return _request(found[0]) if found else None


def is_known(store: TableRows, account: str, key: str, command_id: bytes) -> bool:
    """Whether a request with this key, or its first command, is stored: one question for the two."""
    return bool(store.rows(KNOWN, (account, key, command_id))[0][0])


def unfinished(store: TableRows) -> list[Request]:
    """The requests to resume at start, in the order of arrival."""
    return [_request(row) for row in store.rows(f"{SELECT} WHERE done=0 ORDER BY rowid")]


def _request(row: tuple[str, str, bytes, bytes, int]) -> Request:
    return Request(*row[:4], bool(row[4]))


def answered(record: CommandRecord, stream: str, first: int, events: int) -> Statement:
    """Record the answer to a command of a stream that is no battle, with the events that it has given.

    Raises: Violated where the command was answered before
    """
    row = (record.command_id, stream, first, events, record.digest, record.answer)
    return Statement(INSERT_COMMAND, row, 1)


def command(store: TableRows, command_id: bytes) -> RecordedCommand | None:
    """The recorded answer to a command; None if it was never given."""
    found = store.rows(SELECT_COMMAND, (command_id,))
    return RecordedCommand(*found[0]) if found else None
