"""Notice what another process has written into the same store.

The writer announces only its own commits. So the store's position is polled, and a live battle
that has gone on elsewhere is read again and its listeners are notified.
"""

import asyncio
import logging

from server.play.live_battle import LiveBattle
from server.play.live_battles import LiveBattles
from server.store import StoreError

log = logging.getLogger(__name__)

POLL_S = 0.5


async def watch(battles: LiveBattles, poll_s: float = POLL_S) -> None:
    """Poll forever; the task is cancelled when the server stops."""
    seen = battles.store.position()
    while True:
        await asyncio.sleep(poll_s)
        try:
            position = battles.store.position()
            if position != seen:
                seen = position
                for live in battles.live():
                    await _follow(battles, live)
        except StoreError:
            log.exception("the store could not be looked at")


async def _follow(battles: LiveBattles, live: LiveBattle) -> None:
    """Reread a battle that has more events than its live battle knows."""
    if not _has_gone_on(battles, live):
        return
    async with live.lock:  # an append of our own may just be between commit and adoption
        if _has_gone_on(battles, live):
            await live.reread()
            live.tell()


def _has_gone_on(battles: LiveBattles, live: LiveBattle) -> bool:
    head = battles.store.head(live.id)
    return head is not None and head.n > live.n
