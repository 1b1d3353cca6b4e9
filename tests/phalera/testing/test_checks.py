"""What any game has to hold, held by ours, by toys as other distributions bring them, and found missing where it is."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from domain.catalogue import RULESETS
from phalera.testing import ABILITIES, Check, checks_of, missing
from phalera.testing.check import RULES
from phalera.testing.game import Game
from server.cli.new_game import template
from tests.support.distributions import TOYS, distribution

ROOT = Path(__file__).parents[3]
PACKAGE = "phalera_duel"
MINE = "duel"
ONE_CHECK = """
import sys
from phalera.testing import checks_of
from phalera.testing.__main__ import fault_of
code, name = sys.argv[1:]
print([fault_of(check) for check in checks_of(code) if str(check) == name][0])
"""
"""What one of the checks says of a game."""


def in_a_process(
    folder: Path, *arguments: str, program: tuple[str, str] = ("-m", "phalera.testing")
) -> subprocess.CompletedProcess[str]:
    """The checks in a process whose search path has the distributions of a folder, too."""
    path = os.pathsep.join([str(folder), str(ROOT)])
    command = [sys.executable, *program, *arguments]
    return subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False)


def checked(folder: Path, code: str) -> dict[str, Any]:
    """What the checks find of a game that a distribution in a folder brings, in a process of its own."""
    done = in_a_process(folder, code, "--json")
    found: dict[str, Any] = json.loads(done.stdout)
    assert done.returncode == int(any(row["fault"] for row in found["checks"])), done.stderr
    return found


def faults(found: dict[str, Any]) -> dict[str, str]:
    """The faults by check."""
    return {row["check"]: row["fault"] for row in found["checks"] if row["fault"]}


def new_game(folder: Path, changed: dict[str, tuple[str, str]]) -> Path:
    """The new game in a folder of the search path; `changed` are texts of some of its files (of a
    module by its name) and what replaces them."""
    files = template(MINE)
    for short, (old, new) in changed.items():
        name = short if "." in short else f"{short}.py"
        assert old in files[f"{PACKAGE}/{name}"]
        files[f"{PACKAGE}/{name}"] = files[f"{PACKAGE}/{name}"].replace(old, new)
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return distribution(folder, "phalera-duel", {MINE: f"{PACKAGE}:RULESET"})


@pytest.mark.slow
@pytest.mark.parametrize(
    "check", [check for code in RULESETS for check in checks_of(code)], ids=lambda check: f"{check.game.code}-{check}"
)
def test_our_games_hold_what_any_game_has_to(check: Check) -> None:
    check.run()


@pytest.mark.slow
@pytest.mark.parametrize("code", ["tug", "raid"])
def test_a_toy_without_words_or_data_holds_it_too(tmp_path: Path, code: str) -> None:
    found = checked(distribution(tmp_path, "phalera-toys", TOYS), code)
    assert faults(found) == {}
    assert {"scenarios", "words", "rules", "bots", "armies", "sheets"} <= {row["ability"] for row in found["missing"]}


@pytest.mark.slow
def test_a_new_game_holds_it_and_is_told_what_it_may_add(tmp_path: Path) -> None:
    found = checked(new_game(tmp_path, {}), MINE)
    assert faults(found) == {}
    lacking = {"stake", "standing", "secrets", "bots", "armies", "heraldry", "golden"}
    assert {row["ability"] for row in found["missing"]} == lacking
    assert all(row["gives"] and row["declared"] for row in found["missing"])


EN, FR = (f"locale/{lang}/LC_MESSAGES/duel.po" for lang in ("en", "fr"))
STEPPED, TALLY = ("duel.Stepped", "duel.Walked"), ("duel.tally", "core.busy")
IMPORT = "from domain.mechanics.dice"
FAULTS = [
    ({EN: STEPPED, FR: STEPPED}, "it-is-told-in-sentences", "duel.Stepped"),
    ({FR: STEPPED}, "its-words-are-the-same-in-french", "duel.Stepped"),
    ({EN: TALLY, FR: TALLY}, "its-words-are-its-own", "core.busy"),
    ({"data/rules.toml": ("DUEL-03", "DUEL-30")}, "every-rule-that-it-cites-has-a-sentence", "DUEL-03"),
    ({"data/help.toml": ('"step"', '"run"')}, "its-help-shows-orders-that-read-back", "run"),
    ({"data/game.toml": ('first = "dawn"', 'first = "dusk"')}, "every-scenario-opens", "first and demo"),
    ({"shown": (IMPORT, f"import server.words\n{IMPORT}")}, "imports-domain-alone", "server.words"),
    ({"rules": ("value >= needed:", "value > 9:")}, "random-bots-play-it-to-an-end", "no end"),
    ({"cases/01-a-hit-ends-it.toml": ('winner = "south"', 'winner = "north"')}, "every-case-comes-out", "winner"),
    ({"orders": ('Option("shoot"', 'Option("accept draw"')}, "every-option-is-accepted", "core.no-draw-offer"),
    (
        {"rules": ("needed = judge.state.paces", "needed = 1 + judge.state.paces")},
        "an-option-needs-what-its-trial-needs",
        "says",
    ),
    ({"orders": ('["step"]', '["shoot"]')}, "its-help-shows-orders-that-read-back", "another order"),
]
"""What is changed in the new game, the check that finds it, and a word of what it says."""


@pytest.mark.slow
@pytest.mark.parametrize(("changed", "check", "said"), FAULTS)
def test_what_does_not_hold_is_found_by_its_check(
    tmp_path: Path, changed: dict[str, tuple[str, str]], check: str, said: str
) -> None:
    """That check alone: all of them take the game to a server and to its end."""
    done = in_a_process(new_game(tmp_path, changed), MINE, check, program=("-c", ONE_CHECK))
    assert said in done.stdout, done.stderr


@pytest.mark.slow
def test_what_does_not_hold_is_named(tmp_path: Path) -> None:
    """By the command, with its exit code: the others hold."""
    changed, check, said = FAULTS[1]
    found = faults(checked(new_game(tmp_path, changed), MINE))
    assert said in found[check] and len(found) == 1


@pytest.mark.slow
def test_a_game_that_cannot_be_loaded_is_told_with_its_distribution(tmp_path: Path) -> None:
    done = in_a_process(new_game(tmp_path, {"shown": ("WIDE, HIGH = 100", "WIDE, HIGH = 100 // 0")}), MINE)
    assert done.returncode == 1
    assert "phalera-duel 1.0" in done.stderr and "ZeroDivisionError" in done.stderr and "Traceback" not in done.stderr


def test_every_ability_says_what_it_gives_and_every_check_what_it_asks() -> None:
    assert len({rule.name for rule in RULES}) == len(RULES)
    assert all(rule.says and rule.says[0] != " " for rule in RULES)
    assert {rule.ability for rule in RULES} <= {"", *ABILITIES}
    assert [ability.name for ability in missing(Game("singidunum"))] == ["armies", "cases", "golden"]
