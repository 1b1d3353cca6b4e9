"""Table of messages between the players of a battle.

Words between players, relayed without addresses. They are no part of the battle: nothing of them is in the log.
"""

from typing import NamedTuple

from server.store.append import Statement
from server.store.contract import Rows


class Post(NamedTuple):
    """A word of a side to the other."""

    id: int
    battle: str
    side: str
    player: str
    at: str
    text: str


def post(id_: int, battle: str, side: str, player: str, at: str, text: str) -> Statement:
    """Keep a word under an id that the caller draws; a second one of that id makes the job Violated."""
    return Statement(
        "INSERT INTO posts (id, battle, side, player, at, text) VALUES (?,?,?,?,?,?)",
        (id_, battle, side, player, at, text),
        1,
    )


SELECT = "SELECT id, battle, side, player, at, text FROM posts"


def find(store: Rows, id_: int) -> Post | None:
    """One word."""
    found = store.rows(f"{SELECT} WHERE id=?", (id_,))
    return Post(*found[0]) if found else None


def of_battle(store: Rows, battle: str, limit: int = 100) -> list[Post]:
    """The last words of a battle, oldest first."""
    rows = store.rows(f"{SELECT} WHERE battle=? ORDER BY at DESC, id DESC LIMIT ?", (battle, limit))
    return [Post(*row) for row in reversed(rows)]
