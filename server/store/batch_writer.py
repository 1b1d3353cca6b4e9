"""Write a batch of jobs in one transaction: each gets its own outcome, and none the fate of another.

Two ways through a batch:
- Together: every job is assumed good. Jobs that do not fit their head are set aside; on any exception the whole
  transaction is rolled back.
- One by one: jobs set aside or rolled back run again, each under its own savepoint. Its command id is looked
  up first, because a true retry carries an old version and must get its recorded answer, not a conflict.

The head (n, hash) of each battle written is kept, and stale appends and gaps are refused by comparison: the primary key
of the table alone would accept a gap. The cached head is only a shortcut: another process may write into the same file,
so a head is never trusted for an append without rows, nor after any failure.

Rejected: savepoints for every job (they double the cost of the common case).
"""

import logging
from collections.abc import Sequence

from msgspec import Struct

from server.store.append import Append, Appended, Statement, StoredRow, Value, Write
from server.store.contract import Session
from server.store.errors import Duplicate, RecordedCommand, StoredHead, StoreError, StoreFailed, Unmatched, Violated
from server.store.job import INSERT_BATTLE, INSERT_COMMAND, SELECT_COMMAND, Done, Job, command_row, fitting

log = logging.getLogger(__name__)

HEADS_KEPT = 65_536  # about 10 MB; beyond that the cache starts anew


class Counts(Struct):
    """The writer's counters, for the metrics."""

    batches: int = 0
    jobs: int = 0
    events: int = 0
    careful: int = 0
    failed: int = 0


class BatchWriter:
    """Writes batches over one session. `position` is that of the newest event; one thread at a time may use it."""

    def __init__(self, session: Session) -> None:
        self.counts = Counts()
        self.position = session.position()
        self._session = session
        self._heads: dict[str, StoredHead] = {}

    def settle(self, batch: list[Job]) -> None:
        """Give each job of the batch its outcome."""
        try:
            self._session.begin()
        except Exception as failure:  # locked or unreadable: not a job's fault, and trying each alone would take hours
            self.give_up(batch, failure)
            return
        try:
            careful = self.together(batch)
        except Exception:
            self.undo()
            careful = batch
        if careful:
            self.counts.careful += len(careful)
            self._one_by_one(careful)
        self.counts.failed += sum(isinstance(job.outcome, StoreFailed) for job in batch)

    # --- the fast way

    def together(self, batch: list[Job]) -> list[Job]:
        """Write the batch as one; returns the jobs that did not fit. Any exception means that nothing is written."""
        session, moved = self._session, dict[str, StoredHead]()
        events: list[StoredRow] = []
        commands: list[tuple[Value, ...]] = []
        written: list[Job] = []
        aside: list[Job] = []
        for job in batch:
            work = job.work
            if isinstance(work, Write):
                job.outcome = self._run_statements(work.statements)
                continue
            try:
                head = fitting(work, self._known_head(work, moved))
            except StoreError:
                aside.append(job)
                continue
            if work.opens is not None:
                session.execute(INSERT_BATTLE, (work.battle, *work.opens))
            if work.command is not None:
                commands.append(command_row(work, work.command))
            if work.also:
                self._run_statements(work.also)
            if work.rows:
                events += job.events
                head = StoredHead(head.n + len(work.rows), work.rows[-1][2])
            moved[work.battle] = head
            written.append(job)
        if commands:
            session.insert(INSERT_COMMAND, commands)
        position = session.insert_events(events) if events else self.position
        session.commit()
        self._keep(moved)
        self._report(written, position, len(events))
        return aside

    def _known_head(self, append: Append, moved: dict[str, StoredHead]) -> StoredHead | None:
        head = moved.get(append.battle)
        if head is None and append.rows:  # without rows no key of the table would show that another process has written
            head = self._heads.get(append.battle)
        return self._session.head(append.battle) if head is None else head

    def _keep(self, moved: dict[str, StoredHead]) -> None:
        if len(self._heads) > HEADS_KEPT:
            self._heads.clear()
        self._heads.update(moved)

    def _report(self, written: list[Job], last: int, count: int) -> None:
        """Positions of a transaction are contiguous: the first is `last - count + 1`."""
        position = last - count if count else last
        for job in written:
            append = job.work
            assert isinstance(append, Append)
            n = append.expected + len(append.rows)
            position += len(append.rows)
            job.outcome = Appended(append.expected + 1, n, position)
        self.position = last
        self.counts.events += count

    # --- the careful way

    def _one_by_one(self, jobs: list[Job]) -> None:
        """Write each job under its own savepoint, all in one transaction. No cached head is trusted."""
        session = self._session
        for job in jobs:
            if isinstance(job.work, Append):
                self._heads.pop(job.work.battle, None)
        before = self.position
        try:
            session.begin()
        except Exception as failure:
            self.give_up(jobs, failure)
            return
        try:
            for job in jobs:
                session.execute("SAVEPOINT job")
                try:
                    job.outcome = self._alone(job)
                except Exception as failure:
                    job.outcome = self._named(failure)
                    if not session.in_transaction:  # the failure ended the transaction, and undid the others' work
                        raise
                    session.execute("ROLLBACK TO job")
                session.execute("RELEASE job")
            session.commit()
            self.counts.events += sum(len(job.events) for job in jobs if isinstance(job.outcome, Appended))
        except Exception as failure:
            self.position = before
            lost = not session.in_transaction
            self.undo()
            if lost and len(jobs) > 1:
                for job in jobs:
                    self._one_by_one([job])
            else:
                self.give_up(jobs, failure)

    def _alone(self, job: Job) -> Done:
        """Write one job. The events come last: a savepoint of the tables need not undo them."""
        session, work = self._session, job.work
        if isinstance(work, Write):
            return self._run_statements(work.statements)
        if work.command is not None:
            known = session.fetch(SELECT_COMMAND, (work.command.command_id,))
            if known:
                raise Duplicate(RecordedCommand(*known[0]))
        fitting(work, session.head(work.battle))
        if work.opens is not None:
            session.execute(INSERT_BATTLE, (work.battle, *work.opens))
        if work.command is not None:
            session.execute(INSERT_COMMAND, command_row(work, work.command))
        self._run_statements(work.also)
        if job.events:
            self.position = session.insert_events(job.events)
        return Appended(work.expected + 1, work.expected + len(work.rows), self.position)

    def _run_statements(self, statements: Sequence[Statement]) -> tuple[int, ...]:
        changed = []
        for statement in statements:
            count = self._session.execute(statement.sql, statement.params)
            if statement.changes is not None and count != statement.changes:
                raise Unmatched(f"{count} rows instead of {statement.changes}: {statement.sql}")
            changed.append(count)
        return tuple(changed)

    # --- when it fails

    def _named(self, failure: BaseException) -> StoreError:
        """The store's error for a driver's error."""
        if isinstance(failure, StoreError):
            return failure
        violation = self._session.is_violation(failure)
        named = Violated(str(failure)) if violation else StoreFailed(str(failure))
        named.__cause__ = failure
        return named

    def undo(self) -> None:
        """Roll back and discard the cache."""
        self._heads.clear()
        try:
            self._session.rollback()
        except Exception:
            log.exception("the event writer could not roll back")

    def give_up(self, jobs: list[Job], failure: BaseException) -> None:
        """Nothing of the jobs is written, and all fail alike."""
        self.undo()
        for job in jobs:
            job.outcome = self._named(failure)

    def tidy(self) -> None:
        """Housekeeping between two batches."""
        try:
            self._session.tidy()
        except Exception:  # it is only housekeeping: the next batch tries again
            log.exception("the event writer could not tidy up")
