"""Work that a bell wakes: what is due is begun, round after round, until the task is cancelled."""

import asyncio
import logging
from collections.abc import Callable
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
