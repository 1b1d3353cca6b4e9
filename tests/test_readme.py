"""The numbers and programs of the README are those of the code."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from domain.basics.data import parse_toml, scenario_names, scenario_text
from domain.catalogue import RULESETS
from server.cli.main import main
from tests.support.looping import some

ROOT = Path(__file__).parents[1]
README = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
WORDS = {3: "Three", 10: "ten", 15: "fifteen"}


def test_the_historical_battles_are_counted_without_the_invented_one() -> None:
    historical = [
        name
        for name in scenario_names("tts")
        if parse_toml(scenario_text("tts", name), name)["sources"] != ["invented"]
    ]
    assert {*scenario_names("tts")} - {*historical} == {"skirmish"}
    assert f"[{WORDS[len(historical)]} historical battles](docs/battles.md) and a skirmish" in README


def test_the_games_are_counted() -> None:
    assert f"{WORDS[len(RULESETS) - 1]} more games run on the same engine" in README


def test_the_peoples_are_counted() -> None:
    lists = list((ROOT / "domain" / "games" / "to_the_strongest" / "data" / "armies").glob("*.toml"))
    assert f"army lists of {len(lists)} peoples" in README


@pytest.mark.slow
def test_the_pages_of_the_play_aids_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (line,) = re.findall(r"phalera (aids [\w -]+) # the rules on (\w+) pages", README)
    assert CliRunner().invoke(main, line[0].split()).exit_code == 0
    pages = list((tmp_path / "aids").iterdir())
    assert WORDS[len(pages)] == line[1]


def test_every_program_that_the_tests_use_is_named() -> None:
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    wanted = {name for group in re.findall(r"missing\+=\(([^$)]*)\)", ci) for name in group.split()}
    wanted |= {name for group in re.findall(r"for name in (mutt[^;]*);", ci) for name in group.split()}
    assert [name for name in some(wanted) if f"`{name}`" not in README] == []
