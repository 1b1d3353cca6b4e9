"""Listen for connections, and let those that are open end without an answer being lost."""

import asyncio
import socket
from collections.abc import Sequence
from typing import Any

from aiohttp import web

from server.settings import Settings, not_listening
from server.web.connections import Connection, Connections

WAITING = 4096
"""Connections that the system holds until they are taken, also while the server is restarted: one more would have to
try again after a second."""
AT_ONCE = 32
"""Connections taken before anybody else is served."""
DRAIN_S = 1.0
"""How long the end waits for requests on connections that are open."""


class BoundedSite(web.TCPSite):
    """Listens at an address, or at a socket that listens already, and takes no more connections than there may be."""

    def __init__(
        self, runner: web.AppRunner, host: str, port: int, connections: Connections, taken: socket.socket | None = None
    ) -> None:
        if taken is not None:
            host, port = taken.getsockname()[:2]
        super().__init__(runner, host, port)
        self._bounded = connections
        self._taken = taken

    async def start(self) -> None:
        """Listen.

        Raises: OSError
        """
        server = self._runner.server
        assert server is not None, "the runner is set up before it listens"
        await web.BaseSite.start(self)
        at: dict[str, Any] = {"host": self._host, "port": self._port}
        if self._taken is not None:
            at = {"sock": self._taken}
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: Connection(self._bounded, server), backlog=AT_ONCE, **at)
        for listening in self._server.sockets:
            with listening.dup() as same:  # the loop takes as many at once as it is told may wait
                same.listen(WAITING)


async def listen(
    runner: web.AppRunner, settings: Settings, connections: Connections, taken: Sequence[socket.socket]
) -> None:
    """Listen at the sockets that were taken over, else at the address of the settings.

    Raises: Unusable for an address that cannot be bound
    """
    try:
        for given in taken or (None,):
            await BoundedSite(runner, settings.bind, settings.port, connections, given).start()
    except OSError as reason:
        raise not_listening(f"{settings.bind}, port {settings.port}", "--port", reason) from None


async def drain(runner: web.AppRunner, connections: Connections) -> None:
    """Take no more connections, and answer what those that are open may be sending."""
    for site in runner.sites:
        await site.stop()
    await connections.drain(DRAIN_S)
