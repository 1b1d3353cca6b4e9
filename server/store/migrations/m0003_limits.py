"""Format 3: what accounts hold, which battles are closed, when a token was last used.

Nobody knows who opened the battles of before, so they count for nobody's quota. An API token of before goes on without
an end.
"""

import sqlite3

STATEMENTS = (
    """CREATE TABLE holdings (
    battle TEXT NOT NULL, what TEXT NOT NULL, player TEXT NOT NULL,
    PRIMARY KEY (battle, what)) STRICT, WITHOUT ROWID""",
    "CREATE INDEX holdings_player ON holdings (player)",
    """CREATE TABLE closings (
    battle TEXT PRIMARY KEY NOT NULL, at TEXT NOT NULL, how TEXT NOT NULL) STRICT""",
    "ALTER TABLE tokens ADD COLUMN seen TEXT",
)


def up(db: sqlite3.Connection) -> None:
    """Turn format 2 into format 3, in the caller's transaction."""
    for statement in STATEMENTS:
        db.execute(statement)
