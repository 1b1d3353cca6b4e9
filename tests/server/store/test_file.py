"""What the SQLite file promises: its tables, backup, WAL, and the library's view of it."""

import asyncio
import sqlite3
import threading
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from eventsourcing.persistence import EventStore as LibraryStore
from eventsourcing.persistence import InfrastructureFactory, IntegrityError, StoredEvent

from server.store import (
    BackendAbsent,
    EventStore,
    Statement,
    StoreSettings,
    Violated,
    WrongDatabase,
    connections,
    schema,
)
from server.store.mapper import LoggedLine
from tests.server.store.appends import command, following, opening
from tests.support.waiting import eventually


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE stored_events SET state=x'00' WHERE originator_version=1",
        "DELETE FROM stored_events",
        "REPLACE INTO stored_events VALUES ('b0000001', 1, 'Kind', x'00')",
    ],
)
def test_the_log_refuses_to_change(file_store: EventStore, sql: str) -> None:
    file_store.append_now(opening("b0000001", 3))
    before = file_store.read("b0000001")
    with pytest.raises(Violated, match="append-only"):
        file_store.write_now(Statement(sql, ()))
    assert file_store.read("b0000001") == before


def test_another_program_is_refused_too(file_store: EventStore, file_settings: StoreSettings) -> None:
    file_store.append_now(opening("b0000001", 3, command("c")))
    stranger = sqlite3.connect(file_settings.dbname)
    for live in ("stored_events", "commands", "battles"):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            stranger.execute(f"DELETE FROM {live}")
    stranger.close()


def test_a_closed_store_is_one_file_and_opens_again(file_settings: StoreSettings) -> None:
    with EventStore.open(file_settings) as store:
        store.append_now(opening("b0000001", 3))
        rows = store.read("b0000001")
    assert [path.name for path in Path(file_settings.dbname).parent.iterdir()] == ["store.db"]
    with EventStore.open(file_settings.dbname) as store:
        assert store.read("b0000001") == rows
        assert store.append_now(following(store, "b0000001")).n == 4


def test_readers_cannot_write(file_store: EventStore) -> None:
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        file_store.rows("DELETE FROM accounts")


async def test_a_backup_is_whole_while_play_goes_on(file_store: EventStore, tmp_path: Path) -> None:
    store, over = file_store, threading.Event()

    async def play(battle: str) -> None:
        await store.submit(opening(battle))
        while not over.is_set():
            await store.submit(following(store, battle, 6))

    async def copy() -> None:
        await eventually("they play", lambda: store.position() > 10)
        await asyncio.to_thread(store.backup, tmp_path / "first.db")
        await asyncio.to_thread(store.backup, tmp_path / "first.db")  # over the older one
        over.set()

    await asyncio.gather(copy(), *(play(f"b{i:07d}") for i in range(10)))
    assert sorted(path.name for path in tmp_path.iterdir() if "first" in path.name) == ["first.db"]
    with EventStore.open(tmp_path / "first.db") as copied:
        assert copied.position() > 10
        for battle in copied.battles():
            rows = copied.read(battle.battle)
            assert (len(rows) - 1) % 6 == 0
            assert rows == store.read(battle.battle, limit=len(rows))
        assert copied.append_now(following(copied, "b0000001")).n > 1


@pytest.mark.slow
def test_the_wal_does_not_grow_for_ever(file_settings: StoreSettings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "WAL_LIMIT_PAGES", 200)
    quick = StoreSettings(dbname=file_settings.dbname, checkpoint_s=0.005, synchronous="NORMAL")
    wal = Path(file_settings.dbname + "-wal")
    sizes: list[int] = []

    async def is_short() -> bool:
        await store.submit(following(store, "b0000000", 6))
        return wal.stat().st_size < 4 * pages() * 4096

    async def play() -> None:
        async def one(battle: str) -> None:
            await store.submit(opening(battle))
            for _ in range(60):
                await store.submit(following(store, battle, 6))
                sizes.append(wal.stat().st_size)

        await asyncio.gather(*(one(f"b{i:07d}") for i in range(40)))
        await eventually("the write-ahead log is short again", is_short)

    def pages() -> int:
        ((count,),) = store.rows("PRAGMA page_count")
        return int(count)

    with EventStore.open(quick) as store:
        asyncio.run(play())
        assert len(sizes) == 2400


def test_foreign_files_are_not_touched(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("not a database, and long enough to be taken for one " * 50)
    foreign = tmp_path / "foreign.db"
    db = sqlite3.connect(foreign)
    db.execute("CREATE TABLE songs (name TEXT)")
    db.commit()
    db.close()
    for path in (text, foreign):
        before = path.read_bytes()
        with pytest.raises(WrongDatabase):
            EventStore.open(path)
        assert path.read_bytes() == before


def test_a_store_of_a_later_release_is_refused(file_settings: StoreSettings) -> None:
    EventStore.open(file_settings).close()
    db = sqlite3.connect(file_settings.dbname)
    db.execute(f"PRAGMA user_version={schema.VERSION + 1}")
    db.close()
    with pytest.raises(WrongDatabase, match="later"):
        EventStore.open(file_settings)


def test_several_processes_may_make_the_file_at_once(file_settings: StoreSettings) -> None:
    failures: list[BaseException] = []
    gate = threading.Barrier(6)

    def make() -> None:
        try:
            gate.wait()
            EventStore.open(file_settings).close()
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=make) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


# --- settings


def test_settings_name_the_backend(tmp_path: Path) -> None:
    assert StoreSettings.at(tmp_path / "a.db").dbname == str(tmp_path / "a.db")
    assert StoreSettings.at("sqlite:////var/lib/phalera/log.db").dbname == "/var/lib/phalera/log.db"
    assert StoreSettings.at("sqlite:///log.db").dbname == "log.db"
    assert StoreSettings.at("memory:").module == "server.store.memory"
    env = {"PERSISTENCE_MODULE": "eventsourcing.popo", "SQLITE_SYNCHRONOUS": "NORMAL", "STORE_MAX_WAITING": "7"}
    settings = StoreSettings.from_env(env, "log.db")
    assert (settings.module, settings.dbname, settings.synchronous, settings.max_waiting) == (
        "server.store.memory",
        "log.db",
        "NORMAL",
        7,
    )
    assert StoreSettings.from_env({}, "log.db").module == "server.store.sqlite"


def test_absent_backends_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BackendAbsent, match="no backend for mysql: this release has sqlite, postgresql and memory"):
        EventStore.open("mysql://localhost/phalera")
    with monkeypatch.context() as without:
        without.setattr("server.store.settings.DRIVER", ("no_such_driver",))
        with pytest.raises(BackendAbsent, match=r"phalera\[postgres\]"):
            EventStore.open("postgresql://localhost/phalera")
    with pytest.raises(BackendAbsent, match="no_such"):
        EventStore.open(StoreSettings(module="server.store.no_such"))
    with pytest.raises(BackendAbsent, match="none of this store"):
        EventStore.open(StoreSettings(module="eventsourcing.popo"))
    with pytest.raises(OSError, match="FULL"):
        EventStore.open(StoreSettings(dbname="log.db", synchronous="OFF"))


# --- the library's side


def test_the_library_reads_our_log(store: EventStore) -> None:
    append = opening("b0000001", 4)
    store.append_now(append)
    found = store.select_notifications(2, 2)
    assert [(f.id, f.originator_id, f.originator_version, f.topic) for f in found] == [
        (2, "b0000001", 2, append.rows[1][0]),
        (3, "b0000001", 3, append.rows[2][0]),
    ]
    assert [f.originator_version for f in store.select_notifications(1, 9, topics=["Kind0"])] == [3]
    mapper = store.mapper
    for notification, (type_, line, hash_) in zip(found, append.rows[1:3], strict=True):
        event = mapper.to_domain_event(notification)
        assert event == LoggedLine("b0000001", notification.originator_version, type_, hash_, line)
        assert mapper.to_stored_event(event).state == hash_ + line
    with pytest.raises(TypeError):
        mapper.to_stored_event(object())  # type: ignore[arg-type]


def test_a_subscription_gets_the_old_and_then_the_new(store: EventStore) -> None:
    store.append_now(opening("b0000001", 3))
    with store.subscribe(1) as subscription:
        coming: Iterator[tuple[int, int]] = ((s.id, s.originator_version) for s in subscription)
        assert list(islice(coming, 2)) == [(2, 2), (3, 3)]
        threading.Timer(0.02, lambda: store.append_now(following(store, "b0000001", 2))).start()
        assert list(islice(coming, 2)) == [(4, 4), (5, 5)]


def test_the_library_builds_our_factory_from_the_environment(file_settings: StoreSettings) -> None:
    factory = InfrastructureFactory.construct(file_settings.environment())
    recorder = factory.application_recorder()
    with recorder.subscribe(gt=0) as subscription:
        ids = recorder.insert_events([StoredEvent("b0000001", n, "Kind", b"h" * 32 + b"line") for n in (1, 2)])
        assert list(ids or ()) == [1, 2]
        assert [s.originator_version for s in islice(subscription, 2)] == [1, 2]
    for version in (2, 4, 0):
        with pytest.raises(IntegrityError):
            recorder.insert_events([StoredEvent("b0000001", version, "Kind", b"h" * 32 + b"line")])
    events: LibraryStore[str] = factory.event_store(recorder=recorder)
    assert [event.originator_version for event in events.get("b0000001")] == [1, 2]
    factory.close()
