"""The page on which players prove that it is them, by logging in once more (`server.web.pages.identity`)."""

from aiohttp import web

from server.acts.log_in import send_link
from server.people.players import LOGIN_S
from server.web import auth
from server.web.api.invitations import require_mail
from server.web.keys import server_of
from server.web.limits import spend
from server.web.pages.identity import has_passkey, is_proven, may_log_in_by_letter, party_of
from server.web.pages.mailbox import private
from server.web.pages.rendering import page, see


async def show_prove(request: web.Request) -> web.Response:
    """GET /prove: the ways that the reader has."""
    return _page(request) if auth.caller(request) else see("/login")


async def post_prove(request: web.Request) -> web.Response:
    """POST /prove: send a link to the address of the account.

    Raises: Refusal core.cross-site, core.not-signed-in, core.too-many, core.no-mail
    """
    auth.require_own_page(request)
    player = auth.require_caller(request)
    require_mail(request)
    spend(request, "link", player)
    if may_log_in_by_letter(request, player):
        await send_link(server_of(request).acts, player.id)
    return _page(request, is_sent=True)


def _page(request: web.Request, is_sent: bool = False) -> web.Response:
    player = auth.require_caller(request)
    return private(
        page(
            request,
            "prove.html",
            is_sent=is_sent,
            proven=is_proven(request, player),
            by_letter=may_log_in_by_letter(request, player),
            by_passkey=has_passkey(request, player),
            party=party_of(request),
            minutes=auth.FRESH_S // 60,
            lasts=LOGIN_S // 60,
        )
    )
