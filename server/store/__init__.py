"""The store: battles, and everything that cannot be computed again.

`EventStore` is the way in; `Append` what one write is. `server.store.tables` has the authoritative tables, each a
module of functions that make statements and read rows.
"""

from server.store.append import Append, Appended, CommandRecord, EventRow, Opening, Statement
from server.store.errors import (
    BackendAbsent,
    Closed,
    Conflict,
    Duplicate,
    Overloaded,
    RecordedCommand,
    StoredHead,
    StoreError,
    StoreFailed,
    UnknownBattle,
    Unmatched,
    Violated,
)
from server.store.schema import Newer, Outdated, WrongDatabase
from server.store.settings import StoreSettings
from server.store.store import EventStore, StoredBattle

__all__ = [
    "Append",
    "Appended",
    "BackendAbsent",
    "Closed",
    "CommandRecord",
    "Conflict",
    "Duplicate",
    "EventRow",
    "EventStore",
    "Newer",
    "Opening",
    "Outdated",
    "Overloaded",
    "RecordedCommand",
    "Statement",
    "StoreError",
    "StoreFailed",
    "StoreSettings",
    "StoredBattle",
    "StoredHead",
    "UnknownBattle",
    "Unmatched",
    "Violated",
    "WrongDatabase",
]
