"""Format 15: accounts of bots, each with the account that owns it."""

import sqlite3

STATEMENTS = (
    "ALTER TABLE accounts ADD COLUMN owner TEXT NOT NULL DEFAULT ''",
    "CREATE INDEX accounts_owner ON accounts (owner) WHERE owner <> ''",
)


def up(db: sqlite3.Connection) -> None:
    """Turn format 14 into format 15, in the caller's transaction."""
    for statement in STATEMENTS:
        db.execute(statement)
