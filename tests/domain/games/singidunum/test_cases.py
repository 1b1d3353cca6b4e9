"""Every acceptance case of the rules, played with stacked dice (tests/cases/README.md)."""

import tomllib
from pathlib import Path

import pytest

from domain.games.singidunum import RULESET
from replay.lab.lab import run_case
from tests.support.cases import case_files
from tests.support.lanes import thinned

CASES = Path(__file__).parents[3] / "cases" / "singidunum"
SHARED = 59


@pytest.mark.parametrize("path", thinned(case_files(CASES), 12), ids=lambda path: path.stem)
@pytest.mark.filterwarnings("ignore::replay.telling.words.MissingSentence")
def test_the_case_comes_out_as_written(path):
    result = run_case(tomllib.loads(path.read_text()), {RULESET.code: RULESET})
    assert result.ok, "\n".join(result.failures)


def test_the_cases_are_there():
    assert len(case_files(CASES)) >= SHARED
