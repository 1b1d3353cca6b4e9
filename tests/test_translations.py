"""The pages of help are the same in every language, and none is older than the English that it translates."""

import re
from collections import Counter
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from domain.basics.errors import Refusal
from replay.telling.words import ENGLISH, LANGUAGES
from server.web.pages.helping import HELP
from tests import help_pages
from tests.support.french import english_in
from tests.support.tiny import TTS

PAIRS = [(name, lang) for name in HELP for lang in LANGUAGES if lang != ENGLISH]
PLAYED = "orders"
"""Code that a test plays: in a translation in its words, and with the same cards and results (test_examples)."""
CODE = re.compile(r"^```.*?^```|`[^`]*`|<!--.*?-->|\]\([^)]*\)", re.S | re.M)
SHAPED = frozenset({"heading_open", "bullet_list_open", "list_item_open", "table_open", "tr_open", "td_open", "fence"})
NAMED = re.compile(r"\(\*.*?\*\)|To the Strongest!")
"""English words that a glossary gives beside its own, and a title."""


def tokens(path: Path) -> list[Token]:
    return MarkdownIt("commonmark").enable("table").parse(path.read_text(encoding="utf-8"))


def inline(path: Path) -> list[Token]:
    return [child for token in tokens(path) for child in token.children or ()]


def shape(path: Path) -> list[str]:
    """What a page is built of, with the levels of its headings: lists, tables, code."""
    return [token.tag for token in tokens(path) if token.type in SHAPED]


def links(path: Path) -> Counter[str]:
    """Where a page leads, by the files of the repository."""
    found = [str(token.attrs["href"]) for token in inline(path) if token.type == "link_open"]
    return Counter(_target(path, href) for href in found)


def _target(path: Path, href: str) -> str:
    page, mark, part = href.partition("#")
    file = (path.parent / page).resolve()
    name = file.stem if file.stem in HELP and file.parent in {help_pages.DOCS, path.parent.resolve()} else str(file)
    return name + mark + part


def blocks(path: Path) -> list[tuple[str, str]]:
    """The code of a page by its kind; that of played orders is their comment, which names cards and results."""
    found = []
    for before, token in zip([None, *tokens(path)], tokens(path), strict=False):
        if token.type == "fence":
            played = token.info == PLAYED and before is not None
            found.append((token.info, before.content if played and before else token.content))
    return found


@pytest.mark.parametrize(("name", "lang"), PAIRS)
def test_a_translation_is_built_like_its_page(name: str, lang: str) -> None:
    english, other = help_pages.source(name), help_pages.source(name, lang)
    assert shape(other) == shape(english)
    assert links(other) == links(english)
    assert blocks(other) == blocks(english)
    anchors = [re.findall(r'<h(\d) id="([^"]*)"', help_pages.made(name, one)) for one in (ENGLISH, lang)]
    assert anchors[0] == anchors[1] != []


@pytest.mark.parametrize(("name", "lang"), PAIRS)
def test_a_translation_is_not_older_than_its_page(name: str, lang: str) -> None:
    path = help_pages.source(name, lang)
    found = help_pages.OF.match(path.read_text(encoding="utf-8"))
    assert found and found[1] == f"docs/{name}.md", path
    assert found[2] == help_pages.text_hash(name), (
        f"docs/{name}.md has changed: bring {path} up to it, then run: python -m tests.help_pages seen {name}"
    )


@pytest.mark.parametrize("name", HELP)
def test_a_french_page_is_french(name: str) -> None:
    prose = NAMED.sub("", CODE.sub("x", help_pages.source(name, "fr").read_text(encoding="utf-8")))
    assert english_in(prose) == []


@pytest.mark.parametrize("name", ["standing-orders", "disputes"])
def test_the_orders_of_a_translation_are_those_of_its_page(name: str) -> None:
    """In words of either language; what stands for any order, with an ellipsis, is left out."""
    english, french = orders(help_pages.source(name)), orders(help_pages.source(name, "fr"))
    assert english == french
    assert len(english) > 8


def orders(path: Path) -> set[str]:
    """The order lines in the code of a page, as the log has them."""
    lines = (token.content for token in inline(path) if token.type == "code_inline")
    return {line for line in map(_canonical, lines) if line}


def _canonical(line: str) -> str:
    line = re.sub(r" ?\[[^]]*\]", "", line)
    for gap, word in PLACEHOLDERS.items():
        line = re.sub(rf"\b(?:{gap})\b", word, line)
    try:
        return TTS.write(TTS.read(line), ENGLISH)
    except Refusal:
        return ""


PLACEHOLDERS = {
    r"(?<!facing )(?<!face )N": "7",
    "D": "d1",
    "TEXTE?": "x",
    "CÔTÉ|SIDE": "south",
    "PLAYER|JOUEUR": "p1",
}
"""What stands for a number, a docket, a text … on the pages, and something that can be read."""
