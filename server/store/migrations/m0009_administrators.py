"""Format 9: the role of an account, since when it is banned, and the address that it had."""

import sqlite3

STATEMENTS = (
    "ALTER TABLE accounts ADD COLUMN role TEXT NOT NULL DEFAULT 'player' CHECK (role IN ('player', 'administrator'))",
    "ALTER TABLE accounts ADD COLUMN banned TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE accounts ADD COLUMN kept_email TEXT NOT NULL DEFAULT ''",
)


def up(db: sqlite3.Connection) -> None:
    """Turn format 8 into format 9, in the caller's transaction. Nobody is made administrator: that is the host's."""
    for statement in STATEMENTS:
        db.execute(statement)
