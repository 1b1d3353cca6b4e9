"""Table of the networks from which nobody is answered."""

from typing import NamedTuple

from server.store.append import Statement
from server.store.contract import TableRows


class Ban(NamedTuple):
    """A banned network, in its usual spelling. `until` is "" if it has no end; `reason` is the host's own note."""

    id: str
    network: str
    reason: str
    at: str
    until: str


def add(ban: Ban) -> Statement:
    """Ban a network. One that is banned already, until whenever, keeps its id and gets the new reason and end."""
    return Statement(
        "INSERT INTO bans (id, network, reason, at, until) VALUES (?,?,?,?,?) "
        "ON CONFLICT (network) DO UPDATE SET reason=excluded.reason, at=excluded.at, until=excluded.until",
        ban,
        1,
    )


def lift(network: str) -> Statement:
    """End a ban; Unmatched if there is none."""
    return Statement("DELETE FROM bans WHERE network=?", (network,), 1)


def forget_ended(at: str) -> Statement:
    """Forget the bans that have ended before a time."""
    return Statement("DELETE FROM bans WHERE until<>'' AND until<=?", (at,))


def all_of(store: TableRows) -> list[Ban]:
    """All bans, the newest first; some may have ended."""
    return [Ban(*row) for row in store.rows("SELECT id, network, reason, at, until FROM bans ORDER BY at DESC, id")]
