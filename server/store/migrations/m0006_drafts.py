"""Format 6: orders that players have begun to write on a page."""

import sqlite3

STATEMENTS = (
    """CREATE TABLE drafts (
    battle TEXT NOT NULL, side TEXT NOT NULL, player TEXT NOT NULL, orders TEXT NOT NULL, returned BLOB NOT NULL,
    at TEXT NOT NULL, PRIMARY KEY (battle, side, player)) STRICT, WITHOUT ROWID""",
)


def up(db: sqlite3.Connection) -> None:
    """Turn format 5 into format 6, in the caller's transaction."""
    for statement in STATEMENTS:
        db.execute(statement)
