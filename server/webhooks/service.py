"""The webhooks of a running server."""

import asyncio
from functools import partial

from replay.writing.recording import Batch
from server.people.webhooks import secret_of
from server.play.live_battle import LiveBattle
from server.running import Server
from server.webhooks.body import body_of
from server.webhooks.courier import Courier, Send
from server.webhooks.sender import HookSender

STOP_S = 5.0
"""How long something may take to be told when the server stops; after that it is told again after the start."""


def courier_of(server: Server, send: Send) -> Courier:
    """The courier of a server, which sends by `send`."""
    return Courier(
        server.store,
        server.clock,
        server.entropy,
        partial(body_of, server.battles),
        send,
        partial(secret_of, server.keys),
        server.webhook_results,
        bool(server.settings.mail),
        server.acts.ring,
    )


class WebhookService:
    """Tells webhooks what is due while a server runs. `send`: how, over HTTPS unless it is named."""

    def __init__(self, server: Server, send: Send | None = None) -> None:
        self._server = server
        self._sender = HookSender()
        self._courier = courier_of(server, send or self._sender.send)
        self._work: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Continue where the last process stopped."""
        self._server.battles.listeners.append(self._ring)
        self._server.acts.ring_webhooks = self._courier.ring
        self._work = asyncio.create_task(self._courier.work())

    async def stop(self) -> None:
        """Finish what is being told."""
        if self._work is not None:
            self._server.battles.listeners.remove(self._ring)
            await self._courier.finish(STOP_S)
            self._work.cancel()
            await asyncio.gather(self._work, return_exceptions=True)
        self._sender.close()

    def _ring(self, live: LiveBattle, batch: Batch) -> None:
        self._courier.ring()
