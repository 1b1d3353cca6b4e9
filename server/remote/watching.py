"""Watch a battle on a server as it goes on: its file, and then each line that is added to its log.

A stranger may watch what a stranger may read; a player who has logged in to that very server (`phalera remote login`)
watches with their token, which goes nowhere else. What comes is the public log: sealed things are sealed in it for
everybody. The player of battles checks each line (`replay.player.live`); here only the connection is kept, and begun
anew when it is lost.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable

from domain.log.record import FileFault, split_hash
from replay.player.live import LIVE, LOST, STOPPED, News
from server.remote.connection import BattleNow, Refused, ServerConnection, Unanswered
from server.remote.state import BattleFiles

_ENDED = b'"type":"MasterRevealed"}'
WAITS_S = (1.0, 2.0, 4.0, 8.0, 15.0, 30.0)
"""How long to wait before each new try; the last of them again and again."""


def token_for(place: BattleFiles) -> str:
    """The token kept for the server of a battle, "" for a stranger. It is that of this very address: not of a server
    whose folder is named alike, nor of the same host without encryption."""
    login = place.server.login()
    return login.token if login is not None and login.address == place.server.address else ""


class Watch:
    """A battle that is watched."""

    def __init__(
        self, place: BattleFiles, lang: str = "en", wait: Callable[[float], Awaitable[object]] = asyncio.sleep
    ) -> None:
        self._address, self._battle = place.server.address, place.battle
        self._token = token_for(place)
        self._lang = lang
        self._wait = wait
        self._is_over = False

    async def file(self) -> bytes:
        """The battle file as it is now.

        Raises: Refused, Unanswered
        """
        async with self._connection() as connection:
            content = (await connection.ask("GET", f"/battles/{self._battle}/export")).content
        self._is_over = _ENDED in content
        return content

    async def follow(self, n: int, newest: bytes) -> AsyncGenerator[News]:
        """What is added behind event `n`, whose hash is `newest`; a lost connection is begun anew, without end."""
        tries = 0
        while True:
            try:
                async with self._connection() as connection:
                    if not await self._goes_on(connection, n, newest):
                        yield News(state=STOPPED, reason=f"{self._address} shows ANOTHER HISTORY than before.")
                        return
                    async for lines in connection.stream(f"/battles/{self._battle}/stream?after={n}"):
                        tries = 0
                        yield News(lines, LIVE)
                        if lines:
                            n, newest = n + len(lines), _hash_of(lines[-1])
                            self._is_over = self._is_over or any(line.endswith(_ENDED) for line in lines)
                        if lines and self._is_over:
                            yield News(note=await self._note(connection, n))
            except Refused as reason:
                yield News(state=STOPPED, reason=str(reason))
                return
            except Unanswered:
                pass
            yield News(state=LOST)
            await self._wait(WAITS_S[min(tries, len(WAITS_S) - 1)])
            tries += 1

    async def _goes_on(self, connection: ServerConnection, n: int, newest: bytes) -> bool:
        """Whether the server's log still has the newest event that we know."""
        path = f"/battles/{self._battle}/events?after={n - 1}&limit=1"
        lines = (await connection.ask("GET", path)).content.splitlines()
        return bool(lines) and _hash_of(lines[0]) == newest

    async def _note(self, connection: ServerConnection, n: int) -> str:
        """The host's note over event `n`, without which the log of a battle that is over is not whole; "" if there is
        more by now, with which its own note comes."""
        now = await connection.read(f"/battles/{self._battle}", BattleNow)
        return now.receipt if now.n == n else ""

    def _connection(self) -> ServerConnection:
        return ServerConnection(self._address, self._token, self._lang)


def _hash_of(file_line: bytes) -> bytes:
    """The hash that a line of a file has; b"" if it has none."""
    try:
        member = split_hash(file_line, 0)[1]
    except FileFault:
        return b""
    digits = member.removeprefix(b',"hash":"').removesuffix(b'"').decode("ascii", "replace")
    try:
        return bytes.fromhex(digits)
    except ValueError:
        return b""
