"""Keep the log of a running host up, and ask its witnesses, in rounds beside play."""

import asyncio
import logging

import aiohttp

from server.witness.asking import ROUND_S, WitnessAsking
from server.witness.entering import StoreFeed
from server.witness.parts import OLD_S, WitnessParts

log = logging.getLogger(__name__)


class LogKeeper:
    """The rounds of a host. Its log says once when cosignatures are older than a day."""

    def __init__(self, parts: WitnessParts, store: StoreFeed) -> None:
        self._parts, self._store = parts, store
        self._tasks: list[asyncio.Task[None]] = []
        self._has_told = False

    async def start(self) -> None:
        """Begin."""
        self._tasks = [asyncio.ensure_future(self._run())]

    async def stop(self) -> None:
        """End; what is not entered yet is entered at the next start."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _run(self) -> None:
        async with aiohttp.ClientSession() as session:
            host_log = await asyncio.to_thread(lambda: self._parts.log)
            asking = WitnessAsking(host_log, await asyncio.to_thread(lambda: self._parts.file), session)
            await asking.compare()
            asked = asyncio.ensure_future(self._ask(asking))
            try:
                while True:
                    try:
                        await asyncio.to_thread(host_log.follow, self._store)
                    except Exception:  # the disk may have recovered by the next time
                        log.exception("the log of heads could not be completed")
                    await asyncio.sleep(ROUND_S)
            finally:
                asked.cancel()

    async def _ask(self, asking: WitnessAsking) -> None:
        while True:
            try:
                self._parts.asks = bool(await asyncio.to_thread(self._parts.file.asked))
                await asking.round()
                await self._tell_if_late()
            except Exception:
                log.exception("witnesses could not be asked")
            await asyncio.sleep(ROUND_S)

    async def _tell_if_late(self) -> None:
        self._parts.late_s = await asyncio.to_thread(self._parts.unsigned_s)
        is_late = self._parts.late_s > OLD_S
        if is_late and not self._has_told:
            log.error("no witness has signed the newest heads for more than a day: phalera witness list")
        self._has_told = is_late
