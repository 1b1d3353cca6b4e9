"""Format 20: what lists of campaigns tell of each, so that no log is read for them."""

import sqlite3

STATEMENTS = (
    """CREATE TABLE campaign_list (
    campaign TEXT PRIMARY KEY NOT NULL, title TEXT NOT NULL, kind TEXT NOT NULL, ruleset TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('entering', 'running', 'ended')), round INTEGER NOT NULL,
    entrants INTEGER NOT NULL) STRICT, WITHOUT ROWID""",
    "CREATE INDEX campaigns_readers ON campaigns (readers)",
)


def up(db: sqlite3.Connection) -> None:
    """Turn format 19 into format 20, in the caller's transaction."""
    for statement in STATEMENTS:
        db.execute(statement)
