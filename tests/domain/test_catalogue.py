"""Games are listed without being loaded, and each is loaded by whoever asks for it."""

import subprocess
import sys
from pathlib import Path

import pytest

from domain.basics.data import games
from domain.basics.installed import Installed
from domain.catalogue import RULESETS, LoadedGames
from tests.toys.duel import TOY

ROOT = Path(__file__).parents[2]


def loaded_by(program: str) -> set[str]:
    """The packages of games that a program has loaded at its end."""
    told = "import sys; print(*{n.split('.')[2] for n in sys.modules if n.startswith('domain.games.')})"
    done = subprocess.run(
        [sys.executable, "-c", f"{program}; {told}"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


def test_every_game_with_a_folder_is_in_the_list_by_its_own_code() -> None:
    assert sorted(RULESETS) == sorted(games())
    assert all(ruleset.code == code for code, ruleset in RULESETS.items())


def test_a_game_is_asked_for_by_its_code() -> None:
    listed = LoadedGames({TOY.code: (Installed(TOY.code, "tests.toys.duel", "TOY", "phalera-toys", "1"),)})
    assert (listed[TOY.code], listed.get("chess"), len(listed), list(listed)) == (TOY, None, 1, [TOY.code])
    assert TOY.code in listed
    assert "chess" not in listed
    with pytest.raises(KeyError):
        listed["chess"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "module", ["server.assembly", "server.cli.main", "server.play.models_process", "replay.battle_file"]
)
def test_no_game_is_loaded_before_somebody_asks_for_one(module: str) -> None:
    assert loaded_by(f"import {module}; from domain.catalogue import RULESETS; 'chess' in RULESETS") == set()


@pytest.mark.slow
def test_a_game_is_loaded_without_the_others() -> None:
    assert loaded_by("from domain.catalogue import RULESETS; RULESETS['singidunum']") == {"singidunum"}
