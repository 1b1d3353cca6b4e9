"""The bot accounts of a player, on a page of their settings: made, given another token, taken off the server."""

from aiohttp import web

from domain.basics.errors import Refusal
from server.people.programs import bots_of, own_bot, require_person
from server.web import auth
from server.web.api.bot_accounts import make_bot, remove_bot, renew_token
from server.web.keys import server_of
from server.web.limits import spend
from server.web.pages.forms import form_of, text
from server.web.pages.language import page_reader
from server.web.pages.mailbox import private
from server.web.pages.rendering import page
from server.web.problems import status_of
from server.words import sentence_of


async def show_bots(request: web.Request) -> web.Response:
    """GET /settings/bots"""
    return _bots_page(request)


async def post_bots(request: web.Request) -> web.Response:
    """POST /settings/bots: a new bot, another token for one (both show the token, this once), or its end."""
    auth.require_own_page(request)
    player, server = auth.require_caller(request), server_of(request)
    spend(request, "deed", player)
    form = await form_of(request)
    do, token = text(form, "do"), ""
    try:
        if do == "make":
            _, token = await make_bot(server, player, text(form, "name"))
        elif do == "token":
            token = await renew_token(request, own_bot(server.store, player, text(form, "bot")))
        elif do == "remove":
            await remove_bot(request, own_bot(server.store, player, text(form, "bot")))
    except Refusal as refused:
        if refused.code == "core.too-many":
            raise
        note = sentence_of(refused, page_reader(request).lang)
        return _bots_page(request, note=note, status=status_of(refused.code), written=text(form, "name"))
    return _bots_page(request, token)


def _bots_page(
    request: web.Request, token: str = "", note: str = "", status: int = 200, written: str = ""
) -> web.Response:
    player = auth.require_caller(request)
    require_person(player)
    bots = bots_of(server_of(request).store, player.id)
    shown = page(request, "bots.html", status, bots=bots, token=token, note=note, written=written, email=player.email)
    return private(shown)
