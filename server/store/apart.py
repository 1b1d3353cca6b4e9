"""Read a store from a process beside that of the server.

Where the store is goes to such a process in its environment, not among its arguments: the URL of a database may hold a
password, and arguments can be read by everybody on the machine.
"""

import os
from collections.abc import Mapping
from pathlib import Path

from server.store.connections import SQLiteLog
from server.store.contract import StoredLog
from server.store.settings import StoreSettings

PLACE = "PHALERA_STORE_OF_CHILD"


def environment_for(store: StoreSettings) -> dict[str, str]:
    """The environment of a process that is to read a store."""
    return {**os.environ, PLACE: str(Path(store.dbname).absolute()) if store.is_file else store.dbname}


def named_log(environment: Mapping[str, str] = os.environ) -> StoredLog:
    """The log of the store that the environment names.

    Raises: KeyError if it names none; StoreFailed
    """
    store = StoreSettings.at(environment[PLACE])
    if store.is_file:
        return SQLiteLog(store.dbname)
    from server.store.postgresql.reading import PostgresLog  # an extra

    return PostgresLog(store.dbname)
