"""Log out, revoke all, and the key link by which a guest comes back.

Only the cookie of their browser knows a guest. Before they log out they are told so, and offered a link that logs in
once, within a week. It is shown once, and a newer one replaces it.
"""

from aiohttp import web

from server.people import notices, players
from server.people.notices import AccountEvent
from server.people.players import Player
from server.running import Server
from server.store.tables import passkeys, tokens
from server.store.tables.accounts import Account
from server.web import auth
from server.web.api.login import PRIVATE, without_session
from server.web.api.tokens import revoke_all
from server.web.keys import server_of
from server.web.limits import spend
from server.web.pages.forms import form_of, text
from server.web.pages.identity import PROVE, account_of, is_proven, may_log_in_by_letter
from server.web.pages.rendering import page, see

LOG_OUT = "/logout"


async def show_log_out(request: web.Request) -> web.Response:
    """GET /logout?everywhere: the warning, and the buttons."""
    if auth.caller(request) is None:
        return see("/")
    return _page(request, is_everywhere="everywhere" in request.query)


async def post_key_link(request: web.Request) -> web.Response:
    """POST /logout/key: a link for a guest; earlier ones no longer work.

    Raises: Refusal core.cross-site, core.not-signed-in, core.too-many
    """
    auth.require_own_page(request)
    player, server = auth.require_caller(request), server_of(request)
    form = await form_of(request)
    if player.email:
        return see(LOG_OUT)
    if not is_proven(request, player):
        return see(PROVE)
    spend(request, "deed", player)
    link = await new_key_link(server, player)
    return _page(request, link, is_everywhere=bool(text(form, "everywhere")))


async def new_key_link(server: Server, player: Player) -> str:
    """Another link by which a guest comes back; earlier ones no longer work."""
    token, issued = players.new_token(server.clock, server.entropy, player.id, "login", players.KEY_LINK_S)
    account = Account(player.id, player.name, player.email, "")
    told = notices.notice_to(
        server.clock, server.entropy, account, AccountEvent.KEY_LINK, by_letter=bool(server.settings.mail)
    )
    await server.store.write(tokens.revoke_all(player.id, "login"), issued, *told)
    return players.login_link(server.settings.address, token)


async def post_log_out(request: web.Request) -> web.Response:
    """POST /logout: end this session, or whatever lets somebody in; a guest confirms it first.

    Raises: Refusal core.cross-site
    """
    session, server = request.cookies.get(auth.COOKIE), server_of(request)
    if session:
        auth.require_own_page(request)
        player, form = auth.caller(request), await form_of(request)
        if player is not None and not player.email and not text(form, "sure"):
            return see(LOG_OUT)
        if player is not None and text(form, "everywhere"):
            with_passkeys, kept = bool(text(form, "passkeys")), bool(text(form, "kept"))
            await revoke_all(request, account_of(request, player), with_passkeys, kept)
            return without_session(see("/login?revoked"))
        await server.store.write(tokens.revoke(session))
    return without_session(web.Response(status=303, headers={"Location": "/", **PRIVATE}))


def _page(request: web.Request, link: str = "", is_everywhere: bool = False) -> web.Response:
    server, player = server_of(request), auth.caller(request)
    has_passkey = player is not None and bool(passkeys.of_player(server.store, player.id))
    response = page(
        request,
        "log_out.html",
        link=link,
        is_everywhere=is_everywhere,
        days=players.KEY_LINK_S // (24 * 3600),
        sends=bool(server.settings.mail),
        has_passkey=has_passkey,
        may_end_passkeys=has_passkey
        and player is not None
        and (auth.is_fresh(request) or may_log_in_by_letter(request, player)),
    )
    response.headers.update(PRIVATE)
    return response
