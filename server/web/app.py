"""Put the web application together; `server.assembly` starts it and stops it."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

from aiohttp import web, web_response

from domain.basics.pace import moment_of
from server.logs import REQUEST_ID
from server.people.challenges import Challenges
from server.people.tags import Tags
from server.running import Server
from server.settings import Settings
from server.upkeep import proxy_note
from server.web.answering import RENDER, answer_problems
from server.web.api.exchange import language_of
from server.web.api.open_stream import EVENT_STREAM
from server.web.banning import refuse_banned
from server.web.bans import BannedNetworks
from server.web.base_path import put_before
from server.web.bodies import HANDLER_ARGS
from server.web.bounds import add_bounds
from server.web.keys import (
    BANS,
    CHALLENGES,
    CONNECTIONS,
    HIDDEN,
    METRICS,
    NOTICE,
    PICTURES,
    READINESS,
    SERVER,
    STREAMS,
    TAGS,
    TOKENS,
    KnownTokens,
    OpenStreams,
)
from server.web.limit_figures import limit_families
from server.web.lookout import Lookout
from server.web.metrics import Metrics
from server.web.networks import HiddenClients
from server.web.notices import HEADER as NOTICE_HEADER
from server.web.notices import HostNotice
from server.web.observing import HEADER, make_observer
from server.web.openapi import show_openapi
from server.web.pictures import Pictures
from server.web.readiness import ReadinessProbe
from server.web.routes import API, DOORS

NAME = "phalera"
"""What an answer says of whoever gives it: no versions for strangers."""
# no code of ours sees the answer to what cannot be read
web_response.SERVER_SOFTWARE = NAME  # type: ignore[attr-defined]  # the framework has no other place for it

SAFE_HEADERS = {
    "Cache-Control": "private, no-cache",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""The default headers of an answer: what is no page runs nothing, and loads nothing."""


def make_app(server: Server) -> web.Application:
    """The application in front of a server, which it starts and closes."""
    settings, store, entropy, workers = server.settings, server.store, server.entropy, server.battles.workers
    app = web.Application(
        middlewares=[make_observer(), refuse_banned, answer_problems],
        client_max_size=settings.body_bytes,
        handler_args=HANDLER_ARGS,
    )
    app[SERVER] = server
    app[STREAMS] = streams = OpenStreams()
    app[PICTURES] = Pictures(workers.pictures)
    app[TOKENS] = KnownTokens()
    app[BANS] = banned = BannedNetworks(store, server.clock.now, settings.trusted_proxies, streams.ring)
    app[NOTICE] = notice = HostNotice(store, server.clock.now)
    app[TAGS] = Tags(server.keys.oldest, server.clock)

    def now_s() -> float:
        return moment_of(server.clock.now()) / 1000

    app[CHALLENGES] = Challenges(now_s, entropy)
    add_bounds(app, settings, now_s, entropy)
    connections = app[CONNECTIONS]
    proxy_note.forget(settings)
    app[HIDDEN] = hidden = HiddenClients(partial(_hidden, settings))
    app[READINESS] = ReadinessProbe(server)
    app[METRICS] = metrics = Metrics(
        server, lambda: len(streams.bells), lambda: len(connections), partial(limit_families, app), banned
    )
    metrics.hidden = lambda: bool(hidden.proxy)
    _add_routes(app)
    _add_pages(app)
    app.on_response_prepare.append(_add_headers)
    if settings.base:
        app.on_response_prepare.append(put_before)
    app.on_startup.append(on_call(server.start))
    lookout = Lookout(banned.look, notice.look)
    app.on_startup.append(on_call(lookout.start))
    app.on_startup.append(on_call(metrics.start))
    app.on_shutdown.append(on_call(server.stop))
    app.on_shutdown.append(on_call(streams.stop))
    app.on_shutdown.append(on_call(metrics.stop))
    app.on_shutdown.append(on_call(lookout.stop))
    app.on_cleanup.append(on_call(server.close))
    app.on_cleanup.append(on_call(connections.close))
    return app


def _hidden(settings: Settings, proxy: str) -> None:
    """Say that a proxy hides all clients; nobody waits for the note of it."""
    asyncio.get_running_loop().run_in_executor(None, proxy_note.keep, settings, proxy)


def on_call(do: Callable[[], Awaitable[None]]) -> Callable[[web.Application], Awaitable[None]]:
    """A callback for the start or stop of the application."""

    async def when_told(app: web.Application) -> None:
        await do()

    return when_told


def _add_routes(app: web.Application) -> None:
    for route in API:
        if route.method == "GET":
            app.router.add_get(route.path, route.handler, allow_head=route.answer != EVENT_STREAM)
        else:
            app.router.add_route(route.method, route.path, route.handler)
    for method, path, handler in DOORS:
        app.router.add_route(method, path, handler)
    app.router.add_get("/openapi.json", show_openapi)


def _add_pages(app: web.Application) -> None:
    """Add the pages for people; programs do without."""
    from server.web.pages.routes import add_pages, show_problem

    add_pages(app)
    app[RENDER] = show_problem


async def _add_headers(request: web.Request, response: web.StreamResponse) -> None:
    headers = response.headers
    for name, value in SAFE_HEADERS.items():
        headers.setdefault(name, value)
    headers["Server"] = NAME
    headers[HEADER] = REQUEST_ID.get()
    notice = request.app[NOTICE]
    if notice.is_kept and request.path.startswith("/api/") and (told := notice.header(language_of(request))):
        headers[NOTICE_HEADER] = told
    if request.app[CONNECTIONS].draining:
        headers["Connection"] = "close"
        response.force_close()
