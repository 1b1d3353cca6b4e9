"""A phone: the board on top, the orders within reach of a thumb, the board larger by fingers."""

from typing import Any

import pytest
from playwright.async_api import Browser, Locator, Page, ViewportSize, expect

from tests.server.web.pages.test_browser import DOUBLE_IDS, NAMELESS, end_turn, log_in, new_page, play_now
from tests.server.web.pages.test_by_hand import IN_SIGHT, spot, unit
from tests.support.serving import RunningServer

PHONE: ViewportSize = {"width": 360, "height": 740}
SOME_TIME_S = 1_790_000_000.0
TARGET_PX = 24
"""The least width and height of what is touched (WCAG 2.2, 2.5.8)."""
BOARD_AND_SHEET = """() => [document.getElementById('board'), document.getElementById('tray')].map((part) => {
  const box = part.getBoundingClientRect(); return [box.top, box.bottom]; })"""
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
SMALL = """(least) => [...document.querySelectorAll('#board .cell, #tray button, #steps a, #steps button')]
  .filter((part) => part.checkVisibility()).map((part) => [part.outerHTML.slice(0, 80), part.getBoundingClientRect()])
  .filter(([, box]) => box.width < least || box.height < least).map(([words]) => words)"""


async def phone_of(browser: Browser, server: RunningServer, viewport: ViewportSize = PHONE) -> Page:
    """A phone that shows a battle against the bot."""
    return await play_now(browser, server, viewport=viewport, has_touch=True)


async def phone_in(browser: Browser, server: RunningServer, viewport: ViewportSize = PHONE, **more: Any) -> Page:
    """A phone that shows a battle of two people to its southern player."""
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob, **more)
    context = await browser.new_context(viewport=viewport, has_touch=True)
    await log_in(context, server, anna)
    return await new_page(context, server, f"/battles/{battle}")


async def expect_in_place(phone: Page) -> None:
    """Nothing has scrolled; the board is seen whole above the sheet, and the buttons of the sheet are on the screen."""
    assert await phone.evaluate("scrollY") == 0
    board, sheet = await phone.evaluate(BOARD_AND_SHEET)
    assert board[0] >= 0
    assert board[1] <= sheet[0]
    assert sheet[1] <= PHONE["height"]
    for label in ("Preview", "Send"):
        assert await phone.evaluate(IN_SIGHT, label), label


async def order_by_touch(phone: Page, name: str, box: str) -> None:
    await unit(phone, name).tap()
    await expect_in_place(phone)
    await spot(phone, box).tap()
    if await phone.locator("#chooser").count():
        await expect_in_place(phone)
        await phone.locator("#chooser button").first.tap()


async def test_a_whole_turn_is_played_by_touch(server: RunningServer, browser: Browser) -> None:
    phone = await phone_of(browser, server)
    await expect_in_place(phone)
    await order_by_touch(phone, "R1", "C3")
    await order_by_touch(phone, "R6", "H3")
    await expect(phone.locator("#chips code")).to_have_text(["R1 to C3", "R6 to H3"])
    await phone.get_by_role("button", name="Earlier: R6 to H3").tap()
    await phone.get_by_role("button", name="Preview").tap()
    await expect(phone.locator("#answer")).to_contain_text("understood; works in")
    await expect_in_place(phone)
    await phone.locator("#answer").get_by_role("button", name="Hide").tap()
    await phone.get_by_role("button", name="Send").tap()
    result = phone.locator("#result")
    await expect(result).to_contain_text("South: R6 to H3")
    await expect_in_place(phone)
    if await phone.locator("#onward button", has_text="Replay no").count():
        await phone.locator("#onward button", has_text="Replay no").tap()
    await end_turn(phone)
    await expect(result).to_contain_text("North: ")
    await expect_in_place(phone)
    assert await phone.evaluate(NAMELESS) == []
    assert await phone.evaluate(DOUBLE_IDS) == []


async def test_the_board_and_the_buttons_stay_wherever_one_reads(server: RunningServer, browser: Browser) -> None:
    phone = await phone_of(browser, server)
    for down in (400, 1200, 10_000):
        await phone.evaluate("(down) => scrollTo(0, down)", down)
        board, sheet = await phone.evaluate(BOARD_AND_SHEET)
        assert board[0] >= 0, down
        assert board[1] <= sheet[0], down
        for label in ("Preview", "Send", "End turn…"):
            assert await phone.evaluate(IN_SIGHT, label), (down, label)


@pytest.mark.parametrize("scenario", ["cannae", "issus"])
async def test_what_is_touched_is_large_enough(server: RunningServer, browser: Browser, scenario: str) -> None:
    phone = await phone_in(browser, server, scenario=scenario)
    assert await phone.evaluate(SMALL, TARGET_PX) == []


async def test_the_board_is_enlarged_by_fingers_and_by_buttons(server: RunningServer, browser: Browser) -> None:
    phone = await phone_of(browser, server)
    board, token = phone.locator("#board"), unit(phone, "R1")
    plain, small = await bounds(board), await bounds(token)
    x, y = small["x"] + small["width"] / 2, small["y"] + small["height"] / 2
    await tap_twice(phone, x, y)
    await expect(phone.locator("#battle")).to_have_class("zoomed")
    large = await bounds(token)
    assert large["width"] > 2 * small["width"]
    assert large["x"] <= x <= large["x"] + large["width"]  # it stays under the finger
    assert large["y"] <= y <= large["y"] + large["height"]
    assert await bounds(board) == plain  # the page keeps its form
    assert await phone.evaluate(SIDEWAYS) == 0
    await spot(phone, "C3").tap()
    await phone.locator("#chooser button").first.tap()
    left = await board.evaluate("(part) => part.scrollLeft")
    await phone.get_by_role("button", name="Send").tap()
    await expect(phone.locator("#result")).to_contain_text("South: R1 to C3")
    assert left > 0
    await expect(board).to_have_js_property("scrollLeft", left)  # the newer board, too
    assert (await bounds(unit(phone, "N1")))["width"] > 2 * small["width"]
    await tap_twice(phone, x, y)
    await expect(phone.locator("#battle")).not_to_have_class("zoomed")
    await pinch(phone, x, y, 40, 100)
    assert (await bounds(token))["width"] == pytest.approx(2.5 * small["width"], rel=0.1)
    for _ in range(3):
        await phone.get_by_role("button", name="Reduce the board").tap()
    await expect(phone.locator("#battle")).not_to_have_class("zoomed")
    await phone.get_by_role("button", name="Enlarge the board").tap()
    await expect(phone.locator("#battle")).to_have_class("zoomed")


async def bounds(part: Locator) -> dict[str, float]:
    while (found := await part.bounding_box()) is None:  # the board is being exchanged for a newer one
        await part.wait_for()
    return {name: round(value, 1) for name, value in found.items()}  # type: ignore[call-overload]


async def tap_twice(phone: Page, x: float, y: float) -> None:
    """Two quick taps: a tenth of a second apart by their own time, however long the machine takes."""
    session = await phone.context.new_cdp_session(phone)
    for at, kind in enumerate(("touchStart", "touchEnd", "touchStart", "touchEnd")):
        points = [{"x": x, "y": y}] if kind == "touchStart" else []
        told = {"type": kind, "touchPoints": points, "timestamp": SOME_TIME_S + at / 20}
        await session.send("Input.dispatchTouchEvent", told)


async def pinch(phone: Page, x: float, y: float, first: float, last: float) -> None:
    """Two fingers about a point, `first` pixels apart in the beginning and `last` in the end."""
    session = await phone.context.new_cdp_session(phone)

    async def send(kind: str, apart: float) -> None:
        points = [{"x": x - apart / 2, "y": y, "id": 0}, {"x": x + apart / 2, "y": y, "id": 1}] if apart else []
        await session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    await send("touchStart", first)
    for step in range(1, 5):
        await send("touchMove", first + (last - first) * step / 4)
    await send("touchEnd", 0)


@pytest.mark.parametrize(("ruleset", "scenario"), [("singidunum", "ambush"), ("warmaster-shooting", "charge-at-dawn")])
async def test_the_boards_of_the_other_games_are_played_by_touch(
    server: RunningServer, browser: Browser, ruleset: str, scenario: str
) -> None:
    phone = await phone_in(browser, server, ruleset=ruleset, scenario=scenario)
    await expect_in_place(phone)
    live = await server.running.battles.get(phone.url.rpartition("/")[2])
    option = next(
        one for one in live.options("south") if one.target and one.target.act in ("move", "charge") and one.unit
    )
    assert option.target
    name = option.unit if ruleset == "singidunum" else live.game.units[option.unit].stands[0].id
    key = " ".join(map(str, option.target.point)) if option.target.point else option.target.box
    await unit(phone, name).tap()
    await expect_in_place(phone)
    await spot(phone, key).tap()
    if await phone.locator("#chooser").count():
        await phone.locator("#chooser button", has_text=option.order).first.tap()
    await expect(phone.locator("#chips li")).to_have_count(1)
    await expect_in_place(phone)
    await phone.get_by_role("button", name="Send").tap()
    await expect(phone.locator("#result")).to_be_visible()
    await expect_in_place(phone)


@pytest.mark.parametrize("width", [320, 640])  # 640: 1280 at twice the size
async def test_nothing_goes_beyond_a_narrow_window(server: RunningServer, browser: Browser, width: int) -> None:
    phone = await phone_of(browser, server, {"width": width, "height": 740})
    assert await phone.evaluate(SIDEWAYS) == 0
    await unit(phone, "R1").tap()
    await spot(phone, "C3").tap()
    assert await phone.evaluate(SIDEWAYS) == 0
    await phone.locator("#chooser button").first.tap()
    await phone.get_by_role("button", name="Preview").tap()
    await expect(phone.locator("#answer")).to_contain_text("understood")
    assert await phone.evaluate(SIDEWAYS) == 0
