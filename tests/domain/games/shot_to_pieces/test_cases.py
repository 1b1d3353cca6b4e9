"""Every acceptance case of the rules, played with stacked dice, recorded and verified (tests/cases/README.md).

`not_yet.txt` lists the cases whose chapter has not landed: one that holds must leave the list.
"""

import tomllib
from pathlib import Path

import pytest

from domain.games.shot_to_pieces import RULESET
from replay.lab.lab import run_case
from tests.support.cases import case_files

CASES = Path(__file__).parent / "cases"
SHARED = 122
NOT_YET = frozenset(Path(__file__).with_name("not_yet.txt").read_text().split())


def played(path):
    return run_case(tomllib.loads(path.read_text()), {RULESET.code: RULESET})


@pytest.mark.parametrize(
    "path", [path for path in case_files(CASES) if path.stem not in NOT_YET], ids=lambda path: path.stem
)
def test_the_case_comes_out_as_written(path):
    result = played(path)
    assert result.ok, "\n".join(result.failures)


@pytest.mark.parametrize(
    "path", [path for path in case_files(CASES) if path.stem in NOT_YET], ids=lambda path: path.stem
)
def test_a_case_that_holds_is_not_on_the_list(path):
    try:
        result = played(path)
    except (KeyError, AssertionError):
        return
    assert not result.ok


def test_the_cases_are_there():
    stems = {path.stem for path in case_files(CASES)}
    assert len(stems) >= SHARED
    assert stems >= NOT_YET
