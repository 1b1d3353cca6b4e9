"""Table of how far players have watched their battles: the last event that each has been shown, by battle."""

from server.store.append import Statement
from server.store.contract import TableRows


def record(battle: str, player: str, n: int) -> Statement:
    """Record that a player has been shown event `n`; it never goes back."""
    return Statement(
        "INSERT INTO watched (battle, player, n) VALUES (?,?,?) "
        "ON CONFLICT (battle, player) DO UPDATE SET n=CASE "
        "WHEN excluded.n>watched.n THEN excluded.n ELSE watched.n END",
        (battle, player, n),
        1,
    )


def find(store: TableRows, battle: str, player: str) -> int:
    """The last event that a player has been shown, 0 if that is not known."""
    found = store.rows("SELECT n FROM watched WHERE battle=? AND player=?", (battle, player))
    return int(found[0][0]) if found else 0


def forget_all(player: str) -> Statement:
    """Forget how far a player has watched anything."""
    return Statement("DELETE FROM watched WHERE player=?", (player,))
