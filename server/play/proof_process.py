"""The verifier of a server's own battles, in a process of its own that steps back behind the one that serves.

It reads the log by itself (`server.play.tail_proof`) and says on its output, a line of JSON each time, how
far it is and which faults it knows. It works a quarter of the time at most, and ends when its input does, so it never
outlives its server. A server that finds it dead starts another one a minute later; what was verified is kept.
"""

import asyncio
import logging
import select
import signal
import sqlite3
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import IO

import msgspec
from msgspec import Struct

from domain.basics.decoding import decode
from server import logs
from server.play.tail_proof import ProofFault, TailProof
from server.store import StoreError, StoreSettings
from server.store.apart import environment_for, named_log
from server.store.cache_file import CacheFile
from server.store.contract import StoredLog
from server.workers.child import be_modest
from server.workers.parent import until_parent_is_gone

HERE = Path(__file__).parents[2]
IDLE_S = 2.0
"""How long nothing is looked at if nothing was found."""
PAUSES = 3
"""As many times as long as it has worked the process then rests."""
AGAIN_S = 60.0
MOST_TOLD = 100
"""Faults that are told by name."""

_logger = logging.getLogger(__name__)


class ProofState(Struct, frozen=True):
    """How far the verifier is: the events it has not judged yet, the battles with a fault, and the first of these."""

    behind: int = 0
    faulty: int = 0
    faults: tuple[ProofFault, ...] = ()


NOTHING_YET = ProofState()
OnFault = Callable[[ProofFault], Awaitable[None]]


class ProofProcess:
    """The server's side. `cache` is an SQLite file; `on_fault` is told of each fault once."""

    def __init__(self, store: StoreSettings, cache: Path, on_fault: OnFault) -> None:
        self._command = (sys.executable, "-m", __name__, str(cache.absolute()), logs.form())
        self._environment = environment_for(store)
        self._on_fault = on_fault
        self._task: asyncio.Task[None] | None = None
        self._told: set[tuple[str, int, str]] = set()
        self.state = NOTHING_YET

    def start(self) -> None:
        """Start the process, and go on with another one if it dies."""
        self._task = asyncio.ensure_future(self._run())

    async def close(self) -> None:
        """End it; what it was judging is judged again."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            process = await asyncio.create_subprocess_exec(
                *self._command, stdin=PIPE, stdout=PIPE, cwd=HERE, env=self._environment
            )
            try:
                await self._listen(process)
            finally:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
            _logger.warning("the process that verifies battles has ended; another is started in a minute")
            await asyncio.sleep(AGAIN_S)

    async def _listen(self, process: Process) -> None:
        assert process.stdout is not None
        while line := await process.stdout.readline():
            self.state = decode(line, ProofState)
            for fault in self.state.faults:
                if (key := (fault.battle, fault.n, fault.what)) not in self._told:
                    self._told.add(key)
                    await self._tell(fault)

    async def _tell(self, fault: ProofFault) -> None:
        _logger.error("battle %s cannot be proven: at event %d, %s (%s)", fault.battle, fault.n, fault.said, fault.what)
        try:
            await self._on_fault(fault)
        except Exception:
            _logger.exception("nobody could be told of the fault in battle %s", fault.battle)


def prove(source: StoredLog, cache: Path, asked: IO[str], answers: IO[str]) -> None:
    """The process's side: verify until `asked` ends."""
    kept = CacheFile(cache)
    with closing(source), closing(kept):
        proof, told, wait_s = TailProof(source, kept, time.monotonic), NOTHING_YET, 0.0
        while not _has_ended(asked, wait_s):
            began = time.process_time()
            try:
                is_busy = proof.follow() or proof.judge_one()
            except (sqlite3.Error, StoreError) as failure:  # the disk may have recovered by the next time
                _logger.warning("battles cannot be verified: %s", failure)
                is_busy = False
            state = _state_of(proof)
            if state != told:
                answers.write(f"{msgspec.json.encode(state).decode()}\n")
                answers.flush()
                told = state
            wait_s = PAUSES * (time.process_time() - began) if is_busy else IDLE_S


def _state_of(proof: TailProof) -> ProofState:
    faults = proof.faults
    return ProofState(proof.behind, len(faults), faults[:MOST_TOLD])


def _has_ended(asked: IO[str], wait_s: float) -> bool:
    """Whether the server has closed the pipe, within some seconds."""
    ready, _, _ = select.select([asked], [], [], wait_s)
    return bool(ready) and not asked.readline()


if __name__ == "__main__":
    for told in (signal.SIGINT, signal.SIGTERM):  # meant for the server, whose end is the end of the input
        signal.signal(told, signal.SIG_IGN)
    be_modest()
    if sys.argv[2]:
        logs.configure(sys.argv[2], "warning")
    with until_parent_is_gone():
        prove(named_log(), Path(sys.argv[1]), sys.stdin, sys.stdout)
