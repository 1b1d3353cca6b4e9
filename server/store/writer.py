"""One writer thread for many battles: group commit, and each append gets its own answer.

Guarantees:
- One thread at a time has the writing connection (`_own`). The writer's takes the waiting jobs (at most `max_batch`),
  writes them in one transaction and answers after the COMMIT: one fsync serves many battles. So an answer means the
  rows are durable.
- A job that comes alone while nothing is being written is written in the loop's own thread, which costs less than to
  wake another one and to be woken by it. It is not done where commits take long, and whatever does not go at once (the
  database is locked, the job does not fit) is left to the writer's thread: the loop is held up by one quick commit.
- A batch never mixes fates. A job that fails leaves nothing behind, and no other job fails because of it.
- How a batch is written, and what a job that does not fit gets, is `server.store.batch_writer`.

Rejected: a transaction per job (one fsync each, a tenth of the throughput); an asyncio lock instead of a thread (SQLite
blocks the loop during fsync); waking the thread for each submitted job (it competes for the interpreter with the loop
that is still submitting; see `_pass_on`); every job in the loop's thread (while it waits for the disk, the next orders
are decided).
"""

import asyncio
import concurrent.futures
import logging
import queue
import threading
from collections import deque
from collections.abc import Callable
from time import perf_counter

from server.store.batch_writer import BatchWriter
from server.store.contract import Session
from server.store.errors import Closed, Overloaded
from server.store.job import Done, Job, Work

log = logging.getLogger(__name__)

QUICK_S = 0.002
"""A commit that usually takes longer does not hold up the loop."""


class StoreWriter(threading.Thread):
    """The group-committing thread. `committed(position)` is called by the thread that writes, after each commit of
    events and before they are answered."""

    def __init__(
        self,
        session: Session,
        max_batch: int,
        max_waiting: int,
        committed: Callable[[int], None],
        loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(daemon=True, name="event-writer")
        self.loop = loop
        self._session = session
        self._batches = BatchWriter(session)
        self.counts = self._batches.counts
        self._max_batch = max_batch
        self._max_waiting = max_waiting
        self._committed = committed
        self._queue: queue.SimpleQueue[list[Job] | None] = queue.SimpleQueue()
        self._tick: list[Job] = []
        self._admitted = self._taken = 0
        self._gate = threading.Lock()
        self._own = threading.Lock()  # held by the thread that writes
        self._usual_s = 0.0  # how long a transaction takes, of late
        self._was_alone = True  # the last batch was of one job
        self._closed = False

    # --- the callers' side

    def submit(self, work: Work) -> asyncio.Future[Done]:
        """Queue a job from the loop; the future is resolved after the COMMIT.

        Raises: Overloaded, Closed, ValueError (rows that cannot be stored); RuntimeError on another loop than before
        """
        loop = asyncio.get_running_loop()
        if self.loop is not loop:
            if self.loop is not None and not self.loop.is_closed():
                raise RuntimeError("one store serves one event loop")
            self.loop = loop
            self._pass_on()  # jobs that a loop left behind when it ended
        promise: asyncio.Future[Done] = loop.create_future()
        job = Job(work, promise)
        with self._gate:
            self._admit()
            self._tick.append(job)
            if len(self._tick) == 1:
                loop.call_soon(self._pass_on)
        return promise

    def _pass_on(self) -> None:
        """Write the only job submitted in this turn of the loop, or hand all of them to the thread at once.

        Woken by the first job, the thread would compete with the loop for the interpreter at each row it writes, while
        the loop is still busy submitting the others.
        """
        if len(self._tick) == 1 and self._was_alone and self._usual_s < QUICK_S and self._written_here():
            return
        with self._gate:
            if self._tick:
                self._queue.put(self._tick)
                self._tick = []

    def _written_here(self) -> bool:
        """Write the only job in the loop's thread; False if it is the other thread's, and nothing has been written."""
        if not self._own.acquire(blocking=False):
            return False
        try:
            with self._gate:
                if self._admitted - self._taken != 1 or len(self._tick) != 1:
                    return False
                (job,) = self._tick
                if not self._begun_at_once():
                    return False
                self._tick = []
                self._taken += 1
            position = self._batches.position
            if not self._settled_at_once(job):
                with self._gate:
                    if not self._closed:
                        self._taken -= 1
                        self._queue.put([job])
                        return True
                self._batches.settle([job])  # the other thread may have ended
        finally:
            self._own.release()
        self._announce(position)
        job.answer()
        return True

    def _begun_at_once(self) -> bool:
        try:
            return self._session.begin_at_once()
        except Exception:  # the thread will find out, and say so
            return False

    def _settled_at_once(self, job: Job) -> bool:
        """Write a job in the transaction that has been begun; False if that does not go, and nothing is written."""
        begun = perf_counter()
        try:
            if self._batches.together([job]):
                return False
        except Exception:
            self._batches.undo()
            return False
        self._took(begun, 1)
        return True

    def run_now(self, work: Work, timeout_s: float | None = None) -> Done:
        """Queue a job and wait for it. Not for the loop's thread, which it would block.

        Raises: as `submit`, and the job's own error; TimeoutError leaves it queued
        """
        promise: concurrent.futures.Future[Done] = concurrent.futures.Future()
        job = Job(work, promise)
        with self._gate:
            self._admit()
            self._queue.put([job])
        return promise.result(timeout_s)

    def _admit(self) -> None:
        """Count a job in, under the gate: nothing is queued behind the end mark of `close`."""
        if self._closed:
            raise Closed("the store is closed")
        if self._admitted - self._taken >= self._max_waiting:
            raise Overloaded(f"{self._max_waiting} jobs wait")
        self._admitted += 1

    @property
    def waiting(self) -> int:
        """The number of jobs that the thread has not yet begun."""
        return self._admitted - self._taken

    def close(self) -> None:
        """Finish what is queued, then end the thread."""
        with self._gate:
            if not self._closed:
                self._closed = True
                self._queue.put(self._tick)
                self._tick = []
                self._queue.put(None)
        self.join()
        with self._own:  # what the loop's thread has begun to write
            pass

    # --- the thread's side

    def run(self) -> None:
        """Batch after batch until the end mark."""
        inbox: deque[Job] = deque()
        more = True
        while more or inbox:
            if more:
                more = self._collect(inbox)
            batch = [inbox.popleft() for _ in range(min(len(inbox), self._max_batch))]
            if not batch:
                continue
            self.write(batch)

    def write(self, batch: list[Job]) -> None:
        """Write a batch in the thread that calls, and answer it."""
        with self._own:
            self._taken += len(batch)
            position = self._batches.position
            begun = perf_counter()
            try:
                self._batches.settle(batch)
            except BaseException as failure:  # a fault of ours: nobody may wait forever
                log.exception("the event writer failed on a batch")
                self._batches.give_up(batch, failure)
            self._took(begun, len(batch))
            self._batches.tidy()
        self._announce(position)
        self._answer(batch)

    def _collect(self, inbox: deque[Job]) -> bool:
        """Take what is queued, waiting only if there is nothing to do; False at the end mark."""
        try:
            while len(inbox) < self._max_batch:
                jobs = self._queue.get_nowait() if inbox else self._queue.get()
                if jobs is None:
                    return False
                inbox.extend(jobs)
        except queue.Empty:
            pass
        return True

    def _took(self, begun: float, jobs: int) -> None:
        """Count a batch, and how long it took."""
        self._usual_s += (perf_counter() - begun - self._usual_s) / 8
        self._was_alone = jobs == 1
        self.counts.batches += 1
        self.counts.jobs += jobs

    # --- answers

    def _announce(self, before: int) -> None:
        """Say how far the feed has come, if it has moved from a position."""
        position = self._batches.position
        if position != before:
            try:
                self._committed(position)
            except Exception:  # the events are stored, and their callers are answered
                log.exception("nobody could be told of position %d", position)

    def _answer(self, batch: list[Job]) -> None:
        """Answer the whole batch in one call into the loop."""
        remote = []
        for job in batch:
            if isinstance(job.promise, asyncio.Future):
                remote.append(job)
            else:
                job.answer()
        if remote and self.loop is not None:
            try:
                self.loop.call_soon_threadsafe(_answer_all, remote)
            except RuntimeError:  # the loop is closed: what is committed stays committed
                log.warning("%d answers found their event loop closed", len(remote))


def _answer_all(jobs: list[Job]) -> None:
    for job in jobs:
        job.answer()
