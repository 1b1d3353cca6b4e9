"""Pages of a campaign that say why: a board, and an entrant with their way through it."""

import asyncio

from aiohttp import web

from domain.campaign.career import career_of
from domain.campaign.refusals import no_such_entrant
from server.acts.campaigns.reasons import explained
from server.web.api.campaigns import readable
from server.web.limits import spend_reading
from server.web.pages.language import page_reader
from server.web.pages.rendering import page
from server.web.reading_rate import FILE_COST


async def show_board_reasons(request: web.Request) -> web.Response:
    """GET /campaigns/{id}/boards/{board}: why the two meet, why each has their side, what became of it."""
    live, lang = await readable(request), page_reader(request).lang
    spend_reading(request, FILE_COST)  # the log is folded up to the round
    told = await asyncio.to_thread(explained, live, request.match_info["board"], lang)
    board = live.state.boards[told.about]
    south, north = (live.state.entrants[name] for name in board.place.pair)
    return page(
        request,
        "campaign_board.html",
        campaign=live.id,
        title=live.state.settings.title,
        board=board,
        south=south,
        north=north,
        reasons=told.reasons,
    )


async def show_entrant(request: web.Request) -> web.Response:
    """GET /campaigns/{id}/entrants/{entrant}: whom they met, what came of it, and why they stand where they stand."""
    live, lang = await readable(request), page_reader(request).lang
    entrant = live.state.entrants.get(request.match_info["entrant"])
    if entrant is None:
        raise no_such_entrant(request.match_info["entrant"][:40])
    spend_reading(request, FILE_COST)
    told = await asyncio.to_thread(explained, live, entrant.id, lang)
    place = next((row for row, each in enumerate(live.table(), 1) if each.entrant == entrant.id), 0)
    return page(
        request,
        "campaign_entrant.html",
        campaign=live.id,
        title=live.state.settings.title,
        entrant=entrant,
        entrants=live.state.entrants,
        rows=career_of(live.state, entrant.id),
        reasons=told.reasons,
        place=place,
        count=len(live.table()),
    )
