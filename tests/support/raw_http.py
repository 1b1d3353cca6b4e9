"""Bytes over a real socket to a server that listens as `serve` does: for what no HTTP client would send."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from aiohttp import web

from server.assembly import assemble
from server.settings import Settings, make_folder
from server.store import EventStore
from server.web.keys import CONNECTIONS
from server.web.listening import BoundedSite
from tests.support.clock import ManualClock
from tests.support.entropy import entropy_of_test
from tests.support.waiting import LIMIT_S

HOST = "127.0.0.1"


class Listening:
    """A server that listens."""

    def __init__(self, app: web.Application, port: int) -> None:
        self.app = app
        self.port = port
        self.connections = app[CONNECTIONS]
        self._writers: list[asyncio.StreamWriter] = []

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection, closed at the end at the latest."""
        reader, writer = await asyncio.open_connection(HOST, self.port)
        self._writers.append(writer)
        return reader, writer

    async def say(self, sent: bytes) -> bytes:
        """What the server answers to some bytes, until it closes: with a reset where it has not read all of them."""
        reader, writer = await self.connect()
        writer.write(sent)
        answer = await asyncio.wait_for(until_closed(reader), LIMIT_S)
        writer.close()
        return answer

    async def hang_up(self) -> None:
        """Close what is open."""
        for writer in self._writers:
            writer.transport.abort()
            with suppress(OSError):
                await writer.wait_closed()


async def until_closed(reader: asyncio.StreamReader) -> bytes:
    """The bytes that come before the other end closes or resets."""
    received = b""
    with suppress(ConnectionError):
        while block := await reader.read(65_536):
            received += block
    return received


@asynccontextmanager
async def listening(folder: Path, **settings: Any) -> AsyncIterator[Listening]:
    """A server on a data folder, at a port of its own."""
    chosen = Settings.at(folder, {}, synchronous="NORMAL", **settings)
    make_folder(chosen)
    store = EventStore.open(chosen.store())
    try:
        app = assemble(chosen, ManualClock(), entropy_of_test(), store).app
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        try:
            await BoundedSite(runner, HOST, 0, app[CONNECTIONS]).start()
            server = Listening(app, runner.addresses[0][1])
            try:
                yield server
            finally:
                await server.hang_up()
        finally:
            await runner.cleanup()
    finally:
        store.close()
