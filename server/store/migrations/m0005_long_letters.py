"""Format 5: players who want long letters."""

import sqlite3

STATEMENTS = ("ALTER TABLE correspondents ADD COLUMN is_long INTEGER NOT NULL DEFAULT 0",)


def up(db: sqlite3.Connection) -> None:
    """Turn format 4 into format 5, in the caller's transaction."""
    for statement in STATEMENTS:
        db.execute(statement)
