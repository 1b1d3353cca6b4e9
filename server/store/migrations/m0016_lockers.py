"""Format 16: lockers of players, encrypted by their devices."""

import sqlite3

STATEMENTS = (
    """CREATE TABLE lockers (
    player TEXT NOT NULL, kind TEXT NOT NULL CHECK (kind IN ('seat', 'passkey')), place TEXT NOT NULL,
    version INTEGER NOT NULL, mark TEXT NOT NULL, content TEXT NOT NULL, at TEXT NOT NULL,
    PRIMARY KEY (player, kind, place)) STRICT""",
)


def up(db: sqlite3.Connection) -> None:
    """Turn format 15 into format 16, in the caller's transaction."""
    for statement in STATEMENTS:
        db.execute(statement)
