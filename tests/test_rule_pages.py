"""Every rule has its code and its test."""

from textwrap import dedent

import pytest

from tests import rule_pages

COUNTS = {"tts": 246, "singidunum": 152, "warmaster-shooting": 122, "stp": 408, "campaign": 99}
"""How many rules the text of each game has."""
BOOKS = pytest.mark.parametrize("book", rule_pages.BOOKS, ids=lambda book: book.code)


@BOOKS
@pytest.mark.slow
def test_every_rule_has_code_and_a_test(book):
    lacking = rule_pages.missing(book)
    assert not lacking, "\n".join(f"{rule} has no {lacks}" for rule, lacks in lacking.items())


@pytest.mark.slow
@BOOKS
def test_nobody_cites_a_rule_that_there_is_not(book):
    assert not rule_pages.unknown(book)


@BOOKS
def test_the_spec_has_so_many_rules_and_each_has_a_chapter(book):
    assert len(rule_pages.rules(book)) == COUNTS[book.code]
    assert {rule_pages.chapter_of(rule) for rule in rule_pages.rules(book)} == {chapter for chapter, _ in book.chapters}


def test_a_citation_may_be_short_or_a_range():
    assert list(rule_pages.cited("TTS-ACT-01, -02: two; also TTS-MEL-06c.")) == [
        "TTS-ACT-01",
        "TTS-ACT-02",
        "TTS-MEL-06c",
    ]
    assert list(rule_pages.cited("TTS-SHT-09 … -11")) == ["TTS-SHT-09", "TTS-SHT-10", "TTS-SHT-11"]
    assert list(rule_pages.cited("TTS-STR-03…TTS-STR-05")) == ["TTS-STR-03", "TTS-STR-04", "TTS-STR-05"]
    assert list(rule_pages.cited("a plus of -10 before TTS-SAV-01")) == ["TTS-SAV-01"]


def test_a_citation_belongs_to_the_function_or_table_around_it():
    source = dedent('''
        """Module (TTS-GEO-01)."""
        LIMIT = 2
        """Words below a table (TTS-GEO-02)."""


        class Box:
            """A class (TTS-GEO-03)."""

            def step(self):
                return 1  # a comment (TTS-GEO-04)


        @marked("TTS-GEO-05")
        def turn():
            return Refusal("no", "TTS-GEO-06")
    ''')
    assert list(rule_pages.citations(source)) == [
        ("TTS-GEO-01", ""),
        ("TTS-GEO-02", "LIMIT"),
        ("TTS-GEO-03", "Box"),
        ("TTS-GEO-04", "Box.step"),
        ("TTS-GEO-05", "turn"),
        ("TTS-GEO-06", "turn"),
    ]
