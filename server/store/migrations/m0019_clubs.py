"""Format 19: clubs, their members and invitations, their battles, and lists of battles that are being opened."""

import sqlite3

STATEMENTS = (
    """CREATE TABLE clubs (
    club TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL,
    readers TEXT NOT NULL CHECK (readers IN ('public', 'link', 'members')),
    running INTEGER NOT NULL, link INTEGER NOT NULL, at TEXT NOT NULL) STRICT, WITHOUT ROWID""",
    """CREATE TABLE club_members (
    club TEXT NOT NULL, player TEXT NOT NULL, role TEXT NOT NULL CHECK (role IN ('organiser', 'member', 'banned')),
    not_before TEXT NOT NULL, since TEXT NOT NULL, PRIMARY KEY (club, player)) STRICT, WITHOUT ROWID""",
    "CREATE INDEX club_members_player ON club_members (player)",
    """CREATE TABLE club_invitations (
    token BLOB PRIMARY KEY NOT NULL, club TEXT NOT NULL, inviter TEXT NOT NULL, name TEXT NOT NULL,
    email TEXT NOT NULL, mailbox BLOB NOT NULL, zone TEXT NOT NULL, lang TEXT NOT NULL, created TEXT NOT NULL,
    expires TEXT NOT NULL, state TEXT NOT NULL CHECK (state IN ('open', 'accepted', 'declined', 'expired')))
    STRICT, WITHOUT ROWID""",
    "CREATE UNIQUE INDEX club_invitations_open ON club_invitations (club, mailbox) WHERE state = 'open'",
    "CREATE INDEX club_invitations_created ON club_invitations (created)",
    """CREATE TABLE club_battles (
    battle TEXT PRIMARY KEY NOT NULL, club TEXT NOT NULL, at TEXT NOT NULL) STRICT, WITHOUT ROWID""",
    "CREATE INDEX club_battles_club ON club_battles (club, at)",
    """CREATE TABLE club_bulks (
    bulk TEXT PRIMARY KEY NOT NULL, account TEXT NOT NULL, digest BLOB NOT NULL, club TEXT NOT NULL,
    tags TEXT NOT NULL, pace TEXT NOT NULL, at TEXT NOT NULL, done INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID""",
    "CREATE INDEX club_bulks_open ON club_bulks (at) WHERE done = 0",
    """CREATE TABLE club_pairings (
    bulk TEXT NOT NULL, place INTEGER NOT NULL, content BLOB NOT NULL, battle TEXT NOT NULL,
    PRIMARY KEY (bulk, place)) STRICT, WITHOUT ROWID""",
)


def up(db: sqlite3.Connection) -> None:
    """Turn format 18 into format 19, in the caller's transaction."""
    for statement in STATEMENTS:
        db.execute(statement)
