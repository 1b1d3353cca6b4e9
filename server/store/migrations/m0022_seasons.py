"""Format 22: which campaign is which division of which season of a club."""

import sqlite3

STATEMENTS = (
    """CREATE TABLE campaign_seasons (
    club TEXT NOT NULL, name TEXT NOT NULL, number INTEGER NOT NULL, division INTEGER NOT NULL,
    campaign TEXT NOT NULL UNIQUE, PRIMARY KEY (club, name, number, division)) STRICT, WITHOUT ROWID""",
    """INSERT OR IGNORE INTO campaign_seasons (club, name, number, division, campaign)
    SELECT json_extract(CAST(line AS TEXT), '$.data.config.season.club'),
        json_extract(CAST(line AS TEXT), '$.data.config.season.name'),
        json_extract(CAST(line AS TEXT), '$.data.config.season.number'),
        json_extract(CAST(line AS TEXT), '$.data.config.season.division'), campaign
    FROM campaign_events WHERE type = 'CampaignOpened'
        AND json_extract(CAST(line AS TEXT), '$.data.config.season.club') IS NOT NULL ORDER BY position""",
)


def up(db: sqlite3.Connection) -> None:
    """Turn format 21 into format 22, in the caller's transaction."""
    for statement in STATEMENTS:
        db.execute(statement)
