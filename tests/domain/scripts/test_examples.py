"""Every example of docs/scripts.md does what the page says, in each language of the page."""

import re
from pathlib import Path

import pytest

from domain.scripts.program import BranchTo
from domain.scripts.reading import Unreadable, read
from tests.support.drilling import TTS, drill

DOCS = Path(__file__).parents[3] / "docs"
PAGES = [path.read_text(encoding="utf-8") for path in (DOCS / "scripts.md", DOCS / "fr" / "scripts.md")]
EXAMPLE = re.compile(r"<!-- cards: ([\d ]+); given: (.*?) -->\n```orders\n(.*?)```", re.S)
EXAMPLES = [example for page in PAGES for example in EXAMPLE.findall(page)]


@pytest.mark.parametrize("page", PAGES, ids=["en", "fr"])
def test_no_example_stands_without_its_cards(page: str) -> None:
    assert len(EXAMPLE.findall(page)) == page.count("```orders") > 6


@pytest.mark.parametrize(("cards", "given", "text"), EXAMPLES)
def test_the_example_goes_as_told(cards: str, given: str, text: str) -> None:
    drilled = drill(text, *map(int, cards.split()))
    assert [canonical(line) for line in drilled.given] == given.split(" | ")
    assert "refused" not in drilled.statuses


def canonical(line: str) -> str:
    """An order as the log has it, in English."""
    return TTS.orders.write(TTS.orders.parse(line), "en")


def test_a_condition_means_the_same_in_each_language_of_the_page() -> None:
    english, french = (list(map(meaning, conditions(page))) for page in PAGES)
    assert english == french
    assert len(list(filter(None, english))) > 15


def conditions(page: str) -> list[str]:
    """The code in the first column of the table of conditions, "…" filled in."""
    _, _, table = page.partition("\n## Conditions\n")
    rows = table.partition("\n\n## ")[0].split("\n|")[3:]
    draw = "last draw is" if PAGES.index(page) == 0 else "dernier tirage est"
    return [code.replace("…", draw) for row in rows for code in re.findall("`([^`]*)`", row.split(" | ")[0])]


def meaning(condition: str) -> object:
    """What a condition tests; nothing for words that belong to the one before them (`at least`)."""
    condition = condition.replace("R1 avance", "R1 ahead")
    try:
        script = read(f"R1 ahead\nif {condition}: R1 ahead", TTS.orders.parse, TTS.orders.senses)
    except Unreadable:
        return ()
    return [(step.condition.wanted, step.condition.barred) for step in script.program if isinstance(step, BranchTo)]
