"""What happened, on the page: signs on the board, units that slide, the log, and what is new since the last visit."""

import os
import re
from html import unescape

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from replay.reports.plain import plain_events
from server.store.tables import watched
from tests.server.web.pages.test_browser import log_in, new_page
from tests.server.web.pages.visiting import Visitor, visitor_of
from tests.support.serving import Caller, RunningServer

SLIDING = """() => document.getAnimations().filter((one) => one.effect.target.matches("#board [data-unit]")
  && one.effect.getKeyframes().some((frame) => frame.translate)).map((one) => one.effect.target.dataset.unit)"""
SEEN = "() => { window.slid = new Set(); const look = () => { (%s)().forEach((id) => window.slid.add(id));"
WATCH = SEEN % SLIDING + " requestAnimationFrame(look); }; look(); }"
TITLES = [
    "Turn 1, south",
    "Corps I, Foot",
    "Corps II, Horse and bows",
    "Turn 1, north",
    "Corps III, Foot",
    "Turn 2: South (Rome) is to move.",
]


@pytest_asyncio.fixture(loop_scope="session")
async def people(server: RunningServer) -> tuple[Caller, Caller]:
    """The players of the battle, south and north."""
    return await server.player("Anna"), await server.player("Bob")


@pytest_asyncio.fixture(loop_scope="session")
async def battle(server: RunningServer, people: tuple[Caller, Caller]) -> str:
    """A battle in which both sides have moved."""
    anna, bob = people
    battle = await server.battle(anna, bob)
    assert (await anna.order(battle, "R1 ahead\nR6 ahead\nend turn")).status == 200
    assert (await bob.order(battle, "N1 ahead\nend turn")).status == 200
    return battle


async def turn_at(server: RunningServer, battle: str) -> int:
    """The event with which the newest turn began."""
    events = (await server.running.battles.get(battle)).recording.timeline.events
    return next(recorded.n for recorded in reversed(events) if recorded.type == "TurnBegan")


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


# --- the log


async def test_the_log_is_told_in_one_direction_by_turns_and_formations(server: RunningServer, battle: str) -> None:
    page = await Visitor(server).get(f"/battles/{battle}")
    log = page.text.partition('id="story"')[2].partition("</section>")[0]
    events = [int(n) for n in re.findall(r'id="event-(\d+)"', log)]
    assert events == sorted(events) and len(events) > 10
    titles = [unescape(title) for title in re.findall(r"<h[34] id=[^>]*>([^<]*)</h[34]>", log)]
    assert titles[-6:] == TITLES
    assert re.search(r'id="event-\d+" data-of="R1"', log)


async def test_the_log_of_a_battle_that_is_over_asks_nobody_to_move(
    server: RunningServer, battle: str, people: tuple[Caller, Caller]
) -> None:
    path = f"/battles/{battle}"
    assert "is to move.</h3>" in (await Visitor(server).get(path)).text
    assert (await people[0].order(battle, "resign")).status == 200
    assert "is to move.</h3>" not in (await Visitor(server).get(path)).text


async def test_log_and_board_light_each_other(server: RunningServer, browser: Browser, battle: str) -> None:
    page = await new_page(await browser.new_context(), server, f"/battles/{battle}")
    line = page.locator('#story [data-of="R1"]').first
    await line.hover()
    await expect(page.locator("#board .named")).to_have_attribute("data-unit", "R1")
    await page.locator("h1").hover()
    await expect(page.locator("#board .named")).to_have_count(0)
    await line.locator(".why").focus()
    await expect(page.locator("#board .named")).to_have_attribute("data-unit", "R1")
    await page.locator('#board [data-unit="N1"]').click()
    lit = page.locator("#story .about")
    assert "N1" in (await lit.first.get_attribute("data-of") or "").split()
    assert await lit.count() == await page.locator('#story [data-of~="N1"]').count()
    await page.locator('#board [data-cell="A1"]').click()
    await expect(lit).to_have_count(0)


async def test_the_log_follows_what_is_new_at_its_end_unless_one_reads_above(
    server: RunningServer, browser: Browser, battle: str, people: tuple[Caller, Caller]
) -> None:
    page = await new_page(await browser.new_context(), server, f"/battles/{battle}")
    gap = "(({scrollHeight, scrollTop, clientHeight}) => scrollHeight - scrollTop - clientHeight)(story)"
    assert await page.evaluate(gap) < 2
    assert (await people[0].order(battle, "R3 ahead")).status == 200
    await expect(page.locator("#story")).to_contain_text("South: R3 ahead")
    assert await page.evaluate(gap) < 2
    await page.evaluate("story.scrollTop = 0")
    assert (await people[0].order(battle, "end turn")).status == 200
    await expect(page.locator(f"#turn-{await turn_at(server, battle)}")).to_be_attached()
    assert await page.evaluate("story.scrollTop") == 0


# --- what is new


async def test_what_is_new_is_offered_once_and_orders_count_as_seen(
    server: RunningServer, battle: str, people: tuple[Caller, Caller]
) -> None:
    anna, bob = people
    path, mine = f"/battles/{battle}", await visitor_of(server, anna)
    assert 'id="away-play"' not in (await mine.get(path)).text  # nobody knows what she has seen
    n = (await server.running.battles.get(battle)).n
    assert (await mine.send(f"{path}/watched", n=str(n - 4))).status == 204
    page = await mine.get(path)
    assert "New since your last visit:" in page.words
    first = next(
        one.n for one in plain_events((await server.running.battles.get(battle)).recording.timeline.events[n - 4 :])
    )
    assert f'href="{path}?n={first}"' in page.text.partition('id="away-play"')[2].partition(">")[0]
    assert 'id="away-play"' not in (await (await visitor_of(server, bob)).get(path)).text
    assert 'id="away' not in (await Visitor(server).get(path)).text
    assert (await mine.send(f"{path}/watched", n=str(n), do="skip")).status in (200, 303)
    assert 'id="away-play"' not in (await mine.get(path)).text
    assert (await mine.send(f"{path}/watched", n="3")).status == 204  # it never goes back
    assert 'id="away-play"' not in (await mine.get(path)).text


async def test_only_players_say_what_they_have_watched(
    server: RunningServer, battle: str, people: tuple[Caller, Caller]
) -> None:
    mine = await visitor_of(server, people[0])
    for written in ("", "x", "-1", "9" * 16):
        assert (await mine.send(f"/battles/{battle}/watched", n=written)).status == 422
    assert (await Visitor(server).send(f"/battles/{battle}/watched", n="3")).status in (401, 403)
    assert (await mine.send(f"/battles/{battle}/watched", n="99999")).status == 204
    assert watched.find(server.running.store, battle, people[0].player) == (await server.running.battles.get(battle)).n


async def test_what_is_new_is_played_in_place_and_the_page_comes_back_to_now(
    server: RunningServer, browser: Browser, battle: str, people: tuple[Caller, Caller]
) -> None:
    anna, last = people[0], (await server.running.battles.get(battle)).n
    await server.running.store.write(watched.record(battle, anna.player, last - 3))
    context = await browser.new_context()
    await log_in(context, server, anna)
    page = await new_page(context, server, f"/battles/{battle}")
    await without_barriers(page)
    await page.locator("#speed").select_option("4")
    await page.get_by_role("link", name="Show what happened").click()
    await expect(page.locator("#moment")).to_have_attribute("data-n", re.compile(r"\d+"))
    await expect(page.get_by_role("button", name="Skip")).to_be_focused()
    await expect(page.locator("#away form")).to_have_count(0)
    await expect(page.locator("#battle")).not_to_have_class(re.compile("replaying"))
    assert "?n=" not in page.url
    await page.reload()
    await expect(page.locator("#away form")).to_have_count(0)


async def test_what_is_new_can_be_skipped_and_what_one_watches_is_not_new(
    server: RunningServer, browser: Browser, battle: str, people: tuple[Caller, Caller]
) -> None:
    anna, last = people[0], (await server.running.battles.get(battle)).n
    await server.running.store.write(watched.record(battle, anna.player, last - 3))
    context = await browser.new_context()
    await log_in(context, server, anna)
    page = await new_page(context, server, f"/battles/{battle}")
    async with page.expect_response(re.compile("/watched$")):
        await page.get_by_role("button", name="Skip").click()
    await expect(page.locator("#away form")).to_have_count(0)
    async with page.expect_response(re.compile("/watched$")):
        assert (await anna.order(battle, "end turn")).status == 200
    assert watched.find(server.running.store, battle, anna.player) == (await server.running.battles.get(battle)).n


async def without_barriers(page: Page) -> None:
    """No violation of WCAG that axe finds, in either scheme."""
    if os.environ.get("CI") != "true":
        pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed")
    from axe_playwright_python.async_playwright import Axe

    for scheme in ("light", "dark"):
        await page.emulate_media(color_scheme=scheme)
        found = await Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
