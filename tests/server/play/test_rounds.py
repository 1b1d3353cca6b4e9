"""What is done every so often goes on after a failure, until it is told to stop."""

import asyncio
import logging

import pytest

from server.play.rounds import Rounds
from server.store import StoreFailed
from tests.support.waiting import eventually


async def test_a_failed_round_is_told_and_the_next_one_comes(caplog: pytest.LogCaptureFixture) -> None:
    faults: list[Exception] = [StoreFailed("full"), ValueError("odd")]
    done: list[int] = []

    async def tick() -> None:
        if faults:
            raise faults.pop(0)
        done.append(1)

    rounds = Rounds(tick, 0, "letters were left")
    await rounds.close()  # before its start there is nothing to stop
    rounds.start()
    await eventually("two rounds", lambda: len(done) > 1)
    await rounds.close()
    stopped = len(done)
    for _ in range(10):
        await asyncio.sleep(0)
    told = [(record.levelno, record.getMessage()) for record in caplog.records if record.name == __name__]
    assert told == [(logging.WARNING, "letters were left: full"), (logging.ERROR, "letters were left")]
    assert len(done) == stopped
