"""Table of the press of clubs and campaigns: short posts by their members, beside every log (CAM-CLB-05)."""

from typing import NamedTuple

from server.store.append import Statement
from server.store.contract import TableRows


class PressPost(NamedTuple):
    """A post, in the press of a club or a campaign (`owner_kind`, `owner`)."""

    id: int
    owner_kind: str
    owner: str
    player: str
    at: str
    text: str


def post(one: PressPost) -> Statement:
    """Keep a post under an id that the caller draws; a second one with that id makes the job Violated."""
    return Statement("INSERT INTO press (id, owner_kind, owner, player, at, text) VALUES (?,?,?,?,?,?)", tuple(one), 1)


def remove(id_: int) -> Statement:
    """Take a post away. One that is gone makes the job Unmatched."""
    return Statement("DELETE FROM press WHERE id=?", (id_,), 1)


def forget(player: str) -> Statement:
    """Take away what somebody has posted."""
    return Statement("DELETE FROM press WHERE player=?", (player,))


SELECT = "SELECT id, owner_kind, owner, player, at, text FROM press"


def find(store: TableRows, id_: int) -> PressPost | None:
    """One post."""
    found = store.rows(f"{SELECT} WHERE id=?", (id_,))
    return PressPost(*found[0]) if found else None


def of_owner(store: TableRows, owner_kind: str, owner: str, since: str = "", limit: int = 50) -> list[PressPost]:
    """The newest posts since a time, the newest first."""
    query = f"{SELECT} WHERE owner_kind=? AND owner=? AND at>=? ORDER BY at DESC, id DESC LIMIT ?"
    return [PressPost(*row) for row in store.rows(query, (owner_kind, owner, since, limit))]


def count_of(store: TableRows, owner_kind: str, owner: str, player: str, since: str) -> int:
    """How many posts somebody has written since a time."""
    query = "SELECT COUNT(*) FROM press WHERE owner_kind=? AND owner=? AND player=? AND at>=?"
    return int(store.rows(query, (owner_kind, owner, player, since))[0][0])
