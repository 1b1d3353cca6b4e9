"""Where do battles, and all that cannot be computed again, stay?

`EventStore` is the way in; `Append` what one write is. Beside them: `accounts`, `tokens`, `vault`, `outbox`,
`deliveries`, `requests`, `parked`, `raw_mail`, `mail_tokens`, `correspondents`, `posts`, `absences`, the authoritative
tables, each a module of functions that make statements and read rows.
"""

from server.store.append import Append, Appended, Command, Opening, Row, Statement
from server.store.errors import (
    BackendAbsent,
    Closed,
    Conflict,
    Duplicate,
    Head,
    Overloaded,
    Recorded,
    StoreError,
    StoreFailed,
    UnknownBattle,
    Unmatched,
    Violated,
)
from server.store.schema import WrongDatabase
from server.store.settings import Settings
from server.store.store import Battle, EventStore

__all__ = [
    "Append",
    "Appended",
    "BackendAbsent",
    "Battle",
    "Closed",
    "Command",
    "Conflict",
    "Duplicate",
    "EventStore",
    "Head",
    "Opening",
    "Overloaded",
    "Recorded",
    "Row",
    "Settings",
    "Statement",
    "StoreError",
    "StoreFailed",
    "UnknownBattle",
    "Unmatched",
    "Violated",
    "WrongDatabase",
]
