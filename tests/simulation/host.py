"""One process of the server in a simulated loop: started on a folder, asked, and cut off like by a loss of power.

It is the server that `phalera serve` runs, its application and its mail, put together by the same function. Replaced
are what stands at its borders: loop, clock, entropy, carrier of letters. The thread of the writer is not started: its
batches are written in the loop's own. The threads of the read models and of the snapshots run on, since what they write
can be computed again, and whoever needs it waits for them.
"""

import concurrent.futures
import shutil
from pathlib import Path
from typing import Any
from unittest import mock

from aiohttp import web

from domain.basics.pace import moment_of, text_of
from replay.writing.entropy import Entropy
from server.assembly import Assembled, assemble
from server.clock import MachineClock
from server.limits import UNLIMITED
from server.mail.outgoing.carrier import Carrier
from server.mail.outgoing.postman import Postman
from server.mail.service import MailService
from server.settings import MailSettings, Settings, make_folder
from server.store import EventStore
from server.store.job import Done, Job, Work
from server.store.tables import deliveries, raw_mail
from server.store.writer import StoreWriter
from server.web.base_path import serve_below
from tests.simulation.loop import SimulatedLoop, SimulatedTime, collect

HOST = "phalera.test"
FRONT = "mx.phalera.test"
"""The mail system in front of the server, which has checked signatures."""
LONGEST_S = 6 * 3600.0
"""The longest time in which nobody looks whether there is something to do."""
SHORTER_S = 60.0
"""The same where something is to be tried again."""


class SimulatedClock:
    """The clock of the machine: it shows what has passed, and what somebody has set it ahead (`ahead_ms`)."""

    def __init__(self, start: str, time: SimulatedTime) -> None:
        self._start_ms = moment_of(start)
        self._time = time
        self.ahead_ms = 0

    @property
    def true_ms(self) -> int:
        """The moment, whatever the clock shows."""
        return self._start_ms + self.monotonic_ms()

    def now(self) -> str:
        """The time as the log writes it."""
        return text_of(self.true_ms + self.ahead_ms)

    def monotonic_ms(self) -> int:
        """The milliseconds that have passed."""
        return round(self._time.now_s * 1000)


class InlineWriter(StoreWriter):
    """The writer without its thread: what waits at the end of a turn of the loop is written in one batch."""

    def start(self) -> None:
        """There is no thread."""

    def join(self, timeout: float | None = None) -> None:
        """There is no thread."""

    def _pass_on(self) -> None:
        with self._gate:
            jobs, self._tick = self._tick, []
        while jobs:
            self.write(jobs[: self._max_batch])
            jobs = jobs[self._max_batch :]

    def run_now(self, work: Work, timeout_s: float | None = None) -> Done:
        """Write at once."""
        promise: concurrent.futures.Future[Done] = concurrent.futures.Future()
        self._pass_on()
        with self._gate:
            self._admit()
        self.write([Job(work, promise)])
        return promise.result(0)

    def close(self) -> None:
        """Write what waits; nothing is taken afterwards."""
        self._pass_on()
        self._closed = True

    def die(self) -> None:
        """Take nothing any more, and write nothing."""
        self._closed, self._tick = True, []


class SimulatedHost:
    """A running server. `carrier` takes its letters, None: it sends none."""

    def __init__(
        self,
        folder: Path,
        loop: SimulatedLoop,
        clock: MachineClock,
        entropy: Entropy,
        carrier: Carrier | None,
        **settings: Any,
    ) -> None:
        self.folder, self.loop, self.clock = folder, loop, clock
        chosen = Settings.at(
            folder,
            {},
            **{
                "host": HOST,
                "limits": UNLIMITED,
                "mail": carrier is not None,
                "post": MailSettings(trusted=(FRONT,)),
                "synchronous": "NORMAL",
                **settings,
            },
        )
        make_folder(chosen)
        with mock.patch("server.store.store.StoreWriter", InlineWriter):
            self.store = EventStore.open(chosen.store(), loop)
        self.due = ""
        loop.horizon = self._horizon_s
        self._carrier, self._entropy, self._settings = carrier, entropy, chosen
        self.whole: Assembled
        self.mail: MailService | None = None
        self.web: web.Server

    def start(self) -> None:
        """Start everything, as `serve` does."""
        self.loop.do(self._start())

    async def _start(self) -> None:
        self.whole = whole = assemble(self._settings, self.clock, self._entropy, self.store)
        keeper = whole.server.timekeeper
        tick = keeper.tick

        async def noted(now: str) -> str:
            self.due = await tick(now)
            return self.due

        keeper.tick = noted  # type: ignore[method-assign]
        runner = web.AppRunner(whole.app, access_log=None)
        if self._carrier is not None:
            postman = Postman(whole.server.battles, self._carrier, whole.mail.writer.compose, whole.mail.bell)
            self.mail = MailService(whole.server, postman, whole.mail.intake)
        await runner.setup()
        if self.mail is not None:
            await self.mail.start()
        assert runner.server is not None
        self.web = runner.server
        serve_below(self.web, self._settings.bases)

    def _horizon_s(self) -> float:
        """The next moment at which the server has something to do, by what it has noted itself."""
        now_s = self.loop.time()
        if self.whole.server.clock.doubt is not None or self.whole.server.steward._later:
            return now_s + SHORTER_S
        now_ms, due = moment_of(self.whole.server.clock.now()), [self.due] if self.due else []
        due += [str(at) for (at,) in self.store.rows("SELECT MIN(due) FROM campaign_dues") if at and at < "9"]
        if self.mail is not None:
            if raw_mail.unjudged(self.store, 1):
                return now_s + SHORTER_S
            due += [at for at in (deliveries.next_due(self.store),) if at]
        left_ms = min([moment_of(at) - now_ms for at in due], default=1000 * round(LONGEST_S))
        return now_s + min(LONGEST_S, max(left_ms, 0) / 1000)

    def lose_power(self, folder: Path) -> None:
        """End at once: nothing is finished, what was not in the files is lost. The files as they are go to `folder`."""
        writer = self.store._writer
        assert isinstance(writer, InlineWriter)
        writer.die()
        self.loop.cut()
        self._stop_threads()
        shutil.copytree(self.folder, folder, ignore=shutil.ignore_patterns("*-shm"))
        self._drop()
        collect()

    def stop(self) -> None:
        """End in order."""
        self.loop.do(self._stop())

    async def _stop(self) -> None:
        if self.mail is not None:
            await self.mail.stop()
        await self.whole.server.stop()
        await self.whole.server.close()
        self.store.close()

    def _stop_threads(self) -> None:
        """The threads of what can be computed again end where they are."""
        server = self.whole.server if hasattr(self, "whole") else None
        if server is None:
            return
        for close in server._closing:
            close()
        if (snapshots := server._snapshots) is not None:
            with snapshots._changed:
                snapshots._closing = True
                snapshots._changed.notify()
            if snapshots._thread is not None:
                snapshots._thread.join()

    def _drop(self) -> None:
        for chore in self.store._chores:
            chore.stop()
        self.store._log.close()
        self.store._session.close()
