"""Format 2: mail has tables of its own, and its tokens leave the table of doors.

The rows of kind `mail` in `tokens` are not taken over: they belonged to letters whose answers no release can read any
more. Everything else stays.
"""

import sqlite3

STATEMENTS = (
    "ALTER TABLE tokens RENAME TO tokens_1",
    """CREATE TABLE tokens (
    digest BLOB PRIMARY KEY NOT NULL, player TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('api', 'login', 'session')),
    created TEXT NOT NULL, expires TEXT, used TEXT) STRICT""",
    "INSERT INTO tokens (digest, player, kind, created, expires, used) "
    "SELECT digest, player, kind, created, expires, used FROM tokens_1 WHERE kind <> 'mail' ORDER BY rowid",
    "DROP TABLE tokens_1",
    "CREATE INDEX tokens_player ON tokens (player, kind)",
    "CREATE INDEX outbox_battle ON outbox (battle, recipient)",
    """CREATE TABLE mail_tokens (
    digest BLOB PRIMARY KEY NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('question', 'confirm', 'say', 'bounce', 'unsubscribe')),
    player TEXT NOT NULL, battle TEXT NOT NULL, side TEXT NOT NULL, question TEXT NOT NULL, content BLOB NOT NULL,
    created TEXT NOT NULL, expires TEXT, used TEXT) STRICT""",
    "CREATE INDEX mail_tokens_player ON mail_tokens (player, kind)",
    """CREATE TABLE correspondents (
    player TEXT PRIMARY KEY NOT NULL, lang TEXT NOT NULL, zone TEXT NOT NULL,
    delivery TEXT NOT NULL CHECK (delivery IN ('instant', 'digest', 'urgent', 'none')), quiet TEXT NOT NULL,
    picture INTEGER NOT NULL, signed TEXT NOT NULL, bounces INTEGER NOT NULL, stopped TEXT NOT NULL) STRICT""",
    """CREATE TABLE deliveries (
    id INTEGER PRIMARY KEY, attempts INTEGER NOT NULL, next_try TEXT NOT NULL, error TEXT NOT NULL) STRICT""",
    """CREATE TABLE posts (
    id INTEGER PRIMARY KEY, battle TEXT NOT NULL, side TEXT NOT NULL, player TEXT NOT NULL, at TEXT NOT NULL,
    text TEXT NOT NULL) STRICT""",
    "CREATE INDEX posts_battle ON posts (battle, id)",
    """CREATE TABLE absences (
    id INTEGER PRIMARY KEY, player TEXT NOT NULL, begins TEXT NOT NULL, ends TEXT NOT NULL, state TEXT NOT NULL
    CHECK (state IN ('planned', 'begun', 'over'))) STRICT""",
    "CREATE INDEX absences_open ON absences (player) WHERE state <> 'over'",
)


def up(db: sqlite3.Connection) -> None:
    """Turn format 1 into format 2, in the caller's transaction."""
    for statement in STATEMENTS:
        db.execute(statement)
