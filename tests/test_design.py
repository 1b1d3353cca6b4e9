"""The page of promises (docs/design.md): each promise names a test or an import contract that is there."""

import re
import tomllib
from pathlib import Path

import pytest

from tests.support.looping import some

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "design.md"
TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")
CONTRACT = re.compile(r"contract\s+`([\w-]+)`")
WITHOUT_PROMISES = ("1 ", "2 ", "15 ")
"""What it is for, the words, what is not built."""
ITEM = re.compile(r"^(?:- |\d\. )(.*(?:\n(?: +).*)*)", re.M)


def sections() -> dict[str, str]:
    """The numbered sections by their headings."""
    parts = re.split(r"^## (.+)$", PAGE.read_text(encoding="utf-8"), flags=re.M)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def promises() -> list[tuple[str, str]]:
    """Heading and text of each promise."""
    return [(head, item) for head, text in sections().items() for item in ITEM.findall(text)]


@pytest.mark.parametrize("head", [head for head in sections() if not head.startswith(WITHOUT_PROMISES)])
def test_a_section_makes_promises(head: str) -> None:
    assert ITEM.findall(sections()[head])


def test_each_promise_names_what_holds_it() -> None:
    bare = [
        f"{head}: {item[:60]}" for head, item in some(promises()) if not TEST.findall(item) + CONTRACT.findall(item)
    ]
    assert bare == []


def test_what_holds_a_promise_is_there() -> None:
    text = PAGE.read_text(encoding="utf-8")
    lost = [
        f"{path}::{name}"
        for path, name in some(TEST.findall(text))
        if not (ROOT / path).is_file() or not re.search(rf"def {name}\(", (ROOT / path).read_text(encoding="utf-8"))
    ]
    assert lost == []
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    assert set(some(CONTRACT.findall(text))) <= {contract["id"] for contract in contracts}
