"""Look whether the small authoritative tables of a store can be read: without them nobody can log in or order.

The log itself is left to the doctor: it is large, and each battle that is read is checked anyway.
"""

import sqlite3

from server.settings import Unusable
from server.store import EventStore
from server.store.contract import TableRows

TABLES = (
    "accounts",
    "tokens",
    "passkeys",
    "battles",
    "requests",
    "parked",
    "closings",
    "holdings",
    "absences",
    "invitations",
    "correspondents",
)


def damaged_tables(store: EventStore) -> dict[str, str]:
    """What is wrong with each table that is damaged, by its name; PostgreSQL looks after its own pages."""
    if not store.settings.is_file:
        return {}
    return {table: said for table in TABLES if (said := _damage(store, table))}


def require_whole(store: EventStore) -> None:
    """Refuse to serve on a store whose small tables are damaged.

    Raises: Unusable
    """
    for table, said in damaged_tables(store).items():
        raise Unusable(f"The table {table} of the store is damaged ({said}): phalera doctor says what to do.")


def _damage(store: TableRows, table: str) -> str:
    try:
        found = [str(said) for (said,) in store.rows(f"PRAGMA quick_check({table})")]
    except (sqlite3.DatabaseError, UnicodeDecodeError) as fault:
        return str(fault)
    return "" if found == ["ok"] else "; ".join(found[:3])
