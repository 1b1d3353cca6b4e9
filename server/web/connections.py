"""The connections of the server: how many there may be, who gives way to newcomers, and how long each may stand idle.

The framework closes a connection only between two requests. Here a connection is idle as long as no request of it is
being answered, so one that never sends the head of a request, or sends it letter by letter, is closed like one that
asks for nothing more. What is still being sent to a slow reader is not cut.

Where no place is left (`server.web.places`) a newcomer may still ask how the server does: places are kept for that.
"""

import asyncio
import errno
import logging
import sys
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, cast

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from server.limits import Limits
from server.web.networks import is_within
from server.web.places import ConnectionPlaces, Doing, NoPlace

log = logging.getLogger(__name__)

FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\nContent-Length: 31\r\n"
    b"Retry-After: 30\r\nConnection: close\r\n\r\nThere are too many connections\n"
)
PROBES = ("/healthz", "/readyz", "/metrics")
"""What may be asked where no place is left."""
MOST_PROBES, PROBE_S = 64, 2.0
"""How many newcomers without a place are listened to, and for how long."""
HEAD_ENDS = (b"\r\n\r\n", b"\n\n")
LONGEST_HEAD = 16 * 1024
RESERVE = 200
"""Open files that the store, the mail and the log need beside the connections."""
SWEEPS = 4
"""How often in `idle_s` idle connections are looked for."""
DRAINED_S = 0.02
"""How often the end looks for connections that are still idle."""
STALLED_S = 60.0
"""How long a client may take nothing of what is being sent to it."""
OUT_OF_FILES = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
QUIET_S = 60.0
"""How long the log is silent after it has said that no connection can be taken."""


class Connections:
    """The open connections of one server, by their handlers. Call `close` at its end."""

    def __init__(self, limits: Limits, proxies: tuple[str, ...] = (), base: str = "") -> None:
        self._limits = limits
        self._proxies = proxies
        self._open: dict[web.RequestHandler, Connection] = {}
        self._silent: dict[Connection, None] = {}  # they have a place, and no handler before they have asked
        self._probing: OrderedDict[Connection, None] = OrderedDict()
        self._probes = tuple(f"GET {before}{path} ".encode() for before in {"", base} for path in PROBES)
        self.places = ConnectionPlaces(limits)
        self._sweeping: asyncio.TimerHandle | None = None
        self.draining = False

    def __len__(self) -> int:
        return len(self._open) + len(self._silent)

    @property
    def busy(self) -> int:
        """How many of them wait for an answer."""
        return sum(connection.idle_since is None for connection in self._open.values())

    def began(self, handler: web.RequestHandler) -> None:
        """Note that a request is being answered: its connection is not idle."""
        connection = self._open.get(handler)
        if connection is not None:
            connection.idle_since = None
            self.places.does(connection, Doing.BUSY)

    def watches(self, handler: web.RequestHandler) -> None:
        """Note that the request is for a stream."""
        connection = self._open.get(handler)
        if connection is not None:
            self.places.does(connection, Doing.STREAM)

    def ended(self, handler: web.RequestHandler) -> None:
        """Note that the answer is ready to be sent."""
        connection = self._open.get(handler)
        if connection is not None:
            connection.idle_since = asyncio.get_running_loop().time()
            self.places.does(connection, Doing.IDLE)
            if connection in self._probing:  # it asked how the server does, and has its answer
                asyncio.get_running_loop().call_later(PROBE_S, connection.hang_up)

    def take_place(self, connection: "Connection") -> None:
        """Let a new connection in, and hang up on whoever gives way.

        Raises: NoPlace
        """
        address = "" if is_within(connection.address, self._proxies) else connection.address
        gives_way = self.places.take(connection, address)
        self._silent[connection] = None
        if self._sweeping is None:
            self._wait()
        if isinstance(gives_way, Connection):
            gives_way.hang_up()

    def probe(self, connection: "Connection") -> None:
        """Listen to a newcomer without a place; the oldest of them goes."""
        while len(self._probing) >= MOST_PROBES:
            self._probing.popitem(last=False)[0].refuse()
        self._probing[connection] = None
        asyncio.get_running_loop().call_later(PROBE_S, connection.refuse)

    def asks_how_it_does(self, said: bytes) -> bool | None:
        """Whether somebody without a place asks how the server does; None if that cannot be seen yet."""
        if said.startswith(self._probes):
            return True
        return None if any(probe.startswith(said) for probe in self._probes) else False

    def add(self, handler: web.RequestHandler, connection: "Connection") -> None:
        """Count a connection that has a handler."""
        self._silent.pop(connection, None)
        self._open[handler] = connection

    def remove(self, handler: web.RequestHandler | None, connection: "Connection") -> None:
        """Count a connection no longer: it has ended."""
        self._probing.pop(connection, None)
        self._silent.pop(connection, None)
        self.places.leave(connection)
        if handler is not None:
            self._open.pop(handler, None)

    def sweep(self) -> None:
        """Close the connections that have been idle for too long, and those whose clients read nothing."""
        now = asyncio.get_running_loop().time()
        for connection in (*self._silent, *self._open.values()):
            connection.close_if_idle(now - self._limits.idle_s)
            connection.close_if_stalled(now)
        self._sweeping = None
        if len(self):
            self._wait()

    async def drain(self, longest_s: float) -> None:
        """Let each connection bring the request that its client may be sending: closed with it unread, the client would
        not know what has become of it. From now on every answer ends its connection."""
        self.draining = True
        loop = asyncio.get_running_loop()
        end = loop.time() + longest_s
        while loop.time() < end and self.busy < len(self):
            await asyncio.sleep(DRAINED_S)
        self._end_silent()

    def _end_silent(self) -> None:
        for connection in tuple(self._silent):
            connection.hang_up()

    async def close(self) -> None:
        """Look for idle ones no longer, and hang up on those that have asked nothing."""
        self._end_silent()
        if self._sweeping is not None:
            self._sweeping.cancel()

    def _wait(self) -> None:
        self._sweeping = asyncio.get_running_loop().call_later(self._limits.idle_s / SWEEPS, self.sweep)


class Connection(asyncio.Protocol):
    """One connection, handed on to the framework's handler if there is a place. `idle_since`: None while a request is
    being answered."""

    def __init__(self, connections: Connections, make: Callable[[], web.RequestHandler]) -> None:
        self.address = ""
        now = asyncio.get_running_loop().time()
        self.idle_since: float | None = now
        self._connections = connections
        self._make = make
        self._handler: web.RequestHandler | None = None
        self._transport: asyncio.Transport | None = None
        self._said = b""
        self._has_place = False
        self._unsent = 0
        self._read_at = now

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take it, or wait for the first bytes where there is no place."""
        self._transport = cast(asyncio.Transport, transport)
        peer = transport.get_extra_info("peername")
        self.address = str(peer[0]) if isinstance(peer, tuple) and peer else ""
        try:
            self._connections.take_place(self)
        except NoPlace:
            self._connections.probe(self)
        else:
            self._has_place = True

    def _hand_on(self) -> web.RequestHandler:
        self._handler = handler = self._make()
        self._connections.add(handler, self)
        handler.connection_made(cast(asyncio.Transport, self._transport))
        return handler

    def hang_up(self) -> None:
        """Give way to another."""
        if self._transport is not None:
            self._transport.abort()

    def refuse(self) -> None:
        """Say that there is no place, unless somebody asks how the server does: then hang up."""
        if self._handler is not None:
            self.hang_up()
        elif self._transport is not None and not self._transport.is_closing():
            self._transport.write(FULL)
            self._transport.close()

    def data_received(self, data: bytes) -> None:
        """Hand on, once there is the head of a request: half of one, or nothing, costs as good as nothing. Without a
        place only the question how the server does."""
        if self._handler is not None:
            self._handler.data_received(data)
            return
        self._said += data
        if self._has_place:
            if is_readable(self._said):
                self._hand_on().data_received(self._said)
            return
        asks = self._connections.asks_how_it_does(self._said)
        if asks:
            self._hand_on().data_received(self._said)
        elif asks is False:
            self.refuse()

    def eof_received(self) -> None:
        """Hand on."""
        if self._handler is not None:
            self._handler.eof_received()

    def connection_lost(self, exc: BaseException | None) -> None:
        """Hand on, and count it no longer."""
        self._connections.remove(self._handler, self)
        if self._handler is not None:
            self._handler.connection_lost(exc)

    def pause_writing(self) -> None:
        """Hand on."""
        if self._handler is not None:
            self._handler.pause_writing()

    def resume_writing(self) -> None:
        """Hand on."""
        if self._handler is not None:
            self._handler.resume_writing()

    def close_if_idle(self, before: float) -> None:
        """Close it if it has been idle since `before` (seconds of the loop), and nothing is left to send."""
        if self.idle_since is None or self.idle_since > before or self._transport is None:
            return
        if not self._transport.get_write_buffer_size():
            self._transport.close()

    def close_if_stalled(self, now: float) -> None:
        """Close it if its client has taken nothing for too long of what waits to be sent: that is kept in memory."""
        if self._transport is None:
            return
        unsent = self._transport.get_write_buffer_size()
        if not unsent or unsent < self._unsent:
            self._read_at = now
        self._unsent = unsent
        if now - self._read_at > STALLED_S:
            self._transport.abort()


def is_readable(said: bytes) -> bool:
    """Whether the framework can say something to what was sent: the head of a request, or what can be none."""
    return any(end in said for end in HEAD_ENDS) or len(said) > LONGEST_HEAD or not said[:1].isupper()


# --- the system's own limits


def within_the_system(limits: Limits) -> Limits:
    """The limits, with no more connections than this process may have files open; that is raised as far as it may."""
    if sys.platform == "win32":
        return limits
    import resource

    from msgspec.structs import replace

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = (limits.connections or soft) + RESERVE
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if not limits.connections or soft == resource.RLIM_INFINITY:
        return limits
    return replace(limits, connections=max(1, min(limits.connections, soft - RESERVE)))


def quiet_about_files(loop: asyncio.AbstractEventLoop) -> None:
    """Let the loop say in one line, once a minute, that no connection can be taken for want of open files."""
    said = -QUIET_S

    def handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        nonlocal said
        failure = context.get("exception")
        if not isinstance(failure, OSError) or failure.errno not in OUT_OF_FILES:
            loop.default_exception_handler(context)
        elif loop.time() - said >= QUIET_S:
            said = loop.time()
            log.warning("no connection can be taken: %s", failure.strerror)

    loop.set_exception_handler(handle)


def quiet_about_requests() -> None:
    """Let the framework say in one line, and not as an error, that a request could not be read: anybody can send one,
    and a traceback of it would have a hundred times its length."""
    framework = logging.getLogger("aiohttp.server")
    if not any(isinstance(known, _Unreadable) for known in framework.filters):
        framework.addFilter(_Unreadable())


class _Unreadable(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        failure = record.exc_info[1] if record.exc_info else None
        if not isinstance(failure, HttpProcessingError):
            return True
        record.levelno, record.levelname = logging.INFO, "INFO"
        record.msg, record.args, record.exc_info = "a request cannot be read", (), None
        record.reason = type(failure).__name__
        return log.isEnabledFor(logging.INFO)
