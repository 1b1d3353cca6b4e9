"""The pages of help: made from the documentation, found where they matter, readable on a phone."""

import os
import re

import pytest
from playwright.async_api import Browser

from replay.telling.words import LANGUAGES
from server.web.pages.helping import HELP
from tests import help_pages
from tests.server.web.pages.test_browser import DOUBLE_IDS, NAMELESS, new_page
from tests.server.web.pages.visiting import Visitor
from tests.support.french import english_in
from tests.support.looping import some
from tests.support.serving import PHRASE, RunningServer

FRENCH = {"Accept": "text/html", "Accept-Language": "fr"}
NARROW = 320


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", HELP)
def test_a_page_is_what_the_documentation_says(name: str, lang: str) -> None:
    """`python -m tests.help_pages` makes them again."""
    assert help_pages.packaged(name, lang).read_text(encoding="utf-8") == help_pages.made(name, lang)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_link_leads_to_a_part_of_a_page(lang: str) -> None:
    texts = {name: help_pages.made(name, lang) for name in HELP}
    for name, text in some(texts.items()):
        for target, part in re.findall(r'<a href="(?:/help/([\w-]+))?(?:#([^"]*))?">', text):
            assert not part or f'id="{part}"' in texts[target or name], (name, target, part)
        assert re.findall(r"<(?:script|style|img)|style=|href=.[^ >]*[.]md", text) == []


@pytest.mark.slow
async def test_the_list_leads_to_every_page(server: RunningServer) -> None:
    visitor = Visitor(server)
    listed = await visitor.get("/help")
    for address in re.findall(r'href="(/(?:help|aids|rules|notation)/[^"]*)"', listed.text):
        assert (await visitor.get(address)).status == 200, address
    assert [name for name in HELP if f'"/help/{name}"' not in listed.text] == []
    assert (await visitor.get("/help/operating")).status == 404


async def test_a_page_speaks_the_language_of_the_reader_and_leads_to_the_other(server: RunningServer) -> None:
    visitor = Visitor(server)
    french = await visitor.ask("GET", "/help/scripts", FRENCH)
    assert "Un ordre par ligne" in french.words and "This page in English" in french.words
    prose = re.sub(r"<code>.*?</code>|<pre.*?</pre>|<[^>]*>|To the Strongest!", "", _article(french.text), flags=re.S)
    assert english_in(prose) == []
    english = await visitor.ask("GET", "/help/scripts?lang=en", FRENCH)
    assert "One order per line" in english.words and "Cette page en français" in english.words


def _article(text: str) -> str:
    found = re.search(r'<article class="help">(.*?)</article>', text, re.S)
    assert found
    return found[1]


@pytest.mark.slow
async def test_the_sheets_of_a_game_are_pictures_in_the_language_of_the_reader(server: RunningServer) -> None:
    visitor = Visitor(server)
    page = await visitor.ask("GET", "/aids/tts", FRENCH)
    sheets = re.findall(r'<img src="(/aids/tts/[\w-]+-fr\.svg)"', page.text)
    assert len(sheets) == 10
    first = await visitor.get(sheets[0])
    assert first.headers["Content-Type"].startswith("image/svg+xml") and "Activation" in first.text
    assert "Activation, page" not in page.text and " Types de troupes, page 2</a>" in page.text
    for missing in ("/aids/tts/aid-nothing-en.svg", "/aids/nonesuch"):
        assert (await visitor.get(missing)).status == 404


PLACES = ("/help", "/rules", "/learn")
"""Where the sheets of a game are offered, beside its battles."""


async def test_help_is_linked_where_it_matters(server: RunningServer) -> None:
    visitor = Visitor(server)
    page = await visitor.send("/battles", scenario="tts/skirmish", phrase=PHRASE)
    assert "/help/fair-chance" in page.text and "/help/standing-orders" not in page.text
    assert all('href="/aids/tts"' in said for said in (page.text, *[(await visitor.get(at)).text for at in PLACES]))
    page = await visitor.order(page.path.rpartition("/")[2], "standing evade R3 never")
    assert "/help/standing-orders" in page.text


async def test_help_has_no_barriers_on_a_phone(server: RunningServer, browser: Browser) -> None:
    if os.environ.get("CI") != "true":
        pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed")
    from axe_playwright_python.async_playwright import Axe

    context, axe = await browser.new_context(viewport={"width": NARROW, "height": 700}), Axe()
    for path in ("/help", "/help/scripts", "/help/glossary", "/aids/warmaster-shooting", "/learn"):
        page = await new_page(context, server, path)
        assert await page.evaluate(NAMELESS) == [] and await page.evaluate(DOUBLE_IDS) == [], path
        assert await page.evaluate("document.documentElement.scrollWidth") <= NARROW, path
        assert (await axe.run(page)).violations_count == 0, (await axe.run(page)).generate_report()
        await page.close()
    await context.close()
