"""The report of a campaign: its battles are told by workers once each, then its story is put together by another."""

from collections.abc import AsyncIterator
from hashlib import sha256

from aiohttp import web

from domain.campaign.state import COUNTED
from replay.reports.account.short import short_written
from replay.reports.campaign import page
from replay.reports.campaign.printed import campaign_told
from server.campaigns.live_campaign import LiveCampaign
from server.people.players import Player
from server.play.access import may_read
from server.play.live_battle import LiveBattle
from server.running import Server
from server.web.api.campaigns import file_of, readable
from server.web.api.exchange import language_of
from server.web.api.log import battle_file
from server.web.api.reports import report_answer, wanted_form
from server.web.auth import caller
from server.web.keys import pictures_of, server_of
from server.web.limits import spend, spend_reading
from server.web.pictures import BoardKey
from server.web.reading_rate import FILE_COST
from server.words import say

MOST_TOLD = 80
"""Battles that are told; of those of a larger campaign the newest. The others have their results."""


async def show_story(request: web.Request) -> web.StreamResponse:
    """GET /api/v1/campaigns/{id}/report?format=html|md|pdf&lang=&download, and the same for a browser at
    /campaigns/{id}/report. Battles are told that the caller may read.

    Raises: Refusal core.bad-query, core.not-acceptable for a form that this server cannot write
    """
    live, server, lang = await readable(request), server_of(request), language_of(request)
    form = wanted_form(request)
    spend(request, "picture")
    spend_reading(request, FILE_COST)
    n, content = live.n, file_of(live)
    battles = [one async for one in _told_battles(server, live, caller(request))]
    shorts = {one.id: await _short(request, one, lang) for one in battles}
    told = sha256(" ".join(shorts).encode()).hexdigest()[:16]

    async def given() -> tuple[bytes, dict[str, bytes], str, str, str]:
        return content, shorts, form, lang, server.settings.address

    key = BoardKey(live.id, n, "", lang, f"campaign {form} {told}")
    body = await pictures_of(request).of_file(key, campaign_told, given)
    if form == "html" and not request.path.startswith("/api/") and "download" not in request.query:
        link = f'<nav><a href="../{live.id}">{say(lang, "campaigns.report.back")}</a></nav>'
        body = body.replace(b"<body>\n", f"<body>\n{link}\n".encode(), 1)
    return report_answer(request, body, live.id, form, lang, page.style())


async def _told_battles(server: Server, live: LiveCampaign, player: Player | None) -> AsyncIterator[LiveBattle]:
    """The battles that count and that somebody may read, the newest of many."""
    state = live.state
    boards = [*state.boards.values(), *state.duels.values()]
    counted = [board.battle for board in boards if board.status == COUNTED]
    for battle in counted[-MOST_TOLD:]:
        if server.store.header(battle) is None:
            continue  # fought on a table, or never opened
        found = await server.battles.get(battle)
        if found.recording.battle.ended and may_read(found, player):
            yield found


async def _short(request: web.Request, live: LiveBattle, lang: str) -> bytes:
    async def content() -> tuple[bytes, str]:
        return await battle_file(server_of(request), live), lang

    return await pictures_of(request).of_file(BoardKey(live.id, live.n, "", lang, "short"), short_written, content)
