"""Waiting for a condition. The limit is only for what hangs: a test asserts what has come, never how soon."""

import asyncio
import inspect
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

LIMIT_S = 600.0
"""Far more than anything here takes on a busy machine."""
PAUSE_S = 0.01
LONGEST_PAUSE_S = 0.2


class TooLate(Exception):
    """What was waited for has not come; the text says what it was and what is known."""


def until(what: str, probe: Callable[[], T | None], known: Callable[[], str] = str) -> T:
    """Ask until the answer is truthy, and return it.

    Raises: TooLate after LIMIT_S, with what `known` tells
    """
    end, pause = time.monotonic() + LIMIT_S, PAUSE_S
    while not (answer := probe()):
        if time.monotonic() > end:
            raise TooLate(f"{what}: not within {LIMIT_S:g} s. {known()}".strip())
        time.sleep(pause)
        pause = min(pause * 1.5, LONGEST_PAUSE_S)
    return answer


async def eventually(what: str, probe: Callable[[], object]) -> None:
    """Ask until the answer, or what awaiting it gives, is truthy.

    Raises: TooLate after LIMIT_S
    """
    try:
        async with asyncio.timeout(LIMIT_S):
            while True:
                answer = probe()
                if await answer if inspect.isawaitable(answer) else answer:
                    return
                await asyncio.sleep(PAUSE_S)
    except TimeoutError:
        raise TooLate(f"{what}: not within {LIMIT_S:g} s") from None
