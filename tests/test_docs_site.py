"""The site of the docs is whole, and is read and searched without a server or a network."""

import json
import re
from pathlib import Path

import pytest

from domain.campaign.events import CAMPAIGN_EVENTS
from domain.catalogue import RULESETS
from domain.events.battle import CORE_EVENTS
from tests import docs_site
from tests.docs_site import BESIDE, MADE, build, decisions, navigation, on_site
from tests.support.looping import some
from tests.support.once import made_once

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[1]
FETCHED = re.compile(r"""<(?:script|img|link)\b[^>]*\b(?:src|href)=["']?(https?:[^"'\s>]+)""")


@pytest.fixture
def site(tmp_path_factory):
    """The site, built once."""
    return made_once(tmp_path_factory, "docs-site", build) / "site"


@pytest.mark.long
def test_the_site_has_every_page(site):
    pages = [path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")]
    for page in some([*pages, *MADE, *BESIDE.values()]):
        name = "index.md" if page == "README.md" else page
        assert (site / name).with_suffix(".html").is_file(), page


def test_the_site_fetches_nothing_from_a_network(site):
    pages = list(site.rglob("*.html"))
    for page in some(pages):
        assert FETCHED.findall(page.read_text(encoding="utf-8")) == []


def test_the_search_knows_each_page(site):
    text = (site / "searchindex.js").read_text(encoding="utf-8")
    index = json.loads(text.removeprefix("Search.setIndex(").removesuffix(")"))
    made = {path.relative_to(site).with_suffix("").as_posix() for path in site.rglob("*.html")}
    assert {*index["docnames"]} == made - {"genindex", "search"}


def test_the_page_of_messages_has_each_event_of_each_game():
    page = MADE["generated/messages.md"]()
    events = {event for ruleset in RULESETS.values() for event in [*ruleset.events.values(), *CORE_EVENTS.values()]}
    events |= {*CAMPAIGN_EVENTS.values()}
    assert [event.__name__ for event in some(events) if f"`{event.__name__}`" not in page] == []


def test_the_groups_of_the_readme_are_those_of_the_site():
    assert [*navigation()][:6] == ["Play", "Host", "Organise", "Program", "Check", "Change"]
    assert [*navigation()][-2:] == ["Decisions", "En français"]


@pytest.mark.parametrize(
    ("page", "text", "shown"),
    [
        ("docs/time.md", "[a](playing.md#clocks)", "[a](playing.md#clocks)"),
        ("docs/rules/singidunum.md", "[a](../generated/messages.md)", "[a](../generated/messages.md)"),
        ("docs/time.md", "[a](../CHANGELOG.md)", "[a](project/changelog.md)"),
        ("CONTRIBUTING.md", "[a](docs/tour.md)", "[a](../tour.md)"),
        ("docs/README.md", "[a](decisions/)", f"[a](decisions/{decisions()[0]})"),
        ("docs/tour.md", "[`a`](../server/clock.py)", "`a`"),
        ("docs/tour.md", "![a](board.svg)", "![a](board.svg)"),
    ],
)
def test_a_link_leads_where_the_site_has_the_page_or_is_words(page, text, shown):
    assert on_site(page, text) == shown


def test_a_link_that_leads_nowhere_is_told(tmp_path, monkeypatch, capsys):
    (tmp_path / "docs" / "decisions").mkdir(parents=True)
    (tmp_path / "docs" / "README.md").write_text("# Docs\n\n**Players**\n\n- [Messages](generated/messages.md)\n")
    monkeypatch.setattr(docs_site, "ROOT", tmp_path)
    monkeypatch.setattr(docs_site, "BESIDE", {})
    monkeypatch.setattr(docs_site, "MADE", {"generated/messages.md": lambda: "# Messages\n\n[a](#nowhere)\n"})
    assert docs_site.main(["--out", str(tmp_path / "build")]) == 1
    assert "nowhere" in capsys.readouterr().err
    monkeypatch.setattr(docs_site, "MADE", {"generated/messages.md": lambda: "# Messages\n\n[a](#messages)\n"})
    assert docs_site.main(["--out", str(tmp_path / "build")]) == 0
