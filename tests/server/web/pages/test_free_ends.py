"""A unit on a table of free measure: dragged, put down by a tap, led through a list by keys; measured by the server."""

import asyncio
from typing import Any

import pytest
from playwright.async_api import Browser, Locator, Page, Route, ViewportSize, expect

from tests.server.web.pages.barriers import found_on
from tests.server.web.pages.test_browser import log_in, new_page, shown
from tests.server.web.pages.test_by_hand import unit
from tests.support.serving import RunningServer

DESKTOP: ViewportSize = {"width": 1280, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}
SCENARIO, OWN = "crossroads", "A1"
BOX = "Orders, one to a line"
SPOT = """([x, y]) => {
  const part = document.getElementById("board");
  const [scale, margin, , height] = part.dataset.frame.split(" ").map(Number);
  const picture = part.querySelector("svg"), at = new DOMPoint(margin + x * scale, margin + (height - y) * scale);
  const { x: left, y: top } = at.matrixTransform(picture.getScreenCTM());
  return [left, top]; }"""
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


async def battle_at_moves(
    browser: Browser, server: RunningServer, viewport: ViewportSize = DESKTOP, **context: Any
) -> Page:
    """A page of south, who is about to charge and move."""
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob, ruleset="stp", scenario=SCENARIO)
    for caller in (anna, bob):
        assert (await caller.order(battle, "done")).status == 200
    made = await browser.new_context(viewport=viewport, **context)
    await log_in(made, server, anna)
    page = await new_page(made, server, f"/battles/{battle}")
    await expect(unit(page, OWN)).to_be_visible()
    return page


async def own_place(page: Page, server: RunningServer, name: str = OWN) -> tuple[int, int]:
    """Where a unit stands, in scene units."""
    live = await shown(page, server)
    state: Any = live.game
    x, y = state.units[name].at
    return x, y


async def in_window(page: Page, x: int, y: int) -> tuple[float, float]:
    """Where a place of the scene is in the window, which has scrolled to it."""
    await page.locator("#board").scroll_into_view_if_needed()
    left, top = await page.evaluate(SPOT, [x, y])
    return left, top


def ghost(page: Page) -> Locator:
    return page.locator("#end-ghost polygon")


def said(page: Page) -> Locator:
    return page.locator("#ends .end-said")


async def orders(page: Page) -> str:
    return await page.get_by_label(BOX).input_value()


async def drag(page: Page, start: tuple[int, int], to: tuple[int, int]) -> None:
    """Press at one place of the scene and go to another; the button stays down."""
    await page.mouse.move(*await in_window(page, *start))
    await page.mouse.down()
    await page.mouse.move(*await in_window(page, *to), steps=6)


async def test_a_dragged_unit_shows_its_reach_and_ends_where_it_is_dropped(
    server: RunningServer, browser: Browser
) -> None:
    page = await battle_at_moves(browser, server)
    x, y = await own_place(page, server)
    await drag(page, (x, y), (x - 200, y + 700))
    await expect(page.locator("#end-reach polygon")).to_have_count(1)
    await expect(ghost(page)).to_have_count(1)
    await expect(page.locator("#end-ghost text")).to_have_count(3)
    await expect(said(page)).to_contain_text("nearest enemies: ")
    await page.mouse.up()
    await expect(page.get_by_label(BOX)).to_have_value(f"{OWN} face 344.05 move 7.28\n")
    await expect(page.locator("#ghosts polyline")).to_have_count(1)
    await expect(ghost(page)).to_have_count(0)
    await page.get_by_role("button", name="Send").click()
    await expect(page.locator("#story")).to_contain_text("move 7.28")
    assert await own_place(page, server) == (x - 200, y + 700)


async def test_a_ghost_beyond_reach_stands_at_the_edge_of_it(server: RunningServer, browser: Browser) -> None:
    page = await battle_at_moves(browser, server)
    x, y = await own_place(page, server)
    await drag(page, (x, y), (x, y + 3000))
    await expect(said(page)).to_contain_text("move 15: 15 cm")
    await page.mouse.up()
    await expect(page.get_by_label(BOX)).to_have_value(f"{OWN} move 15\n")


async def test_an_answer_that_comes_behind_escape_draws_no_ghost(server: RunningServer, browser: Browser) -> None:
    page, is_given_up = await battle_at_moves(browser, server), asyncio.Event()

    async def late(route: Route) -> None:
        if "x=" in route.request.url:
            await is_given_up.wait()
        await route.continue_()

    await page.route("**/ends?**", late)
    x, y = await own_place(page, server)
    async with page.expect_request(lambda request: "x=" in request.url):
        await drag(page, (x, y), (x, y + 700))
    await page.keyboard.press("Escape")
    async with page.expect_response(lambda answer: "x=" in answer.url) as coming:
        is_given_up.set()
    await (await coming.value).finished()
    await page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    await expect(ghost(page)).to_have_count(0)


async def test_escape_gives_a_drag_up(server: RunningServer, browser: Browser) -> None:
    page = await battle_at_moves(browser, server)
    x, y = await own_place(page, server)
    await drag(page, (x, y), (x, y + 700))
    await expect(ghost(page)).to_have_count(1)
    await page.keyboard.press("Escape")
    await expect(ghost(page)).to_have_count(0)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    await page.mouse.up()
    await page.keyboard.press("Escape")
    await expect(page.locator("#ends")).to_have_count(0)
    assert await orders(page) == ""
    assert [url for url in asked if "x=" in url] == []


async def test_another_drag_of_the_same_unit_takes_the_place_of_the_first(
    server: RunningServer, browser: Browser
) -> None:
    page = await battle_at_moves(browser, server)
    x, y = await own_place(page, server)
    for far in (500, 900):
        await drag(page, (x, y), (x, y + far))
        await expect(said(page)).to_contain_text(f"move {far // 100}:")
        await page.mouse.up()
        await expect(page.get_by_label(BOX)).to_have_value(f"{OWN} move {far // 100}\n")


async def test_a_tap_puts_the_ghost_on_a_phone_and_a_second_takes_it(server: RunningServer, browser: Browser) -> None:
    page = await battle_at_moves(browser, server, PHONE, has_touch=True)
    x, y = await own_place(page, server)
    await page.touchscreen.tap(*await in_window(page, x, y))
    await expect(page.locator("#end-reach polygon")).to_have_count(1)
    await page.wait_for_timeout(400)  # two quick taps enlarge the board
    await page.touchscreen.tap(*await in_window(page, x - 900, y + 100))
    await expect(said(page)).to_contain_text(f"{OWN} face 276.34")
    assert await page.evaluate(SIDEWAYS) == 0
    button = page.get_by_role("button", name="Turn right")
    for _ in range(2):
        before = await said(page).text_content()
        await button.tap()
        await expect(said(page)).not_to_have_text(before or "")
    await page.get_by_role("button", name="Put it in the tray").tap()
    assert f"{OWN} face" in await orders(page)
    assert len((await orders(page)).strip().split("\n")) == 1
    await expect(page.locator("#ends")).to_have_count(0)


async def test_a_finger_drags_the_chosen_unit(server: RunningServer, browser: Browser) -> None:
    page = await battle_at_moves(browser, server, PHONE, has_touch=True)
    x, y = await own_place(page, server)
    await page.touchscreen.tap(*await in_window(page, x, y))
    await expect(page.locator("#end-reach polygon")).to_have_count(1)
    finger = await page.context.new_cdp_session(page)
    start, to = await in_window(page, x, y), await in_window(page, x - 100, y + 800)
    await finger.send("Input.dispatchTouchEvent", touch("touchStart", start))
    for part in (0.2, 0.5, 0.8, 1):
        there = tuple(a + (b - a) * part for a, b in zip(start, to, strict=True))
        await finger.send("Input.dispatchTouchEvent", touch("touchMove", there))
    await expect(ghost(page)).to_have_count(1)
    await finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    await expect(page.get_by_label(BOX)).not_to_have_value("")
    assert (await orders(page)).startswith(f"{OWN} ")


def touch(kind: str, at: tuple[float, ...]) -> dict[str, Any]:
    return {"type": kind, "touchPoints": [{"x": at[0], "y": at[1]}]}


async def test_keys_walk_through_the_ends_and_choose_one(server: RunningServer, browser: Browser) -> None:
    page = await battle_at_moves(browser, server)
    await page.locator(f'#board [data-stop="{OWN}"]').focus()
    await page.keyboard.press("Enter")
    options = page.locator("#ends [role=option]")
    await expect(options.first).to_have_count(1)
    await page.keyboard.press("g")
    await expect(page.locator("#ends [role=listbox]")).to_be_focused()
    await expect(options.first).to_have_attribute("aria-selected", "true")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("ArrowDown")
    await expect(options.nth(2)).to_have_attribute("aria-selected", "true")
    await expect(page.locator("#ends [role=listbox]")).to_have_attribute("aria-activedescendant", "end-2")
    await expect(ghost(page)).to_have_count(1)
    order = await options.nth(2).locator("code").text_content()
    assert await found_on(page) == []
    await page.keyboard.press("Enter")
    await expect(page.get_by_label(BOX)).to_have_value(f"{order}\n")


async def test_a_list_is_left_with_escape(server: RunningServer, browser: Browser) -> None:
    page = await battle_at_moves(browser, server)
    await page.locator(f'#board [data-stop="{OWN}"]').focus()
    await page.keyboard.press("Enter")
    await expect(page.locator("#ends [role=option]").first).to_have_count(1)
    await page.keyboard.press("g")
    await page.keyboard.press("Escape")
    await expect(page.locator("#ends")).to_have_count(0)
    await expect(page.locator("#end-ghost > *")).to_have_count(0)
    assert await orders(page) == ""


async def test_its_script_comes_only_with_the_first_unit(server: RunningServer, browser: Browser) -> None:
    page = await battle_at_moves(browser, server)
    fetched = "performance.getEntriesByType('resource').filter((one) => one.name.includes('free_ends')).length"
    assert await page.evaluate(fetched) == 0
    x, y = await own_place(page, server)
    await page.mouse.click(*await in_window(page, x, y))
    await expect(page.locator("#ends")).to_have_count(1)
    assert await page.evaluate(fetched) == 1


@pytest.mark.parametrize("turned", [False, True])
async def test_a_turned_board_is_dragged_on_alike(server: RunningServer, browser: Browser, turned: bool) -> None:
    page = await battle_at_moves(browser, server)
    if turned:
        await page.locator(".turn-board").click()
        await expect(page.locator("#board[data-turned]")).to_have_count(1)
    x, y = await own_place(page, server)
    sign = -1 if turned else 1
    left, top = await page.evaluate(SPOT, [x, y])
    if turned:
        box = await unit(page, OWN).bounding_box()
        assert box
        left, top = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    scale = await page.evaluate("document.querySelector('#board svg').getScreenCTM().a") * await page.evaluate(
        "Number(document.getElementById('board').dataset.frame.split(' ')[0])"
    )
    await page.mouse.move(left, top)
    await page.mouse.down()
    await page.mouse.move(left, top - sign * 800 * scale, steps=5)
    await expect(ghost(page)).to_have_count(1)
    await page.mouse.up()
    await expect(page.get_by_label(BOX)).not_to_have_value("")
    assert f"{OWN} " in await orders(page)
    distance = float((await orders(page)).split("move ")[1].split()[0])
    assert 7.7 < distance < 8.3
