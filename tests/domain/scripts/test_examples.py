"""Every example of docs/scripts.md does what the page says."""

import re
from pathlib import Path

import pytest

from tests.support.drilling import drill

PAGE = (Path(__file__).parents[3] / "docs" / "scripts.md").read_text(encoding="utf-8")
EXAMPLE = re.compile(r"<!-- cards: ([\d ]+); given: (.*?) -->\n```orders\n(.*?)```", re.S)
EXAMPLES = EXAMPLE.findall(PAGE)


def test_no_example_stands_without_its_cards() -> None:
    assert len(EXAMPLES) == PAGE.count("```orders") > 6


@pytest.mark.parametrize(("cards", "given", "text"), EXAMPLES)
def test_the_example_goes_as_told(cards: str, given: str, text: str) -> None:
    drilled = drill(text, *map(int, cards.split()))
    assert list(drilled.given) == given.split(" | ")
    assert "refused" not in drilled.statuses
