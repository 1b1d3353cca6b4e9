"""Format 14: banned networks, the log of moderation, complaints, blocks between players, announcements."""

import sqlite3

STATEMENTS = (
    """CREATE TABLE bans (
    id TEXT PRIMARY KEY NOT NULL, network TEXT NOT NULL UNIQUE, reason TEXT NOT NULL, at TEXT NOT NULL,
    until TEXT NOT NULL) STRICT, WITHOUT ROWID""",
    """CREATE TABLE deeds (
    n INTEGER PRIMARY KEY, at TEXT NOT NULL, actor TEXT NOT NULL, deed TEXT NOT NULL, about TEXT NOT NULL,
    why TEXT NOT NULL) STRICT""",
    """CREATE TABLE complaints (
    id TEXT PRIMARY KEY NOT NULL, at TEXT NOT NULL, reporter TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('player', 'battle', 'post', 'remark')), about TEXT NOT NULL,
    battle TEXT NOT NULL, item TEXT NOT NULL, words TEXT NOT NULL, why TEXT NOT NULL, settled TEXT NOT NULL,
    outcome TEXT NOT NULL CHECK (outcome IN ('', 'acted', 'dismissed')), answer TEXT NOT NULL) STRICT, WITHOUT ROWID""",
    "CREATE INDEX complaints_open ON complaints (at) WHERE settled = ''",
    "CREATE INDEX complaints_reporter ON complaints (reporter, at)",
    """CREATE TABLE blocks (
    player TEXT NOT NULL, blocked TEXT NOT NULL, at TEXT NOT NULL,
    PRIMARY KEY (player, blocked)) STRICT, WITHOUT ROWID""",
    "CREATE INDEX blocks_blocked ON blocks (blocked)",
    """CREATE TABLE announcements (
    lang TEXT PRIMARY KEY NOT NULL, text TEXT NOT NULL, since TEXT NOT NULL, until TEXT NOT NULL)
    STRICT, WITHOUT ROWID""",
    "CREATE TRIGGER deeds_no_update BEFORE UPDATE ON deeds BEGIN SELECT RAISE(ABORT, 'deeds is append-only'); END",
    "CREATE TRIGGER deeds_no_delete BEFORE DELETE ON deeds BEGIN SELECT RAISE(ABORT, 'deeds is append-only'); END",
)


def up(db: sqlite3.Connection) -> None:
    """Turn format 13 into format 14, in the caller's transaction."""
    for statement in STATEMENTS:
        db.execute(statement)
