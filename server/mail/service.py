"""Who carries the letters while the server runs?"""

import asyncio
import logging
from collections.abc import AsyncIterator

from aiohttp import web

from server.house import HOUSE
from server.mail.occasions import letters
from server.mail.postman import Postman
from server.recording import Batch
from server.table import Table

log = logging.getLogger(__name__)


def add_mail(app: web.Application) -> None:
    """Post letters with the events that cause them, and carry them while the application runs."""
    app[HOUSE].hall.letters = letters
    app.cleanup_ctx.append(_carry)


async def _carry(app: web.Application) -> AsyncIterator[None]:
    """Deliver at the start what waits, and then after each append."""
    house = app[HOUSE]
    postman, bell = Postman(house.hall, house.settings.maildir), asyncio.Event()

    def ring(table: Table, batch: Batch) -> None:
        bell.set()

    async def rounds() -> None:
        while True:
            try:
                await postman.deliver()
            except Exception:
                log.exception("letters are left in the outbox")
            await bell.wait()
            bell.clear()

    house.hall.listeners.append(ring)
    task = asyncio.create_task(rounds())
    yield
    house.hall.listeners.remove(ring)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
