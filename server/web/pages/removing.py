"""The page on which a player removes their account: what becomes of their battles, and their name once more."""

from aiohttp import web

from domain.basics.errors import Refusal
from server.web import auth
from server.web.api.account import account_to_remove, departure_of, remove_account
from server.web.api.login import without_session
from server.web.keys import server_of
from server.web.limits import spend
from server.web.pages.forms import form_of, text
from server.web.pages.identity import PROVE, is_proven
from server.web.pages.language import page_language
from server.web.pages.mailbox import private
from server.web.pages.rendering import page, see
from server.words import sentence_of

REMOVE = "/settings/remove"


async def show_remove(request: web.Request) -> web.Response:
    """GET /settings/remove"""
    return see("/login") if auth.caller(request) is None else await _page(request)


async def post_remove(request: web.Request) -> web.Response:
    """POST /settings/remove: the name, written out.

    Raises: Refusal core.cross-site, core.not-signed-in, core.too-many, core.busy
    """
    auth.require_own_page(request)
    player, form = auth.require_caller(request), await form_of(request)
    spend(request, "deed", player)
    if not is_proven(request, player):
        return see(PROVE)
    try:
        account = account_to_remove(server_of(request), player, text(form, "name"))
        await remove_account(request, account)
    except Refusal as refused:
        if refused.code not in ("core.other-name", "core.administers"):
            raise
        return await _page(request, sentence_of(refused, page_language(request)), 422)
    return without_session(see("/login?removed"))


async def _page(request: web.Request, note: str = "", status: int = 200) -> web.Response:
    player = auth.require_caller(request)
    battles = await departure_of(server_of(request), player)
    proven = is_proven(request, player)
    return private(page(request, "remove.html", status, battles=battles, proven=proven, note=note))
