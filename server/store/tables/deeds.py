"""Table of what the host and the administrators have done about players, battles, networks and complaints.

It is append-only: who moderates cannot take their own deeds out of it. `about` is an id, never a name or an address.
"""

from typing import NamedTuple

from server.store.append import Statement
from server.store.contract import TableRows

HOST = ""
"""The actor of a deed by a command."""


class StoredDeed(NamedTuple):
    """A deed: `actor` is the id of an administrator, or `HOST`; `about` the id of a player, battle, ban, complaint."""

    n: int
    at: str
    actor: str
    deed: str
    about: str
    why: str


def record(at: str, actor: str, deed: str, about: str, why: str = "") -> Statement:
    """Add a deed."""
    return Statement(
        "INSERT INTO deeds (at, actor, deed, about, why) VALUES (?,?,?,?,?)", (at, actor, deed, about, why)
    )


def latest(store: TableRows, limit: int, before: int = 0, about: str = "") -> list[StoredDeed]:
    """The newest deeds, newest first: before one of them (its `n`; 0: from the last), about one thing ("": any)."""
    rows = store.rows(
        "SELECT n, at, actor, deed, about, why FROM deeds WHERE (?=0 OR n<?) AND (?='' OR about=?) "
        "ORDER BY n DESC LIMIT ?",
        (before, before, about, about, limit),
    )
    return [StoredDeed(*row) for row in rows]
