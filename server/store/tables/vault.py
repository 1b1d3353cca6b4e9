"""Table of the secrets of battles.

The log shows these only as commitments: the battle's master (row `n` = 0), and salt and content of each sealed event.
A row is written in the transaction of its event and never changed. Nothing here may reach a view of
another side.
"""

from typing import NamedTuple

from server.store.append import Statement
from server.store.contract import TableRows

MASTER = "master"
CHECKPOINT = "checkpoint"  # the last note of a battle that another host has played


class VaultSecret(NamedTuple):
    """Content kept for event `n` of a battle: its kind, its seat ("" = the server's) and its salt."""

    battle: str
    n: int
    kind: str
    seat: str
    salt: bytes
    content: bytes


def put(secret: VaultSecret) -> Statement:
    """Keep a secret; a second one of the same battle, event, kind and seat makes the job Violated."""
    return Statement("INSERT INTO vault (battle, n, kind, seat, salt, content) VALUES (?,?,?,?,?,?)", tuple(secret), 1)


def put_master(battle: str, master: bytes) -> Statement:
    """Keep the master of a battle, as part of its opening."""
    return put(VaultSecret(battle, 0, MASTER, "", b"", master))


SELECT = "SELECT battle, n, kind, seat, salt, content FROM vault"


def master(store: TableRows, battle: str) -> bytes | None:
    """The master of a battle."""
    found = store.rows("SELECT content FROM vault WHERE battle=? AND n=0 AND kind=?", (battle, MASTER))
    return bytes(found[0][0]) if found else None


def sealed(store: TableRows, battle: str, after: int = 0) -> list[VaultSecret]:
    """The secrets of events after `after`, in the order of the log, without the master."""
    query = f"{SELECT} WHERE battle=? AND n>? AND n>0 ORDER BY n, kind, seat"
    return [VaultSecret(*row) for row in store.rows(query, (battle, after))]


def of_event(store: TableRows, battle: str, n: int) -> list[VaultSecret]:
    """The secrets of one event."""
    return [
        VaultSecret(*row) for row in store.rows(f"{SELECT} WHERE battle=? AND n=? ORDER BY kind, seat", (battle, n))
    ]


NOT_IMPORTED = "NOT EXISTS (SELECT 1 FROM vault v WHERE v.battle=b.battle AND v.n=0 AND v.kind=?)"


def newest_own(store: TableRows) -> tuple[str, bytes] | None:
    """Id and header of the battle that this host has opened last; None if it has opened none."""
    found = store.rows(
        f"SELECT battle, header FROM battles b WHERE {NOT_IMPORTED} ORDER BY b.rowid DESC LIMIT 1",
        (CHECKPOINT,),
    )
    return (found[0][0], bytes(found[0][1])) if found else None


def own_keys(store: TableRows) -> dict[str, int]:
    """The verifier keys under which this host has opened battles, and how many with each."""
    rows = store.rows(
        f"SELECT json_extract(CAST(header AS TEXT), '$.key'), COUNT(*) FROM battles b WHERE {NOT_IMPORTED} GROUP BY 1",
        (CHECKPOINT,),
    )
    return dict(rows)
