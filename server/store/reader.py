"""Read the file of a store without opening the store: whatever its format, its state and its folder.

For looking into a folder that may be damaged, or read-only. Nothing is written, no table is made.
"""

import os
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

from server.store import schema
from server.store.append import Value
from server.store.connections import STATES


class StoreReader:
    """The file, read-only. In a folder that cannot be written to, commits of a WAL beside it cannot be seen.

    Raises: sqlite3.Error
    """

    def __init__(self, path: Path) -> None:
        has_wal = path.with_name(path.name + "-wal").exists()
        options = "mode=ro" if has_wal and os.access(path.parent, os.W_OK) else "mode=ro&immutable=1"
        self._db = sqlite3.connect(f"{path.absolute().as_uri()}?{options}", uri=True, isolation_level=None)

    def format(self) -> int:
        """The format of the file.

        Raises: schema.WrongDatabase, sqlite3.Error
        """
        return schema.format_of(self._db)

    def rows(self, sql: str, params: Sequence[Value] = ()) -> list[tuple[Any, ...]]:
        """All rows that `sql` selects."""
        return self._db.execute(sql, params).fetchall()

    def read(self, battle: str) -> list[tuple[int, bytes, bytes]]:
        """(n, hash_n, line) of all events of a battle."""
        return self.rows(STATES, (battle, 0, -1))

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
