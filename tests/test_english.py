"""Sentences for readers have a noun where English wants one: no “for who has no address”, no “Who has lost it asks”."""

import re
from pathlib import Path

import pytest

from tests.support.looping import some

ROOT = Path(__file__).parents[1]
READ = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "docs", "domain", "projections", "replay", "server")
OTHERS = {"fr", "generated", "__pycache__"}
"""What is in another language, or made from what is read here."""
VERBS = (
    "accepts|answers|asks|cannot|comes|does|gets|gives|goes|has|have|holds|joins|knows|leaves|looks|loses|may|moves|needs|"
    "never|opens|plays|reads|runs|says|sees|signs|sits|takes|uses|wants|was|watches|wins|writes"
)
BARE = re.compile(
    rf"(?<!\w)(?:(?:[Ff]or|by|but|from|at|than)\s+who\s+(?:{VERBS}|is)\b|(?:so|nor) (?:does|is|has|may)\s+who\b)"
    rf"|(?:^|[.;] )Who (?:{VERBS})\b[^.?\n]*,? (?:is|has|gets|holds|loses|says|asks|pays|waits)\b"
)


def found(text: str) -> list[str]:
    """The clauses of a text that lack their noun."""
    return [" ".join(match[0].split()) for match in BARE.finditer(text)]


def test_no_clause_lacks_its_noun() -> None:
    tops = (ROOT / name for name in READ)
    texts = [
        path
        for top in tops
        for path in (sorted(top.rglob("*")) if top.is_dir() else [top])
        if path.suffix in {".md", ".py"} and not OTHERS & {*path.parts}
    ]
    wrong = [f"{path.relative_to(ROOT)}: {one}" for path in some(texts) for one in found(path.read_text("utf-8"))]
    assert wrong == [], "give these a noun: a player who, anybody who, the one who"


@pytest.mark.parametrize(
    "text",
    [
        "403 for who has no address",
        "it is decided by\nwho asks first",
        "A player loses it, and so does who has given theirs.",
        "Who has read of it waits until it is.",
    ],
)
def test_a_clause_without_its_noun_is_found(text: str) -> None:
    assert found(text)


@pytest.mark.parametrize(
    "text", ["Who may ask?", "a player who has no address", "It says who has won.", "whoever asks"]
)
def test_other_clauses_are_left_alone(text: str) -> None:
    assert found(text) == []
