"""Worker processes, started when there is work, each computing one job at a time.

A job waits its turn; if too many wait already it is refused at once (`Busy`), so a crowd gets a quick answer instead of
a long wait. A process that dies in the middle is replaced, and its job is repeated once. One that computes far longer
than any bounded job can is killed, and its job is refused.
"""

import asyncio
import logging
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from server.workers import Busy, T, Workers
from server.workers.wire import PREFIX, length_of, packed, unpacked

log = logging.getLogger(__name__)

LONGEST_S = 60.0
"""No bounded job computes that long: the process hangs. On a busy machine it may have to wait far longer."""
STARVED = 10
"""How often as long a job may take by the clock that has computed less: then it waits for what never comes."""
MOST_WAITING = 32
MOST_PICTURES = 32
"""Pictures that wait to be drawn: some ten seconds' work."""


class ProcessPool:
    """At most `size` processes; at most `most_waiting` jobs wait for one, without a limit if that is None."""

    def __init__(self, size: int = 1, most_waiting: int | None = MOST_WAITING, longest_s: float = LONGEST_S) -> None:
        self.most_waiting = most_waiting
        self.longest_s = longest_s
        self._size = size
        self._turns = asyncio.Semaphore(size)
        self._jobs = 0
        self._idle: list[Process] = []
        self._busy: set[Process] = set()
        self._closed = False

    async def run(self, job: Callable[..., T], *given: Any) -> T:
        """The result of a function of a module; its arguments, and the result, can be sent (`wire`).

        Raises: what the function raises; Busy
        """
        self._require_open()
        if self.most_waiting is not None and self._jobs >= self._size + self.most_waiting:
            raise Busy
        frame = packed((job, given))
        self._jobs += 1
        try:
            async with self._turns:
                succeeded, result = await self._answer(frame)
        finally:
            self._jobs -= 1
        if succeeded:
            return result  # type: ignore[no-any-return]  # what `job` has returned
        raise result

    async def close(self) -> None:
        """Kill the processes: what they compute is not stored anywhere."""
        self._closed = True
        processes = [*self._idle, *self._busy]
        self._idle.clear()
        self._busy.clear()
        for process in processes:
            await _end(process)

    def _require_open(self) -> None:
        if self._closed:
            raise Busy

    async def _answer(self, frame: bytes) -> tuple[bool, Any]:
        for _ in range(2):
            self._require_open()
            process = self._idle.pop() if self._idle else await _started()
            self._busy.add(process)
            answer = None
            try:
                self._require_open()  # it may have been closed while the process was started
                answer = await self._awaited(process, frame)
            except (asyncio.IncompleteReadError, ConnectionError):
                log.log(logging.DEBUG if self._closed else logging.WARNING, "a worker process has died in a job")
            except TimeoutError:
                log.error("a worker process hangs in a job")
                raise Busy from None
            finally:
                if answer is None and process in self._busy:  # what it still computes must not answer the next job
                    await _end(process)
                self._busy.discard(process)
            if answer is not None:
                self._idle.append(process)
                return answer
        raise Busy

    async def _awaited(self, process: Process, frame: bytes) -> tuple[bool, Any]:
        """The answer of a process.

        Raises: TimeoutError if it hangs
        """
        began, answer = _computed_s(process), asyncio.ensure_future(_exchanged(process, frame))
        try:
            for _ in range(STARVED):
                done, _ = await asyncio.wait({answer}, timeout=self.longest_s)
                if done:
                    return answer.result()
                if began is None or (_computed_s(process) or 0) - began >= self.longest_s:
                    break
            raise TimeoutError
        finally:
            answer.cancel()


def _computed_s(process: Process) -> float | None:
    """The processor time of a process so far, None where the system does not tell: then the clock decides."""
    try:
        after_name = Path(f"/proc/{process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return None
    return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")


async def _started() -> Process:
    paths = os.pathsep.join(filter(None, sys.path))
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "server.workers.child",
        stdin=PIPE,
        stdout=PIPE,
        env={**os.environ, "PYTHONPATH": paths},
    )


async def _exchanged(process: Process, frame: bytes) -> tuple[bool, Any]:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(frame)
    await process.stdin.drain()
    length = length_of(await process.stdout.readexactly(PREFIX))
    answer: tuple[bool, Any] = unpacked(await process.stdout.readexactly(length))
    return answer


async def _end(process: Process) -> None:
    if process.returncode is None:
        with suppress(ProcessLookupError):
            process.kill()
    await process.wait()


def worker_processes() -> Workers:
    """The workers of a server: a process for each kind of work. What is done in the background waits in line."""
    return Workers(ProcessPool(), ProcessPool(most_waiting=MOST_PICTURES), ProcessPool(most_waiting=None))
