"""A whole turn, and what is around it, in a browser that runs no script."""

from playwright.async_api import Browser, Locator, Page, expect

from tests.server.web.pages.test_browser import address
from tests.support.serving import PHRASE, RunningServer

MOST_SENDINGS = 12
"""More than a turn of this battle asks for: its orders, and answers to questions."""


async def test_a_battle_is_played_without_a_script(server: RunningServer, browser: Browser) -> None:
    page = await (await browser.new_context(java_script_enabled=False)).new_page()
    await page.goto(address(server))
    await page.get_by_role("navigation").get_by_role("link", name="New battle").click()
    await page.get_by_role("button", name="Open").click()
    await expect(page.locator("#status")).to_contain_text("Turn 1 of 10")
    battle = page.url
    await page.locator('[data-unit-picks="R1"] summary').click()
    await page.get_by_role("button", name="R1 ahead", exact=True).click()
    await box(page).fill(f"{await box(page).input_value()}R2 to D3")
    await page.get_by_role("button", name="Preview").click()
    await expect(page.locator("#answer")).to_contain_text("understood; works in")
    await expect(box(page)).to_have_value("R1 ahead\nR2 to D3")
    await send(page)
    await expect(page.locator("#result")).to_contain_text("South: R1 ahead")
    await expect(page.locator("#story")).to_contain_text("South: R1 ahead")
    await end_turn(page)
    await expect(page.locator("#story")).to_contain_text("North: ")
    await expect(page.locator("#status")).to_contain_text("Turn 2 of 10")

    await page.get_by_role("link", name="A turn back").click()
    await expect(page.locator("#status")).to_contain_text("You look at event")
    await page.get_by_role("link", name="One event back").click()
    await expect(page.locator("#board svg")).to_be_visible()
    await page.locator("#story a.why").last.click()
    await expect(page.locator("h1")).to_be_visible()
    await page.goto(battle)
    await page.locator("#resign summary").click()
    await page.get_by_label("Yes, I give this battle up").check()
    await page.locator("#resign button").click()
    await expect(page.locator("#end-title")).to_be_visible()
    await expect(page.get_by_role("button", name="Rematch")).to_be_visible()


def box(page: Page) -> Locator:
    return page.get_by_label("Orders, one to a line")


async def send(page: Page) -> None:
    """Send what stands in the box, with a phrase where one is wanted."""
    phrase = page.locator("#order-form input[type=text][name=phrase]")
    if await phrase.count():
        await phrase.fill(PHRASE)
    await page.get_by_role("button", name="Send").click()


async def end_turn(page: Page) -> None:
    """Answer what is asked, and end the turn."""
    for _ in range(MOST_SENDINGS):
        if "Turn 2" in await page.locator("#status").inner_text():
            return
        if await page.locator("#status .question").count():
            answer = page.locator("#picks details[open] button[name=pick]").last
            await box(page).fill(str(await answer.get_attribute("value")))
        else:
            await box(page).fill("standing evade all never\nend turn")
        await send(page)
