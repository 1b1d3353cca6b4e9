"""Format 18: webhooks, and what they are yet to be told."""

import sqlite3

STATEMENTS = (
    """CREATE TABLE webhooks (
    id TEXT PRIMARY KEY NOT NULL, owner_kind TEXT NOT NULL CHECK (owner_kind IN ('account', 'club', 'campaign')),
    owner TEXT NOT NULL, url TEXT NOT NULL, host TEXT NOT NULL, form TEXT NOT NULL, lang TEXT NOT NULL,
    what TEXT NOT NULL, created TEXT NOT NULL, tries INTEGER NOT NULL DEFAULT 0, next_try TEXT NOT NULL DEFAULT '',
    failing TEXT NOT NULL DEFAULT '', off TEXT NOT NULL DEFAULT '', last_at TEXT NOT NULL DEFAULT '',
    last_what TEXT NOT NULL DEFAULT '', last_code INTEGER NOT NULL DEFAULT 0, last_error TEXT NOT NULL DEFAULT '')
    STRICT, WITHOUT ROWID""",
    "CREATE INDEX webhooks_owner ON webhooks (owner_kind, owner)",
    """CREATE TABLE webhook_outbox (
    id INTEGER PRIMARY KEY, hook TEXT NOT NULL, what TEXT NOT NULL,
    subject TEXT NOT NULL CHECK (subject IN ('', 'battle', 'campaign')), about TEXT NOT NULL, n INTEGER NOT NULL,
    created TEXT NOT NULL) STRICT""",
    "CREATE INDEX webhook_outbox_hook ON webhook_outbox (hook, id)",
)


def up(db: sqlite3.Connection) -> None:
    """Turn format 17 into format 18, in the caller's transaction."""
    for statement in STATEMENTS:
        db.execute(statement)
