"""Table of lockers: what the devices of a player keep here, encrypted under a key that this server never has.

A locker of a seat has books of seals and keys that sign; one of a passkey has the key of the player's lockers itself.
The keys with which a player judges are in a seat's locker of no battle, `OF_UMPIRE`.
"""

from msgspec import Struct

from server.store.append import HASH_BYTES, Statement
from server.store.contract import TableRows

SEAT, PASSKEY = "seat", "passkey"
OF_UMPIRE = "umpire key"
"""The place of an umpire's keys: with a space in it, no battle is called so."""
LONGEST = 6000
"""Characters of one locker, base64."""
MOST = 2000
"""Lockers of one player."""


class StoredLocker(Struct, frozen=True):
    """A locker: `place` is a battle, or the credential of a passkey as base64url; `mark` names the key of all
    lockers of its player; `content` is base64."""

    player: str
    kind: str
    place: str
    version: int
    mark: str
    content: str
    at: str


def put(locker: StoredLocker) -> Statement:
    """Keep a locker: the version behind the one that is there, under the key of all lockers of its player.

    Raises: Unmatched, where another device was faster, or the player's lockers have another key
    """
    player, kind, place, version, mark, content, at = (getattr(locker, name) for name in locker.__struct_fields__)
    return Statement(
        "INSERT INTO lockers (player, kind, place, version, mark, content, at) SELECT ?,?,?,?,?,?,? "
        "WHERE NOT EXISTS (SELECT 1 FROM lockers WHERE player=? AND mark<>?) "
        "AND ?=1+COALESCE((SELECT version FROM lockers WHERE player=? AND kind=? AND place=?),0) "
        "ON CONFLICT (player, kind, place) DO UPDATE SET version=excluded.version, content=excluded.content, "
        "at=excluded.at",
        (player, kind, place, version, mark, content, at, player, mark, version, player, kind, place),
        1,
    )


def forget_ended(player: str, before: str) -> Statement:
    """Forget the lockers of battles in which nobody holds anything any more, of which nothing was written since
    `before`."""
    newest = (
        f"SELECT json_extract(CAST(substr(e.state,{HASH_BYTES + 1}) AS TEXT), '$.at') FROM stored_events e "
        "WHERE e.originator_id=lockers.place ORDER BY e.originator_version DESC LIMIT 1"
    )
    return Statement(
        "DELETE FROM lockers WHERE player=? AND kind=? AND place<>? AND at<? AND COALESCE(("
        f"{newest}), '')<? AND NOT EXISTS (SELECT 1 FROM holdings h WHERE h.battle=lockers.place)",
        (player, SEAT, OF_UMPIRE, before, before),
    )


def forget(player: str, kind: str, place: str) -> Statement:
    """Forget a locker; there need not be one."""
    return Statement("DELETE FROM lockers WHERE player=? AND kind=? AND place=?", (player, kind, place))


def forget_passkeys(player: str) -> Statement:
    """Forget the lockers of a player's passkeys, which are gone."""
    return Statement("DELETE FROM lockers WHERE player=? AND kind=?", (player, PASSKEY))


def forget_all(player: str) -> Statement:
    """Forget all lockers of a player."""
    return Statement("DELETE FROM lockers WHERE player=?", (player,))


def of_player(store: TableRows, player: str, place: str = "") -> list[StoredLocker]:
    """The lockers of a player, all or those of one place."""
    rows = store.rows(
        "SELECT player, kind, place, version, mark, content, at FROM lockers WHERE player=? AND (?='' OR place=?) "
        "ORDER BY kind, place",
        (player, place, place),
    )
    return [StoredLocker(*row) for row in rows]


def mark_of(store: TableRows, player: str) -> str:
    """The mark of the key that opens a player's lockers, "" where they have none."""
    rows = store.rows("SELECT mark FROM lockers WHERE player=? LIMIT 1", (player,))
    return str(rows[0][0]) if rows else ""


def size_of(store: TableRows, player: str) -> tuple[int, int]:
    """How many lockers a player has, and their characters."""
    ((count, size),) = store.rows("SELECT COUNT(*), SUM(LENGTH(content)) FROM lockers WHERE player=?", (player,))
    return int(count), int(size or 0)
