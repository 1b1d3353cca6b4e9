"""The page on which somebody enters the set-up code, and administers the server from then on.

It is there as long as nobody does; afterwards it does not exist. A visitor without a login gets an account with it.
"""

from aiohttp import web

from domain.basics.errors import Refusal
from server.people import setting_up
from server.people.moderation import note
from server.store import Unmatched
from server.web import auth
from server.web.keys import server_of, tokens_of
from server.web.limits import spend
from server.web.pages.forms import form_of, text
from server.web.pages.language import page_language
from server.web.pages.mailbox import private
from server.web.pages.rendering import page, see
from server.web.pages.visitors import visitor, with_session
from server.words import sentence_of

SET_UP = "/set-up"


async def show_set_up(request: web.Request) -> web.Response:
    """GET /set-up

    Raises: Refusal core.no-such-page where somebody administers the server
    """
    _require_wanted(request)
    return private(page(request, "set_up.html", refused="", name=""))


async def post_set_up(request: web.Request) -> web.Response:
    """POST /set-up: the code, and a name where nobody is logged in.

    Raises: Refusal core.no-such-page, core.cross-site, core.too-many
    """
    auth.require_own_page(request)
    _require_wanted(request)
    server, form = server_of(request), await form_of(request)
    code, name = text(form, "code"), text(form, "name")
    spend(request, "set-up", auth.caller(request))
    try:
        setting_up.require_code(server.store, code)
        player, session = await visitor(request, name)
        try:
            await server.store.write(*setting_up.claimed(server.store, player.id, code))
        except Unmatched:  # somebody else has just entered it
            raise setting_up.wrong_code() from None
    except Refusal as refused:
        if refused.code not in ("core.wrong-code", "core.bad-name", "core.name-reserved", "core.name-taken"):
            raise
        return private(
            page(request, "set_up.html", 422, refused=sentence_of(refused, page_language(request)), name=name)
        )
    tokens_of(request).players.clear()
    note("set-up", player.id, player.id)
    return with_session(request, see("/admin"), session)


def _require_wanted(request: web.Request) -> None:
    if not setting_up.is_wanted(server_of(request).store):
        raise Refusal("core.no-such-page", "CORE-ACCESS")
