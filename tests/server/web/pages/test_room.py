"""What a newcomer needs is in reach on every screen: chips, the end of a battle, the board above the orders."""

import pytest
from playwright.async_api import Browser, Page

from tests.server.web.pages.test_browser import address, log_in, new_page
from tests.support.serving import RunningServer

PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 900}
LINES = "\n".join(f"R{number} ahead" for number in range(1, 7))
FILL = """(lines) => {
  const box = document.getElementById("orders");
  box.value = lines;
  box.dispatchEvent(new Event("input", { bubbles: true }));
}"""
IS_WRAPPED = """() => {
  const list = document.getElementById("chips"), room = list.getBoundingClientRect();
  const chips = [...list.children].map((chip) => chip.getBoundingClientRect());
  const isIn = ({ left, right }) => left >= room.left && right <= room.right + 1;
  return list.scrollWidth <= list.clientWidth && chips.every(isIn);
}"""
TOPS = "(parts) => parts.map((part) => document.querySelector(part).getBoundingClientRect().top + scrollY)"


async def opened(server: RunningServer, browser: Browser, size: dict[str, int]) -> Page:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    context = await browser.new_context(viewport=size)  # type: ignore[arg-type]  # two numbers
    await log_in(context, server, anna)
    return await new_page(context, server, f"/battles/{battle}")


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
async def test_the_chips_of_the_tray_never_scroll_sideways(
    server: RunningServer, browser: Browser, size: dict[str, int]
) -> None:
    page = await opened(server, browser, size)
    await page.evaluate(FILL, LINES)
    assert await page.locator("#chips li").count() == len(LINES.splitlines())
    assert await page.evaluate(IS_WRAPPED)
    await page.context.close()


async def test_on_a_phone_the_end_of_a_battle_is_near_the_orders_and_the_replay_below_them(
    server: RunningServer, browser: Browser
) -> None:
    page = await opened(server, browser, PHONE)
    parts = ["#board", "#orders", "#resign", "#picks", "#replay"]
    assert (tops := await page.evaluate(TOPS, parts)) == sorted(tops)
    await page.locator('#steps a[rel="prev"]').click()
    await page.locator("#battle.replaying").wait_for()
    tops = await page.evaluate(TOPS, ["#replay", "#orders"])
    assert tops == sorted(tops)
    await page.context.close()


async def test_the_buttons_that_copy_move_nothing_when_they_come(server: RunningServer, browser: Browser) -> None:
    anna = await server.player("Anna")
    battle, heights = await anna.open(readers="public"), []
    assert (await anna.sit(battle, "south", phrase="some words of chance")).status == 201
    for has_script in (True, False):
        context = await browser.new_context(java_script_enabled=has_script)
        await log_in(context, server, anna)
        page = await context.new_page()
        await page.goto(address(server, f"/battles/{battle}"))
        box = await page.locator(".copying").first.bounding_box()
        assert box
        heights.append(box["height"])
        await context.close()
    assert abs(heights[0] - heights[1]) < 1
