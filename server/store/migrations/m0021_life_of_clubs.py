"""Format 21: who holds an office of a campaign, bulletins of clubs and campaigns, and their press."""

import sqlite3

STATEMENTS = (
    """CREATE TABLE campaign_officers (
    campaign TEXT NOT NULL, player TEXT NOT NULL, PRIMARY KEY (campaign, player)) STRICT, WITHOUT ROWID""",
    "CREATE INDEX campaign_officers_player ON campaign_officers (player)",
    """CREATE TABLE bulletins (
    bulletin TEXT PRIMARY KEY NOT NULL, owner_kind TEXT NOT NULL CHECK (owner_kind IN ('club', 'campaign')),
    owner TEXT NOT NULL, place INTEGER NOT NULL, since TEXT NOT NULL, until TEXT NOT NULL, due TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('draft', 'held', 'sent')), words TEXT NOT NULL,
    UNIQUE (owner_kind, owner, place)) STRICT, WITHOUT ROWID""",
    "CREATE INDEX bulletins_due ON bulletins (due) WHERE state = 'draft'",
    """CREATE TABLE press (
    id INTEGER PRIMARY KEY NOT NULL, owner_kind TEXT NOT NULL CHECK (owner_kind IN ('club', 'campaign')),
    owner TEXT NOT NULL, player TEXT NOT NULL, at TEXT NOT NULL, text TEXT NOT NULL) STRICT""",
    "CREATE INDEX press_owner ON press (owner_kind, owner, at)",
    "CREATE INDEX press_player ON press (player)",
    """INSERT OR IGNORE INTO campaign_officers (campaign, player)
    SELECT campaign, json_extract(CAST(line AS TEXT),
        CASE type WHEN 'CampaignOpened' THEN '$.data.organiser.player' ELSE '$.data.player' END)
    FROM campaign_events WHERE type IN ('CampaignOpened', 'RoleGiven')""",
)


def up(db: sqlite3.Connection) -> None:
    """Turn format 20 into format 21, in the caller's transaction."""
    for statement in STATEMENTS:
        db.execute(statement)
