"""Table of the code by which the first administrator is made: one row at most, while there is no administrator.

The store knows only its sha256. The row is deleted by whoever uses it, so that of two at once one does.
"""

from server.store.append import Statement
from server.store.contract import TableRows


def renew(digest: bytes, created: str) -> tuple[Statement, ...]:
    """Keep another code; the one before is good no more."""
    insert = Statement("INSERT INTO set_up (digest, created) VALUES (?,?)", (digest, created), 1)
    return forget(), insert


def spend(digest: bytes) -> Statement:
    """Use the code. If it is another one, or used, the job is Unmatched."""
    return Statement("DELETE FROM set_up WHERE digest=?", (digest,), 1)


def forget() -> Statement:
    """Forget the code; there need not be one."""
    return Statement("DELETE FROM set_up", ())


def known(store: TableRows) -> bytes:
    """The digest of the code, b"" if there is none."""
    found = store.rows("SELECT digest FROM set_up")
    return bytes(found[0][0]) if found else b""
