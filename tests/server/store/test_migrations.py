"""Every format that a release has had becomes the format of this one, with all that is in it."""

import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from server.store import EventStore, Outdated, WrongDatabase, schema
from server.store.migrations import UP, migrate
from server.store.tables import accounts, tokens

FORMATS = {int(path.stem): path for path in (Path(__file__).parent / "formats").glob("*.sql")}
OLD = sorted(set(FORMATS) - {schema.VERSION})
NOW = "2026-05-01T12:00:00.000Z"


def made(path: Path, version: int) -> Path:
    """The file of an empty store of a format."""
    with closing(sqlite3.connect(path)) as db:
        db.executescript(FORMATS[version].read_text())
        db.execute("PRAGMA journal_mode=WAL")
    return path


def shape(path: Path) -> set[str]:
    """The tables, indexes and triggers of a file, without the spaces of their statements."""
    with closing(sqlite3.connect(path)) as db:
        rows = db.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL").fetchall()
    return {"".join(sql.split()).replace('"', "") for (sql,) in rows}


@pytest.fixture(params=OLD)
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """The file of a store of each earlier format."""
    yield made(tmp_path / "log.db", request.param)


def test_every_format_is_kept_and_has_its_step(tmp_path: Path) -> None:
    assert sorted(FORMATS) == list(range(1, schema.VERSION + 1))
    assert sorted(UP) == list(range(2, schema.VERSION + 1))
    EventStore.open(tmp_path / "new.db").close()
    assert shape(made(tmp_path / "kept.db", schema.VERSION)) == shape(tmp_path / "new.db")


def test_what_becomes_of_an_old_store_is_like_a_new_one(old: Path, tmp_path: Path) -> None:
    done = migrate(old)
    EventStore.open(tmp_path / "new.db").close()
    assert done.after == schema.VERSION
    assert shape(old) == shape(tmp_path / "new.db")
    assert migrate(old).copy is None


def test_an_old_store_is_refused_until_it_is_migrated(old: Path) -> None:
    before = old.read_bytes()
    with pytest.raises(Outdated, match="phalera migrate"):
        EventStore.open(old)
    assert old.read_bytes() == before
    copy = migrate(old).copy
    assert copy is not None
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    with closing(sqlite3.connect(copy)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (int(copy.suffix.rpartition("-")[2]),)
    EventStore.open(old).close()


def test_the_rows_of_format_1_stay(tmp_path: Path) -> None:
    path = made(tmp_path / "log.db", 1)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("INSERT INTO accounts VALUES ('p1', 'Anna', 'anna', 'a@example.org', 'a@example.org', ?)", (NOW,))
        for kind in ("api", "mail"):
            row = (tokens.digest(f"secret {kind}"), "p1", kind, NOW)
            db.execute("INSERT INTO tokens (digest, player, kind, created) VALUES (?,?,?,?)", row)
        db.execute("INSERT INTO battles VALUES ('b0000001', x'7b7d', ?, 'public')", (NOW,))
        db.execute("INSERT INTO stored_events VALUES ('b0000001', 1, 'Kind', ?)", (bytes(32) + b"{}",))
    migrate(path)
    with EventStore.open(path) as store:
        assert store.lines("b0000001") == [b"{}"]
        assert [account.name for account in accounts.listed(store)] == ["Anna"]
        assert [token.kind for token in tokens.of_player(store, "p1")] == ["api"]
        assert tokens.good(store, "secret api", "api", NOW)


def test_a_step_that_fails_changes_nothing(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(db: sqlite3.Connection) -> None:
        db.execute("CREATE TABLE half (a)")
        raise sqlite3.OperationalError("disk is full")

    before = shape(old)
    monkeypatch.setattr("server.store.migrations.UP", {**UP, schema.VERSION: fails})
    with pytest.raises(sqlite3.OperationalError):
        migrate(old)
    assert shape(old) == before
    monkeypatch.undo()
    assert migrate(old).after == schema.VERSION


def test_what_is_no_older_store_is_left_alone(tmp_path: Path) -> None:
    foreign = tmp_path / "foreign.db"
    with closing(sqlite3.connect(foreign)) as db:
        db.execute("CREATE TABLE songs (name TEXT)")
    later = made(tmp_path / "later.db", schema.VERSION)
    with closing(sqlite3.connect(later)) as db:
        db.execute(f"PRAGMA user_version={schema.VERSION + 1}")
    for path in (foreign, later):
        with pytest.raises(WrongDatabase):
            migrate(path)
    assert {path.name for path in tmp_path.iterdir()} <= {"foreign.db", "later.db", "later.db-wal", "later.db-shm"}
