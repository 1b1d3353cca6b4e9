"""Put the web application together, start it and stop it."""

import asyncio
import logging
import os
import signal
import socket
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from aiohttp import web, web_response
from msgspec.structs import replace

from domain.time.pace import moment_of
from server.clock import MachineClock, SystemClock
from server.entropy import Entropy
from server.logs import REQUEST_ID
from server.mail.assembly import assemble
from server.mail.outgoing.carrier import carrier_of
from server.mail.outgoing.occasions import letters
from server.mail.outgoing.postman import Postman
from server.mail.service import MailService, usable
from server.people.challenges import Challenges
from server.people.tags import Tags
from server.rehearsal import entropy_of, require_reserved
from server.running import Server
from server.settings import Settings, Unusable
from server.sole import sole_server
from server.store import EventStore
from server.upkeep import proxy_note
from server.upkeep.removing import finish_removals
from server.upkeep.schedule import BackupSchedule
from server.upkeep.tables import require_whole
from server.web.activation import take_sockets
from server.web.answering import RENDER, answer_problems
from server.web.api.exchange import language_of
from server.web.api.streams import EVENT_STREAM
from server.web.banning import refuse_banned
from server.web.bans import BannedNetworks
from server.web.base_path import put_before, serve_below
from server.web.bodies import HANDLER_ARGS
from server.web.bounds import add_bounds
from server.web.connections import quiet_about_files, quiet_about_requests, within_the_system
from server.web.keys import (
    BANS,
    CHALLENGES,
    CONNECTIONS,
    HIDDEN,
    MAIL,
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
from server.web.listening import drain, listen
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
from server.web.starting import addresses_of, finish_start, set_up_code, spare_collector, whereabouts
from server.web.supervision import Supervision
from server.workers import INLINE, Workers
from server.workers.pool import worker_processes

if TYPE_CHECKING:
    from server.play.lobby import Lobby

log = logging.getLogger(__name__)

NAME = "phalera"
"""What an answer says of whoever gives it: no versions for strangers."""
# no code of ours sees the answer to what cannot be read
web_response.SERVER_SOFTWARE = NAME  # type: ignore[attr-defined]  # the framework has no other place for it

SWITCH_S = 0.0005
"""How long the loop may have the interpreter while another thread asks for it. The writer's asks a few times in each
commit, and with the usual 5 ms a busy loop would hold up every commit by more than the disk does."""
SAFE_HEADERS = {
    "Cache-Control": "private, no-cache",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""The default headers of an answer: what is no page runs nothing, and loads nothing."""


def make_app(
    settings: Settings,
    clock: MachineClock,
    entropy: Entropy,
    store: EventStore,
    lobby: "Lobby | None" = None,
    apart: bool = False,
    workers: Workers = INLINE,
) -> web.Application:
    """The application over an open store, which its caller closes afterwards. It posts letters if the settings say so;
    `serve` carries them. `apart`: its read models follow in a process of their own. It closes the
    `workers`."""
    app = web.Application(
        middlewares=[make_observer(), refuse_banned, answer_problems],
        client_max_size=settings.body_bytes,
        handler_args=HANDLER_ARGS,
    )
    server = Server(settings, clock, entropy, store, letters if settings.mail else None, lobby, apart, workers)
    app[SERVER] = server
    app[MAIL] = assemble(server.play, lambda: server.lobby)
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
    app.on_startup.append(_started(server.start))
    lookout = Lookout(banned.look, notice.look)
    app.on_startup.append(_started(lookout.start))
    app.on_startup.append(_started(metrics.start))
    app.on_shutdown.append(_started(server.stop))
    app.on_shutdown.append(_started(streams.stop))
    app.on_shutdown.append(_started(metrics.stop))
    app.on_shutdown.append(_started(lookout.stop))
    app.on_cleanup.append(_started(server.close))
    app.on_cleanup.append(_started(connections.close))
    return app


def add_mail_service(app: web.Application) -> MailService:
    """Carry letters, and take mail in, while the application runs.

    Raises: BadSetting
    """
    server, parts = app[SERVER], app[MAIL]
    postman = Postman(server.battles, carrier_of(server.settings), parts.writer.compose, parts.bell)
    service = MailService(server, postman, parts.intake)

    async def start() -> None:
        try:
            await service.start()
        except Unusable:
            await server.close()  # after a start that failed the framework closes nothing
            raise

    app.on_startup.append(_started(start))  # after the server: cut requests continue before new mail comes in
    app.on_shutdown.append(_started(service.stop))
    return service


def _hidden(settings: Settings, proxy: str) -> None:
    """Say that a proxy hides all clients; nobody waits for the note of it."""
    asyncio.get_running_loop().run_in_executor(None, proxy_note.keep, settings, proxy)


def _started(do: Callable[[], Awaitable[None]]) -> Callable[[web.Application], Awaitable[None]]:
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


# --- running


async def serve(
    settings: Settings,
    clock: MachineClock | None = None,
    entropy: Entropy | None = None,
    tell: Callable[[str], Any] = print,
    taken: Sequence[socket.socket] = (),
    supervision: Supervision | None = None,
) -> None:
    """Serve until told to stop (SIGINT, SIGTERM, or cancelled). `tell` gets a line with the address when ready, and
    the sources and destinations of mail. Where sockets are `taken` over, they are listened at instead of the address
    of the settings; `supervision` tells a service manager how the server does.

    Raises: Unusable for an address that cannot be bound, a data folder in use by a server, or damaged tables of the
            store; WrongDatabase, BackendAbsent, BadNote
    """
    require_reserved(settings)
    if settings.mail:
        settings = usable(settings)
    with sole_server(settings):
        finish_removals(settings)
        told = supervision or Supervision()
        await _serve(settings, clock or SystemClock(), entropy or entropy_of(settings), tell, taken, told)


async def _serve(
    settings: Settings,
    clock: MachineClock,
    entropy: Entropy,
    tell: Callable[[str], Any],
    taken: Sequence[socket.socket],
    supervision: Supervision,
) -> None:
    quiet_about_files(asyncio.get_running_loop())
    quiet_about_requests()
    settings = replace(settings, limits=within_the_system(settings.limits))
    store = EventStore.open(settings.store())
    try:
        await asyncio.to_thread(require_whole, store)
        app = make_app(settings, clock, entropy, store, apart=True, workers=worker_processes())
        connections = app[CONNECTIONS]
        service = add_mail_service(app) if settings.mail else None
        if settings.backup_to:
            schedule = BackupSchedule(settings, store, clock)
            app.on_startup.append(_started(schedule.start))
            app.on_shutdown.append(_started(schedule.stop))
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=settings.shutdown_s)
        try:
            await runner.setup()
            serve_below(runner.server, settings.bases)
            await listen(runner, settings, connections, taken)
            sys.setswitchinterval(SWITCH_S)
            stop = _asked_to_stop()  # before anybody is told the address: whoever reads it may stop the server
            ways = service.ways() if service else ()
            code = await set_up_code(app[SERVER])
            for line in (*addresses_of(settings, *runner.addresses[0][:2]), *whereabouts(settings), *ways, *code):
                tell(line)
            app[SERVER].follow()
            supervision.ready(lambda: f"{len(connections)} connections, {len(app[STREAMS].bells)} streams.")
            await asyncio.to_thread(finish_start, settings)
            spare_collector()
            await stop.wait()
            supervision.stopping()
            log.info("stopping")
            await drain(runner, connections)
        finally:
            await runner.cleanup()
    finally:
        await asyncio.to_thread(store.close)
    log.info("stopped: requests and letters are finished, the store is closed")


def run(settings: Settings) -> None:
    """Serve in this process, on uvloop where it is installed, and under a service manager where there is one."""
    try:
        import uvloop
    except ImportError:
        factory: Callable[[], asyncio.AbstractEventLoop] = asyncio.new_event_loop
    else:
        factory = uvloop.new_event_loop
    taken = take_sockets(os.environ, os.getpid())
    supervision = Supervision.found(os.environ, os.getpid())
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(serve(settings, taken=taken, supervision=supervision))


def _asked_to_stop() -> asyncio.Event:
    """Set by the first signal that asks the server to end."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError, RuntimeError):  # Windows, or not the main thread: it is cancelled instead
            loop.add_signal_handler(name, stop.set)
    return stop
