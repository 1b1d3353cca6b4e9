"""Say whether a server can do its work now, and why not.

A write is tried in the store: a full or broken disk shows nowhere else. The answer is kept for a second, so that
nobody can make the server write by asking.
"""

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from domain.basics.pace import HOUR_MS, moment_of
from server.running import Server
from server.store.tables import deliveries
from server.time.clock_doubts import sentence_of
from server.upkeep.tables import damaged_tables

KEPT_S = 1.0
PATIENCE_S = 5.0
LEAST_FREE_BYTES = 64 * 1024 * 1024
OLDEST_LETTER_MS = HOUR_MS
TABLES_S = 300.0
"""How often the small tables of the store are read through."""
MOST_BEHIND = 10_000
"""Events that the read models may lag behind."""


class ReadinessCheck(Struct, frozen=True):
    """One part of the server: `store`, `disk`, `read-models`, `proofs`, `clock` or `outbox`. A server is ready without
    one that is not `required`."""

    what: str
    ok: bool
    said: str
    required: bool = True


class Readiness(Struct, frozen=True):
    """Whether the server can do its work: `ready`, `not ready` or `stopping`."""

    status: str
    checks: tuple[ReadinessCheck, ...]


class ReadinessProbe:
    """Asks the parts of a server. `free_bytes` tells the free space of a folder."""

    def __init__(self, server: Server, free_bytes: Callable[[Path], int] | None = None) -> None:
        self._server = server
        self.free_bytes = free_bytes or (lambda folder: shutil.disk_usage(folder).free)
        self._asking: asyncio.Task[Readiness] | None = None
        self._asked_s = 0.0
        self._tables: tuple[float, tuple[str, ...]] | None = None  # when they were looked at, and which are damaged

    async def ask(self) -> Readiness:
        """The state of the server, at most a second old."""
        now_s = asyncio.get_running_loop().time()
        if self._asking is None or (self._asking.done() and now_s - self._asked_s >= KEPT_S):
            self._asked_s = now_s
            self._asking = asyncio.ensure_future(self._look())
        return await asyncio.shield(self._asking)

    async def _look(self) -> Readiness:
        checks = (await self._store(), self._disk(), self._read_models(), self._proofs(), self._clock(), self._outbox())
        ready = all(check.ok or not check.required for check in checks)
        return Readiness("ready" if ready else "not ready", checks)

    async def _store(self) -> ReadinessCheck:
        try:
            async with asyncio.timeout(PATIENCE_S):
                await self._server.store.write(*deliveries.tried())
        except TimeoutError:
            return ReadinessCheck("store", False, f"A write has not ended after {PATIENCE_S:g} s.")
        except Exception as failure:
            return ReadinessCheck("store", False, f"A write failed: {failure}.")
        damaged = await self._damaged()
        if damaged:
            return ReadinessCheck("store", False, f"Tables are damaged: {', '.join(damaged)}.")
        return ReadinessCheck("store", True, "A write was tried, and is durable.")

    async def _damaged(self) -> tuple[str, ...]:
        """The small tables that cannot be read, as of a few minutes ago."""
        now_s = asyncio.get_running_loop().time()
        if self._tables is None or now_s - self._tables[0] >= TABLES_S:
            self._tables = now_s, tuple(await asyncio.to_thread(damaged_tables, self._server.store))
        return self._tables[1]

    def _disk(self) -> ReadinessCheck:
        free = self.free_bytes(self._server.settings.data)
        said = f"{free // 1024 // 1024:,} MiB are free, {LEAST_FREE_BYTES // 1024 // 1024} have to be."
        return ReadinessCheck("disk", free >= LEAST_FREE_BYTES, said)

    def _read_models(self) -> ReadinessCheck:
        behind = self._server.behind()
        if behind is None:
            return ReadinessCheck("read-models", True, "Nobody has asked for a list yet.")
        return ReadinessCheck("read-models", behind <= MOST_BEHIND, f"The lists are {behind:,} events behind.")

    def _proofs(self) -> ReadinessCheck:
        proofs = self._server.proofs
        if proofs is None:
            return ReadinessCheck("proofs", True, "Nobody verifies the battles here.", required=False)
        said = f"{proofs.behind:,} events are not verified yet; {proofs.faulty:,} battles cannot be proven."
        return ReadinessCheck("proofs", not proofs.faulty, said, required=False)

    def _clock(self) -> ReadinessCheck:
        doubt = self._server.clock.doubt
        said = sentence_of(doubt) if doubt else "It goes on as it should."
        return ReadinessCheck("clock", doubt is None, said, required=False)

    def _outbox(self) -> ReadinessCheck:
        letters = deliveries.backlog(self._server.store)
        now = moment_of(self._server.clock.now())
        late = letters.oldest is not None and now - moment_of(letters.oldest) > OLDEST_LETTER_MS
        said = f"{letters.waiting:,} letters wait" + (f", one since {letters.oldest}." if late else ".")
        return ReadinessCheck("outbox", not late, said, required=False)
