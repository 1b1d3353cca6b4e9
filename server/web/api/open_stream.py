"""A stream of server-sent events: opened, kept alive, ended when the server stops or its reader is let in no more."""

import asyncio
from abc import ABC, abstractmethod

from aiohttp import ClientConnectionResetError, HttpVersion11, web

from domain.basics.errors import Refusal
from server.people.players import Player
from server.web.address import client_address
from server.web.api.exchange import number_in_query
from server.web.auth import caller
from server.web.keys import BANS, CONNECTIONS, OpenStreams

EVENT_STREAM = "text/event-stream"
HEADERS = {"Content-Type": EVENT_STREAM, "Cache-Control": "no-store", "X-Accel-Buffering": "no"}


class OpenStream(ABC):
    """One reader, who has everything up to `after`; `player`: who they are, None for a stranger."""

    def __init__(self, after: int, heartbeat_s: float, streams: OpenStreams, player: Player | None) -> None:
        self.response = web.StreamResponse(headers=HEADERS)
        self._after = after
        self._heartbeat_s = heartbeat_s
        self._streams = streams
        self._player = player
        self._bell = asyncio.Event()
        self._transport: asyncio.Transport | None = None  # while it can be written to directly
        self._sent_s = 0.0
        self._checked_s = 0.0
        self._is_over = False

    @abstractmethod
    def _listen(self) -> None:
        """Have the bell rung for whatever is new."""

    @abstractmethod
    def _leave(self) -> None:
        """Listen no more."""

    @abstractmethod
    def _may_go_on(self, request: web.Request, player: Player) -> bool:
        """Whether the player who has opened the stream may still read it."""

    @abstractmethod
    async def _go_on(self, request: web.Request) -> None:
        """Send what is new; else `_wait`."""

    async def answer(self, request: web.Request) -> None:
        """Send events until the reader goes away or the server stops."""
        if request.version >= HttpVersion11:
            self.response.enable_chunked_encoding()
        self._listen()
        self._streams.bells.add(self._bell)
        request.app[CONNECTIONS].watches(request.protocol)
        if self._player is not None:
            self._streams.opened(self._player.id, self._end)
        try:
            await self.response.prepare(request)
            await self._write(b": after %d\n\n" % self._after)
            self._checked_s = asyncio.get_running_loop().time()
            while not (self._streams.stopping or self._is_over or request.app[BANS].ban_of(client_address(request))):
                await self._go_on(request)
                self._look_again(request)  # before anything else is sent
        except (ConnectionResetError, ClientConnectionResetError):
            pass
        finally:
            self._transport = None
            self._streams.bells.discard(self._bell)
            if self._player is not None:
                self._streams.closed(self._player.id, self._end)
            self._leave()

    async def _wait(self) -> None:
        """Wait for the bell, and send a sign of life after a while."""
        loop = asyncio.get_running_loop()
        timer = loop.call_at(self._sent_s + self._heartbeat_s, self._bell.set)
        await self._bell.wait()
        self._transport = None
        timer.cancel()
        if loop.time() >= self._sent_s + self._heartbeat_s:
            await self._write(b": still here\n\n")

    def _look_again(self, request: web.Request) -> None:
        """From time to time, end the stream of a player whom another process has locked out."""
        now_s = asyncio.get_running_loop().time()
        if self._player is not None and now_s >= self._checked_s + self._heartbeat_s:
            self._checked_s = now_s
            self._is_over = self._is_over or not self._may_go_on(request, self._player)

    def _end(self) -> None:
        self._is_over = True
        self._transport = None
        self._bell.set()

    async def _write(self, content: bytes) -> None:
        """Write, and wait for a slow reader."""
        await self.response.write(content)
        self._sent_s = asyncio.get_running_loop().time()


def is_let_in(request: web.Request, player: Player) -> bool:
    """Whether the caller is still let in, as the player who has opened the stream."""
    try:
        now = caller(request)
    except Refusal:
        return False
    return now is not None and now.id == player.id


def last_seen(request: web.Request, newest: int) -> int:
    """The number after which a stream goes on: `Last-Event-ID`, else `after` of the query, else the newest.

    Raises: Refusal core.bad-query
    """
    seen = request.headers.get("Last-Event-ID")
    if seen is None:
        return number_in_query(request, "after", newest)
    if not (seen.isascii() and seen.isdigit() and len(seen) < 17):
        raise Refusal("core.bad-query", "CORE-PARSE", reason="Last-Event-ID is the number of an event")
    return int(seen)
