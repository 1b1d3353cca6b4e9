"""Format 11: what spectators say to each other, and how far each of them has read it."""

import sqlite3

STATEMENTS = (
    """CREATE TABLE spectator_posts (
    battle TEXT NOT NULL, n INTEGER NOT NULL, id INTEGER NOT NULL UNIQUE, player TEXT NOT NULL, at TEXT NOT NULL,
    text TEXT NOT NULL, PRIMARY KEY (battle, n)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE spectator_reads (
    battle TEXT NOT NULL, player TEXT NOT NULL, seen INTEGER NOT NULL,
    PRIMARY KEY (battle, player)) STRICT, WITHOUT ROWID""",
)


def up(db: sqlite3.Connection) -> None:
    """Turn format 10 into format 11, in the caller's transaction."""
    for statement in STATEMENTS:
        db.execute(statement)
