"""Sheets printed from their document by a browser: as many pages as the layout has, each in its paper."""

import re

import pytest
from playwright.async_api import Browser

from domain.games.shot_to_pieces.state.vocabulary import PERIODS
from replay.aids import html
from replay.aids.layout import pages_of
from replay.aids.sheet import Sheet
from replay.games.shot_to_pieces.aids import SHEETS
from replay.games.to_the_strongest.aids import SHEETS as OF_TTS

PAPER = re.compile(rb"/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)")


async def papers(browser: Browser, sheets: list[Sheet]) -> list[tuple[int, int]]:
    """Width and height of the pages that the browser prints, in points."""
    page = await (await browser.new_context()).new_page()
    await page.set_content(html.document(sheets, "Sheets"))
    printed = await page.pdf(prefer_css_page_size=True, print_background=True)
    return [(round(float(wide)), round(float(high))) for wide, high in PAPER.findall(printed)]


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.slow
async def test_a_browser_prints_two_pages_a_period(browser: Browser, lang: str) -> None:
    sheets = [sheet(lang) for sheet in SHEETS.values()]
    assert await papers(browser, sheets) == [(595, 842)] * 2 * len(PERIODS)


@pytest.mark.slow
async def test_a_wide_sheet_is_printed_across(browser: Browser) -> None:
    sheets = [sheet("en") for sheet in OF_TTS.values()]
    expected = [(round(page.width), round(page.height)) for sheet in sheets for page in pages_of(sheet)]
    assert await papers(browser, sheets) == expected
    assert {wide > high for wide, high in expected} == {True, False}
