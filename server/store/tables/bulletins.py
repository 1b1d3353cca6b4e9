"""Table of bulletins: that there is one, and the organiser's own words in it. What else it tells is made from the logs
(CAM-CLB-06).

A bulletin of a campaign tells of a round, that of a club of a week; `place` counts both. It is a draft for a day, and
goes then, unless it is held.
"""

from typing import NamedTuple

from server.store.append import Statement
from server.store.contract import TableRows

DRAFT, HELD, SENT = "draft", "held", "sent"


class Bulletin(NamedTuple):
    """A bulletin of a club or campaign. It tells what has happened from `since` until before `until`; a draft goes when
    it is `due`; one that was `sent` has the time of that there."""

    bulletin: str
    owner_kind: str
    owner: str
    place: int
    since: str
    until: str
    due: str
    state: str = DRAFT
    words: str = ""


COLUMNS = ", ".join(Bulletin._fields)
SELECT = f"SELECT {COLUMNS} FROM bulletins"


def id_of(owner_kind: str, owner: str, place: int) -> str:
    """The id of a bulletin."""
    return f"{owner_kind}.{owner}.{place}"


def add(one: Bulletin) -> Statement:
    """Keep a bulletin, unless there is one of this place."""
    return Statement(f"INSERT INTO bulletins ({COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?) ON CONFLICT DO NOTHING", tuple(one))


def change(one: Bulletin, was: str) -> Statement:
    """Keep a bulletin as it is now. One that is not as it `was` any more makes the job Unmatched."""
    return Statement(
        "UPDATE bulletins SET due=?, state=?, words=? WHERE bulletin=? AND state=?",
        (one.due, one.state, one.words, one.bulletin, was),
        1,
    )


def find(store: TableRows, owner_kind: str, owner: str, place: int) -> Bulletin | None:
    """The bulletin of a place."""
    found = store.rows(f"{SELECT} WHERE bulletin=?", (id_of(owner_kind, owner, place),))
    return Bulletin(*found[0]) if found else None


def of_owner(store: TableRows, owner_kind: str, owner: str, drafts: bool, limit: int = 50) -> list[Bulletin]:
    """The bulletins of a club or campaign, the newest first; those that were not sent only with `drafts`."""
    query = f"{SELECT} WHERE owner_kind=? AND owner=? AND (?=1 OR state='sent') ORDER BY place DESC LIMIT ?"
    return [Bulletin(*row) for row in store.rows(query, (owner_kind, owner, int(drafts), limit))]


def due_by(store: TableRows, now: str, limit: int = 50) -> list[Bulletin]:
    """The drafts that go now."""
    rows = store.rows(f"{SELECT} WHERE state='draft' AND due<=? ORDER BY due, bulletin LIMIT ?", (now, limit))
    return [Bulletin(*row) for row in rows]
