"""Format 10: the passkeys of players."""

import sqlite3

STATEMENTS = (
    """CREATE TABLE passkeys (
    id TEXT PRIMARY KEY NOT NULL, player TEXT NOT NULL, credential BLOB NOT NULL UNIQUE, key BLOB NOT NULL,
    uses INTEGER NOT NULL, name TEXT NOT NULL, created TEXT NOT NULL, used TEXT) STRICT, WITHOUT ROWID""",
    "CREATE INDEX passkeys_player ON passkeys (player)",
)


def up(db: sqlite3.Connection) -> None:
    """Turn format 9 into format 10, in the caller's transaction."""
    for statement in STATEMENTS:
        db.execute(statement)
