"""What the web application holds for its handlers: server, open streams, connections, pictures, answers, known
tokens, open challenges."""

import asyncio
from collections import deque
from collections.abc import Callable

from aiohttp import web

from server.people.challenges import Challenges
from server.people.players import Player
from server.people.tags import Tags
from server.running import Server
from server.web.bans import BannedNetworks
from server.web.connections import Connections
from server.web.kept import KeptAnswers
from server.web.metrics import Metrics
from server.web.networks import HiddenClients
from server.web.notices import HostNotice
from server.web.pictures import Pictures
from server.web.puzzles import Puzzles
from server.web.rates import RateLimits
from server.web.readiness import ReadinessProbe
from server.web.reading_rate import ReadingRate
from server.web.shared_making import SharedFiles, SharedMaking
from server.web.turns import Shares, Turns

SENT_IN_A_ROW = 100
"""Streams that are sent something before others are served: about a millisecond."""


class OpenStreams:
    """The event streams that are open: the bell of each, which is rung when the server stops; and what some of them
    have to send, a few at a time, so that nobody else waits for all who watch a battle."""

    def __init__(self) -> None:
        self.bells: set[asyncio.Event] = set()
        self.stopping = False
        self._due: deque[Callable[[], None]] = deque()
        self._of_players: dict[str, set[Callable[[], None]]] = {}

    def opened(self, player: str, end: Callable[[], None]) -> None:
        """A player has opened a stream, which `end` ends."""
        self._of_players.setdefault(player, set()).add(end)

    def closed(self, player: str, end: Callable[[], None]) -> None:
        """A stream of a player is over."""
        self._of_players.get(player, set()).discard(end)
        if not self._of_players.get(player):
            self._of_players.pop(player, None)

    def end_of(self, player: str) -> None:
        """End the streams of a player who is let in no more."""
        for end in tuple(self._of_players.get(player, ())):
            end()

    def soon(self, send: Callable[[], None]) -> None:
        """Send something when it is its turn."""
        if not self._due:
            asyncio.get_running_loop().call_soon(self._send_some)
        self._due.append(send)

    def _send_some(self) -> None:
        try:
            for _ in range(min(len(self._due), SENT_IN_A_ROW)):
                self._due.popleft()()
        finally:  # one that fails holds no other up
            if self._due:
                asyncio.get_running_loop().call_soon(self._send_some)

    async def stop(self) -> None:
        """End every open stream; otherwise each would delay the stop."""
        self.stopping = True
        self.ring()

    def ring(self) -> None:
        """Let each stream look whether it may go on."""
        for bell in self.bells:
            bell.set()


class KnownTokens:
    """API tokens that were looked up a moment ago: by digest, when that was (seconds of the loop) and whose.
    `recording` are the tokens whose use is being written."""

    def __init__(self) -> None:
        self.players: dict[bytes, tuple[float, Player]] = {}
        self.recording: set[bytes] = set()


BANS: web.AppKey[BannedNetworks] = web.AppKey("bans", BannedNetworks)
CHALLENGES: web.AppKey[Challenges] = web.AppKey("challenges", Challenges)
CONNECTIONS: web.AppKey[Connections] = web.AppKey("connections", Connections)
PUZZLES: web.AppKey[Puzzles] = web.AppKey("puzzles", Puzzles)
RATES: web.AppKey[RateLimits] = web.AppKey("rates", RateLimits)
READING: web.AppKey[ReadingRate] = web.AppKey("reading", ReadingRate)
READINESS: web.AppKey[ReadinessProbe] = web.AppKey("readiness", ReadinessProbe)
SERVER: web.AppKey[Server] = web.AppKey("server", Server)
HIDDEN: web.AppKey[HiddenClients] = web.AppKey("hidden", HiddenClients)
STREAMS: web.AppKey[OpenStreams] = web.AppKey("streams", OpenStreams)
METRICS: web.AppKey[Metrics] = web.AppKey("metrics", Metrics)
NOTICE: web.AppKey[HostNotice] = web.AppKey("notice", HostNotice)
PICTURES: web.AppKey[Pictures] = web.AppKey("pictures", Pictures)
KEPT: web.AppKey[KeptAnswers] = web.AppKey("kept", KeptAnswers)
FILES: web.AppKey[SharedFiles] = web.AppKey("files", SharedFiles)
MAKING: web.AppKey[SharedMaking] = web.AppKey("making", SharedMaking)
SHARES: web.AppKey[Shares] = web.AppKey("shares", Shares)
TURNS: web.AppKey[Turns] = web.AppKey("turns", Turns)
TAGS: web.AppKey[Tags] = web.AppKey("tags", Tags)
TOKENS: web.AppKey[KnownTokens] = web.AppKey("tokens", KnownTokens)
ACCOUNT: web.RequestKey[str] = web.RequestKey("account", str)
"""The member of a request that holds the id of the player who makes it."""


def server_of(request: web.Request) -> Server:
    """The server that answers a request."""
    return request.app[SERVER]


def streams_of(request: web.Request) -> OpenStreams:
    """The open streams of the server."""
    return request.app[STREAMS]


def pictures_of(request: web.Request) -> Pictures:
    """The pictures of boards."""
    return request.app[PICTURES]


def kept_of(request: web.Request) -> KeptAnswers:
    """The views and pages made lately."""
    return request.app[KEPT]


def tokens_of(request: web.Request) -> KnownTokens:
    """The API tokens that need no look-up for a moment."""
    return request.app[TOKENS]


def rates_of(request: web.Request) -> RateLimits:
    """What has been done of late, by whom."""
    return request.app[RATES]


def challenges_of(request: web.Request) -> Challenges:
    """The challenges that passkeys have to answer."""
    return request.app[CHALLENGES]
