"""What somebody who has never seen the game stumbled over in a first battle, on a screen and on a phone."""

from typing import Any

from playwright.async_api import Browser, Page, ViewportSize, expect

from tests.server.web.pages.test_browser import play_now
from tests.server.web.pages.test_by_hand import DESKTOP, spot, unit
from tests.server.web.pages.test_phone import phone_of
from tests.server.web.pages.visiting import visitor_of
from tests.support.serving import RunningServer

LOW: ViewportSize = {"width": 1280, "height": 700}
HEIGHT = "(part) => part.getBoundingClientRect().height"
IN_VIEW = """(part) => { const { left, top, width, height } = part.getBoundingClientRect();
  const there = document.elementFromPoint(left + width / 2, top + height / 2);
  return top >= 0 && part.contains(there); }"""


async def height(page: Page, name: str) -> float:
    found: float = await page.locator(name).evaluate(HEIGHT)
    return found


async def test_the_wheel_over_the_board_scrolls_the_page(server: RunningServer, browser: Browser) -> None:
    page = await play_now(browser, server)
    await page.set_viewport_size(LOW)
    await page.locator("#board").hover()
    await page.mouse.wheel(0, 900)  # first the column of the board, if it is higher than the window
    await page.mouse.wheel(0, 900)
    await expect(page.locator("html")).not_to_have_js_property("scrollTop", 0)


async def test_who_is_chosen_instead_shows_their_card(server: RunningServer, browser: Browser) -> None:
    page = await play_now(browser, server)
    card = page.locator("#unit-card h2")
    await unit(page, "R4").click()
    await expect(card).to_contain_text("R4")
    await spot(page, "F2").click()
    await page.get_by_role("button", name="Choose R5 instead").click()
    await expect(card).to_contain_text("R5")


async def test_nothing_is_sent_from_an_empty_tray(server: RunningServer, browser: Browser) -> None:
    page = await play_now(browser, server)
    asked: list[Any] = []
    page.on("request", lambda request: asked.append(request.url) if request.method == "POST" else None)
    for name in ("Send", "Preview"):
        await page.get_by_role("button", name=name, exact=True).click()
        await expect(page.locator("#told")).to_contain_text("The tray is empty")
    assert not [url for url in asked if url.endswith("/orders")]


async def test_the_result_gives_way_to_the_next_orders(server: RunningServer, browser: Browser) -> None:
    page = await play_now(browser, server)
    await page.set_viewport_size(DESKTOP)
    await page.get_by_label("Orders, one to a line").fill("group R1 R2 R3 ahead")
    await page.get_by_role("button", name="Send").click()
    order = page.locator("#result li:last-child .order")
    await expect(order).to_contain_text("group R1 R2 R3 ahead")
    assert await order.evaluate(IN_VIEW)
    tall = await height(page, "#result")
    await page.locator("#board .unit.pickable").first.click()
    await expect(page.locator("#told")).to_contain_text("choose a lit place")
    assert await height(page, "#result") < min(tall, 70)
    await page.locator("#result").focus()
    assert await height(page, "#result") == tall


async def test_a_unit_of_another_corps_offers_the_order_that_opens_it(server: RunningServer, browser: Browser) -> None:
    page = await play_now(browser, server)
    await page.get_by_label("Orders, one to a line").fill("corps I")
    await page.get_by_role("button", name="Send").click()
    await page.locator('#board .unit.idle[data-unit="R4"]').click()
    await expect(page.locator("#told")).to_contain_text("[TTS-TRN-04]")
    await page.locator("#told button").click()
    await expect(page.locator("#chips code")).to_have_text(["corps II"])


async def test_the_orders_of_the_whole_side_say_what_they_do(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    text = (await (await visitor_of(server, anna)).get(f"/battles/{battle}")).text
    assert ">opens this corps; one that is open ends for this turn</span>" in text
    assert ">no corps does anything more in this turn</span>" in text


async def test_a_player_is_told_which_side_they_play(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    shown = [(await (await visitor_of(server, one)).get(f"/battles/{battle}")).text for one in (anna, bob)]
    assert ["You play Rome (south)." in text for text in shown] == [True, False]
    assert ["You play The valley (north)." in text for text in shown] == [False, True]


async def test_steps_zoom_and_turning_are_one_row_on_a_phone(server: RunningServer, browser: Browser) -> None:
    phone = await phone_of(browser, server)
    tops = await phone.evaluate(
        "[...document.querySelectorAll('#steps > :is(a, span, b)')].map((part) => part.offsetTop)"
    )
    assert max(tops) - min(tops) < 8
    assert await phone.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    await phone.get_by_role("link", name="Turn the board").tap()
    await expect(phone.locator("#board[data-turned]")).to_have_count(1)


async def test_the_link_to_the_rematch_leads_to_its_button_on_a_phone(server: RunningServer, browser: Browser) -> None:
    phone = await phone_of(browser, server)
    await phone.get_by_text("Resign", exact=True).first.tap()
    await phone.get_by_label("Yes, I give this battle up").check()
    await phone.get_by_role("button", name="Resign").tap()
    await expect(phone.locator("#end-title")).to_be_visible()
    await phone.locator("#end").get_by_role("link", name="Rematch").tap()
    button = phone.locator("#free").get_by_role("button", name="Rematch")
    await expect(button).to_be_in_viewport()
    assert await button.evaluate(IN_VIEW)
