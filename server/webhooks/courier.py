"""Bring to webhooks what they are to be told, with retries.

Each webhook has a lane, in which one thing goes after another; a few lanes are served at a time, and only some of these
for webhooks that have failed or were slow the last time: who is slow holds up their like, and nobody else. What was
taken is forgotten after the answer: a crash between the two tells it once more, under the same `Phalera-Delivery`.

A webhook that has failed is left alone, longer and longer; after three days without success it is switched off, and its
owner gets a letter.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from functools import partial
from hashlib import sha256

from domain.basics.pace import moment_of
from replay.writing.clock import later
from replay.writing.entropy import Entropy
from server.clock import MachineClock
from server.people.notices import AccountEvent, notice_to
from server.people.webhooks import called, people_of
from server.play import rounds
from server.release import release
from server.store import EventStore, StoreError, Unmatched
from server.store.tables import webhooks
from server.store.tables.webhooks import HookOwner, OwnerKind, Told, Webhook
from server.webhooks.sender import HookAnswer
from server.webhooks.signature import HEADER, signature

log = logging.getLogger(__name__)

PAUSES_MIN = (1, 5, 15, 60, 240)
"""How long a webhook is left alone after its first failure, the second …; the last for all further ones."""
OFF_AFTER_S = 3 * 24 * 3600
"""A webhook that has failed for so long is switched off."""
AT_ONCE = 16
"""Lanes that are served at a time."""
SLOW_AT_ONCE = 4
"""How many of these are of webhooks that have failed, or were slow."""
SLOW_MS = 2000
"""An answer that takes so long is slow."""
IN_A_ROW = 20
"""Things that are told in a lane before others have their turn."""
LONGEST_SLEEP_S = 30.0
"""A command may post something, too, and rings no bell here."""
DELIVERY = "Phalera-Delivery"

MakeBody = Callable[[Webhook, Told], Awaitable[bytes | None]]
"""Makes the body for a webhook; None: there is nothing left to tell."""


Send = Callable[[str, bytes, Mapping[str, str]], Awaitable[HookAnswer]]
"""Sends a body to a URL, with headers; never raises for what the other side does."""


class Courier:
    """Tells what is due. `results` counts what came of it: `delivered`, `failed`, `off`; `secret_of` gives the secret
    of a webhook by its id; `mails`: letters are sent here, and `ring` wakes who carries them."""

    def __init__(
        self,
        store: EventStore,
        clock: MachineClock,
        entropy: Entropy,
        body_of: MakeBody,
        send: Send,
        secret_of: Callable[[str], str],
        results: Counter[str],
        mails: bool = False,
        ring: Callable[[], None] = lambda: None,
    ) -> None:
        self.bell = asyncio.Event()
        self._store = store
        self._clock = clock
        self._entropy = entropy
        self._body_of = body_of
        self._send = send
        self._secret_of = secret_of
        self._results = results
        self._mails = mails
        self._ring_for_letters = ring
        self._lanes: dict[str, asyncio.Task[None]] = {}
        self._slow_lanes: set[str] = set()
        self._slow: set[str] = set()  # those that were slow the last time, though they have taken it
        self._queued: dict[str, Webhook] = {}
        self._is_ending = False

    def ring(self) -> None:
        """Wake the courier: there may be something to tell."""
        self.bell.set()

    async def work(self) -> None:
        """Tell what is due, until cancelled."""
        await rounds.work(self.bell, self._begin, self._sleep_s, self._leave, "webhooks are left waiting")

    async def deliver(self) -> None:
        """Tell all that is due now.

        Raises: StoreError
        """
        self._begin()
        while self._lanes:
            await asyncio.wait(self._lanes.values())

    async def finish(self, seconds: float) -> None:
        """Wait at most `seconds` for what is being told; nothing else is begun."""
        self._is_ending = True
        self._queued.clear()
        if self._lanes:
            _, late = await asyncio.wait(self._lanes.values(), timeout=seconds)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    def _leave(self) -> None:
        self._queued.clear()
        for task in self._lanes.values():
            task.cancel()

    def _sleep_s(self) -> float:
        try:
            at = webhooks.next_due(self._store)
        except StoreError:
            return LONGEST_SLEEP_S
        if not at:
            return LONGEST_SLEEP_S
        until = datetime.fromisoformat(at) - datetime.fromisoformat(self._clock.now())
        return min(max(until.total_seconds(), 0.05), LONGEST_SLEEP_S)

    # --- lanes

    def _begin(self) -> None:
        """Queue every webhook that is due.

        Raises: StoreError
        """
        for hook in webhooks.due(self._store, self._clock.now()):
            if hook.id not in self._lanes:
                self._queued.setdefault(hook.id, hook)
        self._serve()

    def _serve(self) -> None:
        """Begin lanes, as many as may be served at a time."""
        for hook in list(self._queued.values()):
            is_slow = self.is_slow(hook)
            if self._is_ending or len(self._lanes) >= AT_ONCE:
                return
            if is_slow and len(self._slow_lanes) >= SLOW_AT_ONCE:
                continue
            del self._queued[hook.id]
            if is_slow:
                self._slow_lanes.add(hook.id)
            task = asyncio.create_task(self._serve_lane(hook))
            self._lanes[hook.id] = task
            task.add_done_callback(partial(self._left, hook.id))

    def is_slow(self, hook: Webhook) -> bool:
        """Whether a webhook has one of the few lanes of those that have failed, or were slow, the last time."""
        return bool(hook.failing) or hook.id in self._slow

    def _left(self, hook: str, lane: asyncio.Task[None]) -> None:
        """A lane is free again."""
        self._lanes.pop(hook, None)
        self._slow_lanes.discard(hook)
        self._serve()

    async def _serve_lane(self, hook: Webhook) -> None:
        """Tell a webhook what is due, oldest first, until it fails or others have waited enough."""
        try:
            for _ in range(IN_A_ROW):
                told = webhooks.first_for(self._store, hook.id)
                if self._is_ending or (told is not None and not await self._tell(hook, told)):
                    return
                if told is None:
                    break
            self.ring()  # there may be more for it
        except Unmatched:
            log.info("a webhook was switched off or removed meanwhile")
        except Exception:  # nobody waits for the task: what is not told here is told nowhere
            log.exception("a webhook is left waiting", extra={"webhook": hook.id})

    async def _tell(self, hook: Webhook, told: Told) -> bool:
        """Tell one thing; whether the next may go."""
        body = await self._made(hook, told)
        if body is None:
            await self._store.write(webhooks.drop(told))
            return True
        before_ms = self._clock.monotonic_ms()
        answered = await self._send(hook.url, body, self._headers(hook, told, body))
        took_ms = self._clock.monotonic_ms() - before_ms
        (self._slow.add if took_ms >= SLOW_MS else self._slow.discard)(hook.id)
        about = {"webhook": hook.id, "status": answered.code, "error": answered.error, "took_ms": took_ms}
        log.info("a webhook was %s", "told" if answered.is_taken else "not told", extra=about)
        if answered.is_taken:
            self._results["delivered"] += 1
            await self._store.write(*webhooks.delivered(told, self._clock.now(), answered.code))
            return True
        await self._failed(hook, told, answered)
        return False

    async def _made(self, hook: Webhook, told: Told) -> bytes | None:
        """The body, None if there is none; what we cannot say is no fault of the receiver, and must not stop the rest.

        Raises: StoreError
        """
        try:
            return await self._body_of(hook, told)
        except StoreError:
            raise
        except Exception:
            log.exception("what a webhook is to be told cannot be said", extra={"webhook": hook.id})
            return None

    def _headers(self, hook: Webhook, told: Told, body: bytes) -> dict[str, str]:
        at_s = moment_of(self._clock.now()) // 1000
        return {
            "Content-Type": "application/json",
            "User-Agent": f"Phalera/{release()}",
            HEADER: signature(self._secret_of(hook.id), at_s, body),
            DELIVERY: sha256(repr((hook.id, *told[2:])).encode()).hexdigest()[:32],
        }

    async def _failed(self, hook: Webhook, told: Told, answered: HookAnswer) -> None:
        """Note a failure: try again later, or switch the webhook off.

        Raises: StoreError
        """
        self._results["failed"] += 1
        now, kept = self._clock.now(), webhooks.find(self._store, hook.id)
        if kept is None:
            return
        pause_s = max(60 * PAUSES_MIN[min(kept.tries, len(PAUSES_MIN) - 1)], answered.wait_s)
        noted = webhooks.failed(told, now, answered.code, answered.error, later(now, pause_s))
        if not kept.failing or later(kept.failing, OFF_AFTER_S) > now:
            await self._store.write(noted)
            return
        owner = HookOwner(OwnerKind(hook.owner_kind), hook.owner)
        told_by_letter = [
            statement
            for account in people_of(self._store, owner)
            for statement in notice_to(
                self._clock, self._entropy, account, AccountEvent.WEBHOOK_OFF, called(owner, hook.host), self._mails
            )
        ]
        await self._store.write(noted, *webhooks.switch_off(hook.id, now), *told_by_letter)
        self._results["off"] += 1
        log.warning("a webhook is switched off after three days without success", extra={"webhook": hook.id})
        self._ring_for_letters()
