"""Table of messages between the players of a battle.

Messages between players, relayed without addresses. They are not part of the battle: none of them enters the log.
"""

from collections.abc import Sequence
from typing import NamedTuple

from server.store.append import Statement
from server.store.contract import TableRows


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


HEARD = "posts.player NOT IN (SELECT blocked FROM blocks WHERE blocks.player=?)"
"""The messages of those whom a player has not blocked."""
NEW = "COUNT(*) - COALESCE(MAX(posts_read.seen), 0)"
"""How many messages of a battle a player has not seen."""
SELECT = "SELECT id, battle, side, player, at, text FROM posts"


def find(store: TableRows, id_: int) -> Post | None:
    """One message."""
    found = store.rows(f"{SELECT} WHERE id=?", (id_,))
    return Post(*found[0]) if found else None


def of_battle(store: TableRows, battle: str, limit: int = 100) -> list[Post]:
    """The last messages of a battle, oldest first."""
    rows = store.rows(f"{SELECT} WHERE battle=? ORDER BY at DESC, id DESC LIMIT ?", (battle, limit))
    return [Post(*row) for row in reversed(rows)]


def of_player(store: TableRows, player: str) -> list[Post]:
    """All messages that a player has sent, oldest first."""
    return [Post(*row) for row in store.rows(f"{SELECT} WHERE player=? ORDER BY at, id", (player,))]


# --- how far they were read


def read(battle: str, player: str, seen: int) -> Statement:
    """Record how many messages of others a player has seen in a battle; it never goes back."""
    return Statement(
        "INSERT INTO posts_read (battle, player, seen) VALUES (?,?,?) "
        "ON CONFLICT (battle, player) DO UPDATE SET seen=CASE "
        "WHEN excluded.seen>posts_read.seen THEN excluded.seen ELSE posts_read.seen END",
        (battle, player, seen),
        1,
    )


def count_for(store: TableRows, battle: str, player: str) -> int:
    """How many messages of others there are in a battle."""
    query = f"SELECT COUNT(*) FROM posts WHERE battle=? AND player<>? AND {HEARD}"
    ((count,),) = store.rows(query, (battle, player, player))
    return int(count)


def forget_read(player: str) -> Statement:
    """Forget how much a player has read of anything."""
    return Statement("DELETE FROM posts_read WHERE player=?", (player,))


def unread(store: TableRows, player: str, battles: Sequence[str]) -> dict[str, int]:
    """How many messages of others a player has not read, by battle; those with none are left out.

    Shape: a few hundred battles at most
    """
    if not battles:
        return {}
    marks = ",".join("?" * len(battles))
    rows = store.rows(
        f"SELECT posts.battle, {NEW} FROM posts "
        "LEFT JOIN posts_read ON posts_read.battle=posts.battle AND posts_read.player=? "
        f"WHERE posts.battle IN ({marks}) AND posts.player<>? AND {HEARD} GROUP BY posts.battle HAVING {NEW} > 0",
        (player, *battles, player, player),
    )
    return {str(battle): int(count) for battle, count in rows}
