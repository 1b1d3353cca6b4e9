"""Work in rounds until it is told to stop: when a bell wakes it (`work`), or every so often (`Rounds`)."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress

from server.store import StoreError

GATHERED_S = 0.1
"""How long things are gathered once the bell has rung: it rings for every order of every battle."""


async def work(
    bell: asyncio.Event, begin: Callable[[], None], sleep_s: Callable[[], float], leave: Callable[[], None], late: str
) -> None:
    """Begin what is due, then sleep until the bell rings or something else is due; `leave` at the end.

    Shape: `late` the line of the log where the store fails and things stay where they are
    """
    try:
        while True:
            bell.clear()
            try:
                begin()
            except StoreError:
                logging.getLogger(begin.__module__).exception(late)
            with suppress(TimeoutError):
                async with asyncio.timeout(sleep_s()):  # `wait_for` of 3.11 can swallow the cancellation
                    await bell.wait()
                    await asyncio.sleep(GATHERED_S)
    finally:
        leave()


class Rounds:
    """Does something every so often; a failure is logged, and stops nothing.

    Shape: `failed` what the line of the log begins with
    """

    def __init__(self, tick: Callable[[], Awaitable[object]], every_s: float, failed: str) -> None:
        self._tick, self._every_s, self._failed = tick, every_s, failed
        self._log = logging.getLogger(tick.__module__)
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start with the first round."""
        self._task = asyncio.ensure_future(self._run())

    async def close(self) -> None:
        """Stop."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            try:
                await self._tick()
            except StoreError as failure:
                self._log.warning("%s: %s", self._failed, failure)
            except Exception:
                self._log.exception("%s", self._failed)
            await asyncio.sleep(self._every_s)
