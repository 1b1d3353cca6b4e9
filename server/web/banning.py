"""Answer nobody from a banned network, but for the checks of the server's health."""

from collections.abc import Awaitable, Callable
from html import escape

from aiohttp import web

from domain.basics.errors import Refusal
from server.web.address import client_address
from server.web.api.exchange import language_of
from server.web.keys import BANS
from server.web.observing import REFUSED, route_of
from server.web.problems import MEDIA_TYPE, encode, problem_of

HEALTH = frozenset({"/healthz", "/readyz", "/metrics"})
PAGE = """<!doctype html>
<html lang="{lang}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>403</title><main><h1>403</h1><p>{said}</p></main></html>
"""

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@web.middleware
async def refuse_banned(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answer a request, or say in a line that nobody is answered there."""
    if request.app[BANS].ban_of(client_address(request)) is None or route_of(request) in HEALTH:
        return await handler(request)
    lang = language_of(request)
    problem = problem_of(Refusal("core.banned", "CORE-ACCESS"), lang)
    request[REFUSED] = problem.code
    if "text/html" in request.headers.get("Accept", ""):
        page = PAGE.format(lang=lang, said=escape(problem.detail))
        response = web.Response(text=page, status=problem.status, content_type="text/html")
    else:
        response = web.Response(body=encode(problem), status=problem.status, content_type=MEDIA_TYPE)
    response.force_close()
    return response
