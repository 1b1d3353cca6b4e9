"""The seasons of a club's leagues, for programs (CAM-CLB-07)."""

from aiohttp import web

from domain.basics.data import example_text
from server.acts.campaigns.season_reading import newest_of, season_table, seasons_of
from server.acts.campaigns.seasons import SeasonWish, open_season
from server.acts.clubs.reading import club_for, organised_by
from server.people.players import Player
from server.running import Server
from server.web.api.exchange import answer, body_of, number_in_query
from server.web.api.season_messages import OpenSeason, SeasonNamed, Seasons
from server.web.auth import caller, require_caller
from server.web.keys import server_of
from server.web.limits import spend

LAST_SEASON = 9999


async def list_seasons(request: web.Request) -> web.Response:
    """GET /api/v1/clubs/{club}/seasons?name=&season=&key=: the newest of each league, or the one that is named."""
    server, player = server_of(request), caller(request)
    club = club_for(server.acts, request.match_info["club"], player, request.query.get("key", ""))
    number = number_in_query(request, "season", 0, 0, LAST_SEASON)
    name = request.query.get("name", "")
    return answer(await seasons_for(server, club.club, player, name, number))


async def post_season(request: web.Request) -> web.Response:
    """POST /api/v1/clubs/{club}/seasons"""
    player, server = require_caller(request), server_of(request)
    club = organised_by(server.acts, request.match_info["club"], player).club
    wanted = await body_of(request, OpenSeason)
    spend(request, "battle", player)
    text = wanted.toml or example_text(wanted.example, server.battles.rulesets)
    await open_season(server.steward, player, SeasonWish(club, wanted.name, text, wanted.divisions))
    return answer(await seasons_for(server, club, player, wanted.name, 1), 201)


async def seasons_for(server: Server, club: str, player: Player | None, name: str = "", number: int = 0) -> Seasons:
    """The seasons of a club, as far as somebody may read them; of one league alone if it is named, of one season alone
    with its number."""
    listed = [one for one in seasons_of(server.steward, club) if name in ("", one[0])]
    newest = [one for one in newest_of(server.steward, club) if name in ("", one[0])]
    wanted = [(name, number)] if name and number else newest
    found = [await season_table(server.steward, club, *one, player) for one in wanted]
    return Seasons(tuple(one for one in found if one), tuple(SeasonNamed(*one) for one in listed))
