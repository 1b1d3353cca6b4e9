"""The writer when it is full, late, cut or closed."""

import asyncio
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from server.store import (
    Append,
    Appended,
    Closed,
    Conflict,
    Duplicate,
    EventStore,
    Overloaded,
    Statement,
    StoreFailed,
    StoreSettings,
    Violated,
)
from server.store.tables import outbox
from tests.server.store.appends import AT, command, following, opening, rows_after
from tests.support.waiting import LIMIT_S, eventually


@contextmanager
def held(store: EventStore) -> Iterator[None]:
    """The writer waits before its next transaction, as on a slow disk."""
    session, go_on = store._session, threading.Event()
    begin, begin_at_once = session.begin, session.begin_at_once

    def late() -> None:
        go_on.wait(LIMIT_S)
        begin()

    session.begin = late  # type: ignore[method-assign]
    session.begin_at_once = lambda: False  # type: ignore[method-assign]
    try:
        yield
    finally:
        session.begin = begin  # type: ignore[method-assign]
        session.begin_at_once = begin_at_once  # type: ignore[method-assign]
        go_on.set()


async def test_too_many_waiting_jobs_are_refused(settings: StoreSettings) -> None:
    small = StoreSettings(module=settings.module, dbname=settings.dbname, max_waiting=3)
    with EventStore.open(small) as store:
        with held(store):
            taken = store.submit(opening("b0000000"))
            await eventually("the writer has taken the first", lambda: not store.waiting)
            queued = [store.submit(opening(f"b000000{i}")) for i in (1, 2, 3)]
            with pytest.raises(Overloaded):
                store.submit(opening("b0000009"))
            with pytest.raises(Overloaded):
                store.append_now(opening("b0000009"))
        await asyncio.gather(taken, *queued)
        assert len(store.battles()) == 4
        await store.submit(opening("b0000009"))


async def test_an_answer_comes_after_the_commit(store: EventStore) -> None:
    order = []
    commit = store._session.commit

    def slow() -> None:
        time.sleep(0.05)
        commit()
        order.append("committed")

    store._session.commit = slow  # type: ignore[method-assign]
    await store.submit(opening("b0000001"))
    order.append("answered")
    assert order == ["committed", "answered"]


async def test_a_commit_that_fails_is_answered_so_and_stores_nothing(store: EventStore) -> None:
    await store.submit(opening("b0000001"))
    commit = store._session.commit
    left = [3]  # in the loop's thread, then in the other the fast way and the careful one

    def full() -> None:
        if left[0]:
            left[0] -= 1
            raise sqlite3.OperationalError("database or disk is full")
        commit()

    store._session.commit = full  # type: ignore[method-assign]
    also = (outbox.post("b0000001", 2, "p", "turn", AT),)
    append = following(store, "b0000001", 0, command("c"), also)
    with pytest.raises(StoreFailed, match="disk is full"):
        await store.submit(append)
    assert store.command(b"c") is None
    assert outbox.unsent(store) == []
    assert (await store.submit(append)).n == 1
    assert store.command(b"c") is not None


async def test_only_what_is_committed_is_counted(store: EventStore) -> None:
    commit = store._session.commit
    left = [3]

    def full() -> None:
        if left[0]:
            left[0] -= 1
            raise sqlite3.OperationalError("database or disk is full")
        commit()

    store._session.commit = full  # type: ignore[method-assign]
    with pytest.raises(StoreFailed):
        await store.submit(opening("b0000001", 3))
    assert (store.counts.events, store.counts.failed) == (0, 1)
    done = await store.submit(opening("b0000001", 3))
    assert (store.counts.events, store.position()) == (3, done.position)


async def test_a_locked_database_fails_the_batch_at_once(store: EventStore) -> None:
    begin, calls = store._session.begin, []

    def locked() -> None:
        calls.append(1)
        raise sqlite3.OperationalError("database is locked")

    store._session.begin = locked  # type: ignore[method-assign]
    waiting = [store.submit(opening(f"b000000{i}")) for i in range(5)]
    outcomes = await asyncio.gather(*waiting, return_exceptions=True)
    assert all(isinstance(outcome, StoreFailed) for outcome in outcomes)
    assert len(calls) == 1, "each job alone would wait for the lock again"
    store._session.begin = begin  # type: ignore[method-assign]
    assert await store.submit(opening("b0000001")) == Appended(1, 1, 1)


async def test_a_failure_that_ends_the_transaction_harms_its_own_job_only(file_store: EventStore) -> None:
    store = file_store
    for battle in ("ilipa", "zama", "cannae"):
        await store.submit(opening(battle))
    rollback = Statement("INSERT OR ROLLBACK INTO battles VALUES ('zama', x'00', 'now', 'public')", ())
    waiting = [
        store.submit(following(store, "ilipa", 1)),
        store.submit(following(store, "zama", 1, also=(rollback,))),
        store.submit(following(store, "cannae", 1)),
    ]
    first, second, third = await asyncio.gather(*waiting, return_exceptions=True)
    assert isinstance(first, Appended)
    assert isinstance(second, Violated)
    assert isinstance(third, Appended)
    assert [len(store.read(battle)) for battle in ("ilipa", "zama", "cannae")] == [2, 1, 2]


async def test_a_caller_that_gives_up_takes_nothing_back(store: EventStore) -> None:
    with held(store):
        gone = store.submit(opening("b0000001"))
        kept = store.submit(opening("b0000002"))
        await asyncio.sleep(0)
        gone.cancel()
    assert (await kept).n == 1
    assert store.head("b0000001") is not None


def test_a_closed_loop_stops_no_writer(store: EventStore) -> None:
    async def leave(battle: str, turns: int) -> None:
        store.submit(opening(battle))
        for _ in range(turns):
            await asyncio.sleep(0)

    with held(store):
        asyncio.run(leave("b0000001", 1))
    assert store.append_now(opening("b0000002")).n == 1
    assert store.head("b0000001") is not None

    async def come_back() -> Appended:
        return await store.submit(following(store, "b0000001"))

    assert asyncio.run(come_back()).n == 2
    asyncio.run(leave("b0000003", 0))
    assert asyncio.run(come_back()).n == 3
    assert store.head("b0000003") is not None


async def test_a_store_serves_one_loop(store: EventStore) -> None:
    await store.submit(opening("b0000001"))

    async def other() -> None:
        store.submit(opening("b0000002"))

    with pytest.raises(RuntimeError, match="one event loop"):
        await asyncio.to_thread(asyncio.run, other())


async def test_closing_finishes_what_is_queued(settings: StoreSettings) -> None:
    store = EventStore.open(settings)
    waiting = [store.submit(opening(f"b{i:07d}")) for i in range(300)]
    store.close()
    assert [done.n for done in await asyncio.gather(*waiting)] == [1] * 300
    store.close()
    with pytest.raises(Closed):
        store.submit(opening("b9999999"))
    with pytest.raises(Closed):
        store.append_now(opening("b9999999"))
    with pytest.raises(Closed):
        store.battles()


def test_many_threads_append_and_read_at_once(store: EventStore) -> None:
    failures: list[BaseException] = []

    def play(battle: str) -> None:
        try:
            store.append_now(opening(battle))
            for _ in range(25):
                store.append_now(following(store, battle, 2))
                assert store.read(battle)[-1][0] == len(store.lines(battle))
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=play, args=(f"b{i:07d}",)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert store.position() == 8 * 51


def test_a_writer_is_not_misled_by_another_process(file_settings: StoreSettings) -> None:
    with EventStore.open(file_settings) as ours, EventStore.open(file_settings) as theirs:
        ours.append_now(opening("b0000001", 2))
        theirs.append_now(following(theirs, "b0000001", 3))
        with pytest.raises(Conflict) as refused:
            ours.append_now(Append("b0000001", 2, rows_after(refused_head(ours), 1)))
        assert refused.value.head.n == 5
        assert ours.append_now(following(ours, "b0000001", 1)).n == 6
        assert theirs.append_now(following(theirs, "b0000001", 1)).n == 7
        assert ours.append_now(following(ours, "b0000001", 1, command("c"))).position == 8
        with pytest.raises(Conflict):
            theirs.append_now(Append("b0000001", 7, (), command("only an answer")))
        theirs.append_now(opening("b0000002"))
        assert ours.append_now(following(ours, "b0000002", 1)).position == 10


def refused_head(store: EventStore):
    """The head, two events ago."""
    head = store.head("b0000001")
    assert head is not None
    return head._replace(n=2)


def test_two_writers_on_one_file_lose_nothing(file_settings: StoreSettings) -> None:
    with EventStore.open(file_settings) as ours, EventStore.open(file_settings) as theirs:
        ours.append_now(opening("b0000001"))
        tally = {id(ours): 0, id(theirs): 0}

        def play(store: EventStore) -> None:
            while tally[id(store)] < 40:
                try:
                    store.append_now(following(store, "b0000001"))
                except Conflict:
                    continue
                tally[id(store)] += 1

        threads = [threading.Thread(target=play, args=(store,)) for store in (ours, theirs)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [n for n, _, _ in ours.read("b0000001")] == list(range(1, 82))


# --- a job that comes alone


class Commits:
    """Notes the thread of each commit of a store, which takes as long as is said here."""

    def __init__(self, store: EventStore, monkeypatch: pytest.MonkeyPatch) -> None:
        self.threads: list[int] = []
        self.seconds = 0.0
        self._now = 0.0
        self._commit = store._session.commit
        store._session.commit = self.commit  # type: ignore[method-assign]
        monkeypatch.setattr("server.store.writer.perf_counter", lambda: self._now)

    def commit(self) -> None:
        self.threads.append(threading.get_ident())
        self._now += self.seconds
        self._commit()


async def test_a_lone_job_is_written_in_the_loops_thread_and_several_in_the_writers(
    file_store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = file_store
    here, threads = threading.get_ident(), Commits(store, monkeypatch).threads
    await store.submit(opening("b0000001"))
    await store.submit(following(store, "b0000001"))
    assert threads == [here, here]
    await asyncio.gather(*(store.submit(opening(f"c{n:07}")) for n in range(3)))
    assert here not in threads[2:]
    assert (store.counts.batches, store.counts.jobs, store.counts.events) == (3, 5, 5)


async def test_slow_commits_hold_up_no_loop(file_store: EventStore, monkeypatch: pytest.MonkeyPatch) -> None:
    store = file_store
    here, commits = threading.get_ident(), Commits(store, monkeypatch)
    commits.seconds = 0.02
    for n in range(10):
        await store.submit(opening(f"b{n:07}"))
    assert commits.threads.count(here) == 1, "the first, before anything was known"
    commits.seconds = 0.0002
    for n in range(50):
        await store.submit(opening(f"c{n:07}"))
    assert commits.threads[-1] == here


@pytest.mark.slow
async def test_a_locked_file_holds_up_no_loop(file_settings: StoreSettings, monkeypatch: pytest.MonkeyPatch) -> None:
    with EventStore.open(file_settings) as store, EventStore.open(file_settings) as theirs:
        await store.submit(opening("b0000001"))
        threads = Commits(store, monkeypatch).threads
        theirs._session.begin()
        waiting = asyncio.ensure_future(store.submit(following(store, "b0000001")))
        await asyncio.sleep(0.02)  # the loop goes on
        assert threads == []
        theirs._session.rollback()
        assert (await waiting).n == 2
        assert threading.get_ident() not in threads


async def test_a_lone_job_that_does_not_fit_gets_the_answer_of_the_careful_way(store: EventStore) -> None:
    await store.submit(opening("b0000001"))
    await store.submit(following(store, "b0000001", 1, command("c")))
    with pytest.raises(Conflict):
        await store.submit(Append("b0000001", 1, rows_after(refused_first(store), 1)))
    with pytest.raises(Duplicate):
        await store.submit(following(store, "b0000001", 1, command("c")))
    twice = Statement("INSERT INTO battles SELECT * FROM battles", ())
    with pytest.raises(Violated):
        await store.submit(following(store, "b0000001", 1, also=(twice,)))
    assert (await store.submit(following(store, "b0000001"))).n == 3


def refused_first(store: EventStore):
    """The head, one event ago."""
    head = store.head("b0000001")
    assert head is not None
    return head._replace(n=1)


async def test_closing_waits_for_what_the_loops_thread_writes(settings: StoreSettings) -> None:
    store = EventStore.open(settings)
    commit, closing = store._session.commit, threading.Thread(target=store.close)

    def slow() -> None:
        closing.start()
        time.sleep(0.05)
        commit()

    store._session.commit = slow  # type: ignore[method-assign]
    assert (await store.submit(opening("b0000001"))).n == 1
    await asyncio.to_thread(closing.join)


async def test_a_lone_job_that_fails_while_the_store_is_closed_is_answered(settings: StoreSettings) -> None:
    store = EventStore.open(settings)
    closing = threading.Thread(target=store.close)

    def full() -> None:
        if not closing.ident:
            closing.start()
            store._writer.join()
        raise sqlite3.OperationalError("database or disk is full")

    store._session.commit = full  # type: ignore[method-assign]
    with pytest.raises(StoreFailed):
        await store.submit(opening("b0000001"))
    await asyncio.to_thread(closing.join)


# --- being announced


async def test_the_last_position_is_known_before_the_answer(store: EventStore) -> None:
    assert store.committed == 0
    await store.submit(opening("b0000001", 3))
    assert store.committed == 3
    await store.write(outbox.post("", 0, "p", "login", AT))
    assert store.committed == 3
    await asyncio.to_thread(store.append_now, following(store, "b0000001", 2))
    assert store.committed == 5


def test_a_failure_to_announce_takes_no_answer_away(store: EventStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store._factory, "wake", lambda: 1 // 0)
    assert store.append_now(opening("b0000001", 2)).n == 2
    assert store.append_now(following(store, "b0000001")).n == 3
