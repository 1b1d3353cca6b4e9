"""The chips of the order tray: put into another order by dragging, and played in another way."""

from playwright.async_api import Browser, Page, expect

from tests.server.web.pages.test_browser import PHONE_WIDTH, play_now
from tests.server.web.pages.test_by_hand import lines
from tests.support.serving import RunningServer

ORDERS = "R1 ahead\n# wait\nR2 ahead\nR3 ahead\n"


async def written(server: RunningServer, browser: Browser) -> Page:
    """A battle with three orders in the tray."""
    page = await play_now(browser, server)
    await page.get_by_label("Orders, one to a line").fill(ORDERS)
    await expect(page.locator("#chips code")).to_have_text(["R1 ahead", "R2 ahead", "R3 ahead"])
    return page


async def drag(page: Page, name: str, onto: str) -> None:
    """Drag the chip of one order to just before the middle of another."""
    grip = await page.locator("#chips li", has_text=name).locator(".grip").bounding_box()
    there = await page.locator("#chips li", has_text=onto).bounding_box()
    assert grip and there
    await page.mouse.move(grip["x"] + 4, grip["y"] + 8)
    await page.mouse.down()
    await page.mouse.move(there["x"] + there["width"] / 3, there["y"] + there["height"] / 2, steps=5)
    await page.mouse.up()


async def test_a_chip_is_dragged_to_another_place(server: RunningServer, browser: Browser) -> None:
    page = await written(server, browser)
    await drag(page, "R2 ahead", "R1 ahead")
    await expect(page.locator("#chips code")).to_have_text(["R2 ahead", "R1 ahead", "R3 ahead"])
    await expect(page.get_by_label("Orders, one to a line")).to_have_value("R2 ahead\nR1 ahead\n# wait\nR3 ahead\n")


async def test_an_order_is_played_in_another_way(server: RunningServer, browser: Browser) -> None:
    page = await written(server, browser)
    ghosts = await page.locator("#ghosts polyline").count()
    await page.get_by_label("How to play R1 ahead").select_option("again")
    await expect(page.locator("#chips code").first).to_have_text("repeat R1 ahead until it fails")
    again = page.get_by_label("How to play repeat R1 ahead until it fails")
    await expect(again).to_be_focused()
    await expect(page.locator("#ghosts polyline")).to_have_count(ghosts)
    await page.get_by_label("How to play R2 ahead").select_option("if the last passed")
    box = page.get_by_label("Orders, one to a line")
    await expect(box).to_have_value("repeat R1 ahead until it fails\n# wait\nif it passes: R2 ahead\nR3 ahead\n")
    await page.get_by_role("button", name="Preview").click()
    await expect(page.locator("#answer")).not_to_contain_text("cannot be read")
    await expect(page.locator("#answer")).to_contain_text("R1")
    await again.select_option("once")
    await expect(page.locator("#chips code").first).to_have_text("R1 ahead")


async def test_lines_know_the_ways_to_play_an_order(server: RunningServer, browser: Browser) -> None:
    page = await play_now(browser, server)
    found = await lines(
        page,
        ["wayOf", "R1 ahead"],
        ["wayOf", "repeat 2 times R1 ahead"],
        ["wayOf", "Repeat R1 ahead until it fails"],
        ["wayOf", "if it fails: R1 ahead; R2 ahead"],
        ["wayOf", "standing evade all never"],
        ["inWay", "a\nif it fails: R1 ahead\n", 1, "twice"],
        ["placedLine", "a\nb\nc\n", 2, 0],
        ["placedLine", "a\n#\nb\nc\n", 0, -1],
        ["placedLine", "a\nb\nc", 0, 2],
        ["placedLine", "a\nb", 1, 1],
    )
    assert found == [
        {"way": "once", "order": "R1 ahead"},
        {"way": "twice", "order": "R1 ahead"},
        {"way": "again", "order": "R1 ahead"},
        {"way": "", "order": "if it fails: R1 ahead; R2 ahead"},
        {"way": "", "order": "standing evade all never"},
        "a\nrepeat 2 R1 ahead\n",
        "c\na\nb\n",
        "#\nb\nc\na\n",
        "b\na\nc",
        "a\nb",
    ]


async def test_the_chips_fit_a_phone(server: RunningServer, browser: Browser) -> None:
    page = await written(server, browser)
    await page.set_viewport_size({"width": PHONE_WIDTH, "height": 800})
    assert await page.evaluate("document.documentElement.scrollWidth") <= PHONE_WIDTH


async def test_the_end_of_a_turn_asks_while_units_could_still_act(server: RunningServer, browser: Browser) -> None:
    page = await play_now(browser, server)
    before = await page.locator("#battle").get_attribute("data-n")
    ends = page.locator("#onward [name=end]")
    await expect(ends).to_be_hidden()
    await page.get_by_role("button", name="End turn…", exact=True).click()
    await expect(page.locator("#sure")).to_contain_text("6 units could still be given an order.")
    await page.keyboard.press("Escape")
    await expect(ends).to_be_hidden()
    assert await page.locator("#battle").get_attribute("data-n") == before
    await page.get_by_role("button", name="End turn…", exact=True).click()
    await ends.click()
    await expect(page.locator("#story")).to_contain_text("North: ")
