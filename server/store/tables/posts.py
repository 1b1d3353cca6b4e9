"""Table of messages between the players of a battle.

Messages between players, relayed without addresses. They are not part of the battle: none of them enters the log.
"""

from typing import NamedTuple

from server.store.append import Statement
from server.store.contract import Rows


class Post(NamedTuple):
    """A message from a side to the other."""

    id: int
    battle: str
    side: str
    player: str
    at: str
    text: str


def post(id_: int, battle: str, side: str, player: str, at: str, text: str) -> Statement:
    """Keep a message under an id that the caller draws; a second one with that id makes the job Violated."""
    return Statement(
        "INSERT INTO posts (id, battle, side, player, at, text) VALUES (?,?,?,?,?,?)",
        (id_, battle, side, player, at, text),
        1,
    )


SELECT = "SELECT id, battle, side, player, at, text FROM posts"


def find(store: Rows, id_: int) -> Post | None:
    """One message."""
    found = store.rows(f"{SELECT} WHERE id=?", (id_,))
    return Post(*found[0]) if found else None


def of_battle(store: Rows, battle: str, limit: int = 100) -> list[Post]:
    """The last messages of a battle, oldest first."""
    rows = store.rows(f"{SELECT} WHERE battle=? ORDER BY at DESC, id DESC LIMIT ?", (battle, limit))
    return [Post(*row) for row in reversed(rows)]
