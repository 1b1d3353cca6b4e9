"""Orders by hand: on the board, in the tray, by pointer."""

import os

import pytest
from playwright.async_api import Browser, Locator, Page, ViewportSize, expect

from tests.server.web.pages.test_browser import end_turn, log_in, new_page, play_now
from tests.support.serving import RunningServer

DESKTOP: ViewportSize = {"width": 1280, "height": 800}
IN_SIGHT = """(label) => [...document.querySelectorAll('#tray .buttons button')].some((button) => {
  const box = button.getBoundingClientRect();
  return button.textContent === label && box.top >= 0 && box.bottom <= innerHeight && box.height >= 24; })"""
LINES = """async ({ module, calls }) => { const lines = await import(module);
  return calls.map(([name, ...given]) => lines[name](...given)); }"""


def unit(page: Page, name: str) -> Locator:
    return page.locator(f'#board .unit[data-unit="{name}"]')


def spot(page: Page, box: str) -> Locator:
    return page.locator(f'#aims [data-key="{box}"]')


async def order_by_hand(page: Page, name: str, box: str) -> None:
    """Choose a unit, then a lit box; where several orders lead there, the first."""
    await unit(page, name).click()
    await spot(page, box).click()
    if await page.locator("#chooser").count():
        await page.locator("#chooser button").first.click()


async def lines(page: Page, *calls: list[object]) -> list[object]:
    """What the functions of `lines.js` give."""
    module = await page.evaluate("new URL('static/lines.js', document.baseURI.replace(/battles.*/, '')).href")
    found: list[object] = await page.evaluate(LINES, {"module": module, "calls": calls})
    return found


async def test_a_unit_shows_where_it_may_go_and_a_click_fills_the_tray(server: RunningServer, browser: Browser) -> None:
    page = await play_now(browser, server)
    await page.set_viewport_size(DESKTOP)
    before = await page.evaluate("scrollY")
    await unit(page, "R1").click()
    await expect(spot(page, "C3")).to_have_class("aim move")
    await expect(spot(page, "C3")).to_contain_text("90%")
    await expect(spot(page, "H6")).to_have_count(0)
    await spot(page, "B3").click()
    box = page.get_by_label("Orders, one to a line")
    await expect(box).to_have_value("R1 to B3\n")
    await expect(page.locator("#chips code")).to_have_text(["R1 to B3"])
    await expect(page.locator("#ghosts polyline")).to_have_count(1)
    await expect(page.locator("#aims .aim")).to_have_count(0)
    await expect(page.locator("#told")).to_contain_text("70%")
    assert await page.evaluate("scrollY") == before
    for label in ("Preview", "Send", "End turn…"):
        assert await page.evaluate(IN_SIGHT, label), label


async def test_the_same_order_twice_is_asked_about(server: RunningServer, browser: Browser) -> None:
    page = await play_now(browser, server)
    await order_by_hand(page, "R1", "B3")
    await order_by_hand(page, "R1", "B3")
    box = page.get_by_label("Orders, one to a line")
    await expect(page.locator("#told")).to_contain_text("is in the tray already")
    await expect(box).to_have_value("R1 to B3\n")
    await page.get_by_role("button", name="Add it again").click()
    await expect(box).to_have_value("R1 to B3\nR1 to B3\n")


async def test_chips_are_ordered_and_removed(server: RunningServer, browser: Browser) -> None:
    page = await play_now(browser, server)
    box = page.get_by_label("Orders, one to a line")
    await box.fill("R1 ahead\n# a note\nR2 ahead\nR3 ahead")
    await expect(page.locator("#chips code")).to_have_text(["R1 ahead", "R2 ahead", "R3 ahead"])
    await page.get_by_role("button", name="Earlier: R2 ahead").click()
    await expect(box).to_have_value("R2 ahead\n# a note\nR1 ahead\nR3 ahead")
    await page.get_by_role("button", name="Remove R1 ahead").click()
    await expect(page.locator("#chips code")).to_have_text(["R2 ahead", "R3 ahead"])
    await expect(box).to_have_value("R2 ahead\n# a note\nR3 ahead")


async def test_what_is_written_while_orders_are_sent_stays(server: RunningServer, browser: Browser) -> None:
    page = await play_now(browser, server)
    found = await lines(
        page,
        ["afterSending", "R1 ahead\n", "R1 ahead\n", ""],
        ["afterSending", "R1 ahead\nR2 ahead", "R1 ahead\n", ""],
        ["afterSending", "R2 ahead\nR1 ahead", "R1 ahead\n", ""],
        ["afterSending", "R1 x\nR2 ahead\nR3 b", "R1 x\nR2 ahead", "R2 ahead\n"],
        ["merged", "mine", "old", "old"],
        ["merged", "old", "old", "theirs"],
        ["merged", "old\nmine", "old", "came back\nold"],
        ["hasOrder", "r1  AHEAD\n", "R1 ahead"],
        ["hasOrder", "# R1 ahead\n", "R1 ahead"],
    )
    assert found == [
        "",
        "R2 ahead",
        "R2 ahead",
        "R2 ahead\nR3 b",
        "mine",
        "theirs",
        "came back\nold\nmine",
        True,
        False,
    ]
    box = page.get_by_label("Orders, one to a line")
    await box.fill("R1 ahead\n")
    await page.get_by_role("button", name="Send").click()
    await box.press_sequentially("R2 ah")
    await expect(page.locator("#story")).to_contain_text("South: R1 ahead")
    await expect(box).to_have_value("R2 ah")


async def test_a_unit_that_cannot_act_says_why(server: RunningServer, browser: Browser) -> None:
    page = await play_now(browser, server)
    await unit(page, "R1").click()
    await page.locator('#board .cell[data-cell="H1"]').click()
    await expect(page.locator("#told")).to_contain_text("[TTS-MOV-02]")
    await page.keyboard.press("Escape")
    await page.get_by_label("Orders, one to a line").fill("corps I")
    await page.get_by_role("button", name="Send").click()
    idle = page.locator("#board .unit.idle").first
    await expect(idle).to_be_visible()
    await idle.click()
    await expect(page.locator("#told")).to_contain_text("[TTS-")


async def test_a_draft_outlives_a_reload_and_reaches_another_device(server: RunningServer, browser: Browser) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    contexts = [await browser.new_context(), await browser.new_context()]
    for context in contexts:
        await log_in(context, server, anna)
    page = await new_page(contexts[0], server, f"/battles/{battle}")
    async with page.expect_response(lambda answer: answer.url.endswith("/draft")):
        await order_by_hand(page, "R3", "B3")
    await page.reload()
    await expect(page.locator("#chips code")).to_have_text(["R3 to B3"])
    other = await new_page(contexts[1], server, f"/battles/{battle}")
    await expect(other.locator("#chips code")).to_have_text(["R3 to B3"])
    await page.get_by_role("link", name="One event back").click()
    await page.get_by_role("link", name="Go to now").click()
    await expect(page.locator("#chips code")).to_have_text(["R3 to B3"])


async def test_two_windows_put_their_orders_together(server: RunningServer, browser: Browser) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    context = await browser.new_context()
    await log_in(context, server, anna)
    one, other = [await new_page(context, server, f"/battles/{battle}") for _ in range(2)]
    async with one.expect_response(lambda answer: answer.url.endswith("/draft") and answer.status == 204):
        await order_by_hand(one, "R3", "B3")
    async with other.expect_response(lambda answer: answer.url.endswith("/draft") and answer.status == 204):
        await order_by_hand(other, "R6", "H3")
    await expect(other.locator("#chips code")).to_have_text(["R3 to B3", "R6 to H3"])
    await one.reload()
    await expect(one.locator("#chips code")).to_have_text(["R3 to B3", "R6 to H3"])


async def test_a_short_turn_by_clicks_alone_shows_its_result(server: RunningServer, browser: Browser) -> None:
    page = await play_now(browser, server)
    await page.set_viewport_size(DESKTOP)
    await order_by_hand(page, "R1", "B3")
    await page.get_by_role("button", name="Preview").click()
    await expect(page.locator("#answer")).to_contain_text("understood; works in")
    await expect(page.locator("#answer")).to_contain_text("The failure ends corps I")
    await page.get_by_role("button", name="Send").click()
    result = page.locator("#result")
    await expect(result).to_contain_text("South: R1 to B3")
    await expect(result.locator(".card").first).to_be_visible()
    assert await result.locator("b.passed, b.failed").count()
    await expect(page.locator("#chips li")).to_have_count(0)
    await end_turn(page)
    await expect(result).to_contain_text("North: ")
    assert await page.evaluate("scrollY") == 0


async def test_the_page_has_no_barriers_in_any_state_of_an_order(server: RunningServer, browser: Browser) -> None:
    if os.environ.get("CI") != "true":
        pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed")
    from axe_playwright_python.async_playwright import Axe

    page, axe = await play_now(browser, server), Axe()

    async def check() -> None:
        assert (await axe.run(page)).violations_count == 0, (await axe.run(page)).generate_report()

    await check()
    await unit(page, "R1").click()
    await spot(page, "C3").click()
    await expect(page.locator("#chooser")).to_be_visible()
    await check()
    await page.locator("#chooser button").first.click()
    await page.get_by_role("button", name="Preview").click()
    await expect(page.locator("#answer")).to_contain_text("understood")
    await check()
    await page.emulate_media(color_scheme="dark")
    await page.get_by_role("button", name="Send").click()
    await expect(page.locator("#result .card").first).to_be_visible()
    await check()


async def test_a_unit_is_dragged_to_where_it_goes(server: RunningServer, browser: Browser) -> None:
    page = await play_now(browser, server)
    await page.set_viewport_size(DESKTOP)
    token = await unit(page, "R6").bounding_box()
    assert token
    x, y = token["x"] + token["width"] / 2, token["y"] + token["height"] / 2
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 10, y - 12, steps=3)
    target = await spot(page, "H3").bounding_box()
    assert target
    await page.mouse.move(target["x"] + target["width"] / 2, target["y"] + target["height"] / 2, steps=3)
    await page.mouse.up()
    await expect(page.locator("#chips code")).to_have_text(["R6 to H3"])
    await unit(page, "R6").click()
    await page.keyboard.press("Escape")
    await page.mouse.move(x, y - 200)
    await expect(page.locator("#aims .aim")).to_have_count(0)  # a click that has ended drags nothing


async def test_hexes_are_played_by_hand(server: RunningServer, browser: Browser) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob, scenario="ambush", ruleset="singidunum")
    live = await server.running.battles.get(battle)
    option = next(one for one in live.options("south") if one.target and one.target.act == "move")
    context = await browser.new_context()
    await log_in(context, server, anna)
    page = await new_page(context, server, f"/battles/{battle}")
    assert option.target
    await order_by_hand(page, option.unit, option.target.box)
    await expect(page.locator("#chips code")).to_have_text([option.order])
    await expect(page.locator("#ghosts polyline")).to_have_count(1)
    await page.get_by_role("button", name="Send").click()
    await expect(page.locator("#result")).to_contain_text(option.order)


async def test_free_measure_is_played_by_hand(server: RunningServer, browser: Browser) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob, scenario="charge-at-dawn", ruleset="warmaster-shooting")
    live = await server.running.battles.get(battle)
    option = next(one for one in live.options("south") if one.kind == "charge")
    context = await browser.new_context()
    await log_in(context, server, anna)
    stand = live.game.units[option.unit].stands[0].id
    assert option.target and option.target.point
    key = f"{option.target.point[0]} {option.target.point[1]}"
    for query in ("?turned=yes", "?turned=no"):
        page = await new_page(context, server, f"/battles/{battle}{query}")
        await unit(page, stand).click()
        spots = spot(page, key)
        enemy = unit(page, live.game.units[option.target.unit].standing[1].id)
        await expect(spots).to_have_class("aim charge")
        drawn, there = await spots.bounding_box(), await enemy.bounding_box()
        assert drawn and there  # the spot is drawn on the enemy whom the charge is aimed at
        assert abs(drawn["x"] + drawn["width"] / 2 - there["x"] - there["width"] / 2) < there["width"]
        assert abs(drawn["y"] + drawn["height"] / 2 - there["y"] - there["height"] / 2) < there["height"]
        await spots.click()
        await expect(page.locator("#chips code")).to_have_text([option.order])
        await page.get_by_role("button", name=f"Remove {option.order}").click()
        await expect(page.locator("#chips li")).to_have_count(0)
        await page.close()
