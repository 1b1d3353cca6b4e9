"""Format 8: how far players have watched their battles."""

import sqlite3

STATEMENTS = (
    """CREATE TABLE watched (
    battle TEXT NOT NULL, player TEXT NOT NULL, n INTEGER NOT NULL,
    PRIMARY KEY (battle, player)) STRICT, WITHOUT ROWID""",
)


def up(db: sqlite3.Connection) -> None:
    """Turn format 7 into format 8, in the caller's transaction."""
    for statement in STATEMENTS:
        db.execute(statement)
