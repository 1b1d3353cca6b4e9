"""Several units chosen by hand, and ordered together or each alone: by pointer, by touch, by keyboard."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from playwright.async_api import Browser, Locator, Page, Route, expect

from tests.server.web.pages.barriers import found_on
from tests.server.web.pages.test_browser import PHONE_WIDTH, log_in, new_page, play_now
from tests.server.web.pages.test_by_hand import DESKTOP, spot, unit
from tests.server.web.pages.test_phone import tap_twice
from tests.support.serving import RunningServer

BOX = "Orders, one to a line"


async def middle(page: Page, name: str) -> tuple[float, float]:
    """Where a unit is in the window."""
    box = await unit(page, name).bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


async def choose(page: Page, *names: str) -> None:
    """Click units with Shift, whatever lies over them."""
    await page.keyboard.down("Shift")
    for name in names:
        await page.mouse.click(*await middle(page, name))
    await page.keyboard.up("Shift")
    await expect_chosen(page, *names)


async def expect_chosen(page: Page, *names: str) -> None:
    await expect(lot(page)).to_have_attribute("data-units", " ".join(names))
    await expect(page.locator("#board .unit.chosen")).to_have_count(len(names))


def lot(page: Page) -> Locator:
    """The part of the tray about several units."""
    return page.locator("#together [data-units]")


async def test_units_chosen_with_shift_go_together(server: RunningServer, browser: Browser) -> None:
    page = await play_now(browser, server)
    await page.set_viewport_size(DESKTOP)
    await unit(page, "R1").click()
    await page.keyboard.down("Shift")
    await page.mouse.click(*await middle(page, "R2"))
    await page.keyboard.up("Shift")
    await expect_chosen(page, "R1", "R2")
    assert not await page.locator('#picks button[value="group R1 R2 ahead"]').count()  # the list has the largest group
    for box in ("C3", "D3"):
        await expect(spot(page, box)).to_contain_text("90%")
    assert await found_on(page) == []
    await page.set_viewport_size(DESKTOP)
    await spot(page, "D3").click()
    await expect(page.get_by_label(BOX)).to_have_value("group R1 R2 ahead\n")
    await expect(page.locator("#ghosts polyline")).to_have_count(2)
    await expect(lot(page)).to_have_count(0)
    await expect(page.locator("#board .chosen")).to_have_count(0)


async def test_units_that_are_no_group_say_why_and_go_each_alone(server: RunningServer, browser: Browser) -> None:
    page = await play_now(browser, server)
    await page.set_viewport_size(DESKTOP)
    await choose(page, "R1", "R5", "R4")
    await expect(lot(page)).to_contain_text("[TTS-")
    await expect(page.locator("#aims .aim")).to_have_count(0)
    await page.get_by_role("button", name="Without R5").click()
    await expect_chosen(page, "R1", "R4")
    await page.get_by_label("Each of them alone").select_option(label="ahead")
    await page.get_by_role("button", name="Add one for each").click()
    await expect(page.get_by_label(BOX)).to_have_value("R1 ahead\nR4 ahead\n")
    await expect(page.locator("#told")).to_contain_text("R1 ahead, R4 ahead")


@asynccontextmanager
async def script_held(page: Page) -> AsyncIterator[None]:
    """The script of several units comes only when this is left."""
    is_left = asyncio.Event()

    async def hold(route: Route) -> None:
        await is_left.wait()
        await route.continue_()

    await page.route("**/together.js", hold)
    yield
    is_left.set()


async def test_clicks_made_while_the_script_comes_keep_their_order(server: RunningServer, browser: Browser) -> None:
    page = await play_now(browser, server)
    await page.set_viewport_size(DESKTOP)
    async with script_held(page):
        await page.keyboard.down("Shift")
        for name in ("R1", "R5", "R4"):
            await page.mouse.click(*await middle(page, name))
        await page.keyboard.up("Shift")
    await expect_chosen(page, "R1", "R5", "R4")


async def test_a_frame_begun_before_the_script_came_is_drawn(server: RunningServer, browser: Browser) -> None:
    page = await play_now(browser, server)
    await page.set_viewport_size(DESKTOP)
    async with script_held(page):
        await page.keyboard.down("Shift")
        (x, y), (to_x, to_y) = [await middle(page, name) for name in ("R1", "R2")]
        await page.mouse.move(x - 40, y - 40)
        await page.mouse.down()
        await page.mouse.move(to_x + 40, to_y + 40)
    await expect(page.locator(".frame")).to_have_count(1)
    await page.mouse.up()
    await page.keyboard.up("Shift")
    await expect_chosen(page, "R1", "R2")


async def test_a_frame_and_a_formation_choose_many(server: RunningServer, browser: Browser) -> None:
    page = await play_now(browser, server)
    await page.set_viewport_size(DESKTOP)
    cells = [await page.locator(f'#board .cell[data-cell="{name}"]').bounding_box() for name in ("A3", "D1")]
    assert cells[0] and cells[1]
    await page.keyboard.down("Shift")
    await page.mouse.move(cells[0]["x"] + 9, cells[0]["y"] + 9)
    await page.mouse.down()
    await page.mouse.move(cells[1]["x"] + 9, cells[1]["y"] + 9, steps=4)  # R2 is not whole in the frame
    await expect(page.locator(".frame")).to_have_count(1)
    await page.mouse.up()
    await page.keyboard.up("Shift")
    await expect(page.locator("#board .unit.chosen")).to_have_count(2)
    await expect(page.locator(".frame")).to_have_count(0)
    await page.keyboard.press("Escape")
    await expect(lot(page)).to_have_count(0)
    await unit(page, "R5").click()
    await page.locator("#unit-card [data-whole]").click()
    await expect_chosen(page, "R4", "R5", "R6")
    await page.locator("#sides [data-whole]").first.click()
    await expect_chosen(page, "R1", "R2", "R3")
    await unit(page, "R6").click()  # alone again
    await expect(lot(page)).to_have_count(0)


async def test_fingers_choose_several_in_a_mode_of_its_own(server: RunningServer, browser: Browser) -> None:
    viewport = {"width": PHONE_WIDTH, "height": 780}
    page = await play_now(browser, server, viewport=viewport, has_touch=True)
    several = page.get_by_role("button", name="Several units")
    await several.tap()
    await expect(several).to_have_attribute("aria-pressed", "true")
    for name in ("R1", "R2"):
        await page.touchscreen.tap(*await middle(page, name))
    await expect_chosen(page, "R1", "R2")
    assert await page.evaluate("document.documentElement.scrollWidth") <= PHONE_WIDTH
    await page.touchscreen.tap(*await middle(page, "R2"))
    await expect_chosen(page, "R1")
    await page.touchscreen.tap(*await middle(page, "R3"))
    await expect_chosen(page, "R1", "R3")
    await tap_twice(page, *await middle(page, "R2"))  # which enlarges the board elsewhere
    await expect_chosen(page, "R1", "R3")
    await expect(page.locator("#battle")).not_to_have_class(re.compile("zoomed"))
    await lot(page).locator("button[name=pick]").first.tap()
    await expect(page.get_by_label(BOX)).to_have_value("group R1 R3 ahead\n")
    await several.tap()
    await expect(several).to_have_attribute("aria-pressed", "false")


async def test_keys_choose_several_and_it_is_said(server: RunningServer, browser: Browser) -> None:
    page = await play_now(browser, server)
    await page.set_viewport_size(DESKTOP)
    await page.locator('#board [data-stop="C2"]').focus()
    await page.keyboard.press("Shift+Enter")
    await expect_chosen(page, "R1")
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("Shift+Enter")
    await expect_chosen(page, "R1", "R2")
    await expect(page.locator("#together [role=status]")).to_have_text(
        "Chosen: 2 units: R1, R2. Together: group R1 R2 ahead"
    )
    await page.keyboard.press("Escape")
    await expect(lot(page)).to_have_count(0)
    await page.keyboard.press("Shift+Enter")
    await page.keyboard.press("ArrowLeft")
    await page.keyboard.press("Shift+Enter")
    await expect_chosen(page, "R2", "R1")
    await page.keyboard.press("ArrowUp")
    await page.keyboard.press("Enter")
    await expect(page.get_by_label(BOX)).to_have_value("group R1 R2 ahead\n")


async def test_hexes_offer_the_same_way_for_each(server: RunningServer, browser: Browser) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob, ruleset="singidunum", scenario="two-lines")
    context = await browser.new_context(viewport=DESKTOP)
    await log_in(context, server, anna)
    page = await new_page(context, server, f"/battles/{battle}")
    names = await page.locator("#board .unit.pickable").evaluate_all("all => all.map((one) => one.dataset.unit)")
    await choose(page, *names[:2])
    ways = page.locator("#alone option")
    assert await ways.count() > 1
    lines = (await ways.last.get_attribute("value") or "").split("\n")
    assert [line.split()[0] for line in lines] == names[:2]
