"""The table of seasons: which campaign is which division of which season of a club's league (CAM-CLB-07).

The key (club, name, number, division) lets one of two openings win. The table says only what the first events of the
campaigns say, for look-ups that would read them all.
"""

from typing import NamedTuple

from server.store.append import Statement
from server.store.contract import TableRows


class DivisionRow(NamedTuple):
    """A division: the id of the club, the name of the league, the season from 1, the division from 1 (the highest), and
    the campaign that it is."""

    club: str
    name: str
    number: int
    division: int
    campaign: str


SELECT = "SELECT club, name, number, division, campaign FROM campaign_seasons"


def bind(row: DivisionRow) -> Statement:
    """Record a division. One that is there makes the job Violated."""
    return Statement("INSERT INTO campaign_seasons (club, name, number, division, campaign) VALUES (?,?,?,?,?)", row, 1)


def of_club(store: TableRows, club: str) -> list[DivisionRow]:
    """All divisions of a club: by league, the newest season first, the highest division first."""
    rows = store.rows(f"{SELECT} WHERE club=? ORDER BY name, number DESC, division", (club,))
    return [DivisionRow(*row) for row in rows]


def of_season(store: TableRows, club: str, name: str, number: int) -> list[DivisionRow]:
    """The divisions of a season, the highest first."""
    query = f"{SELECT} WHERE club=? AND name=? AND number=? ORDER BY division"
    return [DivisionRow(*row) for row in store.rows(query, (club, name, number))]


def of_campaign(store: TableRows, campaign: str) -> DivisionRow | None:
    """The division that a campaign is; None for one that is none."""
    found = store.rows(f"{SELECT} WHERE campaign=?", (campaign,))
    return DivisionRow(*found[0]) if found else None
