"""The log of a battle, live: server-sent events.

Nearly all who watch a battle are at the same place. What is new is made once for all of them, with its framing, and
handed to each connection in one step; only a stream whose reader does not keep up is woken to wait for them.
"""

import asyncio

from aiohttp import ClientConnectionResetError, HttpVersion11, web

from domain.engine.errors import Refusal
from domain.log.record import splice_hash
from server.people.players import Player
from server.play.access import hears_spectators, may_read
from server.play.live_battle import LiveBattle, StoredLine
from server.play.recording import Batch
from server.web.address import client_address
from server.web.api.battles import live_for
from server.web.api.exchange import number_in_query
from server.web.auth import caller
from server.web.keys import BANS, CONNECTIONS, OpenStreams, server_of, streams_of

EVENT_STREAM = "text/event-stream"
HEADERS = {"Content-Type": EVENT_STREAM, "Cache-Control": "no-store", "X-Accel-Buffering": "no"}
AT_ONCE = 500
"""Events per chunk of a stream."""


async def stream_events(request: web.Request) -> web.StreamResponse:
    """GET /api/v1/battles/{id}/stream: from `Last-Event-ID` on, or from now; ends when the server stops. A player is
    also told, by an event `words` without content, that something was said; a spectator, by `spectators`, that another
    one said something."""
    live, player = await live_for(request)
    plays = player is not None and bool(live.recording.battle.seat_of(player.id))
    heartbeat_s = server_of(request).settings.heartbeat_s
    stream = EventStream(live, _last_seen(request, live), heartbeat_s, streams_of(request), plays, player)
    await stream.answer(request)
    return stream.response


def _may_go_on(request: web.Request, live: LiveBattle, player: Player) -> bool:
    """Whether the player who has opened a stream is still let in, and may still read the battle."""
    try:
        now = caller(request)
    except Refusal:
        return False
    return now is not None and now.id == player.id and may_read(live, now)


class EventStream:
    """One reader of a battle, who has all events up to `after`; `plays`: they hold a side; `player`: who they are."""

    def __init__(
        self,
        live: LiveBattle,
        after: int,
        heartbeat_s: float,
        streams: OpenStreams,
        plays: bool = False,
        player: Player | None = None,
    ) -> None:
        self.response = web.StreamResponse(headers=HEADERS)
        self._live = live
        self._after = after
        self._heartbeat_s = heartbeat_s
        self._streams = streams
        self._plays = plays
        self._player = player
        self._has_words = False
        self._has_remarks = False
        self._bell = asyncio.Event()
        self._transport: asyncio.Transport | None = None  # while it can be written to directly
        self._sent_s = 0.0
        self._checked_s = 0.0
        self._is_over = False

    async def answer(self, request: web.Request) -> None:
        """Send events until the reader goes away or the server stops."""
        if request.version >= HttpVersion11:
            self.response.enable_chunked_encoding()
        self._live.listeners.add(self._ring)
        if self._plays:
            self._live.hearers.add(self._hear)
        elif self._player is not None:
            self._live.watchers.add(self._hear_spectators)
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
            self._live.listeners.discard(self._ring)
            self._live.hearers.discard(self._hear)
            self._live.watchers.discard(self._hear_spectators)

    async def _go_on(self, request: web.Request) -> None:
        """Send what is new; else wait, and send a sign of life after a while."""
        self._bell.clear()
        if self._has_words:
            self._has_words = False
            await self._write(b"event: words\ndata: {}\n\n")
        if self._has_remarks:
            self._has_remarks = False
            if hears_spectators(self._live, self._player):  # they may have taken a side meanwhile
                await self._write(b"event: spectators\ndata: {}\n\n")
        if self._after < self._live.n:
            self._after, frames, _ = _frames(self._live, self._after)
            await self._write(frames)
            return
        loop = asyncio.get_running_loop()
        timer = loop.call_at(self._sent_s + self._heartbeat_s, self._bell.set)
        self._transport = request.transport if self.response.chunked else None
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
            self._is_over = self._is_over or not _may_go_on(request, self._live, self._player)

    def _end(self) -> None:
        self._is_over = True
        self._transport = None
        self._bell.set()

    async def _write(self, content: bytes) -> None:
        """Write, and wait for a slow reader."""
        await self.response.write(content)
        self._sent_s = asyncio.get_running_loop().time()

    def _hear(self) -> None:
        self._has_words = True
        self._bell.set()

    def _hear_spectators(self) -> None:
        if hears_spectators(self._live, self._player):
            self._has_remarks = True
            self._bell.set()

    def _ring(self, _: LiveBattle, batch: Batch) -> None:
        self._streams.soon(self._push)

    def _push(self) -> None:
        """Send what is new without waking the stream, if all that was sent before is gone."""
        transport, due_s = self._transport, self._checked_s + self._heartbeat_s
        if transport is None or transport.is_closing() or transport.get_write_buffer_size():
            self._bell.set()
        elif self._player is not None and asyncio.get_running_loop().time() >= due_s:
            self._bell.set()  # it looks whether its player is still let in
        elif self._after < self._live.n:
            self._after, _, chunk = _frames(self._live, self._after)
            self._sent_s = asyncio.get_running_loop().time()
            transport.write(chunk)
            if self._after < self._live.n:
                self._bell.set()


def _last_seen(request: web.Request, live: LiveBattle) -> int:
    seen = request.headers.get("Last-Event-ID")
    if seen is None:
        return number_in_query(request, "after", live.n)
    if not (seen.isascii() and seen.isdigit() and len(seen) < 17):
        raise Refusal("core.bad-query", "CORE-PARSE", reason="Last-Event-ID is the number of an event")
    return int(seen)


def _frames(live: LiveBattle, after: int) -> tuple[int, bytes, bytes]:
    """The next events of a stream: the last of them, the events, and the same as a chunk of HTTP. What was made for one
    reader is kept for the others."""
    kept = live.frames
    if kept is None or kept[:2] != (after, live.n):
        lines = live.lines(after, AT_ONCE)
        frames = b"".join(map(_frame, lines))
        kept = live.frames = (after, live.n, lines[-1][0], frames, b"%x\r\n%b\r\n" % (len(frames), frames))
    return kept[2:]


def _frame(line: StoredLine) -> bytes:
    n, hash_, event = line
    return b"id: %d\ndata: %b\n\n" % (n, splice_hash(event, hash_))
