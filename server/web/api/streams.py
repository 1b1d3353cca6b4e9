"""The log of a battle, live: server-sent events.

Nearly all who watch a battle are at the same place. What is new is made once for all of them, with its framing, and
handed to each connection in one step; only a stream whose reader does not keep up is woken to wait for them.
"""

import asyncio

from aiohttp import web

from domain.log.record import splice_hash
from replay.writing.recording import Batch
from server.people.players import Player
from server.play.access import hears_spectators, may_read
from server.play.live_battle import LiveBattle, StoredLine
from server.web.api.battles import live_for
from server.web.api.open_stream import OpenStream, is_let_in, last_seen
from server.web.keys import OpenStreams, server_of, streams_of

AT_ONCE = 500
"""Events per chunk of a stream."""


async def stream_events(request: web.Request) -> web.StreamResponse:
    """GET /api/v1/battles/{id}/stream: from `Last-Event-ID` on, or from now; ends when the server stops. A player is
    also told, by an event `words` without content, that something was said; a spectator, by `spectators`, that another
    one said something."""
    live, player = await live_for(request)
    plays = player is not None and bool(live.recording.battle.seat_of(player.id))
    heartbeat_s = server_of(request).settings.heartbeat_s
    stream = EventStream(live, last_seen(request, live.n), heartbeat_s, streams_of(request), plays, player)
    await stream.answer(request)
    return stream.response


class EventStream(OpenStream):
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
        super().__init__(after, heartbeat_s, streams, player)
        self._live = live
        self._plays = plays
        self._has_words = False
        self._has_remarks = False

    def _listen(self) -> None:
        self._live.listeners.add(self._ring)
        if self._plays:
            self._live.hearers.add(self._hear)
        elif self._player is not None:
            self._live.watchers.add(self._hear_spectators)

    def _leave(self) -> None:
        self._live.listeners.discard(self._ring)
        self._live.hearers.discard(self._hear)
        self._live.watchers.discard(self._hear_spectators)

    def _may_go_on(self, request: web.Request, player: Player) -> bool:
        return is_let_in(request, player) and may_read(self._live, player)

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
        self._transport = request.transport if self.response.chunked else None
        await self._wait()

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
