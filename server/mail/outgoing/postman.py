"""Carry letters from the outbox to a carrier, with retries.

A letter is composed when it goes, not when it is posted, so it shows the board of that moment. It is marked after the
handover: a crash between the two sends it once more, under the same Message-ID. A letter that cannot be handed over is
retried, less and less often; after five days it is abandoned, and the reason is kept.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import datetime

from server.clock import later
from server.mail import bounces
from server.mail.outgoing.carrier import Carrier, Composed, NotCarried
from server.mail.outgoing.preferences import ALWAYS, name_of
from server.play.live_battles import LiveBattles
from server.store import StoreError, Unmatched
from server.store.tables import deliveries, outbox
from server.store.tables.deliveries import Delivery
from server.store.tables.outbox import Letter

log = logging.getLogger(__name__)

Compose = Callable[[Letter], Awaitable[Composed | None]]
"""Writes a letter; None: there is nothing left to say, or nobody to say it to."""

PAUSES_MIN = (1, 5, 15, 60, 240, 720)
"""How long to wait after the first failure, the second …; the last for all further ones."""
MOST_TRIES = 15  # with these pauses five days, however long the server itself was down
LONGEST_SLEEP_S = 30.0
"""Another process may post letters too, and they ring no bell here."""
ERROR_CHARS = 200


class Postman:
    """Sends what is due. `bell` is set by others when there may be something to send."""

    def __init__(
        self, battles: LiveBattles, carrier: Carrier, compose: Compose, bell: asyncio.Event | None = None
    ) -> None:
        self.battles = battles
        self.bell = bell or asyncio.Event()
        self.carrier = carrier
        self._compose = compose
        self._round = asyncio.Lock()
        self._is_ending = False

    def ring(self) -> None:
        """Wake the postman: there may be something to send."""
        self.bell.set()

    async def work(self) -> None:
        """Send due letters forever; the task is cancelled when the server stops."""
        while True:
            self.bell.clear()
            try:
                await self.deliver()
            except StoreError:
                log.exception("letters are left in the outbox")
            with suppress(TimeoutError):
                async with asyncio.timeout(self._sleep_s()):  # `wait_for` of Python 3.11 can swallow the cancellation
                    await self.bell.wait()

    async def finish(self, seconds: float) -> None:
        """Wait at most `seconds` for the letter that is being handed over; no other is begun after it."""
        self._is_ending = True
        try:
            async with asyncio.timeout(seconds), self._round:
                pass
        except TimeoutError:
            log.info("a letter was not handed over in time; it goes again after the start")

    def _sleep_s(self) -> float:
        try:
            at = deliveries.next_due(self.battles.store)
        except StoreError:
            return LONGEST_SLEEP_S
        if at is None:
            return LONGEST_SLEEP_S
        until = datetime.fromisoformat(at) - datetime.fromisoformat(self.battles.clock.now())
        return min(max(until.total_seconds(), 0.05), LONGEST_SLEEP_S)

    # --- one round

    async def deliver(self) -> int:
        """Send all letters that are due; returns how many were handed over.

        Raises: StoreError
        """
        async with self._round:
            try:
                return await self._deliver_all()
            finally:
                await self.carrier.close()

    async def _deliver_all(self) -> int:
        handed, after = 0, 0
        down: NotCarried | None = None
        while waiting := deliveries.due(self.battles.store, self.battles.clock.now(), after=after):
            for row in waiting:
                if self._is_ending:
                    return handed
                after = row.id
                if down is not None:  # no use to try; the failure is not theirs
                    await self._wait(row, 0, down)
                    continue
                try:
                    handed += await self._deliver(row)
                except NotCarried as failure:
                    await self._failed(row, failure)
                    down = failure if failure.is_down else None
                except Unmatched:
                    log.info("a letter was sent by another process, too")
        return handed

    async def _deliver(self, row: Letter) -> int:
        """Send one letter; 1 if it was handed over.

        Raises: NotCarried, StoreError
        """
        store, now = self.battles.store, self.battles.clock.now()
        if name_of(row.kind) not in ALWAYS and bounces.is_stopped(store, row.recipient):
            raise NotCarried(0, "letters to this address come back", False)
        try:
            composed = await self._compose(row)
        except StoreError:
            raise
        except Exception as fault:  # a fault of ours: the others must still be sent
            log.exception("letter %d of kind %s cannot be written", row.id, row.kind)
            raise NotCarried(0, f"it cannot be written: {type(fault).__name__}", False) from fault
        if composed is None:
            await store.write(outbox.sent(row.id, now), deliveries.done(row.id))
            return 0
        if composed.wait_until > now:
            await store.write(deliveries.put_off(deliveries.find(store, row.id)._replace(next_try=composed.wait_until)))
            return 0
        if composed.also:
            await store.write(*composed.also)
        try:
            await self.carrier.carry(composed.message, composed.sender, composed.recipient)
        except NotCarried:
            raise
        except Exception as fault:
            log.exception("letter %d of kind %s cannot be carried", row.id, row.kind)
            raise NotCarried(0, f"it cannot be carried: {type(fault).__name__}", False) from fault
        await store.write(outbox.sent(row.id, self.battles.clock.now()), deliveries.done(row.id))
        return 1

    async def _failed(self, row: Letter, failure: NotCarried) -> None:
        """Note a failure: try again later, or give up."""
        store, now = self.battles.store, self.battles.clock.now()
        attempts = deliveries.find(store, row.id).attempts + 1
        if failure.is_permanent or attempts > MOST_TRIES:
            told = Delivery(row.id, attempts, now, _short(failure))
            struck = [bounces.refused(row.recipient)] if failure.is_permanent else []
            await store.write(outbox.sent(row.id, now), deliveries.put_off(told), *struck)
            log.warning("letter %d is given up after %d tries (%d)", row.id, attempts, failure.code)
            return
        await self._wait(row, 1, failure)
        log.info("letter %d waits after %d tries (%d)", row.id, attempts, failure.code)

    async def _wait(self, row: Letter, more: int, failure: NotCarried) -> None:
        store = self.battles.store
        attempts = deliveries.find(store, row.id).attempts + more
        pause_min = PAUSES_MIN[min(max(attempts, 1), len(PAUSES_MIN)) - 1]
        at = later(self.battles.clock.now(), 60 * (pause_min if more else PAUSES_MIN[0]))
        await store.write(deliveries.put_off(Delivery(row.id, attempts, at, _short(failure))))


def _short(failure: NotCarried) -> str:
    return " ".join(str(failure).split())[:ERROR_CHARS]
