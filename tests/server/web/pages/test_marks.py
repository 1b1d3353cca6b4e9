"""What happened, on the page: signs on the board, units that slide, the log, and what is new since the last visit."""

import pytest
from playwright.async_api import Browser, Page, expect

from tests.server.web.pages.test_browser import new_page
from tests.server.web.pages.visiting import Visitor
from tests.support.serving import RunningServer

SLIDING = """() => document.getAnimations().filter((one) => one.effect.target.matches("#board [data-unit]")
  && one.effect.getKeyframes().some((frame) => frame.translate)).map((one) => one.effect.target.dataset.unit)"""
SEEN = "() => { window.slid = new Set(); const look = () => { (%s)().forEach((id) => window.slid.add(id));"
WATCH = SEEN % SLIDING + " requestAnimationFrame(look); }; look(); }"


@pytest.fixture
async def battle(server: RunningServer) -> str:
    """A battle in which both sides have moved."""
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    assert (await anna.order(battle, "R1 ahead\nR6 ahead\nend turn")).status == 200
    assert (await bob.order(battle, "N1 ahead\nend turn")).status == 200
    return battle


async def moved_at(server: RunningServer, battle: str) -> int:
    """The first event with which a unit moved."""
    events = (await server.running.battles.get(battle)).recording.timeline.events
    return next(recorded.n for recorded in events if recorded.type == "UnitMoved")


# --- on the board


async def test_the_board_of_a_page_shows_what_happened_without_a_script(server: RunningServer, battle: str) -> None:
    n = await moved_at(server, battle)
    page = await Visitor(server).get(f"/battles/{battle}?n={n}")
    assert 'class="happened" aria-hidden="true" pointer-events="none"' in page.text
    assert 'class="card"' in page.text.partition('class="happened"')[2].partition("</svg>")[0]


async def stepped(server: RunningServer, page: Page, battle: str) -> set[str]:
    """The units that slide as one steps to a move."""
    n = await moved_at(server, battle)
    await page.goto(page.url.partition("?")[0] + f"?n={n - 1}")
    await expect(page.locator("#moment")).to_have_attribute("data-n", str(n - 1))
    await page.evaluate(WATCH)
    await page.get_by_role("link", name="One event on").click()
    await expect(page.locator("#moment")).to_have_attribute("data-n", str(n))
    await expect(page.locator("#board .happened .card").first).to_be_attached()
    return set(await page.evaluate("[...window.slid]"))


@pytest.mark.parametrize(("motion", "slide"), [("no-preference", True), ("reduce", False)])
async def test_units_slide_to_where_they_go_unless_motion_is_not_wanted(
    server: RunningServer, browser: Browser, battle: str, motion: str, slide: bool
) -> None:
    page = await new_page(await browser.new_context(reduced_motion=motion), server, f"/battles/{battle}")  # type: ignore[arg-type]
    assert bool(await stepped(server, page, battle)) == slide


async def test_signs_are_in_nobodys_way(server: RunningServer, browser: Browser, battle: str) -> None:
    page = await new_page(await browser.new_context(), server, f"/battles/{battle}?n={await moved_at(server, battle)}")
    below = """() => { const box = document.querySelector("#board .happened .row").getBoundingClientRect();
      const there = document.elementFromPoint(box.x + box.width / 2, box.y + 3);
      return there.closest("[data-unit], [data-cell]").className.baseVal; }"""
    assert "unit" in await page.evaluate(below)
