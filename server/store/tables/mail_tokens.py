"""Table of the tokens in reply addresses.

Every address this server issues is `LOCAL+TOKEN@HOST`; the token is 24 lower-case letters and digits of base32,
which no mail system folds or cuts, and reveals nothing by itself. The store knows only its sha256. Kinds: `question`
(one question put to a side, valid while it is open), `confirm` (a held request that a player may release), `say` (a
message to the other side of a battle), `bounce` (an envelope sender: whose letter bounced; with the question `probe`
that of `phalera mail check`), `unsubscribe`, `invite` (`invitations`; its player is "" for an address without an
account).
"""

from hashlib import sha256
from typing import NamedTuple

from server.store.append import Statement
from server.store.contract import TableRows


class MailToken(NamedTuple):
    """What is known of a token: its player and subject. `content`: the held request, for kind `confirm`; for
    kind `question` the orders listed in the letter or, of a letter about several battles or a campaign, these."""

    digest: bytes
    kind: str
    player: str
    battle: str
    side: str
    question: str
    content: bytes
    created: str
    expires: str | None
    used: str | None


def digest(token: str) -> bytes:
    """The digest of a token, as stored; also of bytes that are not text, which a header may bring."""
    return sha256(token.encode(errors="surrogateescape")).digest()


def issue(
    token: str,
    kind: str,
    player: str,
    created: str,
    *,
    battle: str = "",
    side: str = "",
    question: str = "",
    content: bytes = b"",
    expires: str | None = None,
) -> Statement:
    """Insert a token; issuing the same one again (a letter that is sent once more) changes nothing."""
    return Statement(
        "INSERT INTO mail_tokens (digest, kind, player, battle, side, question, content, created, expires) "
        "VALUES (?,?,?,?,?,?,?,?,?) ON CONFLICT (digest) DO NOTHING",
        (digest(token), kind, player, battle, side, question, content, created, expires),
    )


def use(token: str, kind: str, now: str) -> Statement:
    """Spend a token that works once. If it is spent, expired, or of another kind the job is Unmatched."""
    return Statement(
        "UPDATE mail_tokens SET used=? WHERE digest=? AND kind=? AND used IS NULL AND (expires IS NULL OR expires>?)",
        (now, digest(token), kind, now),
        1,
    )


ACTING = ("question", "confirm", "say")
"""Kinds by which somebody acts as the player. The others tell bounces apart, stop letters, or invite."""


def revoke_acting(player: str) -> Statement:
    """Delete the tokens of a player by which somebody could act as them."""
    marks = ",".join("?" * len(ACTING))
    return Statement(f"DELETE FROM mail_tokens WHERE player=? AND kind IN ({marks})", (player, *ACTING))


def revoke_all(player: str) -> Statement:
    """Delete all tokens of a player."""
    return Statement("DELETE FROM mail_tokens WHERE player=?", (player,))


SELECT = (
    "SELECT digest, kind, player, battle, side, question, content, created, expires, used FROM mail_tokens "
    "WHERE digest=?"
)


def find(store: TableRows, token: str) -> MailToken | None:
    """A token whatever its state; the caller checks `expires` and `used`."""
    return with_digest(store, digest(token))


def with_digest(store: TableRows, stored: bytes) -> MailToken | None:
    """The token with a digest, whatever its state."""
    found = store.rows(SELECT, (stored,))
    return MailToken(*found[0]) if found else None


def good(store: TableRows, token: str, kind: str, now: str) -> MailToken | None:
    """A token of this kind that is neither spent nor expired."""
    known = find(store, token)
    if known is None or known.kind != kind or known.used is not None:
        return None
    return known if known.expires is None or known.expires > now else None
