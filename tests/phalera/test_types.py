"""Editors of those who use the library see its types: pyright, strict, has nothing against a program that is right."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("domain", "phalera", "projections", "replay", "server")
PYRIGHT = Path(sys.executable).parent / "basedpyright"
PROGRAM = """
import phalera

battle = phalera.Battle("tts", "skirmish", seed=5, bots={"north": "sensible"})
while not battle.ended:
    for side in battle.to_act:
        choices = [option.order for option in battle.options(side)]
        battle.order(side, choices[-1])
    battle.decide()
report = phalera.verify(battle.file())
print(report.exit, battle.winner or "drawn", phalera.board(battle, side="south").svg[:10])
print([*phalera.games()], phalera.open_file("x.battle").last)
"""
WRONG = {
    "a name that is not there": "import phalera\nphalera.opne_file('x')\n",
    "a wrong type": "import phalera\nphalera.Battle('tts', seed='5')\n",
    "an answer of another type": "import phalera\nphalera.verify(b'').exit.upper()\n",
}

pytestmark = pytest.mark.slow


def faults(folder: Path, program: str) -> list[dict[str, Any]]:
    """What pyright has against a program, strictly, in a folder with nothing else."""
    if not PYRIGHT.exists():
        pytest.skip("basedpyright is not installed")
    (folder / "program.py").write_text(program)
    settings = {
        "typeCheckingMode": "strict",
        "pythonVersion": "3.11",
        "extraPaths": [str(ROOT)],
        "include": ["program.py"],
    }
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    done = subprocess.run(
        [PYRIGHT, "--outputjson", "--pythonpath", sys.executable],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return [one for one in json.loads(done.stdout)["generalDiagnostics"] if one["severity"] == "error"]


def test_a_program_that_uses_the_library_well_is_clean(tmp_path: Path) -> None:
    assert [one["message"] for one in faults(tmp_path, PROGRAM)] == []


@pytest.mark.parametrize("program", WRONG.values(), ids=WRONG)
def test_a_wrong_use_is_seen(tmp_path: Path, program: str) -> None:
    assert {one["range"]["start"]["line"] for one in faults(tmp_path, program)} == {1}


@pytest.mark.parametrize("package", PACKAGES)
def test_each_package_says_that_it_is_typed(package: str) -> None:
    assert (ROOT / package / "py.typed").is_file()
