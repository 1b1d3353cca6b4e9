"""Put the parts of one server together, start them and stop them: the one place that knows its pages and its mail.

Pages and mail do not know each other. Both stand on the acts of the same server; what the pages release of a mail that
waits for a yes, they ask `Services.confirmations` for.
"""

import asyncio
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from aiohttp import web
from msgspec import Struct
from msgspec.structs import replace

from replay.writing.entropy import Entropy
from server.clock import MachineClock, SystemClock
from server.mail.assembly import MailParts, mail_parts
from server.mail.outgoing.carrier import carrier_of
from server.mail.outgoing.occasions import letters
from server.mail.outgoing.postman import Postman
from server.mail.service import MailService, usable
from server.rehearsal import entropy_of, require_reserved
from server.running import Server
from server.settings import Settings, Unusable
from server.sole import sole_server, tell_address
from server.store import EventStore
from server.upkeep.removing import finish_removals
from server.upkeep.schedule import BackupSchedule
from server.upkeep.tables import require_whole
from server.web.activation import take_sockets
from server.web.app import make_app, on_call
from server.web.base_path import serve_below
from server.web.connections import quiet_about_files, quiet_about_requests, within_the_system
from server.web.keys import CONNECTIONS, STREAMS
from server.web.listening import drain, listen
from server.web.starting import address_at, addresses_of, finish_start, set_up_code, spare_collector, whereabouts
from server.web.supervision import Supervision
from server.webhooks.service import WebhookService
from server.witness.keeping import LogKeeper
from server.workers import INLINE, Workers
from server.workers.pool import worker_processes

if TYPE_CHECKING:
    from server.play.lobby import Lobby

log = logging.getLogger("server.web.app")

SWITCH_S = 0.0005
"""How long the loop may have the interpreter while another thread asks for it. The writer's asks a few times in each
commit, and with the usual 5 ms a busy loop would hold up every commit by more than the disk does."""


class Assembled(Struct, frozen=True):
    """One server, the parts of its mail, and the web application in front of both."""

    server: Server
    mail: MailParts
    app: web.Application


def assemble(
    settings: Settings,
    clock: MachineClock,
    entropy: Entropy,
    store: EventStore,
    lobby: "Lobby | None" = None,
    apart: bool = False,
    workers: Workers = INLINE,
) -> Assembled:
    """One server over an open store, which its caller closes afterwards. It posts letters if the settings say so;
    `serve` carries them. `apart`: its read models follow in a process of their own. It closes the `workers`."""
    server = Server(settings, clock, entropy, store, letters if settings.mail else None, lobby, apart, workers)
    mail = mail_parts(server.play, lambda: server.lobby, steward=server.steward)
    mail.desk.seating = server.acts.seating  # what a member may fight at once is counted for pages and mail alike
    server.acts.ring, server.acts.confirmations = mail.bell.set, mail.intake
    mail.writer.press.proof_of = partial(server.witness.cosigned_proof, store)
    return Assembled(server, mail, make_app(server))


def add_mail_service(whole: Assembled) -> MailService:
    """Carry letters, and take mail in, while the application runs.

    Raises: BadSetting
    """
    server, mail = whole.server, whole.mail
    postman = Postman(server.battles, carrier_of(server.settings), mail.writer.compose, mail.bell)
    service = MailService(server, postman, mail.intake)

    async def start() -> None:
        try:
            await service.start()
        except Unusable:
            await server.close()  # after a start that failed the framework closes nothing
            raise

    whole.app.on_startup.append(on_call(start))  # after the server: cut requests continue before new mail comes in
    whole.app.on_shutdown.append(on_call(service.stop))
    return service


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
    store = _opened(settings)
    try:
        whole = assemble(settings, clock, entropy, store, apart=True, workers=worker_processes())
        app, connections = whole.app, whole.app[CONNECTIONS]
        service = add_mail_service(whole) if settings.mail else None
        _run_beside(whole, settings, store, clock)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=settings.shutdown_s)
        try:
            await runner.setup()
            serve_below(runner.server, settings.bases)
            await listen(runner, settings, connections, taken)
            sys.setswitchinterval(SWITCH_S)
            stop = _asked_to_stop()  # before anybody is told the address: whoever reads it may stop the server
            ways = service.ways() if service else ()
            code = await set_up_code(whole.server)
            bound = runner.addresses[0][:2]
            tell_address(settings, settings.url or address_at(*bound))
            for line in (*addresses_of(settings, *bound), *whereabouts(settings), *ways, *code):
                tell(line)
            whole.server.follow()
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


def _opened(settings: Settings) -> EventStore:
    """The store, held by this server alone.

    Raises: as `serve`
    """
    store = EventStore.open(settings.store())
    try:
        store.hold()
        require_whole(store)
    except BaseException:
        store.close()
        raise
    return store


def _run_beside(whole: Assembled, settings: Settings, store: EventStore, clock: MachineClock) -> None:
    """What goes on while the application runs: webhooks, the log of heads, if the store is kept, and the backups."""
    if settings.webhooks:
        hooks = WebhookService(whole.server)
        whole.app.on_startup.append(on_call(hooks.start))
        whole.app.on_shutdown.append(on_call(hooks.stop))
    if settings.backup_to:
        schedule = BackupSchedule(settings, store, clock)
        whole.app.on_startup.append(on_call(schedule.start))
        whole.app.on_shutdown.append(on_call(schedule.stop))
    if store.settings.is_kept:
        keeper = LogKeeper(whole.server.witness, store)
        whole.app.on_startup.append(on_call(keeper.start))
        whole.app.on_shutdown.append(on_call(keeper.stop))


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
