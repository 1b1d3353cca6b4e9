"""Every acceptance case of the rules, played with stacked decks (tests/cases/README.md)."""

import tomllib
from pathlib import Path

import pytest

from replay.lab.lab import run_case

CASES = sorted((Path(__file__).parents[2] / "cases" / "tts").glob("*.toml"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_the_case_comes_out_as_written(path):
    result = run_case(tomllib.loads(path.read_text()))
    assert result.ok, "\n".join(result.failures)


def test_the_cases_are_there():
    assert len(CASES) >= 93
