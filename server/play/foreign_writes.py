"""Notice what another process has written into the same store.

The writer announces only its own commits. So the store's position is polled; where it has moved by more events than
the writer has committed, each live battle that has gone on elsewhere is read again and its listeners are notified.
"""

import asyncio
import logging

from server.play.live_battle import LiveBattle
from server.play.live_battles import LiveBattles
from server.store import EventStore, StoreError
from server.store.tables import closings

log = logging.getLogger(__name__)

POLL_S = 0.5


async def watch(battles: LiveBattles, poll_s: float = POLL_S) -> None:
    """Poll forever; the task is cancelled when the server stops."""
    seen, closed = _foreign(battles.store), closings.count(battles.store)
    while True:
        await asyncio.sleep(poll_s)
        try:
            foreign = _foreign(battles.store)
            if foreign != seen:
                seen = foreign
                for live in battles.live():
                    await _follow(battles, live)
            if closings.count(battles.store) != closed:
                closed = take_over_closings(battles)
        except StoreError:
            log.exception("the store could not be looked at")


def _foreign(store: EventStore) -> int:
    """The number of events that this process has not written. A commit between the two figures, or one that is not yet
    counted, makes it differ once more than needed."""
    return store.position() - store.counts.events


def take_over_closings(battles: LiveBattles) -> int:
    """Close the live battles that the host or an administrator has closed; returns the number of closed battles."""
    closed = closings.all_of(battles.store)
    for live in battles.live():
        how = closed[live.id].how if live.id in closed else live.closed
        if how != live.closed:
            live.closed = how
            live.tell()
    return len(closed)


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
