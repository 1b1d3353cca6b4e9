"""Table of the secret addresses by which programs follow what waits for a player, at most one for each player.

As with other tokens the store knows only the sha256 of the secret.
"""

from server.store.append import Statement
from server.store.contract import TableRows
from server.store.tables.tokens import digest


def issue(token: str, player: str, at: str) -> Statement:
    """Give a player an address; the one before leads nowhere then."""
    return Statement(
        "INSERT INTO feeds (player, digest, created) VALUES (?,?,?) "
        "ON CONFLICT (player) DO UPDATE SET digest=excluded.digest, created=excluded.created",
        (player, digest(token), at),
        1,
    )


def revoke(player: str) -> Statement:
    """Take a player's address back; there need not be one."""
    return Statement("DELETE FROM feeds WHERE player=?", (player,))


def player_of(store: TableRows, token: str) -> str:
    """The player whose address has this secret, "" if there is none."""
    found = store.rows("SELECT player FROM feeds WHERE digest=?", (digest(token),))
    return str(found[0][0]) if found else ""


def issued(store: TableRows, player: str) -> str:
    """When a player's address was made, "" if they have none."""
    found = store.rows("SELECT created FROM feeds WHERE player=?", (player,))
    return str(found[0][0]) if found else ""
