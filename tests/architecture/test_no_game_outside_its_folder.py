"""No source outside a game's folders knows the game: its code, its name, its words.

What a game is called and what its orders, cards and pieces are named stands in `domain/games/GAME`, `replay/games/GAME`
with its sentences; the entry points in `pyproject.toml` name them all.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from domain.catalogue import RULESETS
from tests.support.lanes import thinned

ROOT = Path(__file__).parents[2]
PACKAGES = ("domain", "projections", "replay", "server")
WORDS = {
    "tts": re.compile(
        r"stratagem|shieldwall|to_the_strongest|to the strongest|terrain_deck"
        r"|\b(pilum|pila|ammo|medals?|corps|camps?|generals|legionar(y|ies)|knights|elephants?|hills?|woods?|marsh(es)?)\b",
        re.I,
    ),
    "singidunum": re.compile(r"singidunum|\b(muster|cornered|half_vp|zoc)\b", re.I),
    "warmaster-shooting": re.compile(r"warmaster|counter.?charge|drive.?back|make.?way", re.I),
    "stp": re.compile(r"shot.to.pieces|\b(salvo(es)?|brittle|strafing|strafe|grand batter(y|ies)|quick.?kill)\b", re.I),
}
"""By game: words that mean nothing in another one, or need not."""
PICTURES = {f"replay/drawing/{name}.py" for name in ("ground", "palette", "plants", "sites", "stands", "symbols")}
"""The stock of pictures from which any game chooses: each is named for what it shows."""
LOGGED = {f"domain/campaign/theatre/{name}.py" for name in ("events", "fog_events", "order_events")}
"""What the specification names in the log of any campaign: the group of a unit."""

FRENCH = re.compile(r"\b\w+_fr = \"[^\"]*\"")
"""What a data file says in French, where *camp* is a side."""

MADE = ("server/web/pages/help/", "server/web/pages/static/proof_tables.js", "server/web/pages/static/proof_words.js")
"""What is made from the documentation, or from the games, which may speak of any game."""


@cache
def sources() -> tuple[tuple[str, str], ...]:
    """Each source outside the folders of games: its path and its text."""
    return tuple(_sources())


def _sources() -> Iterator[tuple[str, str]]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*")):
            name = path.relative_to(ROOT).as_posix()
            if path.suffix in {".py", ".html", ".js", ".toml"} and "/games/" not in name and not name.startswith(MADE):
                yield name, FRENCH.sub("", path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("code", sorted(RULESETS))
def test_no_source_outside_its_folder_names_a_game(code: str) -> None:
    literal = re.compile(rf"""["'/]{code}["'/.]""")
    assert [name for name, text in sources() if literal.search(text)] == []


@pytest.mark.parametrize("code", thinned(sorted(RULESETS), 3))
def test_no_source_outside_its_folder_has_words_of_a_game(code: str) -> None:
    found = {name for name, text in sources() if WORDS[code].search(text)}
    assert sorted(found - PICTURES - LOGGED) == []


def test_each_picture_is_named_for_what_it_shows() -> None:
    texts = dict(sources())
    assert sorted(name for name in PICTURES if not any(words.search(texts[name]) for words in WORDS.values())) == []
