"""Format 4: invitations by mail, and the addresses that want none.

The tokens of letters get another kind, so their table is made anew with the rows of before.
"""

import sqlite3

STATEMENTS = (
    "DROP INDEX mail_tokens_player",
    "ALTER TABLE mail_tokens RENAME TO mail_tokens_3",
    """CREATE TABLE mail_tokens (
    digest BLOB PRIMARY KEY NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('question', 'confirm', 'say', 'bounce', 'unsubscribe', 'invite')),
    player TEXT NOT NULL, battle TEXT NOT NULL, side TEXT NOT NULL, question TEXT NOT NULL, content BLOB NOT NULL,
    created TEXT NOT NULL, expires TEXT, used TEXT) STRICT""",
    "INSERT INTO mail_tokens (digest, kind, player, battle, side, question, content, created, expires, used) "
    "SELECT digest, kind, player, battle, side, question, content, created, expires, used FROM mail_tokens_3 "
    "ORDER BY rowid",
    "DROP TABLE mail_tokens_3",
    "CREATE INDEX mail_tokens_player ON mail_tokens (player, kind)",
    """CREATE TABLE invitations (
    token BLOB PRIMARY KEY NOT NULL, battle TEXT NOT NULL, side TEXT NOT NULL, inviter TEXT NOT NULL,
    email TEXT NOT NULL, mailbox BLOB NOT NULL, lang TEXT NOT NULL, message TEXT NOT NULL, follows TEXT NOT NULL,
    created TEXT NOT NULL, expires TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('open', 'accepted', 'declined', 'expired'))) STRICT, WITHOUT ROWID""",
    "CREATE UNIQUE INDEX invitations_side ON invitations (battle, side) WHERE state = 'open'",
    "CREATE UNIQUE INDEX invitations_rematch ON invitations (follows) "
    "WHERE follows <> '' AND state IN ('open', 'accepted')",
    "CREATE INDEX invitations_created ON invitations (created)",
    "CREATE TABLE unwanted (mailbox BLOB PRIMARY KEY NOT NULL, at TEXT NOT NULL) STRICT, WITHOUT ROWID",
)


def up(db: sqlite3.Connection) -> None:
    """Turn format 3 into format 4, in the caller's transaction."""
    for statement in STATEMENTS:
        db.execute(statement)
