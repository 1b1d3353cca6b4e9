"""Every acceptance case of the rules, played with stacked dice, recorded and verified (tests/cases/README.md)."""

import tomllib
from pathlib import Path

import pytest

from domain.games.shot_to_pieces import RULESET
from replay.lab.lab import run_case
from tests.support.cases import case_files

CASES = Path(__file__).parents[3] / "cases" / "stp"
SHARED = 122


@pytest.mark.parametrize("path", case_files(CASES), ids=lambda path: path.stem)
def test_the_case_comes_out_as_written(path):
    result = run_case(tomllib.loads(path.read_text()), {RULESET.code: RULESET})
    assert result.ok, "\n".join(result.failures)


def test_the_cases_are_there():
    assert len(case_files(CASES)) >= SHARED
