"""`phalera games` lists what is installed; a broken game is a sentence, and the others play on."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from domain.catalogue import RULESETS
from tests.server.cli.test_cli import phalera
from tests.support.distributions import TOYS, distribution

ROOT = Path(__file__).parents[3]


def beside(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command line in a process whose search path has the distributions of a folder, too."""
    path = os.pathsep.join([str(ROOT), str(folder)])
    command = [sys.executable, "-W", "ignore", "-m", "server.cli", *arguments]
    return subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False)


def test_our_games_are_listed_with_their_source() -> None:
    told = phalera("games")
    assert told.code == 0
    assert [line.split()[0] for line in told.out.splitlines()] == list(RULESETS)
    assert "domain.games.singidunum" in told.out


@pytest.mark.slow
def test_games_of_other_distributions_are_listed_and_played(tmp_path: Path) -> None:
    distribution(tmp_path, "phalera-toys", TOYS, "1.5")
    rows = json.loads(beside(tmp_path, "games", "--json").stdout)["games"]
    (tug,) = [row for row in rows if row["game"] == "tug"]
    assert tug == {
        "game": "tug",
        "title": "Tug of war",
        "rules": "1",
        "distribution": "phalera-toys",
        "version": "1.5",
        "source": "tests.toys.tug",
        "bots": ["random"],
    }
    scenario = tmp_path / "rope.toml"
    scenario.write_text('ruleset = "tug"\n')
    out = tmp_path / "rope.battle"
    played = beside(tmp_path, "demo", "--scenario", str(scenario), "--quiet", "--out", str(out))
    assert played.returncode == 0, played.stderr
    assert beside(tmp_path, "verify", str(out)).returncode == 0


@pytest.mark.slow
def test_a_broken_game_is_told_with_its_distribution_and_hinders_no_other(tmp_path: Path) -> None:
    distribution(tmp_path, "phalera-broken", {"tug": "nowhere_at_all:RULESET"})
    listed = beside(tmp_path, "games")
    assert listed.returncode == 1
    assert "The game tug of phalera-broken 1.0 cannot be used: ModuleNotFoundError" in listed.stdout
    assert len(listed.stdout.splitlines()) == len(RULESETS) + 1
    asked = beside(tmp_path, "demo", "--ruleset", "tug")
    assert asked.returncode != 0
    assert "phalera-broken 1.0" in asked.stderr and "Traceback" not in asked.stderr
    assert beside(tmp_path, "demo", "--ruleset", "singidunum", "--quiet", "--out", "-").returncode == 0


@pytest.mark.slow
def test_a_game_of_three_seats_goes_through_the_command_line(tmp_path: Path) -> None:
    distribution(tmp_path, "phalera-toys", TOYS, "1.5")
    scenario, out = tmp_path / "lots.toml", str(tmp_path / "lots.battle")
    scenario.write_text('ruleset = "lots"\n')
    played = beside(tmp_path, "demo", "--scenario", str(scenario), "--quiet", "--out", out)
    assert played.returncode == 0, played.stderr
    for arguments in (("verify", out), ("replay", out, "--plain"), ("why", out, "24"), ("stats", out)):
        done = beside(tmp_path, *arguments)
        assert done.returncode == 0, done.stderr
    counted = beside(tmp_path, "simulate", "--scenario", str(scenario), "--games", "3")
    assert counted.stdout.split()[:5] == ["scenario", "games", "red", "green", "blue"]
    told = beside(tmp_path, "report", out, "--to", "html", "--out", str(tmp_path / "told.html"))
    assert told.returncode and "has 3 sides" in told.stderr + told.stdout
    refused = beside(tmp_path, "play", "--scenario", str(scenario), "--side", "north")
    assert "choose red, green, blue or both" in refused.stderr + refused.stdout
