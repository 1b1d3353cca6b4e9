"""All battles of an account, live: server-sent events in the order in which the server has stored them.

The id of an event is its position in the store, so that a reader goes on where they were. What they missed is read from
the store, some hundred events at a time; only battles in which they hold a side or are the umpire are shown.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from aiohttp import web

from domain.basics.errors import Refusal
from domain.log.record import splice_hash
from replay.writing.recording import Batch
from server.people.players import Player
from server.play.live_battle import LiveBattle
from server.running import Server
from server.store.tables import closings
from server.web.api.open_stream import OpenStream, is_let_in, last_seen
from server.web.auth import require_caller
from server.web.keys import OpenStreams, server_of, streams_of
from server.web.limits import spend_reading
from server.web.reading_rate import FILE_COST

AT_ONCE = 500
"""Events of the store that are looked through in one step."""
MOST_BEHIND = 20_000
"""Events of the store, of all battles, that a reader may have missed."""
MISSED = b"event: missed\ndata: {}\n\n"

Stored = tuple[int, str, int, bytes]
"""Position, battle, number and line of an event."""


async def stream_account(request: web.Request) -> web.StreamResponse:
    """GET /api/v1/account/stream: from `Last-Event-ID` on, or from now. A reader who is too far behind gets an event
    `missed` without content, and then the newest: they list their battles anew."""
    player, server = require_caller(request), server_of(request)
    newest = server.store.position()
    after = min(last_seen(request, newest), newest)
    if after < newest:
        spend_reading(request, FILE_COST)
    stream = AccountStream(server, player, after, streams_of(request))
    await stream.answer(request)
    return stream.response


class AccountStream(OpenStream):
    """One reader of all their battles, who has everything up to a position of the store."""

    def __init__(self, server: Server, player: Player, after: int, streams: OpenStreams) -> None:
        super().__init__(after, server.settings.heartbeat_s, streams, player)
        self._server = server
        self._reader = player

    def _listen(self) -> None:
        self._server.battles.listeners.append(self._ring)

    def _leave(self) -> None:
        self._server.battles.listeners.remove(self._ring)

    def _may_go_on(self, request: web.Request, player: Player) -> bool:
        return is_let_in(request, player)

    async def _go_on(self, request: web.Request) -> None:
        self._bell.clear()
        store = self._server.store
        if store.position() - self._after > MOST_BEHIND:
            self._after = store.position() - MOST_BEHIND
            await self._write(MISSED)
        found = store.feed(self._after, AT_ONCE)
        if not found:
            await self._wait()
            return
        frames = b"".join(self._framed(await self._own(found)))
        self._after = found[-1][0]
        if frames:
            await self._write(frames)

    async def _own(self, found: Sequence[Stored]) -> list[Stored]:
        """Those of the reader's battles, without such as were taken away."""
        battles = sorted({battle for _, battle, _, _ in found})
        mine: set[str] = set()
        shown = -1
        while shown < found[-1][0] and not (self._streams.stopping or self._is_over):  # the lists may be behind
            position = self._server.store.position() - self._server.lobby.behind()
            try:
                mine = await self._server.lobby.among_mine(self._reader.id, battles)
            except Refusal:  # there are no lists yet; it has waited for them
                continue
            shown = position
        closed = [closings.find(self._server.store, battle) for battle in mine]
        mine -= {one.battle for one in closed if one is not None and one.how == closings.REMOVED}
        return [event for event in found if event[1] in mine]

    def _framed(self, found: Sequence[Stored]) -> Iterator[bytes]:
        """Events as they are sent, each with its hash."""
        first = {battle: n - 1 for _, battle, n, _ in reversed(found)}
        counts = Counter(battle for _, battle, _, _ in found)
        hashes = {
            (battle, n): hash_
            for battle, after in first.items()
            for n, hash_, _ in self._server.store.read(battle, after, counts[battle])
        }
        for position, battle, n, line in found:
            event = splice_hash(line, hashes[battle, n])
            yield b'id: %d\ndata: {"battle":"%b","event":%b}\n\n' % (position, battle.encode(), event)

    def _ring(self, live: LiveBattle, _: Batch) -> None:
        """Wake for one's own battles alone; what others did meanwhile is passed over with the next of one's own."""
        battle = live.recording.battle
        if battle.seat_of(self._reader.id) or battle.disputes.umpire == self._reader.id:
            self._streams.soon(self._bell.set)
