"""Read the seasons of a club: their tables, as far as somebody may read the campaigns (CAM-CLB-07)."""

import asyncio
from itertools import groupby

from server.acts.campaigns.reading import may_read
from server.acts.campaigns.seasons import divisions, standing_of
from server.campaigns.steward import Steward
from server.campaigns.summary import status_of
from server.people.players import Player
from server.shown.season_table import SeasonTable, season_divisions
from server.store.tables import seasons
from server.store.tables.seasons import DivisionRow

MOST_LEAGUES = 20
"""Leagues of a club whose newest seasons are told."""
LEAGUE = tuple[str, int]
"""The name of a league, and a season of it."""


def seasons_of(steward: Steward, club: str) -> list[LEAGUE]:
    """The seasons of a club: by league, the newest first."""
    return list(dict.fromkeys((row.name, row.number) for row in seasons.of_club(steward.store, club)))


def newest_of(steward: Steward, club: str) -> list[LEAGUE]:
    """The newest season of each league of a club."""
    found = (next(rows) for _, rows in groupby(seasons_of(steward, club), key=lambda one: one[0]))
    return list(found)[:MOST_LEAGUES]


async def season_table(
    steward: Steward, club: str, name: str, number: int, player: Player | None
) -> SeasonTable | None:
    """The tables of a season; None if there is no such season, or somebody may not read its campaigns."""
    lives = await divisions(steward, club, name, number)
    if not lives or not all(may_read(live, player) for live in lives):
        return None
    states = [live.state for live in lives]
    standing = await standing_of(steward.store, states)
    found = [(live.id, status_of(state), state) for live, state in zip(lives, states, strict=True)]
    told = await asyncio.to_thread(season_divisions, found, standing)
    followed = bool(seasons.of_season(steward.store, club, name, number + 1))
    return SeasonTable(name, number, all(state.is_over for state in states), followed, told)


def division_row(steward: Steward, campaign: str) -> DivisionRow | None:
    """The division that a campaign is; None for one that is none."""
    return seasons.of_campaign(steward.store, campaign)
