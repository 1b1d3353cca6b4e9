"""Looks each second for what a command beside the server has written into the store."""

import asyncio
import logging
from collections.abc import Callable

from server.store import StoreError

log = logging.getLogger(__name__)

LOOK_S = 1.0


class Lookout:
    """Calls some functions at the start, and each second until the end."""

    def __init__(self, *looks: Callable[[], None]) -> None:
        self._looks = looks
        self._looking: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Look, and go on doing so."""
        self._look()
        self._looking = asyncio.ensure_future(self._go_on())

    async def stop(self) -> None:
        """Look no longer."""
        if self._looking is not None:
            self._looking.cancel()

    def _look(self) -> None:
        for look in self._looks:
            look()

    async def _go_on(self) -> None:
        while True:
            await asyncio.sleep(LOOK_S)
            try:
                self._look()
            except StoreError:
                log.exception("the store could not be looked at")
