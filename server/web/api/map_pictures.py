"""The map of a campaign as a picture, made once in a worker process for everybody who sees the same."""

import asyncio

from aiohttp import web

from domain.campaign.theatre.map_scene import MapScene
from server.campaigns.live_campaign import LiveCampaign
from server.campaigns.maps import map_in_form, seen_map
from server.web.api.exchange import language_of, number_in_query
from server.web.api.log import CHARSETS, FORMS
from server.web.auth import caller
from server.web.keys import pictures_of
from server.web.limits import spend
from server.web.pictures import BoardKey

MOST_TURNS = 10_000


async def map_picture(request: web.Request, live: LiveCampaign, media: str, lang: str = "") -> web.Response:
    """The map at the turn of the address line, as the caller sees it; none stands for the newest.

    Raises: Refusal campaign.no-map, campaign.no-such-turn; core.bad-query
    """
    turn, is_before = number_in_query(request, "turn", 0, 0, MOST_TURNS), "before" in request.query
    entrant, lang = entrant_of(request, live), lang or language_of(request)
    seen = f"{entrant} {turn}{' before' if is_before else ''} {fog_in(request)}"
    pictures, key = pictures_of(request), BoardKey(live.id, live.n, seen, lang, f"map {FORMS[media]}")

    async def given() -> tuple[MapScene, str, str]:
        return await map_for(request, live, turn, before=is_before), FORMS[media], lang

    if not pictures.has(key):
        spend(request, "picture")
    drawn = await pictures.of_file(key, map_in_form, given)
    headers = {"Content-Language": lang, "Vary": "Accept, Accept-Language"}
    return web.Response(body=drawn, content_type=media, charset=CHARSETS.get(media), headers=headers)


async def map_for(request: web.Request, live: LiveCampaign, turn: int, *, before: bool = False) -> MapScene:
    """The map at a turn as the caller sees it. The log is folded: not in the loop.

    Raises: Refusal campaign.no-map, campaign.no-such-turn
    """
    entrant, fog = entrant_of(request, live), fog_in(request)
    events = live.recording.events_of(entrant)
    return await asyncio.to_thread(seen_map, events, live.state, entrant, turn, before=before, fog=fog)


def fog_in(request: web.Request) -> str:
    """The power through whose fog the caller wants to look once more at a campaign that is over, "" for none."""
    return request.query.get("fog", "")[:20]


def entrant_of(request: web.Request, live: LiveCampaign) -> str:
    """Whose eyes the caller has: the entrant that they hold, "" for none."""
    player = caller(request)
    return live.state.players.get(player.id, "") if player else ""
