"""Format 13: which release has brought the store to which format."""

import sqlite3

STATEMENTS = ("CREATE TABLE written_by (format INTEGER PRIMARY KEY NOT NULL, release TEXT NOT NULL) STRICT",)


def up(db: sqlite3.Connection) -> None:
    """Turn format 12 into format 13, in the caller's transaction."""
    for statement in STATEMENTS:
        db.execute(statement)
