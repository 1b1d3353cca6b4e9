"""Table of private notes, one for each player and battle; nobody else is ever shown them."""

from server.store.append import Statement
from server.store.contract import TableRows

LONGEST = 16 * 1024
"""Characters of a note that are kept."""


def keep(battle: str, player: str, text: str, at: str) -> Statement:
    """Keep a player's note, replacing the one before."""
    return Statement(
        "INSERT INTO notes (battle, player, text, at) VALUES (?,?,?,?) "
        "ON CONFLICT (battle, player) DO UPDATE SET text=excluded.text, at=excluded.at",
        (battle, player, text, at),
        1,
    )


def forget(battle: str, player: str) -> Statement:
    """Forget a player's note; there need not be one."""
    return Statement("DELETE FROM notes WHERE battle=? AND player=?", (battle, player))


def forget_all(player: str) -> Statement:
    """Forget all notes of a player."""
    return Statement("DELETE FROM notes WHERE player=?", (player,))


def find(store: TableRows, battle: str, player: str) -> str:
    """A player's note about a battle, "" if there is none."""
    found = store.rows("SELECT text FROM notes WHERE battle=? AND player=?", (battle, player))
    return str(found[0][0]) if found else ""


def of_player(store: TableRows, player: str) -> list[tuple[str, str, str]]:
    """All notes of a player: battle, text, time of the last change."""
    rows = store.rows("SELECT battle, text, at FROM notes WHERE player=? ORDER BY battle", (player,))
    return [(str(battle), str(text), str(at)) for battle, text, at in rows]
