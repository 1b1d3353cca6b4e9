"""Carry letters from the outbox to a carrier, with retries.

A letter is composed when it goes, not when it is posted, so it shows the board of that moment. It is marked after the
handover: a crash between the two sends it once more, under the same Message-ID. A letter that cannot be handed over is
retried, less and less often; after five days it is abandoned, and the reason is kept.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime

from replay.writing.clock import later
from server.mail import bounces
from server.mail.outgoing.carrier import AT_ONCE, Carrier, Composed, NotCarried
from server.mail.outgoing.preferences import ALWAYS, name_of
from server.play import rounds
from server.play.live_battles import LiveBattles
from server.store import Statement, StoreError, Unmatched
from server.store.tables import deliveries, notices, outbox
from server.store.tables.deliveries import Delivery
from server.store.tables.outbox import Letter, LetterKind

log = logging.getLogger(__name__)

Compose = Callable[[Letter], Awaitable[Composed | None]]
"""Writes a letter; None: there is nothing left to say, or nobody to say it to."""

PAUSES_MIN = (1, 5, 15, 60, 240, 720)
"""How long to wait after the first failure, the second …; the last for all further ones."""
MOST_TRIES = 15  # with these pauses five days, however long the server itself was down
LONGEST_SLEEP_S = 30.0
"""Another process may post letters too, and they ring no bell here."""
PATIENCE = 2
"""So many failures of a letter make later ones about the same battle wait; a letter that nobody takes must not hold up
the battle."""
ERROR_CHARS = 200


class Postman:
    """Sends what is due. `bell` is set by others when there may be something to send.

    Each player has a lane of their own, in which letters go one after another; a few lanes are served at a time. So a
    mail system that hangs over one player's letter holds up that player alone, and the letters of a battle arrive in
    their order.
    """

    def __init__(
        self,
        battles: LiveBattles,
        carrier: Carrier,
        compose: Compose,
        bell: asyncio.Event | None = None,
        at_once: int = AT_ONCE,
    ) -> None:
        self.battles = battles
        self.bell = bell or asyncio.Event()
        self.carrier = carrier
        self._compose = compose
        self._at_once = at_once
        self._queued: dict[str, Letter] = {}  # the first letter of each lane that is yet to be served
        self._lanes: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()  # of the lanes, until the last has closed the carrier
        self._looked = ""  # when everything that was due was put into lanes
        self._reaching = asyncio.Lock()
        self._down: NotCarried | None = None
        self._fault: Exception | None = None
        self._handed = 0
        self._is_ending = False

    def ring(self) -> None:
        """Wake the postman: there may be something to send."""
        self.bell.set()

    async def work(self) -> None:
        """Send due letters forever; the task is cancelled when the server stops."""
        await rounds.work(self.bell, self._begin, self._sleep_s, self._leave, "letters are left in the outbox")

    async def deliver(self) -> int:
        """Send all letters that are due; returns how many were handed over.

        Raises: StoreError, or what a fault of ours has raised, once the other letters have gone
        """
        before, self._fault = self._handed, None
        self._begin()
        try:
            while self._tasks:
                await asyncio.wait(self._tasks)
        finally:
            self._leave()
        if self._fault is not None:
            raise self._fault
        return self._handed - before

    async def finish(self, seconds: float) -> None:
        """Wait at most `seconds` for the letters that are being handed over; no other is begun after them."""
        self._is_ending = True
        self._queued.clear()
        if not self._tasks:
            return
        _, late = await asyncio.wait(self._tasks, timeout=seconds)
        if late:
            log.info("%d letters were not handed over in time; they go again after the start", len(late))
            self._leave()
            await asyncio.wait(late)

    def _leave(self) -> None:
        """Drop what has begun."""
        self._queued.clear()
        for task in self._tasks:
            task.cancel()

    def _sleep_s(self) -> float:
        try:
            at = deliveries.next_due(self.battles.store, self._looked)
        except StoreError:
            return LONGEST_SLEEP_S
        if at is None:
            return LONGEST_SLEEP_S
        until = datetime.fromisoformat(at) - datetime.fromisoformat(self.battles.clock.now())
        return min(max(until.total_seconds(), 0.05), LONGEST_SLEEP_S)

    # --- lanes

    def _begin(self) -> None:
        """Put everything that is due into lanes.

        Raises: StoreError
        """
        self._looked = self.battles.clock.now()
        for row in deliveries.due(self.battles.store, self._looked):
            lane = row.recipient or f"#{row.id}"  # strangers have one each
            if lane not in self._lanes and lane not in self._queued:
                self._down = None  # it is worth another try
                self._queued[lane] = row
        self._serve()

    def _serve(self) -> None:
        """Begin lanes, as many as may be served at a time."""
        while self._queued and len(self._lanes) < self._at_once and not self._is_ending:
            lane = next(iter(self._queued))
            self._lanes.add(lane)
            task = asyncio.create_task(self._serve_lane(lane, self._queued.pop(lane)))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _serve_lane(self, lane: str, first: Letter) -> None:
        """Send what is due to one recipient, oldest first."""
        row: Letter | None = first
        try:
            while row is not None and not self._is_ending:
                await self._try(row)
                now = self.battles.clock.now()
                row = deliveries.next_to(self.battles.store, row.recipient, now, row.id) if row.recipient else None
            self.ring()  # a letter may have been put off for a moment only
        except Exception as fault:  # nobody waits for the task: what is not told here is told nowhere
            self._fault = fault
            log.exception("letters are left in the outbox")
        finally:
            self._lanes.discard(lane)
            self._serve()
        if not self._lanes:
            await self._close()

    async def _close(self) -> None:
        """Close the way out until there are letters again."""
        try:
            await self.carrier.close()
        except Exception:
            log.exception("the way out cannot be closed")

    async def _try(self, row: Letter) -> None:
        """Send one letter, or put it off.

        Raises: StoreError
        """
        down = self._down
        if down is not None:  # no use to try; the failure is not theirs
            await self._wait(row, 0, down)
            return
        try:
            handed = await self._deliver(row)
            self._handed += handed
        except NotCarried as failure:
            if failure is self._down:  # found out for another letter, meanwhile
                await self._wait(row, 0, failure)
                return
            self._down = failure if failure.is_down else self._down
            await self._failed(row, failure)
        except Unmatched:
            log.info("a letter was sent by another process, too")

    async def _reach(self) -> None:
        """See that there is a way out; one letter tries for all.

        Raises: NotCarried
        """
        async with self._reaching:
            if self._down is None:
                await self.carrier.reach()
                return
        raise self._down

    async def _deliver(self, row: Letter) -> int:
        """Send one letter; 1 if it was handed over.

        Raises: NotCarried, StoreError
        """
        store, now = self.battles.store, self.battles.clock.now()
        if name_of(row.kind) not in ALWAYS:
            if bounces.is_stopped(store, row.recipient):
                raise NotCarried(0, "letters to this address come back", False)
            if until := deliveries.held_until(store, row, now, PATIENCE):
                tries = deliveries.find(store, row.id).attempts
                await store.write(deliveries.put_off(Delivery(row.id, tries, until, "an earlier letter waits")))
                return 0
        try:
            composed = await self._compose(row)
        except StoreError:
            raise
        except Exception as fault:  # a fault of ours: the others must still be sent
            log.exception("letter %d of kind %s cannot be written", row.id, row.kind)
            raise NotCarried(0, f"it cannot be written: {type(fault).__name__}", False) from fault
        if composed is None:
            await store.write(outbox.sent(row.id, now), deliveries.done(row.id), *_traces(row))
            return 0
        if composed.wait_until > now:
            put_off = deliveries.put_off(deliveries.find(store, row.id)._replace(next_try=composed.wait_until))
            await store.write(*composed.meanwhile, put_off)
            return 0
        if composed.also:
            await store.write(*composed.also)
        await self._reach()
        try:
            await self.carrier.carry(composed.message, composed.sender, composed.recipient)
        except NotCarried:
            raise
        except Exception as fault:
            log.exception("letter %d of kind %s cannot be carried", row.id, row.kind)
            raise NotCarried(0, f"it cannot be carried: {type(fault).__name__}", False) from fault
        await store.write(outbox.sent(row.id, self.battles.clock.now()), deliveries.done(row.id), *_traces(row))
        return 1

    async def _failed(self, row: Letter, failure: NotCarried) -> None:
        """Note a failure: try again later, or give up."""
        store, now = self.battles.store, self.battles.clock.now()
        attempts = deliveries.find(store, row.id).attempts + 1
        if failure.is_permanent or attempts > MOST_TRIES:
            told = Delivery(row.id, attempts, now, _short(failure))
            is_theirs = name_of(row.kind) != LetterKind.NOTICE  # which may go to the address that they had
            struck = [bounces.refused(row.recipient)] if failure.is_permanent and is_theirs else []
            await store.write(outbox.sent(row.id, now), deliveries.put_off(told), *struck, *_traces(row))
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


def _traces(row: Letter) -> tuple[Statement, ...]:
    """What a letter about an account leaves behind: not the address that it went to, and nothing of who has gone."""
    name, *about = row.kind.split(":")
    return (notices.written(about[0]), notices.forget_gone(about[0])) if name == LetterKind.NOTICE else ()


def _short(failure: NotCarried) -> str:
    return " ".join(str(failure).split())[:ERROR_CHARS]
