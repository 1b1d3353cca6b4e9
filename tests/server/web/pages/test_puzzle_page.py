"""The page of a newcomer's puzzle, in a browser: with its script, and without."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from server.limits import USUAL, Limits, Rate
from server.web.puzzles import WAIT_S
from tests.server.web.pages.test_browser import new_page
from tests.support.clock import ManualClock
from tests.support.serving import serving

LIMITS = Limits(rates={**USUAL, "puzzle": Rate(server="1 per hour")})


@pytest.mark.parametrize("has_script", [True, False])
async def test_a_newcomer_goes_on_to_their_battle(tmp_path: Path, browser: Browser, has_script: bool) -> None:
    clock = ManualClock()
    async with serving(tmp_path / "data", clock=clock, limits=LIMITS) as server:
        for number in range(2):
            page = await new_page(await browser.new_context(java_script_enabled=has_script), server)
            await page.get_by_role("button", name="Play To the Strongest!").click()
            if number and not has_script:
                await expect(page.get_by_text("wait 21 seconds")).to_be_visible()
                clock.wait(seconds=WAIT_S)
                await page.get_by_role("button", name="Go on").click()
            await page.wait_for_url("**/battles/*")
            await expect(page.locator("#board")).to_be_visible()
