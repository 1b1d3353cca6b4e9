"""A data folder of every state that ever wrote a format is migrated, played on, exported and verified."""

import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from domain.basics.pace import moment_of, text_of
from domain.catalogue import RULESETS
from domain.log import record
from replay import battle_file
from replay.proof.heads import Evidence
from replay.proof.verify import verify
from server.settings import Settings
from server.store import EventStore, schema
from server.upkeep.doctor import examine
from server.upkeep.finding import DataFinding
from server.upkeep.migrating import carry_out, plan
from tests.releases.commands import phalera
from tests.releases.keeping import Kept, archives, described, unpacked
from tests.releases.killed import AT, COPYING
from tests.support.clock import ManualClock
from tests.support.looping import some
from tests.support.serving import BATTLES, Caller, RunningServer, serving

ROOT = Path(__file__).parents[2]
WHEN_MADE = "2026-11-24T06:00:00.000Z"
"""The hour in which the folders were made."""
FIRST = [path for path in archives() if described(path).files == record.FIRST_VERSION]
NOT_FIRST = [path for path in archives() if path not in FIRST]
OLD = [path for path in archives() if described(path).store < schema.VERSION]


@pytest.fixture
def folder(archive: Path, tmp_path: Path) -> Kept:
    """Each archive, to be written to."""
    return unpacked(archive, tmp_path / "data")


@pytest.fixture
def migrated(folder: Kept) -> Kept:
    """Each archive, migrated."""
    carry_out(Settings.at(folder.data, {}), AT)
    return folder


def content(data: Path) -> dict[str, bytes]:
    """The files of a folder, but for the lock and what SQLite keeps beside an open file."""
    names = {path.name for path in data.iterdir()} - {"lock", "log.db-wal", "log.db-shm"}
    return {name: (data / name).read_bytes() for name in sorted(names)}


def later(kept: Kept) -> ManualClock:
    """A clock an hour after the newest event of a folder."""
    newest = max(battle_file.parse(file).events[-1].at for file in some(kept.files.values()))
    return ManualClock(text_of(moment_of(newest) + 3_600_000))


def caller(server: RunningServer, data: Path, name: str) -> Caller:
    """A player of the folder, with a token of this release."""
    said = phalera("player", "token", name, "--data", data)
    return Caller(server.client, said.out.split("API token")[1].split()[0])


def unwell(data: Path) -> list[DataFinding]:
    """What the doctor finds to be wrong with a folder, whose letters have just been written."""
    return [finding for finding in examine(Settings.at(data, {}), WHEN_MADE) if not finding.ok]


def is_old(kept: Kept) -> bool:
    """Whether its battles are of the first protocol."""
    return kept.made.files == record.FIRST_VERSION


def under_other_rules(kept: Kept) -> set[str]:
    """Its running battles whose version of the rules is not the one of today: they wait (docs/upgrading.md)."""
    running = {name: battle_file.parse(kept.files[name]) for name in some(kept.made.battles) if name != "ended"}
    return {
        kept.made.battles[name]
        for name, battle in running.items()
        if not is_old(kept) and battle.log.header.rules != RULESETS[battle.ruleset.code].version
    }


# --- before anything is touched


def test_what_would_happen_is_told_and_nothing_is_touched(folder: Kept) -> None:
    before = content(folder.data)
    said = phalera("migrate", "--check", "--json", "--data", folder.data)
    told = json.loads(said.out)
    assert (said.code, told["faults"]) == (0, [])
    assert (told["before"], told["after"]) == (folder.made.store, schema.VERSION)
    assert [step["format"] for step in told["steps"]] == [*range(folder.made.store + 1, schema.VERSION + 1)]
    assert all(step["what"] for step in told["steps"])
    standing = told["battles"]
    running = {folder.made.battles[name] for name in folder.made.battles if name != "ended"}
    waiting = under_other_rules(folder)
    assert set(standing["outdated"] if is_old(folder) else standing["played_on"]) == running - waiting
    assert set(standing["without_rules"]) == waiting
    assert folder.made.battles["ended"] in standing["over"]
    assert standing["unreadable"] == []
    assert told["needed_bytes"] == 0 or told["needed_bytes"] > 2 * (folder.data / "log.db").stat().st_size
    assert phalera("migrate", "--check", "--data", folder.data).code == 0
    assert content(folder.data) == before


def test_a_store_that_has_no_room_is_not_touched(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    kept = unpacked(OLD[0], tmp_path / "data")
    before = content(kept.data)
    monkeypatch.setattr("server.upkeep.migrating.LEAST_FREE_BYTES", 1 << 60)
    assert phalera("migrate", "--check", "--data", kept.data).code == 1
    said = phalera("migrate", "--data", kept.data)
    assert said.code == 1
    assert "no room" in said.err
    assert content(kept.data) == before


def test_files_that_an_old_release_left_open_to_others_are_closed(tmp_path: Path) -> None:
    kept = unpacked(OLD[0], tmp_path / "data")
    (kept.data / "log.db").chmod(0o644)
    assert phalera("migrate", "--data", kept.data).code == 0
    assert unwell(kept.data) == []


def test_a_damaged_store_is_not_touched(tmp_path: Path) -> None:
    kept = unpacked(OLD[0], tmp_path / "data")
    file = kept.data / "log.db"
    raw = bytearray(file.read_bytes())
    raw[8192:16384] = b"\x55" * 8192
    file.write_bytes(raw)
    said = phalera("migrate", "--data", kept.data)
    assert said.code == 1
    assert "damaged" in said.err
    assert file.read_bytes() == bytes(raw)


# --- migrated


def test_after_an_upgrade_everything_is_there_and_well(migrated: Kept) -> None:
    waiting = under_other_rules(migrated)
    assert [finding.what for finding in unwell(migrated.data)] == ["rules"] * bool(waiting)
    for name, battle in some(migrated.made.battles.items()):
        path = migrated.data.parent / f"{name}.battle"
        assert phalera("export", battle, "--data", migrated.data, "--out", path).code == 0
        assert path.read_bytes() == migrated.files[name]
    assert "Anna" in phalera("player", "list", "--data", migrated.data).out
    assert phalera("rebuild", "--data", migrated.data).code == 0
    assert phalera("migrate", "--data", migrated.data).out.strip().endswith("already.")
    for battle in waiting:
        assert phalera("battle", "rules", battle, "--data", migrated.data, "--yes").code == 0
    assert unwell(migrated.data) == []


@pytest.mark.parametrize("archive", OLD, ids=lambda path: path.name.partition(".tar")[0])
def test_the_backup_is_whole_and_can_be_gone_back_to(migrated: Kept, archive: Path, tmp_path: Path) -> None:
    backup = migrated.data / f"log.db.format-{migrated.made.store}.tar"
    restored = tmp_path / "restored"
    assert phalera("restore", backup, restored).code == 0
    assert (restored / "key").read_bytes() == (migrated.data / "key").read_bytes()
    with closing(sqlite3.connect(restored / "log.db")) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (migrated.made.store,)
    assert phalera("migrate", "--data", restored).code == 0
    assert [finding.what for finding in unwell(restored)] == ["rules"] * bool(under_other_rules(migrated))


async def test_pages_and_api_show_every_battle(migrated: Kept) -> None:
    """Those that wait for their rules, once the host has said that they go on under those of today."""
    waiting = under_other_rules(migrated)
    for battle in waiting:
        assert phalera("battle", "rules", battle, "--data", migrated.data, "--yes").code == 0
    async with serving(migrated.data, clock=later(migrated)) as server:
        for name, battle in some(migrated.made.battles.items()):
            for path in (
                f"/battles/{battle}",
                f"/battles/{battle}?n=7",
                f"{BATTLES}/{battle}",
                f"{BATTLES}/{battle}/board",
            ):
                reply = await server.stranger.get(path)
                assert reply.status == 200, (name, path, reply)
            file = migrated.files[name]
            shown = await server.stranger.export(battle)
            assert shown == file or (battle in waiting and shown.startswith(file.rpartition(b'{"checkpoint"')[0]))
            assert (await server.stranger.get(f"{BATTLES}/{battle}/proof")).status == 200
            assert (await server.stranger.get(f"{BATTLES}/{battle}/options")).status == 200
        assert (await server.stranger.get("/")).status == 200


@pytest.mark.parametrize("archive", NOT_FIRST, ids=lambda path: path.name.partition(".tar")[0])
async def test_a_battle_that_waited_is_played_on(migrated: Kept) -> None:
    battle = migrated.made.battles["waiting"]
    before = battle_file.parse(migrated.files["waiting"])
    if before.log.header.rules != RULESETS[before.ruleset.code].version:
        assert phalera("battle", "rules", battle, "--data", migrated.data, "--yes").code == 0
    async with serving(migrated.data, clock=later(migrated)) as server:
        anna, ben = (caller(server, migrated.data, name) for name in ("Anna", "Ben"))
        parked = (await anna.view(battle))["parked"]
        assert parked == ["R2 ahead", "R3 ahead"]
        reply = await ben.order(battle, "evade no")
        assert reply.status == 200, reply
        assert (await anna.view(battle))["n"] > before.last
        reply = await anna.order(battle, "resign")
        assert reply.status == 200, reply
        file = await server.stranger.export(battle)
        report = verify(file)
        assert (report.fault, report.ended, report.unopened) == (None, True, ())
        assert file.startswith(migrated.files["waiting"].rpartition(b'{"checkpoint"')[0])


# --- battles of the first protocol


of_version_1 = pytest.mark.parametrize("archive", FIRST, ids=lambda path: path.name.partition(".tar")[0])


@of_version_1
async def test_an_old_battle_that_was_running_is_closed_and_says_why(migrated: Kept) -> None:
    battle = migrated.made.battles["waiting"]
    async with serving(migrated.data, clock=later(migrated)) as server:
        anna, ben = (caller(server, migrated.data, name) for name in ("Anna", "Ben"))
        view = await ben.view(battle)
        assert (view["closed"], view["to_act"], view["parked"]) == ("outdated", [], [])
        assert "earlier protocol" in (await server.stranger.get(f"/battles/{battle}")).text
        reply = await ben.order(battle, "evade no")
        assert (reply.status, reply.code) == (409, "core.battle-closed")
        listed = (await anna.get(f"{BATTLES}?waiting")).json["battles"]
        assert listed == []
        assert await server.stranger.export(battle) == migrated.files["waiting"]


@of_version_1
async def test_an_old_battle_that_ended_takes_no_dispute(migrated: Kept) -> None:
    battle = migrated.made.battles["ended"]
    async with serving(migrated.data, clock=later(migrated)) as server:
        anna = caller(server, migrated.data, "Anna")
        reply = await anna.order(battle, "dispute 20 the card")
        assert (reply.status, reply.code) == (409, "core.battle-closed"), reply
        assert await server.stranger.export(battle) == migrated.files["ended"]


@of_version_1
async def test_an_old_battle_goes_on_as_a_branch_that_can_be_proven(migrated: Kept) -> None:
    battle = migrated.made.battles["waiting"]
    async with serving(migrated.data, clock=later(migrated)) as server:
        anna, ben = (caller(server, migrated.data, name) for name in ("Anna", "Ben"))
        begun = battle_file.parse(migrated.files["waiting"])
        clara = await server.player("Clara")  # who knows neither side's secrets
        reply = await clara.post(f"{BATTLES}/{battle}/branch", {"n": begun.last})
        assert reply.status == 201, reply
        branch = reply.json["battle"]
        assert (await anna.sit(branch, "south", phrase="sixteen bytes of my own")).status == 201
        assert (await ben.sit(branch, "north", phrase="sixteen bytes of my own")).status == 201
        reply = await ben.order(branch, "evade no")
        assert reply.status == 200, reply
        assert (await ben.order(branch, "resign")).status == 200
        file = await server.stranger.export(branch)
    report = verify(file, source=Evidence("old.battle", migrated.files["waiting"]))
    assert (report.fault, report.ended, report.is_of_source, report.version) == (None, True, True, record.OPENED)


def test_a_store_migrated_by_a_release_that_could_not_read_it_is_read_now(tmp_path: Path) -> None:
    kept = unpacked(FIRST[-1], tmp_path / "data")
    carry_out(Settings.at(kept.data, {}), AT)
    with closing(sqlite3.connect(kept.data / "log.db", isolation_level=None)) as db:
        db.execute("DELETE FROM closings")  # as the releases left it that knew of no protocol but their own
    assert unwell(kept.data) == []
    with EventStore.open(Settings.at(kept.data, {}).store()) as store:
        assert store.battle(kept.made.battles["waiting"]) is not None


async def test_such_a_store_is_served(tmp_path: Path) -> None:
    kept = unpacked(FIRST[-1], tmp_path / "data")
    carry_out(Settings.at(kept.data, {}), AT)
    with closing(sqlite3.connect(kept.data / "log.db", isolation_level=None)) as db:
        db.execute("DELETE FROM closings")
    async with serving(kept.data, clock=later(kept)) as server:
        ben = caller(server, kept.data, "Ben")
        battle = kept.made.battles["waiting"]
        assert (await ben.view(battle))["closed"] == "outdated"
        reply = await ben.order(battle, "evade no")
        assert (reply.status, reply.code) == (409, "core.battle-closed")


# --- killed


def stages(kept: Kept) -> list[str]:
    """The moments at which a migration can be cut."""
    return [COPYING, "backup", *map(str, range(kept.made.store + 1, schema.VERSION + 1))]


@pytest.mark.slow
def test_a_migration_that_is_killed_changes_nothing_and_is_repeated(tmp_path: Path) -> None:
    first = unpacked(OLD[0], tmp_path / "first")
    for stage in some(stages(first)):
        data = tmp_path / stage
        shutil.copytree(first.data, data)
        run = [sys.executable, "-m", "tests.releases.killed", str(data), stage]
        assert subprocess.run(run, cwd=ROOT, check=False).returncode == -9, stage
        with closing(sqlite3.connect(data / "log.db")) as db:
            assert db.execute("PRAGMA user_version").fetchone() == (first.made.store,)
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert phalera("migrate", "--check", "--data", data).code == 0
        assert phalera("migrate", "--data", data).code == 0
        assert unwell(data) == []
        backup = f"log.db.format-{first.made.store}.tar"
        assert content(data).keys() == {"key", "log.db", backup}, stage


# --- a later release


def newer(data: Path, release: str) -> None:
    """Make a store look as a later release would leave it."""
    with closing(sqlite3.connect(data / "log.db", isolation_level=None)) as db:
        db.execute("INSERT INTO written_by (format, release) VALUES (?,?)", (schema.VERSION + 1, release))
        db.execute(f"PRAGMA user_version={schema.VERSION + 1}")


def test_a_store_of_a_later_release_names_the_release_to_install(tmp_path: Path) -> None:
    kept = unpacked(archives()[-1], tmp_path / "data")
    carry_out(Settings.at(kept.data, {}), AT)
    newer(kept.data, "9.1.0")
    before = content(kept.data)
    commands: Iterator[tuple[Any, ...]] = iter(
        [("migrate",), ("migrate", "--check"), ("player", "list"), ("export", kept.made.battles["ended"]), ("doctor",)]
    )
    for command in commands:
        said = phalera(*command, "--data", kept.data)
        assert said.code == 1
        assert "install phalera 9.1.0" in said.out + said.err, command
    assert content(kept.data) == before


def test_a_store_says_which_release_made_it(tmp_path: Path) -> None:
    kept = unpacked(OLD[0], tmp_path / "data")
    carry_out(Settings.at(kept.data, {}), AT)
    assert plan(Settings.at(kept.data, {})).made_by == plan(Settings.at(kept.data, {})).release
    EventStore.open(tmp_path / "new.db").close()
    with closing(sqlite3.connect(tmp_path / "new.db")) as db:
        assert [number for number, _ in db.execute("SELECT format, release FROM written_by")] == [schema.VERSION]
