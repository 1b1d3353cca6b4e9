"""`phalera map`: the map of a campaign's log at a turn, in letters, as a picture, as data."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from server.cli.main import main
from tests.support.played_sicily import SicilyPlayed, written

LINES = {"carthage": "march F1 selinus heraclea; march F2 catana", "rome": "march F3 tauromenium catana"}


def run(*words: object) -> tuple[int, str]:
    result = CliRunner().invoke(main, [str(word) for word in words])
    return result.exit_code, result.output


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("map") / "sicily.campaign"
    file.write_bytes(written(SicilyPlayed().begun().marched(**LINES)))
    return file


@pytest.mark.rule("CAM-MAP-02")
def test_a_map_is_written_with_what_its_turn_has_brought(log: Path) -> None:
    code, told = run("map", log)
    assert code == 0, told
    assert "oCatana#* F2 F3" in told
    assert "F1 marches from Lilybaeum to Heraclea." in told
    assert "Battle in Catana: Punic against Latin." in told
    assert max(map(len, told.splitlines())) <= 72


def test_a_map_before_its_turn_has_nothing_of_it(log: Path) -> None:
    code, told = run("map", log, "--before")
    assert code == 0, told
    assert "@Lilybaeum:C F1" in told
    assert "marches" not in told
    assert "marche" not in run("map", log, "--before", "--lang", "fr")[1]


def test_a_map_is_drawn_into_a_file(log: Path, tmp_path: Path) -> None:
    svg, png = tmp_path / "map.svg", tmp_path / "map.png"
    assert run("map", log, "--svg", svg)[0] == 0
    assert svg.read_text(encoding="utf-8").startswith("<svg")
    assert run("map", log, "--png", png)[0] == 0
    assert png.read_bytes().startswith(b"\x89PNG")
    svg.write_text("mine")
    assert run("map", log, "--svg", svg)[0] != 0
    assert svg.read_text() == "mine"


def test_a_map_as_data_has_places_forces_and_marches(log: Path) -> None:
    scene = json.loads(run("map", log, "--json")[1])
    assert scene["turn"] == 1
    assert {force["id"]: force["area"] for force in scene["forces"]} == {
        "F1": "heraclea",
        "F2": "catana",
        "F3": "catana",
        "F4": "syracusae",
    }
    assert [march["force"] for march in scene["marches"] if march["step"] == 2] == ["F1", "F3"]


def test_a_turn_that_there_is_not_is_refused(log: Path) -> None:
    code, told = run("map", log, "--turn", 9)
    assert code == 1
    assert "9" in told
