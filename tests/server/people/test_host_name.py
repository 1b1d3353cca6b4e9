"""A host gets another name: battles keep the one under which they were opened, and its key."""

import asyncio
import logging
import stat
from pathlib import Path

import pytest
from typer.testing import CliRunner

from domain.basics.errors import BrokenInvariant
from replay.proof.verify import verify
from server.cli.main import main
from server.people import keys as host_keys
from server.people.keys import Keyring, host_named, keys_of_host, keys_of_server, read_keys, take_name
from server.play.archive import export_battle
from server.settings import Settings, Unusable
from server.sole import sole_server
from server.store import EventStore
from server.upkeep.backup import back_up, restore
from server.upkeep.doctor import examine
from tests.support.entropy import entropy_of_test
from tests.support.serving import serving

OLD, NEW = "trial.example", "games.example"
NOW = "2026-11-24T12:00:00.000Z"


class Answer:
    """What a command has said, and how it ended."""

    def __init__(self, *words: object) -> None:
        result = CliRunner(env={"PHALERA_DATA": None, "PHALERA_HOST": None}).invoke(main, list(map(str, words)))
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        self.code, self.out, self.err = result.exit_code, result.stdout, result.stderr


@pytest.fixture(autouse=True)
def _in_this_process(monkeypatch) -> None:
    """What `serve` changes in its process stays as it is here."""
    monkeypatch.setattr("server.logs.configure", lambda *_: None)
    monkeypatch.setattr("os.umask", lambda _: 0)


def settings_at(folder: Path, host: str = OLD) -> Settings:
    return Settings.at(folder, {}, host=host)


async def begin(folder: Path) -> str:
    """A battle of the host under its old name, in which both have contributed."""
    async with serving(folder, host=OLD) as server:
        anna, bob = await server.player("Anna"), await server.player("Bob")
        return await server.battle(anna, bob)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The folder of a host that is called OLD and has a battle."""
    folder = tmp_path / "data"
    asyncio.run(begin(folder))
    return folder


def battle_in(folder: Path) -> str:
    with EventStore.open(settings_at(folder).store()) as store:
        return store.battles()[0].battle


# --- at start


def test_a_server_that_is_called_otherwise_than_its_key_does_not_start_and_says_what_to_do(data: Path) -> None:
    before = (data / "key").read_text()
    refused = Answer("serve", "--data", data, "--host", NEW, "--port", "0")
    assert refused.code == 1
    for part in (f"call this host {NEW}", f"signs as {OLD}", f"PHALERA_HOST={OLD}", f"phalera host rename {NEW}"):
        assert part in refused.err
    assert str(data) in refused.err
    assert "serves" not in refused.out
    assert ((data / "key").read_text(), (data / "keys").exists()) == (before, False)


def test_without_a_name_in_the_settings_the_host_is_called_as_its_key_says(data: Path) -> None:
    assert host_named(settings_at(data)) == OLD
    assert host_named(Settings.at(data / "nowhere", {})) == "localhost"
    (data / "key").write_text("nothing")
    assert host_named(settings_at(data)) == "localhost"
    assert "holds no key" in Answer("serve", "--data", data, "--port", "0").err


def test_a_host_without_a_battle_takes_the_name_in_its_settings(tmp_path: Path, caplog) -> None:
    settings = settings_at(tmp_path / "data")
    settings.data.mkdir()
    with EventStore.open(settings.store()) as store:
        first = keys_of_server(settings, store, entropy_of_test())
        with pytest.raises(Unusable, match="phalera host rename"):  # a command may run beside a server
            keys_of_host(settings_at(settings.data, NEW), store, entropy_of_test())
        with caplog.at_level(logging.INFO):
            keys = keys_of_server(settings_at(settings.data, NEW), store, entropy_of_test())
        assert f"this host was called {OLD}, and has opened no battle: it is {NEW} from now on" in caplog.text
        assert (keys.current.name, keys.former_names) == (NEW, (OLD,))
        assert keys.oldest.key == first.current.key  # what was made from it before is found again
        assert keys_of_server(settings_at(settings.data, NEW), store, entropy_of_test()).current.key == keys.current.key


@pytest.mark.parametrize("name", ["Games.example", "games example", "-", "games.example:0", "jeux.é"])
def test_what_is_no_name_is_refused(data: Path, name: str) -> None:
    renamed = Answer("host", "rename", "--data", data, "--", name)
    assert (renamed.code, "is no name for a host" in renamed.err) == (1, True)
    with EventStore.open(settings_at(data).store()) as store, pytest.raises(Unusable, match="no name for a host"):
        keys_of_host(settings_at(data, name), store, entropy_of_test())
    assert not (data / "keys").exists()


# --- the command


def test_the_name_is_changed_by_a_command_that_can_be_repeated(data: Path) -> None:
    before = read_keys(settings_at(data)).current
    renamed = Answer("host", "rename", NEW, "--data", data)
    assert renamed.code == 0
    for part in (f"is {NEW} from now on", f"opened as {OLD} keep that name", f"PHALERA_HOST={NEW}", f"play@{OLD}"):
        assert part in renamed.out
    keys = read_keys(settings_at(data))
    assert (keys.current.name, [signer.key for signer in keys.former]) == (NEW, [before.key])
    assert keys.current.key.partition("+")[2] != before.key.partition("+")[2]
    assert [stat.S_IMODE(path.stat().st_mode) for path in (data / "keys", data / "keys" / "0001")] == [0o700, 0o600]
    again = Answer("host", "rename", NEW, "--data", data)
    assert (again.code, again.out) == (0, f"This host is {NEW} already; nothing was changed.\n")
    assert read_keys(settings_at(data)).current.key == keys.current.key


def test_a_server_that_runs_is_not_renamed(data: Path) -> None:
    with sole_server(settings_at(data)):
        refused = Answer("host", "rename", NEW, "--data", data)
    assert (refused.code, "stop it first" in refused.err) == (1, True)
    assert read_keys(settings_at(data)).current.name == OLD


def test_there_has_to_be_a_host(tmp_path: Path) -> None:
    for command in ("show",), ("rename", NEW):
        answer = Answer("host", *command, "--data", tmp_path / "data")
        assert (answer.code, "There is no store" in answer.err) == (2, True)


def test_names_and_keys_are_listed_with_their_battles(data: Path) -> None:
    Answer("host", "rename", NEW, "--data", data)
    shown = Answer("host", "show", "--data", data)
    assert shown.code == 0
    keys = read_keys(settings_at(data))
    lines = shown.out.splitlines()
    assert [line.split() for line in lines if not line.startswith(" ")] == [
        [NEW, "current", "0", "battles"],
        [OLD, "former", "1", "battles"],
    ]
    assert [line.split()[1] for line in lines if "key " in line] == [keys.current.key, keys.former[0].key]
    (data / "keys" / "0001").unlink()
    lost = Answer("host", "show", "--data", data)
    assert (lost.code, "MISSING" in lost.out) == (1, True)


def test_a_change_that_was_cut_short_is_completed_by_the_next(data: Path, monkeypatch) -> None:
    settings, entropy = settings_at(data), entropy_of_test()
    old = read_keys(settings).current

    def cut(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(host_keys, "replace_key", cut)
        with pytest.raises(OSError, match="No space"):
            take_name(settings, NEW, entropy)
    halfway = read_keys(settings)
    assert (halfway.current.key, halfway.former, halfway.former_names) == (old.key, (), ())  # as if nothing had begun
    with EventStore.open(settings.store()) as store:
        assert keys_of_server(settings, store, entropy).current.key == old.key
    take_name(settings, NEW, entropy)
    assert [path.name for path in (data / "keys").iterdir()] == ["0001"]
    assert read_keys(settings).former_names == (OLD,)


def test_a_host_that_goes_back_to_a_name_takes_up_its_key_again(data: Path) -> None:
    settings, entropy = settings_at(data), entropy_of_test()
    first = take_name(settings, OLD, entropy).current
    second = take_name(settings, NEW, entropy).current
    back = take_name(settings, OLD, entropy)
    assert (back.current.key, back.former_names, back.oldest.key) == (first.key, (NEW,), first.key)
    forth = take_name(settings, NEW, entropy)
    assert (forth.current.key, forth.former_names, forth.oldest.key) == (second.key, (OLD,), first.key)
    assert sorted(path.name for path in (data / "keys").iterdir()) == ["0001", "0002"]


# --- the data folder


def test_a_former_key_that_is_missing_stops_the_start_and_is_found_by_the_doctor(data: Path) -> None:
    settings = settings_at(data, NEW)
    take_name(settings, NEW, entropy_of_test())
    with EventStore.open(settings.store()) as store:
        battle, kept = store.battles()[0].battle, (data / "keys" / "0001").read_text()
        assert [finding for finding in examine(settings, NOW) if not finding.ok] == []
        (data / "keys" / "0001").unlink()
        with pytest.raises(Unusable, match=f"not the key with which battle {battle} was opened"):
            keys_of_server(settings, store, entropy_of_test())
        (fault,) = (finding for finding in examine(settings, NOW) if not finding.ok)
        assert (fault.what, battle in fault.said) == ("key", True)
        (data / "keys" / "0001").write_text("nothing")
        (data / "keys" / "0001").chmod(0o600)
        with pytest.raises(Unusable, match="0001 holds no key"):
            keys_of_server(settings, store, entropy_of_test())
        assert [finding.what for finding in examine(settings, NOW) if not finding.ok] == ["key"]
        (data / "keys" / "0001").write_text(kept)
        assert keys_of_server(settings, store, entropy_of_test()).former_names == (OLD,)


def test_the_doctor_says_that_the_settings_name_another_host(data: Path) -> None:
    assert Answer("doctor", "--data", data).code == 0
    assert Answer("doctor", "--data", data, "--host", OLD).code == 0
    other = Answer("doctor", "--data", data, "--host", NEW)
    assert (other.code, f"phalera host rename {NEW}" in other.out) == (1, True)
    Answer("host", "rename", NEW, "--data", data)
    well = Answer("doctor", "--data", data, "--host", NEW)
    assert (well.code, f"signs as {NEW}; {data / 'keys'} as {OLD}" in well.out) == (0, True)


@pytest.mark.parametrize("name", ["copy", "copy.tar"])
def test_a_backup_has_all_keys(data: Path, tmp_path: Path, name: str) -> None:
    settings = settings_at(data, NEW)
    keys = take_name(settings, NEW, entropy_of_test())
    with EventStore.open(settings.store()) as store:
        back_up(settings, store, str(tmp_path / name))
        exported = export_battle(store, keys, battle_in(data))
    assert restore(str(tmp_path / name), str(tmp_path / "again"), NOW) == ()
    again = settings_at(tmp_path / "again", NEW)
    assert not [path for path in again.data.rglob("*") if stat.S_IMODE(path.stat().st_mode) & 0o077]
    found = read_keys(again)
    assert (found.current.key, found.former_names) == (keys.current.key, (OLD,))
    with EventStore.open(again.store()) as store:
        assert export_battle(store, found, battle_in(data)) == exported
    report = verify(exported, keys.former[0].key)
    assert (report.fault, report.host, report.trusted) == (None, OLD, True)


def test_a_keyring_has_no_key_of_another(data: Path) -> None:
    keys = read_keys(settings_at(data))
    assert keys.of(keys.current.key) is keys.current
    with pytest.raises(BrokenInvariant, match="has no key"):
        Keyring(keys.current).of("another.example+00000000+AAAA")
