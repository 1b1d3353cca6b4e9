"""Table of whom players have blocked: between the two nothing is asked or heard. The blocked one is not told."""

from collections.abc import Iterable

from server.store.append import Statement
from server.store.contract import TableRows


def add(player: str, blocked: str, at: str) -> Statement:
    """Block another player; again changes nothing."""
    values = (player, blocked, at)
    return Statement("INSERT INTO blocks (player, blocked, at) VALUES (?,?,?) ON CONFLICT DO NOTHING", values)


def lift(player: str, blocked: str) -> Statement:
    """Block another player no longer."""
    return Statement("DELETE FROM blocks WHERE player=? AND blocked=?", (player, blocked))


def forget(player: str) -> Statement:
    """Forget all blocks of a player, and all of others that name them."""
    return Statement("DELETE FROM blocks WHERE ? IN (player, blocked)", (player,))


def is_blocked(store: TableRows, player: str, by: Iterable[str]) -> bool:
    """Whether one of some players has blocked another."""
    rows = store.rows("SELECT player FROM blocks WHERE blocked=?", (player,))
    return bool(rows) and not {blocker for (blocker,) in rows}.isdisjoint(by)


def of_player(store: TableRows, player: str) -> list[tuple[str, str]]:
    """Whom a player has blocked, by name: id and name of each."""
    rows = store.rows(
        "SELECT b.blocked, COALESCE(a.name, b.blocked) AS name FROM blocks AS b "
        "LEFT JOIN accounts AS a ON a.player=b.blocked WHERE b.player=? ORDER BY name",
        (player,),
    )
    return [(str(blocked), str(name)) for blocked, name in rows]


def blocked_by(store: TableRows, player: str) -> frozenset[str]:
    """The ids of those whom a player has blocked."""
    return frozenset(blocked for (blocked,) in store.rows("SELECT blocked FROM blocks WHERE player=?", (player,)))
