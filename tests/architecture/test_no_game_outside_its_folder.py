"""No source outside a game's folders knows the game: its code, its name, its words.

What a game is called and what its orders, cards and pieces are named stands in `domain/games/GAME`, `replay/games/GAME`
and the catalogues of sentences; one list of games names them all.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.catalogue import RULESETS

ROOT = Path(__file__).parents[2]
PACKAGES = ("domain", "projections", "replay", "server")
LIST = "domain/catalogue.py"
"""The only list of games."""
WORDS = {"tts": re.compile(r"stratagem|shieldwall|to_the_strongest|to the strongest|\bpilum\b|\bammo\b", re.I)}
"""By game: words that mean nothing in another one."""
SHARED_NAMES = {
    "domain/mechanics/cards.py": "the deck of cards that are drawn once",
}
"""Sources that still say a word of a game, and what it is there for; the list may only become shorter."""


def sources() -> Iterator[tuple[str, str]]:
    """Each source outside the folders of games: its path and its text."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*")):
            name = path.relative_to(ROOT).as_posix()
            if path.suffix in {".py", ".html", ".js"} and "/games/" not in name and name != LIST:
                yield name, path.read_text(encoding="utf-8")


@pytest.mark.parametrize("code", sorted(RULESETS))
def test_no_source_outside_its_folder_names_a_game(code: str) -> None:
    literal = re.compile(rf"""["'/]{code}["'/.]""")
    assert [name for name, text in sources() if literal.search(text)] == []


@pytest.mark.parametrize("code", sorted(RULESETS))
def test_no_source_outside_its_folder_has_words_of_a_game(code: str) -> None:
    found = {name for name, text in sources() if WORDS[code].search(text)}
    assert sorted(found - set(SHARED_NAMES)) == []


def test_the_exceptions_are_needed() -> None:
    texts = dict(sources())
    needed = {name for name in SHARED_NAMES if any(words.search(texts[name]) for words in WORDS.values())}
    assert sorted(set(SHARED_NAMES) - needed) == []
