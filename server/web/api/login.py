"""Sign a browser in; what every way in and out of a session needs.

Opening the link only shows a button (server.web.pages.visitors): mail scanners open links too, and would use it up.
"""

from aiohttp import web

from domain.basics.errors import Refusal
from server.people import players
from server.store import Statement, Unmatched
from server.store.tables import tokens
from server.web.address import is_secure
from server.web.auth import COOKIE, OWN, require_own_page, session_of
from server.web.keys import server_of
from server.web.limits import spend

SETTINGS = "/settings"
"""Where a player goes who has proven that it is them."""
PRIVATE = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex"}


async def log_in(request: web.Request) -> web.Response:
    """POST /login/{token}"""
    if "Origin" in request.headers or request.headers.get("Sec-Fetch-Site", OWN[0]) not in OWN:
        require_own_page(request)
    spend(request, "login")
    server = server_of(request)
    token, now = request.match_info["token"], server.clock.now()
    player = players.of_token(server.store, token, "login", now)
    if player is None:
        raise Refusal("core.login-used", "CORE-ACCESS")
    session, issue = players.new_token(server.clock, server.entropy, player.id, "session")
    again, ended = replaced(request, player.id)
    try:
        await server.store.write(tokens.use(token, "login", now), issue, *ended)
    except Unmatched:
        raise Refusal("core.login-used", "CORE-ACCESS") from None
    response = web.Response(status=303, headers={"Location": SETTINGS if again else "/", **PRIVATE})
    set_session(response, session, secure=is_secure(request))
    return response


def replaced(request: web.Request, player: str) -> tuple[bool, tuple[Statement, ...]]:
    """Whether the browser is logged in as that player already, who proves by another login that it is them; then that
    session ends with the new one."""
    session = session_of(request)
    if session is None or session.player != player:
        return False, ()
    return True, (tokens.revoke_named(player, session.id),)


def set_session(response: web.Response, session: str, secure: bool) -> None:
    """Give a browser its cookie."""
    response.set_cookie(
        COOKIE, session, max_age=players.SESSION_S, path="/", httponly=True, samesite="Lax", secure=secure
    )


def without_session(response: web.Response) -> web.Response:
    """Take its cookie from a browser."""
    response.del_cookie(COOKIE, path="/")
    return response
