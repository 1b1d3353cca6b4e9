"""A store whose accounts or tokens are destroyed is not served, and nobody calls it ready."""

import shutil
import sqlite3
from collections import namedtuple
from contextlib import closing
from pathlib import Path

import pytest

from server.assembly import serve
from server.settings import Settings, Unusable
from server.store import EventStore
from server.upkeep.contents import RESTORE
from server.upkeep.doctor import ROOM_FIRST, examine
from server.upkeep.tables import TABLES, damaged_tables, require_whole
from tests.support.clock import START
from tests.support.serving import serving

Usage = namedtuple("Usage", "total used free")


@pytest.fixture
async def folder(tmp_path: Path) -> Path:
    """A data folder with two accounts, not served any more."""
    async with serving(tmp_path / "data") as server:
        await server.player("Anna")
        await server.player("Bob")
    return tmp_path / "data"


def destroy(folder: Path, table: str) -> None:
    """Overwrite the first page of a table."""
    with closing(sqlite3.connect(folder / "log.db")) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        ((page,),) = db.execute("SELECT rootpage FROM sqlite_master WHERE name=?", (table,)).fetchall()
        ((size,),) = db.execute("PRAGMA page_size").fetchall()
    with (folder / "log.db").open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xab" * size)


def test_a_store_that_is_whole_has_no_damaged_table(folder: Path) -> None:
    with EventStore.open(Settings.at(folder, {}).store()) as store:
        known = {name for (name,) in store.rows("SELECT name FROM sqlite_master WHERE type='table'")}
        assert known >= set(TABLES)
        assert damaged_tables(store) == {}
        require_whole(store)


@pytest.mark.parametrize("table", ["accounts", "tokens", "battles"])
async def test_a_destroyed_table_keeps_the_server_from_starting(folder: Path, table: str) -> None:
    destroy(folder, table)
    with pytest.raises(Unusable, match=f"The table {table} of the store is damaged"):
        await serve(Settings.at(folder, {}, port=0), tell=lambda line: None)


@pytest.mark.parametrize("table", ["accounts", "tokens"])
async def test_a_server_on_a_destroyed_table_is_not_ready(folder: Path, table: str) -> None:
    destroy(folder, table)
    async with serving(folder) as server:
        reply = await server.stranger.get("/readyz")
    assert reply.status == 503
    said = f"Tables are damaged: {table}."
    assert {"what": "store", "ok": False, "said": said, "required": True} in reply.json["checks"]


@pytest.mark.parametrize(("free", "advice"), [(0, ROOM_FIRST), (1 << 40, RESTORE)])
def test_nobody_is_told_to_restore_a_backup_onto_a_full_disk(
    folder: Path, free: int, advice: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    destroy(folder, "accounts")
    monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(1 << 40, 0, free))
    advised = {finding.advice for finding in examine(Settings.at(folder, {}), START) if finding.what == "accounts"}
    assert advised == {advice}
