"""Answer every failure of a request with a problem: a document, or a page for a person."""

import logging
import sqlite3
from collections.abc import Awaitable, Callable

from aiohttp import web

from domain.basics.errors import Refusal
from server.store import StoreError
from server.web.api.exchange import language_of
from server.web.keys import CONNECTIONS, SERVER
from server.web.limits import count_miss, require_few_misses, spend_reading
from server.web.observing import LIMITED, PROBES, REFUSED, limited_by, route_of
from server.web.problems import MEDIA_TYPE, Problem, Trouble, encode, headers_of, problem_of, refusal_of_store
from server.web.reading_rate import cost_of
from server.web.waiting import let_in
from server.workers import Busy

log = logging.getLogger("server.web.app")

GUESSABLE = frozenset({"id", "token"})
"""Parts of addresses that lead to a battle, or let somebody in."""
SHOWING = ("GET", "HEAD")

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
Render = Callable[[web.Request, Problem], web.StreamResponse | None]
"""Shows a problem to a person; None leaves it to the document."""
RENDER: web.AppKey[Render] = web.AppKey("render", object)  # type: ignore[arg-type]  # a callable has no class


@web.middleware
async def answer_problems(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answer every failure with a problem document; a person's page may show it otherwise."""
    headers: dict[str, str] = {}
    connections = request.app[CONNECTIONS]
    connections.began(request.protocol)
    try:
        if route_of(request) not in PROBES:
            await let_in(request)
        if GUESSABLE & request.match_info.keys():
            require_few_misses(request)
        if request.method in SHOWING and route_of(request) not in PROBES:
            spend_reading(request, cost_of(route_of(request)))
        return await handler(request)
    except Trouble as trouble:
        problem, headers = trouble.problem, trouble.headers
    except Refusal as refusal:
        count_miss(request, refusal)
        problem, headers = problem_of(refusal, language_of(request)), headers_of(refusal)
    except web.HTTPException as error:
        if error.status < 400:
            raise
        problem = problem_of(_refusal_of(error, request), language_of(request))
        if "Allow" in error.headers:
            headers["Allow"] = error.headers["Allow"]
    except (StoreError, sqlite3.Error) as failure:
        log.warning("%s %s: %s", request.method, route_of(request), failure)
        found = refusal_of_store(failure)
        problem, headers = problem_of(found, language_of(request)), headers_of(found)
    except Busy:
        busy = Refusal("core.busy", "CORE-ACCESS")
        problem, headers = problem_of(busy, language_of(request)), headers_of(busy)
    except ConnectionResetError:
        if request.transport is not None:
            raise
        return web.Response(status=499)  # nobody is there to read it: the client has gone in the middle of its body
    except Exception:
        log.exception("%s %s", request.method, route_of(request))
        problem = problem_of(Refusal("core.fault", "CORE-ACCESS"))
    finally:
        connections.ended(request.protocol)
    return shown(request, problem, headers)


def shown(request: web.Request, problem: Problem, headers: dict[str, str]) -> web.StreamResponse:
    """A problem in the form its reader wants."""
    request[REFUSED] = problem.code
    request[LIMITED] = limited_by(problem)
    render = request.app.get(RENDER)
    page = render(request, problem) if render else None
    if page is not None:
        page.headers.update(headers)
        return page
    if problem.status == 401:
        headers["WWW-Authenticate"] = 'Bearer realm="phalera"'
    return web.Response(body=encode(problem), status=problem.status, content_type=MEDIA_TYPE, headers=headers)


def _refusal_of(error: web.HTTPException, request: web.Request) -> Refusal:
    """The framework's own refusals in our words."""
    if isinstance(error, web.HTTPMethodNotAllowed):
        return Refusal(
            "core.method-not-allowed", "CORE-ACCESS", method=request.method, allowed=sorted(error.allowed_methods)
        )
    if isinstance(error, web.HTTPRequestEntityTooLarge):
        return Refusal("core.too-large", "CORE-ACCESS", limit=request.app[SERVER].settings.body_bytes)
    if error.status == 404:
        return Refusal("core.no-such-page", "CORE-ACCESS")
    return Refusal("core.bad-request", "CORE-ACCESS", reason=error.reason)
