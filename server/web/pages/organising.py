"""The organiser's desk: one page of what needs its reader today, each with its button or its line (CAM-CLB-09)."""

from aiohttp import web

from domain.basics.errors import Refusal
from server.acts.clubs.chores import CLUB, LINE, ChoreAct
from server.acts.clubs.settling import settle
from server.entropy import new_secret
from server.web import auth
from server.web.api.organising import chores_told
from server.web.keys import server_of
from server.web.limits import spend, spend_reading
from server.web.pages.forms import form_of, text
from server.web.pages.language import page_reader
from server.web.pages.mailbox import private
from server.web.pages.rendering import page, see
from server.web.problems import status_of
from server.web.reading_rate import FILE_COST
from server.words import sentence_of

HERE = "/organising"


async def show_desk(request: web.Request) -> web.Response:
    """GET /organising"""
    return await _desk_page(request)


async def post_desk(request: web.Request) -> web.Response:
    """POST /organising: one of its acts."""
    auth.require_own_page(request)
    player, server = auth.require_caller(request), server_of(request)
    spend(request, "deed", player)
    form = await form_of(request)
    act = ChoreAct(text(form, "do"), text(form, "value"))
    try:
        await settle(server.acts, server.steward, player, text(form, "owner"), act, text(form, "key"))
    except Refusal as refused:
        return await _desk_page(request, refused)
    return see(HERE)


async def _desk_page(request: web.Request, refused: Refusal | None = None) -> web.Response:
    player, server, reader = auth.require_caller(request), server_of(request), page_reader(request)
    spend_reading(request, FILE_COST)  # each campaign of theirs is read whole
    told = await chores_told(server, player, reader.lang)
    shown = page(
        request,
        "organising.html",
        status_of(refused.code) if refused else 200,
        note=sentence_of(refused, reader.lang) if refused else "",
        chores=told.chores,
        club=CLUB,
        line=LINE,
        mails=bool(server.settings.mail) and bool(player.email),
        new_key=lambda: new_secret(server.entropy),
    )
    return private(shown)
