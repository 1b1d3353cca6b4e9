"""In battles of header version 3 the page signs what its player does beside orders, too."""

from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest_asyncio
from playwright.async_api import Browser, expect

from domain.log.record import PBEM_2_1
from replay.proof.verify import verify
from tests.server.web.pages.test_browser import new_page
from tests.server.web.pages.test_player_keys import CHOICE
from tests.support.serving import RunningServer, serving


@pytest_asyncio.fixture(loop_scope="session")
async def signing(tmp_path: Path) -> AsyncIterator[RunningServer]:
    async with serving(tmp_path / "data", opens=PBEM_2_1) as running:
        yield running


async def test_guests_join_leave_and_pause_by_signed_lines(signing: RunningServer, browser: Browser) -> None:
    host = await signing.player("Host")
    battle = await host.open(pace="2d+1d")
    path = f"/battles/{battle}"
    pages = []
    for side in ("south", "north"):
        page = await new_page(await browser.new_context(), signing, path)
        form = page.locator(f"form[data-take][data-side={side}]")
        await form.get_by_label(CHOICE).check()
        await form.get_by_role("button", name=f"Take {side}").click()
        await expect(page.locator(f"#sides .{side}")).to_contain_text("(you)")
        if side == "south":
            await page.get_by_role("button", name="Give").click()
            await expect(page.locator(f"form[data-take][data-side={side}]")).to_be_visible()
            form = page.locator(f"form[data-take][data-side={side}]")
            await form.get_by_label(CHOICE).check()
            await form.get_by_role("button", name=f"Take {side}").click()
            await expect(page.locator(f"#sides .{side}")).to_contain_text("(you)")
        pages.append(page)
    south, north = pages
    assert urlsplit(south.url).path == path
    await south.get_by_label("Days of the pause").fill("9")
    await south.get_by_role("button", name="Ask for a pause").click()
    await expect(south.locator("#time")).to_contain_text("You have asked")
    await north.reload()
    await north.get_by_role("button", name="Agree").click()
    await expect(north.get_by_role("button", name="End the pause")).to_be_visible()
    report = verify(await signing.stranger.export(battle))
    assert report.fault is None, report.fault
    told = [(one.what, one.about) for one in report.listed]
    assert told == [("own-pause-asked", "pause 9d"), ("own-pause", "")]
