"""Each refusal of the rules has a case."""

from collections.abc import Set
from pathlib import Path

import pytest

from replay.lab.lab import Rejection
from tests.support.looping import some
from tests.support.refusal_rules import (
    RULES,
    codes_in,
    codes_of_cases,
    raised,
    raised_by_the_program,
    shown,
    shown_by_tests,
    unshown,
    without_a_case,
    wrong_rules,
)

ROOT = Path(__file__).parents[3]
CHAPTERS = sorted((ROOT / "domain" / "games").glob("*/chapters/**/*.py"))
BY_TESTS: dict[str, str] = {}
"""Codes for which no case can be written, and the file of the test that shows them."""


@pytest.fixture(scope="module")
def seen() -> Set[str]:
    return codes_of_cases()


def test_each_code_of_a_chapter_has_a_case(seen):
    missing = {code for path in some(CHAPTERS) for code in without_a_case(path.read_text(), seen)}
    assert missing == BY_TESTS.keys()


def test_each_code_of_the_table_is_one_of_a_chapter_or_a_case(seen):
    named = {code for path in CHAPTERS for code in codes_in(path.read_text())}
    assert RULES.keys() - named - seen == set()


def test_a_new_code_without_a_case_is_noticed(seen):
    source = 'raise Refusal("tts.new-refusal", "TTS-MOV-02")\nraise Refusal("tts.no-ammo", "TTS-SHT-05")'
    assert without_a_case(source, seen) == {"tts.new-refusal"}


def test_a_code_that_is_in_no_table_is_noticed():
    (told,) = wrong_rules([Rejection(1, "tts.new-refusal", "TTS-MOV-02", "")])
    assert told == "tts.new-refusal is in no table (refusal_rules.RULES)"


PAGES = {"tts": "to-the-strongest", "singidunum": "singidunum", "wms": "warmaster-shooting"}


@pytest.mark.parametrize("prefix", PAGES)
def test_the_page_of_a_game_lists_the_codes_of_the_table(prefix: str):
    page = (ROOT / "docs" / "rules" / f"{PAGES[prefix]}.md").read_text(encoding="utf-8")
    assert {code for code in RULES if code.startswith(f"{prefix}.") and f"`{code}`" not in page} == set()


@pytest.mark.slow
def test_each_code_of_the_program_is_shown_by_a_case_or_a_test():
    codes = raised_by_the_program()
    assert len(codes) > 300
    missing = unshown(codes, shown_by_tests())
    assert {code: codes[code] for code in missing} == {}


@pytest.mark.slow
def test_a_new_code_anywhere_in_the_program_is_noticed():
    new = f"core.{'brand-new'}"
    source = f'raise Refusal("{new}", "CORE-ACCESS")\nraise Refusal("core.no-words", "CORE-TALK")'
    assert unshown(raised(source), shown_by_tests()) == {new}


def test_a_code_that_is_computed_is_one_of_those_that_its_module_names():
    source = 'CODES = {1: "core.one", 2: "core.two"}\nraise Refusal(CODES[n], "CORE-ACCESS", known="core.other")'
    assert raised(source) == {"core.one", "core.two", "core.other"}


def test_a_test_names_a_code_whole_or_where_it_is_raised():
    assert "core.no-words" in shown('raises(Refusal, match=r"core\\.no-words")')
    assert ".no-words" in shown('raises(Refusal, match="no-words")')
    assert ".no-words" not in shown('told("no-words")')
