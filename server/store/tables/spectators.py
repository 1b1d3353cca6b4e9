"""Table of what those who watch a battle say to each other.

It stands apart from the messages between the players, so that nothing that counts or lists those can show these. None
of them enters the log.
"""

from typing import NamedTuple

from server.store.append import Statement
from server.store.contract import TableRows

MOST_KEPT = 500
"""Words that are kept of a battle: the newest."""


class Remark(NamedTuple):
    """What a spectator said: `n` counts what was said about the battle, `name` is that of their account now, `text` is
    "" once it was removed."""

    n: int
    player: str
    name: str
    at: str
    text: str


def say(id_: int, battle: str, player: str, at: str, text: str) -> tuple[Statement, ...]:
    """Keep a spectator's words under an id that the caller draws, and no more of a battle than `MOST_KEPT`; the same id
    again makes the job Violated."""
    return (
        Statement(
            "INSERT INTO spectator_posts (battle, n, id, player, at, text) "
            "SELECT ?, COALESCE(MAX(n), 0) + 1, ?, ?, ?, ? FROM spectator_posts WHERE battle=?",
            (battle, id_, player, at, text, battle),
            1,
        ),
        Statement(
            "DELETE FROM spectator_posts WHERE battle=? AND n <= "
            "(SELECT MAX(n) FROM spectator_posts WHERE battle=?) - ?",
            (battle, battle, MOST_KEPT),
        ),
    )


def remove(battle: str, n: int) -> Statement:
    """Take words away; that something was said stays, so that nobody says more in a day by removing."""
    return Statement("UPDATE spectator_posts SET text='' WHERE battle=? AND n=?", (battle, n))


def is_said(store: TableRows, id_: int) -> bool:
    """Whether something stands under an id."""
    return bool(store.rows("SELECT 1 FROM spectator_posts WHERE id=?", (id_,)))


def find(store: TableRows, battle: str, n: int) -> Remark | None:
    """Some words about a battle; None if they are not kept."""
    return next((one for one in of_battle(store, battle, MOST_KEPT) if one.n == n), None)


def author(store: TableRows, battle: str, n: int) -> str:
    """The author of a remark about a battle, "" if it is not kept."""
    found = store.rows("SELECT player FROM spectator_posts WHERE battle=? AND n=?", (battle, n))
    return str(found[0][0]) if found else ""


def of_battle(store: TableRows, battle: str, limit: int) -> list[Remark]:
    """The last words about a battle, oldest first."""
    rows = store.rows(
        "SELECT p.n, p.player, COALESCE(a.name, ''), p.at, p.text FROM spectator_posts AS p "
        "LEFT JOIN accounts AS a ON a.player=p.player WHERE p.battle=? ORDER BY p.n DESC LIMIT ?",
        (battle, limit),
    )
    return [Remark(*row) for row in reversed(rows)]


def of_player(store: TableRows, player: str) -> list[tuple[str, str, str]]:
    """All that a player has said as a spectator, oldest first: battle, time, words."""
    rows = store.rows("SELECT battle, at, text FROM spectator_posts WHERE player=? ORDER BY at, n", (player,))
    return [(str(battle), str(at), str(text)) for battle, at, text in rows]


def count_since(store: TableRows, battle: str, player: str, at: str) -> int:
    """How many things a player has said about a battle after a time."""
    sql = "SELECT COUNT(*) FROM spectator_posts WHERE battle=? AND player=? AND at>?"
    ((count,),) = store.rows(sql, (battle, player, at))
    return int(count)


def forget_all(player: str) -> tuple[Statement, ...]:
    """Forget all that a player has said as a spectator, and how much of it they have read."""
    return (
        Statement("DELETE FROM spectator_posts WHERE player=?", (player,)),
        Statement("DELETE FROM spectator_reads WHERE player=?", (player,)),
    )


# --- how far it was read


def read(battle: str, player: str, seen: int) -> Statement:
    """Record the newest words (their `n`) that a spectator has seen; it never goes back."""
    return Statement(
        "INSERT INTO spectator_reads (battle, player, seen) VALUES (?,?,?) "
        "ON CONFLICT (battle, player) DO UPDATE SET seen=CASE "
        "WHEN excluded.seen>spectator_reads.seen THEN excluded.seen ELSE spectator_reads.seen END",
        (battle, player, seen),
        1,
    )


def unread(store: TableRows, battle: str, player: str) -> int:
    """How many words of others about a battle a spectator has not read."""
    ((count,),) = store.rows(
        "SELECT COUNT(*) FROM spectator_posts WHERE battle=? AND player<>? AND text<>'' "
        "AND player NOT IN (SELECT blocked FROM blocks WHERE blocks.player=?) AND n>COALESCE("
        "(SELECT seen FROM spectator_reads WHERE battle=? AND player=?), 0)",
        (battle, player, player, battle, player),
    )
    return int(count)
