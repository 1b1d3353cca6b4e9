"""The changelog is cut into releases; each says what an operator has to do, and the sources name the newest."""

import re
from datetime import date
from pathlib import Path

import pytest

from domain.catalogue import RULESETS
from server.release import release
from tests.support.looping import some

PAGE = Path(__file__).parents[1] / "CHANGELOG.md"
HEAD = re.compile(r"^## \[(\d+)\.(\d+)\.(\d+)\] – (\d{4}-\d\d-\d\d)$")
TO_DO = "### What an operator has to do"
KINDS = (TO_DO, "### Added", "### Fixed", "### Changed")
Version = tuple[int, ...]


def sections() -> dict[str, str]:
    """The text below each heading of the second level."""
    parts = re.split(r"^(## .+)$", PAGE.read_text(encoding="utf-8"), flags=re.M)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def releases() -> dict[Version, date]:
    """Each release with its date, the newest first."""
    heads = (HEAD.match(head) for head in sections())
    return {
        tuple(int(part) for part in head.groups()[:3]): date.fromisoformat(head[4])
        for head in heads
        if head is not None
    }


def numbered(version: str) -> Version:
    """A version as numbers."""
    return tuple(int(part) for part in version.split("."))


def test_every_section_is_a_release_with_a_date_but_the_first() -> None:
    first, *others = sections()
    assert first == "## [Unreleased]"
    assert [head for head in some(others) if not HEAD.match(head)] == []
    versions, dates = [*releases()], [*releases().values()]
    assert versions == sorted(versions, reverse=True)
    assert dates == sorted(dates, reverse=True)


def test_the_sources_are_the_newest_release_or_on_the_way_to_a_newer_one() -> None:
    newest, wanted = next(iter(releases())), numbered(release())
    assert wanted >= newest
    assert wanted == newest or "- " in sections()["## [Unreleased]"]


def test_every_release_that_rules_name_is_there() -> None:
    known = {*releases(), numbered(release())}
    named = {numbered(name) for game in RULESETS.values() for name in game.releases.values()}
    assert set(some(named)) <= known


@pytest.mark.parametrize("head", sections())
def test_what_breaks_is_marked_and_told_to_the_operator(head: str) -> None:
    text = sections()[head]
    assert all(mark.startswith("- **Breaking:** ") for mark in re.findall(r"^.*[Bb]reaking:.*$", text, re.M))
    kinds = re.findall(r"^### .+$", text, re.M)
    assert kinds == [kind for kind in KINDS if kind in kinds]  # in this order, none twice
    if HEAD.match(head) and "**Breaking:**" in text:
        assert TO_DO in kinds


def test_no_line_is_told_twice() -> None:
    told = re.findall(r"^- .+$", PAGE.read_text(encoding="utf-8"), re.M)
    assert len(set(some(told))) == len(told)
