"""A campaign leaves a host as a file with those of its battles, and is taken in by another, byte for byte."""

from pathlib import Path

import pytest

from replay.proof.verify import OK
from server.campaigns.archive import battles_of, export_campaign, import_campaign
from server.people.keys import read_keys
from server.play.archive import NotImported
from server.settings import Settings, make_folder
from server.store import EventStore
from tests.server.cli.test_cli import phalera
from tests.support.campaign_files import ServedCup, served_cup
from tests.support.serving import serving


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cup")


@pytest.fixture(scope="module")
def cup(folder: Path) -> ServedCup:
    return served_cup(folder)


def id_of(cup: ServedCup) -> str:
    """The id in the header of its file."""
    return cup.ended.partition(b'"campaign":"')[2].partition(b'"')[0].decode()


def test_a_campaign_is_exported_with_its_battles(cup: ServedCup, folder: Path, tmp_path: Path) -> None:
    settings = Settings.at(folder)
    with EventStore.open(settings.store()) as store:
        keys = read_keys(settings)
        assert export_campaign(store, keys, id_of(cup)) == cup.ended
        assert dict(battles_of(store, keys, id_of(cup))) == cup.battles
    file, battles = tmp_path / "cup.campaign", tmp_path / "battles"
    done = phalera("export", id_of(cup), "--out", file, "--battles", battles, "--data", folder)
    assert (done.code, file.read_bytes()) == (0, cup.ended), done
    assert {one.stem: one.read_bytes() for one in battles.iterdir()} == cup.battles
    assert phalera("verify", file, "--battles", battles).code == OK
    first = next(iter(cup.battles))
    assert phalera("export", first, "--battles", battles, "--data", folder).code == 2


async def test_another_host_takes_it_in_and_shows_it(cup: ServedCup, tmp_path: Path) -> None:
    settings = Settings.at(tmp_path / "other")
    make_folder(settings)
    with EventStore.open(settings.store()) as store:
        one, *_ = cup.battles
        with pytest.raises(NotImported, match="missing"):
            import_campaign(store, cup.ended, {one: cup.battles[one]}.get)
        with pytest.raises(NotImported, match="not finished"):
            import_campaign(store, cup.begun, cup.battles.get)
        with pytest.raises(NotImported, match="does not hold"):
            import_campaign(store, cup.ended.replace(b"Autumn", b"Spring"), cup.battles.get)
        assert import_campaign(store, cup.ended, cup.battles.get) == (id_of(cup), len(cup.battles))
        with pytest.raises(NotImported, match="here already"):
            import_campaign(store, cup.ended, cup.battles.get)
    async with serving(tmp_path / "other") as server:
        path = f"/api/v1/campaigns/{id_of(cup)}"
        assert (await server.stranger.get(path)).json["status"] == "ended"
        assert (await server.stranger.get(f"{path}/standings")).json["rows"][0]["place"] == 1
        assert (await server.stranger.get(f"{path}/export")).text.encode() == cup.ended
        await server.running.steward.settle()


def test_the_command_takes_it_in(cup: ServedCup, tmp_path: Path) -> None:
    file, battles, data = tmp_path / "cup.campaign", tmp_path / "battles", tmp_path / "data"
    file.write_bytes(cup.ended)
    battles.mkdir()
    for name, content in cup.battles.items():
        (battles / f"{name}.battle").write_bytes(content)
    assert "missing" in phalera("import", file, "--data", data).err
    assert phalera("import", file, "--battles", tmp_path / "none", "--data", data).code == 2
    done = phalera("import", file, "--battles", battles, "--data", data)
    assert (done.code, f"with {len(cup.battles)} battles" in done.out) == (0, True), done
