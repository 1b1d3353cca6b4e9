"""Every acceptance case of the rules, played with stacked decks (tests/cases/README.md)."""

import tomllib
from itertools import takewhile

import pytest

from replay.lab.lab import run_case
from tests.rule_pages import TTS_CHAPTERS, cited
from tests.support.cases import CASES, case_files
from tests.support.lanes import thinned

FOLDERS = {f"TTS-{chapter}": title.lower().replace(" ", "-") for chapter, title in TTS_CHAPTERS.items()}
"""Chapter of the rules to the folder of its cases."""


@pytest.mark.parametrize("path", thinned(case_files(), 9), ids=lambda path: path.stem)
def test_the_case_comes_out_as_written(path):
    result = run_case(tomllib.loads(path.read_text()))
    assert result.ok, "\n".join(result.failures)


def test_the_cases_are_there():
    assert len(case_files()) >= 551


def test_a_case_is_in_the_folder_of_a_chapter_that_its_first_lines_declare():
    strays = []
    for path in case_files():
        declared = {rule.rpartition("-")[0] for rule in cited(first_lines(path.read_text()))} or FOLDERS.keys()
        if path.parent not in {CASES / FOLDERS[chapter] for chapter in declared}:
            strays.append(path.name)
    assert strays == []


def first_lines(text):
    """The comments with which a case begins."""
    return "\n".join(takewhile(lambda line: line.startswith("#"), text.splitlines()))
