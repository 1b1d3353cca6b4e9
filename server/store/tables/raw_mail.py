"""Table of received mails, and what became of each.

A mail is kept, byte for byte, before anything reads it, so a crash or a fault in the reading loses none. Its id is a
digest (of its Message-ID, or of its bytes), so a mail delivered twice is recognised.
"""

from typing import NamedTuple

from server.store.append import Statement
from server.store.contract import TableRows


class Mail(NamedTuple):
    """A mail as received; `verdict` is the result, None if it is not processed yet."""

    id: bytes
    received: str
    raw: bytes
    verdict: str | None


def keep(id_: bytes, received: str, raw: bytes) -> Statement:
    """Keep a new mail. The same one again makes the job Violated."""
    return Statement("INSERT INTO raw_mail (id, received, raw) VALUES (?,?,?)", (id_, received, raw), 1)


def judge(id_: bytes, verdict: str) -> Statement:
    """Record the verdict; may be repeated."""
    return Statement("UPDATE raw_mail SET verdict=? WHERE id=?", (verdict, id_), 1)


def empty(id_: bytes) -> Statement:
    """Delete the content of a mail but not the record of it: nobody will ask for it again."""
    return Statement("UPDATE raw_mail SET raw=? WHERE id=?", (b"", id_), 1)


def empty_before(at: str) -> Statement:
    """Delete the content of processed mails received before a moment."""
    return Statement("UPDATE raw_mail SET raw=? WHERE received<? AND verdict IS NOT NULL AND length(raw)>0", (b"", at))


def empty_of(player: str) -> Statement:
    """Delete the content of the mails of a player, and what was made of it but for one word."""
    return Statement(
        "UPDATE raw_mail SET raw=?, verdict='{\"what\":\"' || json_extract(verdict, '$.what') || '\"}' "
        "WHERE json_valid(verdict) AND json_extract(verdict, '$.player')=?",
        (b"", player),
    )


SELECT = "SELECT id, received, raw, verdict FROM raw_mail"


def find(store: TableRows, id_: bytes) -> Mail | None:
    """One mail."""
    found = store.rows(f"{SELECT} WHERE id=?", (id_,))
    return Mail(*found[0]) if found else None


def unjudged(store: TableRows, limit: int = 100) -> list[Mail]:
    """The mails not yet processed, oldest first."""
    query = f"{SELECT} WHERE verdict IS NULL ORDER BY received, rowid LIMIT ?"
    return [Mail(*row) for row in store.rows(query, (limit,))]


def of_kind(store: TableRows, what: str, since: str) -> list[Mail]:
    """The mails with a verdict that came in at a moment or later, the newest first. `what`: the word of the verdict."""
    query = f"{SELECT} WHERE received>=? AND json_extract(verdict, '$.what')=? ORDER BY received DESC, rowid DESC"
    return [Mail(*row) for row in store.rows(query, (since, what))]
