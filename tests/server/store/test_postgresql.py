"""What only a store in PostgreSQL has: its database, its lock, its connection, and the way into a file and back."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from eventsourcing import postgres as library

from server.store import (
    Append,
    EventStore,
    Newer,
    Outdated,
    StoredHead,
    StoreFailed,
    StoreSettings,
    WrongDatabase,
    schema,
)
from server.store.postgresql import connecting
from server.store.postgresql.copying import copied_tables, copy_from_file
from server.store.postgresql.dialect import tables, translated
from server.store.postgresql.factory import named_by_library
from server.store.postgresql.session import InUse
from server.store.tables import accounts, correspondents, deeds, outbox, vault
from server.store.tables.correspondents import Correspondent
from tests.server.store.appends import AT, command, following, opening
from tests.support.postgres import cluster


@pytest.fixture
def url() -> Iterator[str]:
    """A new, empty database."""
    made = cluster().database()
    yield made
    cluster().drop(made)


def filled(store: EventStore) -> None:
    """Put something of each kind into a store: text, bytes, numbers, numbered rows, nothing."""
    for battle in ("zama", "ilipa"):
        store.append_now(opening(battle, 4, command(battle)))
    store.append_now(following(store, "zama", 2))
    store.write_now(
        vault.put_master("zama", bytes(range(32))),
        outbox.post("zama", 2, "p1", "turn", AT),
        outbox.post("", 0, "p2", "login", AT),
        deeds.record(AT, "p1", "ban", "p2", "Größe, \x7f, 'quoted', ?"),
    )


def contents(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """All rows of a file by table, numbers of rows included."""
    with closing(sqlite3.connect(path)) as db:
        return {
            table: sorted(db.execute(f"SELECT {'rowid, ' if table == 'stored_events' else ''}* FROM {table}"))
            for table in copied_tables()
        }


# --- what statements become


@pytest.mark.parametrize(
    ("sql", "there"),
    [
        ("SELECT a FROM t WHERE b=? AND c='?' LIMIT ?", "SELECT a FROM t WHERE b=$1 AND c='?' LIMIT $2"),
        ("SELECT a FROM t WHERE b='it''s ?' OR b=?", "SELECT a FROM t WHERE b='it''s ?' OR b=$1"),
        ("SELECT CAST(b AS TEXT) FROM t WHERE c=CAST(? AS BLOB)", None),
        ("SELECT a FROM t WHERE b IN ()", "SELECT a FROM t WHERE b IN (NULL)"),
    ],
)
def test_parameters_are_numbered_and_text_of_bytes_is_named(sql: str, there: str | None) -> None:
    expected = "SELECT convert_from(b, 'UTF8') FROM t WHERE c=convert_to($1, 'UTF8')"
    assert translated(sql) == (there or expected)


def test_each_table_of_the_file_is_made_with_the_types_of_the_database() -> None:
    made = "\n".join(tables())
    for table in copied_tables():
        assert f"CREATE TABLE IF NOT EXISTS {table} (" in made
    for word in ("STRICT", "BLOB", "WITHOUT ROWID", " INTEGER"):
        assert word not in made


# --- whose database it is


def test_one_server_runs_on_a_database_and_commands_beside_it(url: str) -> None:
    with EventStore.open(url) as server, EventStore.open(url) as command:
        server.hold()
        with pytest.raises(InUse, match="another server"):
            command.hold()
        command.append_now(opening("zama", 1))
        assert server.append_now(following(server, "zama")).n == 2
    with EventStore.open(url) as server:
        server.hold()


def test_positions_follow_the_order_of_commits_of_several_processes(url: str) -> None:
    """A reader that goes on from the last position has missed nothing."""
    seen: list[tuple[int, str, int, bytes]] = []
    with EventStore.open(url) as first, EventStore.open(url) as second:

        def play(store: EventStore, battle: str) -> None:
            store.append_now(opening(battle, 1))
            for _ in range(40):
                store.append_now(following(store, battle, 3))

        playing = [
            threading.Thread(target=play, args=(store, f"{battle}{number}"))
            for number, store in enumerate((first, second))
            for battle in ("zama", "ilipa")
        ]
        for one in playing:
            one.start()
        while any(one.is_alive() for one in playing) or len(seen) < first.position():
            seen += first.feed(seen[-1][0] if seen else 0, 50)
        assert len(seen) == 4 * 121


def test_tables_of_another_program_are_left_alone(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as db:
        db.execute("CREATE TABLE customers (id int)")
    with pytest.raises(WrongDatabase, match="customers"):
        EventStore.open(url)


@pytest.mark.parametrize(("by", "fault"), [(1, Newer), (-1, Outdated)])
def test_another_format_is_not_touched(url: str, by: int, fault: type[Exception]) -> None:
    EventStore.open(url).close()
    with psycopg.connect(url, autocommit=True) as db:
        db.execute("UPDATE written_by SET format=format+%s, release='9.9'", (by,))
    with pytest.raises(fault, match=f"format {schema.VERSION + by}"):
        EventStore.open(url)


def test_nothing_that_is_kept_for_ever_is_emptied(url: str) -> None:
    with EventStore.open(url) as store:
        filled(store)
    with psycopg.connect(url, autocommit=True) as db:
        for table in ("stored_events", *schema.APPEND_ONLY):
            with pytest.raises(psycopg.IntegrityError, match="append-only"):
                db.execute(f"TRUNCATE {table}")


# --- a connection that is lost


def test_after_a_lost_connection_the_next_append_has_another(url: str) -> None:
    with EventStore.open(url) as store:
        store.hold()
        store.append_now(opening("zama", 1))
        with psycopg.connect(url, autocommit=True) as db:
            db.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname=current_database() AND pid<>pg_backend_pid()"
            )
        with pytest.raises(StoreFailed):
            store.append_now(following_of("zama", store))
        assert store.append_now(following_of("zama", store)).n == 2
        with EventStore.open(url) as other, pytest.raises(InUse):  # the lock was taken again, too
            other.hold()


def following_of(battle: str, store: EventStore) -> Append:
    """The next event; a reader's connection may have been lost, too, and is another at the second try."""
    for _ in range(9):
        try:
            return following(store, battle)
        except StoreFailed:
            continue
    raise AssertionError("no connection")


# --- other programs


def test_a_program_of_the_library_reads_the_log(url: str) -> None:
    with EventStore.open(url) as store:
        append = opening("zama", 3)
        store.append_now(append)
        environment = {**named_by_library(url), "ORIGINATOR_ID_TYPE": "text", "CREATE_TABLE": "no"}
        with library.PostgresFactory(environment) as factory:
            recorder = factory.application_recorder()
            found = recorder.select_notifications(1, 10)
            assert [(one.originator_id, one.originator_version) for one in found] == [("zama", n) for n in (1, 2, 3)]
            assert [one.state for one in found] == [hash_ + line for _, line, hash_ in append.rows]
    with psycopg.connect(url) as db:
        hashes = db.execute("SELECT hash FROM stored_events ORDER BY originator_version").fetchall()
    assert [bytes(hash_) for (hash_,) in hashes] == [hash_ for _, _, hash_ in append.rows]


# --- values


def test_truth_is_a_number_and_a_sum_is_whole(url: str) -> None:
    with EventStore.open(url) as store:
        store.write_now(correspondents.save(Correspondent("p1", lang="fr", picture=False, is_long=True)))
        wishes = correspondents.find(store, "p1")
        assert (wishes.picture, wishes.is_long) == (False, True)
        ((total,),) = store.rows("SELECT SUM(picture + is_long) FROM correspondents")
        assert (total, type(total)) == (1, int)


# --- into a file and back


def test_a_store_goes_from_a_file_to_the_database_and_back_as_it_was(url: str, tmp_path: Path) -> None:
    first, back = tmp_path / "first.db", tmp_path / "back.db"
    with EventStore.open(first) as store:
        filled(store)
    with connecting.connect(url) as db:
        connecting.prepare(db)
        copy_from_file(first, db)
    with EventStore.open(url) as store:
        assert store.head("zama") is not None
        store.backup(back)
        assert contents(back) == contents(first)
        letter = outbox.post("zama", 2, "p3", "turn", AT)
        store.write_now(letter)  # the numbers of rows go on where they were
        assert [row.id for row in outbox.unsent(store)] == [1, 2, 3]
        last = store.position()
        assert store.append_now(following(store, "zama")).position > last
    with EventStore.open(back) as store:
        assert [battle.battle for battle in store.battles()] == ["zama", "ilipa"]
        assert (store.head("zama") or StoredHead(0, b"")).n == 6


def test_a_copy_into_a_database_that_has_something_changes_nothing(url: str, tmp_path: Path) -> None:
    first = tmp_path / "first.db"
    with EventStore.open(first) as store:
        filled(store)
    with EventStore.open(url) as store:
        store.append_now(opening("zama", 1))
    with connecting.connect(url) as db, pytest.raises(psycopg.IntegrityError):
        copy_from_file(first, db)
    with EventStore.open(StoreSettings.at(url)) as store:
        assert [battle.battle for battle in store.battles()] == ["zama"]
        assert accounts.listed(store) == []
