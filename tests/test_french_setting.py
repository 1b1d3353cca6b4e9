"""All French that is packaged is set in French: apostrophes, and the spaces before marks.

Looked at are the catalogues (`*.po`), the members `*_fr` and `fr` of data files (`*.toml`) and the pages of `docs/fr`.
"""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from replay.telling.words.po import read_po
from tests.support.french import ill_set

ROOT = Path(__file__).parents[1]
PACKAGES = [ROOT / name for name in ("domain", "projections", "replay", "server")]
CATALOGUES = sorted(path for package in PACKAGES for path in package.rglob("fr/LC_MESSAGES/*.po"))
TABLES = sorted(path for package in PACKAGES for path in package.rglob("*.toml"))
PAGES = sorted((ROOT / "docs" / "fr").glob("*.md"))
TEMPLATES = sorted(path for package in PACKAGES for path in package.rglob("templates/**/*.html"))
MARK_BETWEEN = re.compile(r"[%}]}[:!?] .{20}")
"""A mark behind what a template puts in: a sentence of the catalogues has it as its language sets it."""
NO_PROSE = re.compile(r"^```.*?^```|`[^`]*`|<!--.*?-->|\]\([^)]*\)", re.S | re.M)


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", CATALOGUES, ids=named)
def test_a_catalogue_is_set_in_french(path: Path) -> None:
    texts = read_po(path.read_text(encoding="utf-8")).texts
    assert {msgid: found for msgid, forms in texts.items() for text in forms if (found := ill_set(text))} == {}


@pytest.mark.parametrize("package", PACKAGES, ids=named)
def test_a_data_file_is_set_in_french(package: Path) -> None:
    tables = {path: tomllib.loads(path.read_text(encoding="utf-8")) for path in TABLES if path.is_relative_to(package)}
    said = [(named(path), text) for path, table in tables.items() for text in french_in(table)]
    assert [(name, found) for name, text in said if (found := ill_set(text))] == []


def test_no_template_sets_a_mark_that_french_sets_apart() -> None:
    assert len(TEMPLATES) > 40
    texts = {named(path): path.read_text(encoding="utf-8") for path in TEMPLATES}
    assert [(name, found[0]) for name, text in texts.items() for found in MARK_BETWEEN.finditer(text)] == []


def test_there_is_french_to_look_at() -> None:
    assert len(CATALOGUES) > 4 and len(PAGES) > 6
    assert sum(1 for path in TABLES for _ in french_in(tomllib.loads(path.read_text(encoding="utf-8")))) > 2000


@pytest.mark.parametrize("path", PAGES, ids=named)
def test_a_page_is_set_in_french(path: Path) -> None:
    assert ill_set(NO_PROSE.sub("x", path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    ("text", "is_set"),
    [
        ("L’unité\u00a0: « R1\u00a0»", False),
        ("L’unité\u00a0: «\u00a0R1\u00a0»", True),
        ("L'unité", False),
        ("Pourquoi ?", False),
        ("Pourquoi?", False),
        ("Ordres: R1", False),
        ("{side:side} à 12:30, https://phalera.example/a?b", True),
    ],
)
def test_what_is_not_set_in_french_is_found(text: str, is_set: bool) -> None:
    assert (not ill_set(text)) == is_set


def french_in(value: Any, is_french: bool = False) -> Iterator[str]:
    """The French texts of a data file."""
    if isinstance(value, str) and is_french:
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from french_in(inner, is_french or key == "fr" or key.endswith("_fr"))
    elif isinstance(value, list):
        for inner in value:
            yield from french_in(inner, is_french)
