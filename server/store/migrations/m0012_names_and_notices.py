"""Format 12: what names look like, the code that makes the first administrator, what has happened to an
account, and whose mails and letters are whose."""

import sqlite3

from server.spelling.looks import look_of

STATEMENTS = (
    "ALTER TABLE accounts ADD COLUMN look TEXT NOT NULL DEFAULT ''",
    "CREATE TABLE set_up (digest BLOB PRIMARY KEY NOT NULL, created TEXT NOT NULL) STRICT, WITHOUT ROWID",
    """CREATE TABLE notices (
    id TEXT PRIMARY KEY NOT NULL, player TEXT NOT NULL, at TEXT NOT NULL, what TEXT NOT NULL, about TEXT NOT NULL,
    email TEXT NOT NULL) STRICT, WITHOUT ROWID""",
    "CREATE INDEX notices_player ON notices (player, at)",
    "CREATE INDEX raw_mail_player ON raw_mail (json_extract(verdict, '$.player')) WHERE json_valid(verdict)",
    "CREATE INDEX outbox_recipient ON outbox (recipient)",
)


def up(db: sqlite3.Connection) -> None:
    """Turn format 11 into format 12, in the caller's transaction. Of names that look alike the oldest gets the look,
    the others one that ends with their id; who has gone gets the id alone."""
    for statement in STATEMENTS:
        db.execute(statement)
    taken: set[str] = set()
    for player, name in db.execute("SELECT player, name FROM accounts ORDER BY created, rowid").fetchall():
        look = "" if name == f"gone {player}" else look_of(name)
        if not look or look in taken:
            look = f"{look}/{player}"
        taken.add(look)
        db.execute("UPDATE accounts SET look=? WHERE player=?", (look, player))
    db.execute("CREATE UNIQUE INDEX accounts_look ON accounts (look) WHERE look <> ''")
