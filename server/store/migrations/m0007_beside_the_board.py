"""Format 7: how far messages were read, private notes, and the secret addresses of feeds."""

import sqlite3

STATEMENTS = (
    """CREATE TABLE posts_read (
    battle TEXT NOT NULL, player TEXT NOT NULL, seen INTEGER NOT NULL,
    PRIMARY KEY (battle, player)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE notes (
    battle TEXT NOT NULL, player TEXT NOT NULL, text TEXT NOT NULL, at TEXT NOT NULL,
    PRIMARY KEY (battle, player)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE feeds (
    player TEXT PRIMARY KEY NOT NULL, digest BLOB NOT NULL UNIQUE, created TEXT NOT NULL) STRICT, WITHOUT ROWID""",
)


def up(db: sqlite3.Connection) -> None:
    """Turn format 6 into format 7, in the caller's transaction."""
    for statement in STATEMENTS:
        db.execute(statement)
