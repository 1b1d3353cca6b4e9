"""Read another host's log over HTTP: checkpoint, tiles, entries, the heads of battles.

Nothing that comes is trusted: each answer is bounded in size and time, redirects are not followed, and whoever reads
compares what came with a signed checkpoint.
"""

from collections.abc import Callable
from typing import TypeVar

import aiohttp
from msgspec import Struct

from domain.basics.decoding import decode
from domain.log.entries import LogEntry
from domain.log.merkle import HASH_BYTES
from domain.log.tiles import ENTRIES, WIDTH, Tile, entries_in, node_in_tiles, tile_path
from replay.proof.cosigned import MOST_NOTE

PATIENCE_S = 10.0
MOST_ENTRY = 300
"""Bytes: an entry of a log has fewer than 250."""
MOST_HEAD, MOST_KEYS = 1024, 64 * 1024
MOST_TILES = 100
"""A proof between two sizes needs fewer."""

T = TypeVar("T")


class NotRead(Exception):
    """A host has not answered, or with something else; the text says what, in a few words of ours."""


class ShownHead(Struct, frozen=True):
    """The head of a battle that a host shows now."""

    n: int
    hash: str


class ShownKey(Struct, frozen=True):
    """A key that a host says is its own."""

    key: str
    current: bool


class ShownKeys(Struct, frozen=True):
    """What is read of a host's word about itself."""

    keys: tuple[ShownKey, ...]


class _Missing(Exception):
    """A tile that is not fetched yet."""

    def __init__(self, level: int, n: int) -> None:
        super().__init__(level, n)
        self.place = level, n


class LogReader:
    """Reads the log at an address. `session` is closed by its owner."""

    def __init__(self, session: aiohttp.ClientSession, address: str) -> None:
        self._session, self.address = session, address

    async def checkpoint(self) -> str:
        """The newest checkpoint as text; nothing in it is checked.

        Raises:  NotRead
        """
        return _text(_there(await self._get("/tlog/checkpoint", MOST_NOTE)))

    async def key(self) -> str:
        """The key that the host says is its own.

        Raises:  NotRead
        """
        found = _decoded(_there(await self._get("/api/v1/host", MOST_KEYS)), ShownKeys)
        key = next((one.key for one in found.keys if one.current), "")
        if not key:
            raise NotRead("it names no key")
        return key

    async def head(self, name: str) -> ShownHead | None:
        """The head of a battle by its name in the log; None if the host shows none.

        Raises:  NotRead if the host does not answer, or has no time
        """
        status, content = await self._get(f"/api/v1/logged/{name}", MOST_HEAD)
        if status == 429 or status >= 500:
            raise NotRead(f"it answers with {status}")
        return _decoded(content, ShownHead) if status == 200 else None

    async def entries(self, first: int, end: int, size: int) -> list[LogEntry]:
        """The entries from `first` up to `end`, of one bundle, from a log of `size`.

        Raises:  NotRead
        """
        n = first // WIDTH
        content = await self._tile(ENTRIES, n, size, WIDTH * (MOST_ENTRY + 2))
        try:
            return [LogEntry.read(each) for each in entries_in(content)[first - n * WIDTH : end - n * WIDTH]]
        except (ValueError, RecursionError):
            raise NotRead("an entry cannot be read") from None

    async def of_tiles(self, size: int, reckoned: Callable[[Callable[[int, int], bytes]], T]) -> T:
        """What is reckoned from the hashes of a log of `size`: it is given a `domain.log.merkle.Node`, and called again
        when a tile that it needs has come.

        Raises:  NotRead
        """
        tiles: dict[tuple[int, int], bytes] = {}

        def tile(level: int, n: int) -> bytes:
            if (level, n) not in tiles:
                raise _Missing(level, n)
            return tiles[level, n]

        while len(tiles) < MOST_TILES:
            try:
                return reckoned(node_in_tiles(tile))
            except _Missing as missing:
                level, n = missing.place
                tiles[level, n] = await self._tile(level, n, size, WIDTH * HASH_BYTES)
            except ValueError:
                raise NotRead("a tile is too short") from None
        raise NotRead("a proof needs too many tiles")

    async def _tile(self, level: int, n: int, size: int, most: int) -> bytes:
        """A tile of a log of `size`; the whole one if the host has dropped the narrower one meanwhile."""
        width = min(WIDTH, (size >> (8 * max(level, 0))) - n * WIDTH)
        status, content = await self._get(f"/tlog/{tile_path(Tile(level, n, width))}", most)
        if status == 404 and width < WIDTH:
            status, content = await self._get(f"/tlog/{tile_path(Tile(level, n))}", most)
        return _there((status, content))

    async def _get(self, path: str, most: int) -> tuple[int, bytes]:
        limits = aiohttp.ClientTimeout(total=PATIENCE_S)
        try:
            async with self._session.get(self.address + path, timeout=limits, allow_redirects=False) as answer:
                content = b""
                async for piece in answer.content.iter_chunked(4096):
                    content += piece
                    if len(content) > most:
                        raise NotRead("an answer is too long")
                return answer.status, content
        except TimeoutError:
            raise NotRead("it does not answer in time") from None
        except (aiohttp.ClientError, OSError, ValueError) as reason:
            raise NotRead(f"it cannot be reached ({type(reason).__name__})") from None


def _there(answer: tuple[int, bytes]) -> bytes:
    status, content = answer
    if status != 200:
        raise NotRead(f"it answers with {status}")
    return content


def _text(content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise NotRead("an answer is no text") from None


def _decoded(content: bytes, kind: type[T]) -> T:
    try:
        return decode(content, kind)
    except (ValueError, RecursionError):
        raise NotRead("an answer cannot be read") from None
