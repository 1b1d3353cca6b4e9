"""Format 17: campaigns: their logs, who takes part, when the steward has to look, and their battles."""

import sqlite3

STATEMENTS = (
    """CREATE TABLE campaigns (
    campaign TEXT PRIMARY KEY NOT NULL, header BLOB NOT NULL, created TEXT NOT NULL,
    readers TEXT NOT NULL CHECK (readers IN ('public', 'link', 'players'))) STRICT""",
    """CREATE TABLE campaign_events (
    position INTEGER PRIMARY KEY, campaign TEXT NOT NULL, n INTEGER NOT NULL, type TEXT NOT NULL, hash BLOB NOT NULL,
    line BLOB NOT NULL, UNIQUE (campaign, n)) STRICT""",
    """CREATE TABLE campaign_players (
    campaign TEXT NOT NULL, player TEXT NOT NULL, PRIMARY KEY (campaign, player)) STRICT, WITHOUT ROWID""",
    "CREATE INDEX campaign_players_player ON campaign_players (player)",
    """CREATE TABLE campaign_dues (
    campaign TEXT PRIMARY KEY NOT NULL, due TEXT NOT NULL) STRICT, WITHOUT ROWID""",
    "CREATE INDEX campaign_dues_due ON campaign_dues (due)",
    """CREATE TABLE campaign_battles (
    battle TEXT PRIMARY KEY NOT NULL, campaign TEXT NOT NULL, board TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('set', 'open', 'closing', 'over'))) STRICT, WITHOUT ROWID""",
    "CREATE INDEX campaign_battles_going ON campaign_battles (campaign) WHERE state <> 'over'",
    *(
        f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} "
        f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
        for table in ("campaigns", "campaign_events")
        for verb in ("UPDATE", "DELETE")
    ),
)


def up(db: sqlite3.Connection) -> None:
    """Turn format 16 into format 17, in the caller's transaction."""
    for statement in STATEMENTS:
        db.execute(statement)
