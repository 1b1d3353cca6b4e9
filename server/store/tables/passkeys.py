"""Table of passkeys: the public keys with which players log in, without a letter or a link.

The private half never leaves the player's device. `uses` is how often the device says that it has signed; many say 0
for ever.
"""

from typing import NamedTuple

from server.store.append import Statement
from server.store.contract import TableRows


class StoredPasskey(NamedTuple):
    """A passkey. `id` is the name by which its player removes it, and opens nothing; `key` is a COSE key; `used` None:
    nobody has logged in with it."""

    id: str
    player: str
    credential: bytes
    key: bytes
    uses: int
    name: str
    created: str
    used: str | None = None


def add(passkey: StoredPasskey) -> Statement:
    """Add a passkey. If the credential is known the job is Violated."""
    return Statement(
        "INSERT INTO passkeys (id, player, credential, key, uses, name, created, used) VALUES (?,?,?,?,?,?,?,?)",
        tuple(passkey),
        1,
    )


def saw(passkey: StoredPasskey, uses: int, now: str) -> Statement:
    """Record a login. If another one has come between, or the passkey is gone, the job is Unmatched."""
    return Statement(
        "UPDATE passkeys SET uses=?, used=? WHERE id=? AND uses=?", (uses, now, passkey.id, passkey.uses), 1
    )


def remove(player: str, id_: str) -> Statement:
    """Remove a passkey of a player by its id. If there is none the job is Unmatched."""
    return Statement("DELETE FROM passkeys WHERE player=? AND id=?", (player, id_), 1)


def forget_all(player: str) -> Statement:
    """Remove all passkeys of a player."""
    return Statement("DELETE FROM passkeys WHERE player=?", (player,))


SELECT = "SELECT id, player, credential, key, uses, name, created, used FROM passkeys"


def find(store: TableRows, credential: bytes) -> StoredPasskey | None:
    """The passkey with a credential id."""
    found = store.rows(f"{SELECT} WHERE credential=?", (credential,))
    return StoredPasskey(*found[0]) if found else None


def of_player(store: TableRows, player: str) -> list[StoredPasskey]:
    """The passkeys of a player, oldest first."""
    return [StoredPasskey(*row) for row in store.rows(f"{SELECT} WHERE player=? ORDER BY created, id", (player,))]
