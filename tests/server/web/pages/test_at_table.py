"""Table mode: the board fills the window on every size, all else stands at its edges."""

from playwright.async_api import Browser, Page, expect

from tests.server.web.pages.test_browser import DOUBLE_IDS, NAMELESS, play_now
from tests.server.web.pages.test_by_hand import spot, unit
from tests.support.serving import RunningServer

SIZES = ((360, 740), (390, 844), (640, 400), (768, 1024), (1280, 800), (1920, 1080), (2560, 1440))
"""640 × 400: 1280 × 800 at twice the size."""
LEAST_SHARE = 0.95
"""Of its room, the board takes as much in one direction."""
BOARD = """() => {
  const root = document.documentElement, board = document.getElementById('board').getBoundingClientRect();
  const svg = document.querySelector('#board svg');
  const [, , wide, high] = svg.getAttribute('viewBox').split(' ').map(Number);
  const scale = svg.getScreenCTM().a, seen = (part) => part.checkVisibility() && part.getBoundingClientRect();
  const edges = ['#slider', '#play', '#tray [value=send]', '#onward button', '#table', '#steps', '.side.south',
    '.side.north'];
  return {
    scrolls: [root.scrollWidth > innerWidth, root.scrollHeight > innerHeight, document.body.scrollHeight > innerHeight],
    share: Math.max(wide * scale / board.width, high * scale / board.height),
    room: board.width * board.height / innerWidth / innerHeight,
    out: edges.filter((edge) => { const box = seen(document.querySelector(edge));
      return !box || box.left < 0 || box.top < 0 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1; }),
    covered: document.getElementById('tray').getBoundingClientRect().top < board.bottom - 1,
  }; }"""
SCALE = "document.querySelector('#board svg').getScreenCTM().a"


async def at_the_table(browser: Browser, server: RunningServer) -> Page:
    page = await play_now(browser, server, viewport={"width": 1280, "height": 800})
    await page.locator("#table").click()
    await expect(page.locator("html")).to_contain_class("at-table")
    return page


async def test_the_board_fills_the_window_on_every_size(server: RunningServer, browser: Browser) -> None:
    page = await at_the_table(browser, server)
    for aside in (True, False):
        for width, height in SIZES:
            await page.set_viewport_size({"width": width, "height": height})
            await page.wait_for_function("() => new Promise((done) => requestAnimationFrame(() => done(true)))")
            found = await page.evaluate(BOARD)
            assert found["scrolls"] == [False, False, False], (width, found)
            assert found["share"] >= LEAST_SHARE and found["out"] == [] and not found["covered"], (width, height, found)
            assert found["room"] >= (0.3 if aside or height < 500 else 0.5), (width, height, found)
        await page.locator("[data-table=aside]").click()
    assert await page.evaluate(NAMELESS) == []
    assert await page.evaluate(DOUBLE_IDS) == []


async def test_one_plays_zooms_and_stands_up_again(server: RunningServer, browser: Browser) -> None:
    page = await at_the_table(browser, server)
    await unit(page, "R1").click()
    await spot(page, "C3").click()
    if await page.locator("#chooser").count():
        await page.locator("#chooser button").first.click()
    await expect(page.locator("#chips li")).to_have_count(1)
    before = await page.evaluate(SCALE)
    await page.mouse.move(400, 400)
    await page.mouse.wheel(0, -100)
    await page.wait_for_function(f"{SCALE} > {before} * 1.1")
    await page.mouse.wheel(0, 100)
    await page.wait_for_function(f"Math.abs({SCALE} - {before}) < 0.01")
    root = page.locator("html")
    await page.locator("[data-table=left]").click()
    await expect(root).to_contain_class("left-handed")
    await expect(root).to_contain_class("with-aside")
    await page.keyboard.press("o")
    await expect(page.locator("#orders")).to_be_hidden()
    await page.keyboard.press("o")
    await expect(page.locator("#orders")).to_be_focused()
    await page.keyboard.press("Escape")  # leaves the box, then what is chosen, then the table
    for _ in range(3):
        await page.keyboard.press("Escape")
    await expect(root).not_to_contain_class("at-table")
    await expect(page.locator("#table")).to_be_focused()
    await page.locator("#table").click()
    await page.reload()
    await expect(root).to_contain_class("at-table")  # this browser remembers
