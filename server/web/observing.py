"""See every request from outside: its id, its line in the log, and how long it took.

A log names the pattern of an address, never the address itself: login links and confirmations are in addresses. Clients
and accounts have tags in it.
"""

import logging
import re
import secrets
from collections.abc import Awaitable, Callable
from itertools import count
from time import perf_counter

from aiohttp import web
from aiohttp.typedefs import Middleware

from server.logs import METHODS, REQUEST_ID, RequestRecord
from server.web.address import client_address, unbelieved
from server.web.keys import ACCOUNT, HIDDEN, METRICS, SERVER, TAGS
from server.web.networks import counted_as, is_within
from server.web.problems import Problem

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

HEADER = "X-Request-Id"
WELL_FORMED = re.compile(r"[A-Za-z0-9._-]{1,64}")
GONE = 499
"""The status in log and metrics if the client went away before there was an answer."""
REFUSED: web.RequestKey[str] = web.RequestKey("refused", str)
"""The member of a request that holds the code of its refusal."""
LIMITED: web.RequestKey[str] = web.RequestKey("limited", str)
"""The member of a request that holds the limit by which it was refused (`guest.address`)."""
OTHER = "other"
"""A method that nobody has: each would be a figure of its own."""
NO_ROUTE = "-"
"""The pattern of what is at no address of ours."""
PROBES = frozenset({"/healthz", "/readyz", "/metrics", "/static/{name}"})
"""Asked for all the time: their lines are of the level `debug` as long as they go well."""

log = logging.getLogger("phalera.access")


def route_of(request: web.Request) -> str:
    """The pattern of the address that is asked for, as in the table of routes."""
    resource = request.match_info.route.resource
    return NO_ROUTE if resource is None else resource.canonical


def limited_by(problem: Problem) -> str:
    """The limit that a problem tells of, `guest.address` say; "" for another problem."""
    if problem.code == "core.puzzle":
        return "puzzle"
    what, who = (problem.params.get(member, "") for member in ("what", "who"))
    return f"{what}.{who}" if problem.code == "core.too-many" and who else ""


def make_observer() -> Middleware:
    """The outermost middleware of an application."""
    start, numbers = secrets.token_hex(4), count(1)

    @web.middleware
    async def observe(request: web.Request, handler: Handler) -> web.StreamResponse:
        began = perf_counter()
        REQUEST_ID.set(_id_of_proxy(request) or f"{start}-{next(numbers)}")
        status = GONE
        try:
            response = await handler(request)
            status = response.status
            return response
        except web.HTTPException as redirect:
            status = redirect.status
            raise
        finally:
            _note(request, status, perf_counter() - began)

    return observe


def _id_of_proxy(request: web.Request) -> str:
    """The id under which a trusted proxy passes a request on, "" if there is none."""
    given = request.headers.get(HEADER, "")
    if not given:
        return ""
    trusted = request.app[SERVER].settings.trusted_proxies
    if WELL_FORMED.fullmatch(given) and is_within(request.remote or "", trusted):
        return given
    return ""


def _note(request: web.Request, status: int, took_s: float) -> None:
    route = route_of(request)
    if route not in PROBES:
        request.app[HIDDEN].saw(unbelieved(request))
    code = request.get(REFUSED, "")
    metrics, method = request.app[METRICS], request.method if request.method in METHODS else OTHER
    metrics.requests.observe((method, route, str(status)), took_s)
    if code:
        metrics.refusals[code] += 1
    level = logging.DEBUG if route in PROBES and status < 400 else logging.INFO
    if log.isEnabledFor(level):
        tags = request.app[TAGS]
        client, account = tags.client(counted_as(client_address(request))), tags.account(request.get(ACCOUNT, ""))
        limited, ms = request.get(LIMITED, ""), round(took_s * 1000, 1)
        log.handle(RequestRecord(level, request.method, route, status, ms, code, limited, client, account))
