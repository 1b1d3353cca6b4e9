"""Table of received mails, and what became of each.

A mail is kept, byte for byte, before anything reads it; a crash or a fault in the reading loses none. Its id is a
digest (of its Message-ID, or of its bytes), so the same mail delivered twice is seen to be the same.
"""

from typing import NamedTuple

from server.store.append import Statement
from server.store.contract import Rows


class Mail(NamedTuple):
    """A mail as received; `verdict` says what became of it, None: not looked at yet."""

    id: bytes
    received: str
    raw: bytes
    verdict: str | None


def keep(id_: bytes, received: str, raw: bytes) -> Statement:
    """A mail that came in. The same again makes the job Violated."""
    return Statement("INSERT INTO raw_mail (id, received, raw) VALUES (?,?,?)", (id_, received, raw), 1)


def judge(id_: bytes, verdict: str) -> Statement:
    """What became of it; may be said again."""
    return Statement("UPDATE raw_mail SET verdict=? WHERE id=?", (verdict, id_), 1)


def empty(id_: bytes) -> Statement:
    """Forget what it said, but not that it came: nobody will ask for it again."""
    return Statement("UPDATE raw_mail SET raw=x'' WHERE id=?", (id_,), 1)


def empty_before(at: str) -> Statement:
    """Forget what mails said that came before a moment and were judged."""
    return Statement("UPDATE raw_mail SET raw=x'' WHERE received<? AND verdict IS NOT NULL AND raw<>x''", (at,))


SELECT = "SELECT id, received, raw, verdict FROM raw_mail"


def find(store: Rows, id_: bytes) -> Mail | None:
    """One mail."""
    found = store.rows(f"{SELECT} WHERE id=?", (id_,))
    return Mail(*found[0]) if found else None


def unjudged(store: Rows, limit: int = 100) -> list[Mail]:
    """What is still to be looked at, oldest first."""
    query = f"{SELECT} WHERE verdict IS NULL ORDER BY received, rowid LIMIT ?"
    return [Mail(*row) for row in store.rows(query, (limit,))]
