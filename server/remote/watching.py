"""Watch a battle on a server as it goes on: its file, and then each line that is added to its log.

A stranger may watch what a stranger may read; a player who has logged in to that very server (`phalera remote login`)
watches with their token, which goes nowhere else. What comes is the public log: sealed things are sealed in it for
everybody. It is checked as `phalera remote` checks what a player takes in: the chain, the host's signature over each
head, the protocol, and the keys that are known here. Nothing is kept. A connection that is lost is begun anew.
"""

import asyncio
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence

import msgspec

from domain.log.record import FileFault, split_hash
from replay.player.live import LIVE, LOST, STOPPED, News
from replay.proof import chain
from replay.proof.chain import Log
from replay.proof.faults import line_sentence
from replay.proof.growing import checked_on
from replay.proof.resuming import WalkSoFar
from server.remote.connection import BattleNow, ServerConnection, Unanswered
from server.remote.errors import NotDone
from server.remote.history import added_lines
from server.remote.judging import new_keys
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
        self._place = place
        self._address, self._battle = place.server.address, place.battle
        self._token = token_for(place)
        self._lang = lang
        self._wait = wait
        self._is_over = False
        self._log: Log | None = None
        self._walk: WalkSoFar | None = None

    async def file(self) -> bytes:
        """The battle file as it is now. One whose bytes do not hold is its reader's to refuse.

        Raises: Refused, Unanswered; NotDone at a fault of the protocol, or another key than the known one
        """
        async with self._connection() as connection:
            return await self._read(connection)

    async def follow(self, n: int, newest: bytes) -> AsyncGenerator[News]:
        """What is added behind event `n`, whose hash is `newest`; a lost connection is begun anew, without end."""
        tries = 0
        while True:
            try:
                async with self._connection() as connection:
                    if not await self._goes_on(connection, n, newest):
                        yield News(state=STOPPED, reason=f"{self._address} shows ANOTHER HISTORY than before.")
                        return
                    if self._log is None or len(self._log.lines) != n:
                        await self._read(connection, n)
                    async for lines in connection.stream(f"/battles/{self._battle}/stream?after={n}"):
                        tries = 0
                        added, note = await self._added(connection, n, lines) if lines else ([], "")
                        n, newest = n + len(added), _hash_of(added[-1]) if added else newest
                        if added or not lines:
                            yield News(tuple(added), LIVE)
                        if added and self._is_over:
                            yield News(note=note)
            except Unanswered:
                pass
            except NotDone as reason:
                yield News(state=STOPPED, reason=str(reason))
                return
            yield News(state=LOST)
            await self._wait(WAITS_S[min(tries, len(WAITS_S) - 1)])
            tries += 1

    async def _read(self, connection: ServerConnection, last: int | None = None) -> bytes:
        """The whole file; what is checked of it ends at event `last`."""
        content = (await connection.ask("GET", f"/battles/{self._battle}/export")).content
        self._is_over = _ENDED in content
        try:
            log = chain.open_file(content)
        except FileFault:
            return content
        await self._judge(log if last is None else chain.begun(log, last))
        return content

    async def _added(self, connection: ServerConnection, n: int, streamed: Sequence[bytes]) -> tuple[list[bytes], str]:
        """What is new behind event `n`, up to a head that the host has signed, and that note. What was `streamed` may
        end within a request, and may be known already.

        Raises: Refused, Unanswered; NotDone if anything is wrong
        """
        now = await connection.read(f"/battles/{self._battle}", BattleNow)
        new = [line for line in streamed if _number_of(line) > n]
        new += await added_lines(connection, self._battle, n + len(new), now.n)
        assert self._log is not None
        try:
            log = chain.closed(chain.extended(self._log, new), now.receipt)
        except FileFault as fault:
            what = line_sentence(fault.line, fault.what, fault.details)
            raise NotDone(f"{self._address} shows ANOTHER HISTORY than before: {what}") from None
        if new:
            await self._judge(log)
            self._is_over = self._is_over or any(line.endswith(_ENDED) for line in new)
        return new, now.receipt

    async def _judge(self, log: Log) -> None:
        """Check a log as `phalera remote` does, away from whoever draws the screen.

        Raises: NotDone
        """
        new_keys(self._place, log)
        found = await asyncio.to_thread(checked_on, log, self._walk)
        if found.fault is not None:
            raise NotDone(
                f"FAULT in battle {self._battle} at event {found.fault.n}: {found.fault.what} "
                f"({found.fault.sentence.rstrip('.')}). Get its file and keep it: phalera verify says the same of it."
            )
        self._log, self._walk = log, found.walk

    async def _goes_on(self, connection: ServerConnection, n: int, newest: bytes) -> bool:
        """Whether the server's log still has the newest event that we know."""
        path = f"/battles/{self._battle}/events?after={n - 1}&limit=1"
        lines = (await connection.ask("GET", path)).content.splitlines()
        return bool(lines) and _hash_of(lines[0]) == newest

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


def _number_of(file_line: bytes) -> int:
    """The number that a line gives itself; a wrong one does not chain."""
    try:
        return int(msgspec.json.decode(file_line)["n"])
    except (ValueError, TypeError, KeyError):
        return sys.maxsize
