"""A backup has everything, is private, and can be put back; also while people play."""

import asyncio
import stat
import tarfile
from pathlib import Path

import pytest

from domain.basics.pace import HOUR_MS, text_of
from domain.log.entries import LogEntry
from server.people.keys import read_keys
from server.play.archive import export_battle, import_battle
from server.settings import BadSetting, Settings, Unusable
from server.store import EventStore
from server.upkeep.backup import back_up, restore
from server.upkeep.folder import is_private
from server.upkeep.retention import retention_in
from server.upkeep.schedule import BackupSchedule, backups, made_at
from server.witness import log_file
from server.witness.keys import cosigner_of, public_key_in
from server.witness.log_file import LogFile
from tests.support.clock import ManualClock
from tests.support.entropy import entropy_of_test
from tests.support.serving import serving
from tests.support.tiny import ended_battle, ended_file
from tests.support.waiting import eventually

NOW = "2026-05-01T12:00:00.000Z"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """A folder with a key and a battle."""
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    chosen = Settings.at(folder, {})
    chosen.key.write_text(ended_battle().signer.secret_key())
    chosen.key.chmod(0o600)
    with EventStore.open(chosen.store()) as store:
        import_battle(store, ended_file())
    return chosen


def copied(settings: Settings, target: Path) -> Path:
    with EventStore.open(settings.store()) as store:
        assert "1 battles" in back_up(settings, store, str(target))
    return target


@pytest.mark.parametrize("name", ["copy", "deep/copy.tar", "copy.tar.gz", "copy.tgz"])
def test_a_backup_is_private_and_can_be_put_back(settings: Settings, tmp_path: Path, name: str) -> None:
    copy = copied(settings, tmp_path / name)
    assert [path.name for path in copy.parent.iterdir() if path.name.startswith(".")] == []
    for path in [copy, *copy.rglob("*")] if copy.is_dir() else [copy]:
        assert not stat.S_IMODE(path.stat().st_mode) & 0o077
    assert restore(str(copy), str(tmp_path / "again"), NOW) == ()
    again = Settings.at(tmp_path / "again", {})
    assert read_keys(again).current.key == read_keys(settings).current.key
    assert not stat.S_IMODE(again.data.stat().st_mode) & 0o077
    with EventStore.open(again.store()) as store:
        assert export_battle(store, read_keys(again), ended_battle().recording.gid) == ended_file()


@pytest.mark.parametrize("name", ["copy", "copy.tar.gz"])
def test_the_log_of_heads_and_the_work_as_a_witness_come_along(settings: Settings, tmp_path: Path, name: str) -> None:
    entry = LogEntry("ab" * 32, "cd" * 32, 7, "head")
    log = LogFile(settings.data / log_file.FILE)
    log.append([entry], 1)
    signed = cosigner_of(settings.data, "phalera.example", entropy_of_test())
    copy = copied(settings, tmp_path / name)  # while the file is open
    log.close()
    assert restore(str(copy), str(tmp_path / "again"), NOW) == ()
    again = LogFile(tmp_path / "again" / log_file.FILE)
    assert (again.size, again.of_battle(entry.battle)) == (1, (0, entry))
    again.close()
    assert public_key_in(tmp_path / "again" / "witness-key") == signed.key.text()
    for path in (tmp_path / "again").iterdir():
        assert is_private(path), path


def test_nothing_is_written_over(settings: Settings, tmp_path: Path) -> None:
    copy = copied(settings, tmp_path / "copy")
    with pytest.raises(Unusable, match="not empty"):
        copied(settings, copy)
    with pytest.raises(Unusable, match="not empty"):
        restore(str(copy), str(settings.data), NOW)
    (tmp_path / "empty").mkdir()
    restore(str(copy), str(tmp_path / "empty"), NOW)


def test_what_is_not_a_whole_backup_is_refused(settings: Settings, tmp_path: Path) -> None:
    copy = copied(settings, tmp_path / "copy")
    content = (copy / "log.db").read_bytes()
    (copy / "log.db").write_bytes(content[: len(content) // 2])
    with pytest.raises(Unusable, match=r"not whole.*store"):
        restore(str(copy), str(tmp_path / "again"), NOW)
    (copy / "log.db").unlink()
    with pytest.raises(Unusable, match=r"no log.db"):
        restore(str(copy), str(tmp_path / "again"), NOW)
    text = tmp_path / "notes.tar"
    text.write_text("not a tar file " * 100)
    with pytest.raises(Unusable, match="not a backup"):
        restore(str(text), str(tmp_path / "again"), NOW)
    assert not (tmp_path / "again").exists()


def test_a_file_with_other_members_puts_nothing_elsewhere(settings: Settings, tmp_path: Path) -> None:
    copy = copied(settings, tmp_path / "copy")
    with tarfile.open(tmp_path / "odd.tar", "w") as tar:
        tar.add(copy / "log.db", "../escaped.db")
        tar.add(copy / "log.db", "log.db")
        tar.add(copy / "key", "key")
    restore(str(tmp_path / "odd.tar"), str(tmp_path / "in" / "again"), NOW)
    assert sorted(path.name for path in (tmp_path / "in").rglob("*")) == ["again", "key", "log.db"]
    assert not (tmp_path / "escaped.db").exists()


@pytest.mark.slow
async def test_a_backup_made_while_people_play_is_a_moment_of_the_battle(tmp_path: Path) -> None:
    async with serving(tmp_path / "data") as server:
        anna, ben = await server.player("Anna"), await server.player("Ben")
        battle = await server.battle(anna, ben)
        over = asyncio.Event()

        async def write() -> None:
            while not over.is_set():
                assert (await anna.post(f"/api/v1/battles/{battle}/orders", {"orders": "nothing"})).status in (422, 409)
                assert (await ben.order(battle, "end turn")).status in (200, 409, 422)
                assert (await anna.order(battle, "end turn")).status in (200, 409, 422)

        async def copy() -> None:
            await eventually("they play", lambda: server.running.store.position() > 20)
            for name in ("first.tar", "second.tar"):
                await asyncio.to_thread(back_up, server.running.settings, server.running.store, str(tmp_path / name))
            over.set()

        await asyncio.gather(write(), copy())
        whole = await anna.export(battle)
    for name in ("first", "second"):
        await asyncio.to_thread(restore, str(tmp_path / f"{name}.tar"), str(tmp_path / name), NOW)
        async with serving(tmp_path / name) as again:
            kept = await again.stranger.ask("GET", f"/api/v1/battles/{battle}/export", anna.headers)
            lines = kept.text.encode().splitlines()[:-1]
            assert lines == whole.splitlines()[: len(lines)]
            view = await again.stranger.ask("GET", f"/api/v1/battles/{battle}", anna.headers)
            assert view.status == 200


def test_a_schedule_makes_one_when_due_and_keeps_the_newest(settings: Settings, tmp_path: Path) -> None:
    clock, folder = ManualClock(), tmp_path / "backups"
    chosen = Settings.at(settings.data, {}, backup_to=str(folder), backup_every_s=3600.0, backup_keep="2")
    other = folder / "phalera-by-hand.tar"
    with EventStore.open(chosen.store()) as store:
        schedule = BackupSchedule(chosen, store, clock)
        first = schedule.tick()
        other.write_text("mine")
        assert made_at(Path(first)) == clock.now()
        clock.wait(minutes=59)
        assert schedule.tick() == ""
        clock.wait(minutes=1)
        second = schedule.tick()
        assert BackupSchedule(chosen, store, clock).tick() == ""  # a server that starts again makes none
        clock.wait(hours=1)
        third = schedule.tick()
    assert [str(path) for path in backups(folder)] == [second, third]
    assert other.exists()


def test_a_schedule_that_fails_says_so_and_tries_again_later(settings: Settings, tmp_path: Path, caplog) -> None:
    clock, folder = ManualClock(), tmp_path / "backups"
    folder.write_text("a file is in the way")
    chosen = Settings.at(settings.data, {}, backup_to=str(folder), backup_every_s=3600.0)
    with EventStore.open(chosen.store()) as store:
        schedule = BackupSchedule(chosen, store, clock)
        assert [schedule.tick(), schedule.tick()] == ["", ""]
        assert caplog.text.count("a backup into") == 1
        folder.unlink()
        clock.wait(minutes=10)
        assert schedule.tick()


@pytest.mark.parametrize("keep", [20, 200])
def test_a_packed_backup_that_is_cut_or_torn_is_refused(settings: Settings, tmp_path: Path, keep: int) -> None:
    copy = copied(settings, tmp_path / "copy.tar.gz")
    whole = copy.read_bytes()
    assert len(whole) < len(copied(settings, tmp_path / "copy.tar").read_bytes()) / 2
    for torn in (whole[:keep], whole[:-keep], whole[:keep] + b"\xff" * 40 + whole[keep + 40 :]):
        copy.write_bytes(torn)
        with pytest.raises(Unusable):
            restore(str(copy), str(tmp_path / "again"), NOW)
        assert not (tmp_path / "again").exists()


def test_a_schedule_keeps_one_of_each_period(settings: Settings, tmp_path: Path) -> None:
    clock, folder = ManualClock("2026-10-01T00:30:00.000Z"), tmp_path / "backups"
    chosen = Settings.at(settings.data, {}, backup_to=str(folder), backup_every_s=3600.0, backup_keep="2h,2d,1w,3m")
    folder.mkdir()
    for at in ("20260801T120000Z", "20260902T120000Z", "20260929T230000Z", "20260929T120000Z", "20260930T230000Z"):
        (folder / f"phalera-{at}.tar").touch()
    with EventStore.open(chosen.store()) as store:
        schedule = BackupSchedule(chosen, store, clock)
        made = Path(schedule.tick()).name
    names = {path.name for path in folder.iterdir()}
    assert names == {made, "phalera-20260930T230000Z.tar", "phalera-20260801T120000Z.tar"}
    assert made == "phalera-20261001T003000Z.tar.gz"


def times(*hours: int) -> list[str]:
    """Times so many hours before a Sunday evening."""
    clock = ManualClock("2026-11-22T20:00:00.000Z")
    return [text_of(clock.moment - hour * HOUR_MS) for hour in hours]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("1", (0,)),
        ("3", (0, 1, 2)),
        ("2h", (0, 1)),
        ("2d", (0, 21)),
        ("1w", (0,)),
        ("2w", (0, 600)),
        ("2m", (0, 600)),
        ("2, 2d", (0, 1, 21)),
    ],
)
def test_the_newest_of_each_period_is_kept(text: str, kept: tuple[int, ...]) -> None:
    made = times(0, 1, 2, 21, 22, 150, 600, 601)
    assert retention_in(text).kept(made) == set(times(*kept))


@pytest.mark.parametrize("text", ["", "0", "7x", "h", "24h,24h", "-1", "1.5d", "7d;4w"])
def test_what_says_not_which_are_kept_is_refused(text: str) -> None:
    with pytest.raises(BadSetting, match="7 for the newest"):
        retention_in(text)
