"""Which way round a board lies on a page: as its reader has turned it, else with their own side below.

A link of the page turns it (`turned=yes`, `turned=no`); the browser keeps that for this battle and side.
"""

from aiohttp import web

from server.play.live_battle import LiveBattle
from server.web.address import is_secure
from server.web.keys import server_of

FARTHER = "north"
"""The side that sits at the top of a board that is not turned."""
COOKIE = "turned"
KEPT_S = 365 * 24 * 3600
YES, NO = "yes", "no"


def is_turned(request: web.Request, side: str) -> bool:
    """Whether north is below, for a reader who sees the battle as `side` ("" for a stranger)."""
    asked = request.query.get(COOKIE, request.cookies.get(_name(side)))
    return side == FARTHER if asked is None else asked != NO


def remember_turned(request: web.Request, response: web.Response, live: LiveBattle, side: str) -> web.Response:
    """Let this browser keep what an address has asked for."""
    if COOKIE in request.query:
        response.set_cookie(
            _name(side),
            NO if request.query[COOKIE] == NO else YES,
            max_age=KEPT_S,
            path=f"{server_of(request).settings.base}/battles/{live.id}",
            httponly=True,
            samesite="Lax",
            secure=is_secure(request),
        )
    return response


def _name(side: str) -> str:
    return f"{COOKIE}-{side}" if side else COOKIE
