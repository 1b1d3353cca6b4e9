"""`phalera export --all` writes tables of a host's battles, and refuses in a sentence what it cannot write."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from projections.bulk import writers
from server.cli.main import main
from server.settings import Settings, make_folder
from server.store import EventStore
from tests.projections.bulk.stored import put
from tests.projections.played import Played


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder with a battle that all may read, one that its players read, and a folder to write into."""
    settings = Settings.at(tmp_path / "data")
    make_folder(settings)
    with EventStore.open(settings.store()) as store:
        put(store, Played("aaaaaaaa", 1).begin().play(3))
        put(store, Played("bbbbbbbb", 2, readers="players").begin().play(3))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "data"


def exported(data: Path, *words: str) -> Any:
    return CliRunner().invoke(main, ["export", *words, "--data", str(data)])


def battles(path: str) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return [battle for (battle,) in connection.execute("SELECT battle FROM battles ORDER BY 1")]


def test_the_battles_that_all_may_read_go_into_a_file_of_the_usual_name(data: Path) -> None:
    said = exported(data, "--all")
    assert (said.exit_code, said.stdout.split(", events")[0]) == (0, "phalera.db written: battles: 1"), said.output
    assert battles("phalera.db") == ["aaaaaaaa"]
    again = exported(data, "--all")
    assert (again.exit_code, again.stderr) == (1, "phalera: phalera.db is there already; --force writes over it.\n")
    assert exported(data, "--all", "--force", "--readers", "players").exit_code == 0
    assert battles("phalera.db") == ["aaaaaaaa", "bbbbbbbb"]


def test_tables_of_json_lines_go_into_a_folder(data: Path) -> None:
    assert exported(data, "--all", "--to", "jsonl", "--out", "lines").exit_code == 0
    assert {path.name for path in Path("lines").iterdir()} == writers.files_of("jsonl")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "Name a battle, or --all of them."),
        (("aaaaaaaa", "--all"), "Name a battle, or --all of them."),
        (("--all", "--to", "xlsx"), "There is no form “xlsx” here; there are sqlite, jsonl, parquet."),
        (("--all", "--readers", "me"), "Readers are one of public, link, players, not “me”."),
    ],
)
def test_what_cannot_be_written_is_refused_in_a_sentence(data: Path, words: tuple[str, ...], sentence: str) -> None:
    refused = exported(data, *words)
    assert (refused.exit_code, refused.stderr) == (2, f"phalera: {sentence}\n")
    assert not [*Path().iterdir()]


def test_without_its_extra_parquet_is_refused_with_the_command_that_installs_it(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writers, "find_spec", lambda name: None)
    refused = exported(data, "--all", "--to", "parquet")
    assert refused.exit_code == 2
    assert "pip install 'phalera[parquet]'" in refused.stderr
    assert not [*Path().iterdir()]
