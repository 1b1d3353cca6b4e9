"""Turns played by keyboard alone, on the boards of all kinds: the focus is always seen, and what comes is told."""

from typing import Any

import pytest
from playwright.async_api import Browser, Page, ViewportSize, expect

from tests.server.web.pages.test_browser import log_in, new_page, play_now
from tests.server.web.pages.test_by_hand import unit
from tests.support.serving import RunningServer
from tests.support.waiting import eventually

DESKTOP: ViewportSize = {"width": 1280, "height": 800}
MOST_STEPS = 120
"""More than the stops of a page, and than the boxes between any two of a board."""
FOCUS = """() => {
  const part = document.activeElement, box = part.getBoundingClientRect(), style = getComputedStyle(part);
  const board = part.closest('#board'), shape = board && getComputedStyle(part.querySelector('path, polygon, rect'));
  const spots = [0.1, 0.5, 0.9].flatMap((x) => [0.1, 0.5, 0.9].map((y) => [x, y]));
  const isFree = ([x, y]) => {
    const top = document.elementFromPoint(box.x + x * box.width, box.y + y * box.height);
    return top && (part.contains(top) || top.contains(part) || board?.contains(top)); };
  return {
    words: (part.getAttribute('aria-label') ?? part.textContent).trim(), stop: part.dataset.stop ?? '',
    name: `${part.tagName} ${part.id} ${part.outerHTML.slice(0, 90)}`,
    isLost: part === document.body, isSeen: spots.some(isFree),
    isMarked: shape ? parseFloat(shape.strokeWidth) >= 5
      : style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2,
  }; }"""
LISTEN = """() => { window.told = [];
  const hear = () => {
    for (const part of document.querySelectorAll('[aria-live], [role=status]')) {
      const words = part.textContent.trim().replace(/\\s+/g, ' ');
      if (words && !window.told.includes(words)) window.told.push(words);
    } };
  new MutationObserver(hear).observe(document.body, { childList: true, subtree: true, characterData: true }); }"""
TOWARDS = """([from, to]) => {
  const middle = (name) => {
    const box = document.querySelector(`#board [data-stop="${CSS.escape(name)}"]`).getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2]; };
  const [x, y] = middle(from), [toX, toY] = middle(to);
  return [toX - x, toY - y]; }"""


async def focus(page: Page) -> Any:
    """What has the focus; it is a part of the page, in sight, and marked."""
    found = await page.evaluate(FOCUS)
    assert not found["isLost"], "nothing has the focus"
    assert found["isSeen"], found["name"]
    assert found["isMarked"], found["name"]
    return found


async def tab_to(page: Page, selector: str, key: str = "Tab") -> None:
    """Press Tab until a part has the focus; each stop on the way is seen and marked."""
    for _ in range(MOST_STEPS):
        await page.keyboard.press(key)
        await focus(page)
        if await page.locator(selector).evaluate_all("(parts) => parts.includes(document.activeElement)"):
            return
    raise AssertionError(f"no way to {selector}")


async def walk_to(page: Page, stop: str) -> None:
    """Press arrows until the focus is at a box or unit of the board."""
    here = (await focus(page))["stop"]
    for _ in range(MOST_STEPS):
        if here == stop:
            return
        dx, dy = await page.evaluate(TOWARDS, [here, stop])
        across, along = "ArrowRight" if dx > 0 else "ArrowLeft", "ArrowDown" if dy > 0 else "ArrowUp"
        for key in (across, along) if abs(dx) > abs(dy) else (along, across):
            await page.keyboard.press(key)
            before, here = here, (await focus(page))["stop"]
            if here != before:
                break
    raise AssertionError(f"no way to {stop}")


async def told(page: Page, words: str) -> None:
    """Wait until a live region has said some words."""

    async def is_told() -> bool:
        return words in await page.evaluate("window.told.join('\\n')")

    await eventually(f"“{words}” is told", is_told)


async def listening(page: Page) -> Page:
    """A page on which all is kept that its live regions say; the keyboard is at its top."""
    await page.set_viewport_size(DESKTOP)
    await page.evaluate(LISTEN)
    return page


async def to_the_board(page: Page) -> None:
    """From the top of the page by its skip link to the one stop of the board."""
    await page.keyboard.press("Tab")
    assert (await focus(page))["words"] == "Skip to the content"
    await page.keyboard.press("Enter")
    await expect(page.locator("main")).to_be_focused()
    await tab_to(page, "#board [data-stop]")


async def order_at(page: Page, start: str, target: str, order: str = "") -> None:
    """Walk to a unit's stop and choose it, walk to a target and take it, by the chooser where there is one."""
    await walk_to(page, start)
    await page.keyboard.press("Enter")
    await expect(page.locator("#aims .aim").first).to_be_attached()
    await told(page, "may ")
    await walk_to(page, target)
    await page.keyboard.press("Enter")
    if await page.locator("#chooser").count():
        await expect(page.locator("#chooser button").first).to_be_focused()
        if order and order not in (await focus(page))["words"]:
            await tab_to(page, f"#chooser button:has-text('{order}')")
        await page.keyboard.press("Enter")
    assert (await focus(page))["stop"] == target  # the keyboard goes on from there


async def test_a_whole_turn_is_played_by_keyboard_alone(server: RunningServer, browser: Browser) -> None:
    page = await listening(await play_now(browser, server))
    keys, box = page.keyboard, page.get_by_label("Orders, one to a line")
    await to_the_board(page)
    await order_at(page, "C2", "B3")
    await told(page, "R1 ahead-left")  # what may be done there, before it is chosen
    await told(page, "R1 to B3 is in the tray")
    await order_at(page, "G2", "G3")
    await expect(page.locator("#chips code")).to_have_text(["R1 to B3", "R6 to G3"])
    await tab_to(page, "#status a", "Shift+Tab")
    await keys.press("Enter")
    await expect(box).to_be_focused()
    await focus(page)
    await keys.press("Control+End")
    await keys.type("R3 ahead\n")
    await tab_to(page, "#chips button")
    await tab_to(page, '#chips button[aria-label="Earlier: R6 to G3"]')
    await keys.press("Enter")
    await expect(page.locator("#chips code")).to_have_text(["R6 to G3", "R1 to B3", "R3 ahead"])
    await focus(page)
    for order in ("R3 ahead", "R6 to G3"):
        await tab_to(page, "#tray [value=preview]")
        await keys.press("Enter")
        await told(page, f"{order} understood; works in")
        assert (await focus(page))["words"] == "Preview"
        await tab_to(page, f'#chips button[aria-label="Remove {order}"]', "Shift+Tab")
        await keys.press("Enter")
        await expect(page.locator("#chips code").filter(has_text=order)).to_have_count(0)
        await focus(page)
    await tab_to(page, "#status a", "Shift+Tab")
    await keys.press("Enter")
    await keys.press("Control+Enter")
    await told(page, "South: R1 to B3")
    await expect(page.locator("#chips li")).to_have_count(0)
    await expect(box).to_be_focused()
    await focus(page)
    await answered(page)
    await tab_to(page, "#board [data-stop]", "Shift+Tab")
    may_other_corps = "pickable" in str(await unit(page, "R6").get_attribute("class"))  # the card has failed
    start, target, order = ("G2", "G3", "R6 to G3") if may_other_corps else ("D2", "D3", "R2 to D3")
    await order_at(page, start, target, order)
    await tab_to(page, "#onward button")
    assert (await focus(page))["words"] == "End turn…"
    await keys.press("Enter")
    await keys.press("Tab")
    assert (await focus(page))["words"] == "End turn"
    await keys.press("Enter")
    await told(page, f"South: {order}")
    await told(page, "North: ")
    while "Turn 2" not in await page.locator("#status").inner_text():
        await answered(page)
    await focus(page)


async def test_a_question_of_the_tray_leaves_the_focus_in_the_tray(server: RunningServer, browser: Browser) -> None:
    page = await listening(await play_now(browser, server))
    box = page.get_by_label("Orders, one to a line")
    await to_the_board(page)
    await order_at(page, "C2", "B3")
    await order_at(page, "C2", "B3")
    await told(page, "is in the tray already")
    await tab_to(page, "#told button")
    await page.keyboard.press("Enter")
    await expect(box).to_have_value("R1 to B3\nR1 to B3\n")
    assert (await focus(page))["words"] == "Send"


async def answered(page: Page) -> None:
    """Answer what the cards ask, if they ask something: with the last answer at hand."""
    answers = page.locator("#onward button")
    if await page.locator("#status .question").count() and await answers.count():
        question = await page.locator("#status .question").inner_text()
        await tab_to(page, "#onward button >> nth=-1")
        await page.keyboard.press("Enter")
        await expect(page.locator("#status .question", has_text=question)).to_have_count(0)
        await focus(page)


@pytest.mark.parametrize(("ruleset", "scenario"), [("singidunum", "ambush"), ("warmaster-shooting", "charge-at-dawn")])
async def test_the_boards_of_the_other_games_are_played_by_keyboard(
    server: RunningServer, browser: Browser, ruleset: str, scenario: str
) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob, scenario=scenario, ruleset=ruleset)
    live = await server.running.battles.get(battle)
    context = await browser.new_context()
    await log_in(context, server, anna)
    page = await listening(await new_page(context, server, f"/battles/{battle}"))
    option = next(one for one in live.options("south") if one.target and one.target.act in ("move", "charge"))
    assert option.target
    if option.target.point:
        start, target = [live.game.units[name].standing[0].id for name in (option.unit, option.target.unit)]
    else:
        start, target = str(await unit(page, option.unit).get_attribute("data-cell")), option.target.box
    await to_the_board(page)
    await order_at(page, start, target, option.order)
    await told(page, f"{option.order} is in the tray")
    await page.keyboard.press("Control+Enter")
    await told(page, f"South: {option.order}")
    assert (await focus(page))["stop"] == target
