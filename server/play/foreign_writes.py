"""Has another process written into the same store: a `phalera mail accept` beside the server, say?

The writer rings for its own commits only. So the store's position is looked at now and then, and a table
whose battle has gone on elsewhere reads it again and tells everybody who listens.
"""

import asyncio
import logging

from server.play.live_battle import Table
from server.play.live_battles import Hall
from server.store import StoreError

log = logging.getLogger(__name__)

POLL_S = 0.5


async def watch(hall: Hall, poll_s: float = POLL_S) -> None:
    """Look for ever; the task is cancelled when the server stops."""
    seen = hall.store.position()
    while True:
        await asyncio.sleep(poll_s)
        try:
            position = hall.store.position()
            if position != seen:
                seen = position
                for table in hall.live():
                    await _follow(hall, table)
        except StoreError:
            log.exception("the store could not be looked at")


async def _follow(hall: Hall, table: Table) -> None:
    """Read a battle again that has more events than its table knows."""
    if not _has_gone_on(hall, table):
        return
    async with table.lock:  # an append of our own may just be between commit and adoption
        if _has_gone_on(hall, table):
            await table.reread()
            table.tell()


def _has_gone_on(hall: Hall, table: Table) -> bool:
    head = hall.store.head(table.id)
    return head is not None and head.n > table.n
