"""Table of API tokens, login links and sessions.

The store knows only the sha256 of a token, so a stolen file opens no door. Kinds: `api` (a program), `login` (once),
`session` (a browser). Tokens in mail addresses are in `mail_tokens`.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

from server.store.append import Statement
from server.store.contract import TableRows

ID_DIGITS = 12
KINDS = ("api", "login", "session")


class StoredToken(NamedTuple):
    """What is known of a token. `expires` None: never; `seen` is its last use, at most an hour too early."""

    digest: bytes
    player: str
    kind: str
    created: str
    expires: str | None
    used: str | None
    seen: str | None = None

    @property
    def id(self) -> str:
        """The name by which its player may revoke it: it opens nothing."""
        return self.digest.hex()[:ID_DIGITS]


def digest(token: str) -> bytes:
    """The digest of a token, as stored; also of bytes that are not text, which a header may bring."""
    return sha256(token.encode(errors="surrogateescape")).digest()


def issue(token: str, player: str, kind: str, created: str, expires: str | None = None) -> Statement:
    """Issue a new token to a player."""
    return Statement(
        "INSERT INTO tokens (digest, player, kind, created, expires) VALUES (?,?,?,?,?)",
        (digest(token), player, kind, created, expires),
        1,
    )


def use(token: str, kind: str, now: str) -> Statement:
    """Spend a token that works once. If it is spent, expired, or of another kind the job is Unmatched."""
    return Statement(
        "UPDATE tokens SET used=? WHERE digest=? AND kind=? AND used IS NULL AND (expires IS NULL OR expires>?)",
        (now, digest(token), kind, now),
        1,
    )


def revoke(token: str) -> Statement:
    """Delete a token; it need not exist."""
    return Statement("DELETE FROM tokens WHERE digest=?", (digest(token),))


def revoke_named(player: str, id_: str) -> Statement:
    """Delete a token of a player by its id. If there is none the job is Unmatched."""
    return Statement(
        "DELETE FROM tokens WHERE player=? AND substr(lower(hex(digest)), 1, ?)=?", (player, ID_DIGITS, id_), 1
    )


def saw(token: StoredToken, now: str) -> Statement:
    """Record that a token was used."""
    return Statement("UPDATE tokens SET seen=? WHERE digest=?", (now, token.digest))


def revoke_all(player: str, kind: str) -> Statement:
    """Delete all tokens of a kind, e.g. the sessions of a player."""
    return Statement("DELETE FROM tokens WHERE player=? AND kind=?", (player, kind))


def revoke_of_bots(owner: str) -> Statement:
    """Delete all tokens of the bots of a player."""
    return Statement("DELETE FROM tokens WHERE player IN (SELECT player FROM accounts WHERE owner=?)", (owner,))


def sweep(now: str) -> Statement:
    """Delete expired tokens."""
    return Statement("DELETE FROM tokens WHERE expires IS NOT NULL AND expires<=?", (now,))


SELECT = "SELECT digest, player, kind, created, expires, used, seen FROM tokens"


def find(store: TableRows, token: str) -> StoredToken | None:
    """A token whatever its state; the caller checks kind, `expires` and `used`."""
    found = store.rows(f"{SELECT} WHERE digest=?", (digest(token),))
    return StoredToken(*found[0]) if found else None


def good(store: TableRows, token: str, kind: str, now: str) -> StoredToken | None:
    """A token of this kind that is neither spent nor expired."""
    known = find(store, token)
    if known is None or known.kind != kind or known.used is not None:
        return None
    return known if known.expires is None or known.expires > now else None


def last_seen(store: TableRows, players: Sequence[str]) -> dict[str, str]:
    """When a token or a session of each of some players was last used; those who have used none are left out."""
    marks = ",".join("?" * len(players))
    query = f"SELECT player, MAX(seen) FROM tokens WHERE player IN ({marks}) AND seen IS NOT NULL GROUP BY player"
    return dict(store.rows(query, players))


def of_player(store: TableRows, player: str) -> list[StoredToken]:
    """The tokens of a player, oldest first."""
    return [StoredToken(*row) for row in store.rows(f"{SELECT} WHERE player=? ORDER BY created, rowid", (player,))]
