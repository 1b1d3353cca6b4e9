"""A store moves from its file into PostgreSQL and back, and nothing of it changes."""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from typer.testing import CliRunner

from server.cli.main import main
from server.settings import Settings, Unusable
from server.store import EventStore, StoreFailed, StoreSettings
from server.upkeep.moving import move
from tests.server.store.appends import following, opening
from tests.support.postgres import cluster


@pytest.fixture
def url() -> Iterator[str]:
    """A new, empty database."""
    made = cluster().database()
    yield made
    cluster().drop(made)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with a store of two battles."""
    folder = tmp_path / "data"
    folder.mkdir()
    with EventStore.open(Settings.at(folder, {}).store()) as store:
        for battle in ("zama", "ilipa"):
            store.append_now(opening(battle, 700))
    return folder


def test_by_command_there_and_back(data: Path, tmp_path: Path, url: str) -> None:
    there = CliRunner().invoke(main, ["move", "--to", url, "--data", str(data)])
    assert there.exit_code == 0, there.output
    assert there.output.startswith("2 battles with 1,400 events are in postgresql://")
    with EventStore.open(url) as store:
        store.append_now(following(store, "zama"))
        lines = store.lines("zama")
    again = tmp_path / "again.db"
    back = CliRunner().invoke(main, ["move", "--from", url, "--to", str(again), "--data", str(data)])
    assert back.exit_code == 0, back.output
    with EventStore.open(again) as store:
        assert store.lines("zama") == lines
        assert store.position() == 1401


def test_rows_that_are_done_are_counted(data: Path, url: str) -> None:
    told: list[tuple[int, int]] = []
    move(Settings.at(data, {}).store(), StoreSettings.at(url), lambda done, total: told.append((done, total)))
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert told[-1][0] == told[-1][1] > 1400
    assert len(told) > 3


def test_what_cannot_be_moved_is_said(data: Path, tmp_path: Path, url: str) -> None:
    file, there = Settings.at(data, {}).store(), StoreSettings.at(url)
    with pytest.raises(Unusable, match="pg_dump"):
        move(file, StoreSettings.at(tmp_path / "other.db"))
    with pytest.raises(StoreFailed, match="cannot be reached"):
        move(file, StoreSettings.at(url.replace("/t", "/no_t")))
    with pytest.raises(Unusable, match="no store"):
        move(StoreSettings.at(tmp_path / "none.db"), there)
    with pytest.raises(Unusable, match="there already"):
        move(there, file)
    move(file, there)
    with pytest.raises(Unusable, match="has a store already"):
        move(file, there)


def test_a_copy_that_differs_is_not_used(data: Path, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A trigger of somebody's changes what is written."""
    EventStore.open(url).close()
    with psycopg.connect(url, autocommit=True) as db:
        db.execute(
            "CREATE FUNCTION other() RETURNS trigger LANGUAGE plpgsql AS "
            "'BEGIN NEW.created = ''never''; RETURN NEW; END'"
        )
        db.execute("CREATE TRIGGER other BEFORE INSERT ON battles FOR EACH ROW EXECUTE FUNCTION other()")
    with pytest.raises(Unusable, match="differs from what was copied in battles"):
        move(Settings.at(data, {}).store(), StoreSettings.at(url))


def test_a_password_is_not_told() -> None:
    assert StoreSettings.at("postgresql://p:secret@db.example:6432/games").where == "postgresql://db.example:6432/games"


# --- commands on a database


def phalera(*words: str) -> tuple[int, str]:
    """What a command says."""
    done = CliRunner().invoke(main, [*words])
    return done.exit_code, done.output


def test_the_doctor_looks_into_a_database_and_says_who_serves_it(data: Path, url: str) -> None:
    EventStore.open(url).close()
    code, said = phalera("doctor", "--data", str(data), "--db", url)
    assert "store: PostgreSQL 1" in said
    assert "no server runs on it" in said
    with EventStore.open(url) as store:
        store.hold()
        store.append_now(opening("zama", 3))
        code, said = phalera("doctor", "--data", str(data), "--db", url)
    assert "; a server runs on it" in said
    assert code == 1  # what was appended here is no battle
    code, said = phalera("doctor", "--data", str(data), "--db", url.replace("/t", "/no_t"))
    assert code == 1
    assert "FAULT  store: the database cannot be reached" in said


def test_what_is_done_to_a_file_is_refused_on_a_database(data: Path, url: str) -> None:
    for words in (("migrate",), ("battle", "rm", "zama", "--yes")):
        code, said = phalera(*words, "--data", str(data), "--db", url)
        assert (code, "move" in said) == (2, True), words


def test_a_backup_of_a_database_is_made_while_a_server_runs(data: Path, tmp_path: Path, url: str) -> None:
    move(Settings.at(data, {}).store(), StoreSettings.at(url))
    with EventStore.open(url) as store:
        store.hold()
        code, _ = phalera("backup", str(tmp_path / "copy"), "--data", str(data), "--db", url)
        assert code == 0
        with EventStore.open(tmp_path / "copy" / "log.db") as copy:
            assert copy.lines("zama") == store.lines("zama")
