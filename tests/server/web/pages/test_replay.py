"""The replay on the page of a battle: its parts by event, the curve, and stepping in place in a real browser."""

import os
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from replay.reports.plain import plain_events
from server.limits import Limits
from server.web.keys import RATES
from server.web.pages.battle.stepping import curve_of
from tests.server.web.pages.test_browser import DOUBLE_IDS, NAMELESS, log_in, new_page
from tests.server.web.pages.visiting import Visitor, visitor_of
from tests.support.serving import RunningServer, serving

SHOWN_ONE_BY_ONE = """() => {
  window.shown = [];
  new MutationObserver(() => {
    const n = Number(document.getElementById("moment")?.dataset.n);
    if (n && window.shown.at(-1) !== n) window.shown.push(n);
  }).observe(document.body, { attributes: true, attributeFilter: ["data-n"], childList: true, subtree: true });
}"""
"""Collects what the replay shows: a busy test may look when the next event is shown already."""


@pytest_asyncio.fixture(loop_scope="session")
async def battle(server: RunningServer) -> str:
    """A battle in which both sides have moved."""
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    assert (await anna.order(battle, "R1 ahead\nR6 ahead\nend turn")).status == 200
    assert (await bob.order(battle, "N1 ahead\nend turn")).status == 200
    return battle


async def at(server: RunningServer, battle: str, kind: str) -> int:
    """The first event whose type begins so."""
    events = (await server.running.battles.get(battle)).recording.timeline.events
    return next(recorded.n for recorded in events if recorded.type.startswith(kind))


# --- what the server gives


async def test_a_moment_has_the_board_the_card_and_why_with_its_rule(server: RunningServer, battle: str) -> None:
    n = await at(server, battle, "Activation")
    part = await Visitor(server).get(f"/battles/{battle}/moment?n={n}")
    assert part.status == 200
    assert 'data-doers="R1"' in part.text
    assert 'class="card' in part.text
    assert '<a href="/rules/TTS-ACT-01">TTS-ACT-01</a>' in part.text
    assert f'href="/battles/{battle}?n={n + 1}"' in part.text
    assert f"You look at event {n} of" in part.words
    board = await Visitor(server).get(f"/battles/{battle}?n={n}")
    assert (
        part.text.partition("<svg")[2].partition("</svg>")[0]
        == board.text.partition("data-members")[2].partition("<svg")[2].partition("</svg>")[0]
    )


async def test_a_moment_that_is_not_there_is_refused(server: RunningServer, battle: str) -> None:
    for query, status in (("n=9999", 404), ("n=x", 400), ("n=0", 400)):
        assert (await Visitor(server).get(f"/battles/{battle}/moment?{query}")).status == status


@pytest.mark.slow
async def test_moments_tell_no_secret_and_private_battles_have_none(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob, readers="players")
    await anna.order(battle, "standing evade R3 never")
    last = (await server.running.battles.get(battle)).n
    mine, other = await visitor_of(server, anna), await visitor_of(server, bob)
    told = [await mine.get(f"/battles/{battle}/moment?n={n}") for n in range(last - 3, last + 1)]
    assert any("R3 never" in part.text for part in told)
    for n in range(last - 3, last + 1):
        part = await other.get(f"/battles/{battle}/moment?n={n}")
        assert part.status == 200
        assert "R3" not in part.text.partition("</section>")[0], n
    for path in (f"/battles/{battle}/moment?n=3", f"/battles/{battle}/curve"):
        assert (await Visitor(server).get(path)).status == 404


async def test_the_curve_is_the_tally_of_every_event(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    live = await server.running.battles.get(battle)
    early = await curve_of(live)
    assert await curve_of(live) is early  # nothing is folded again
    assert (await server.stranger.get(f"/battles/{battle}/curve")).json["last"] == live.n
    assert (await anna.order(battle, "R1 ahead\nend turn")).status == 200
    assert (await bob.order(battle, "resign")).status == 200
    curve = await curve_of(live)
    assert curve.last == live.n > early.last
    for n in range(1, live.n + 1):
        tally = live.ruleset.shown.tally(live.recording.timeline.at(n).game)
        assert tally == {side: max(point for point in line if point[0] <= n)[1] for side, line in curve.tally.items()}
    events = live.recording.timeline.events
    assert curve.turns == [one.n for one in events if one.type == "TurnBegan"]
    assert curve.told == [one.n for one in plain_events(events)]


async def test_moments_are_counted_as_pictures(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", limits=Limits()) as server:
        anna, bob = await server.player("Anna"), await server.player("Bob")
        battle = await server.battle(anna, bob)
        server.app[RATES].count("picture", 299, "127.0.0.1")
        moment = f"/battles/{battle}/moment?n="
        paths = (f"{moment}5", f"{moment}5", f"{moment}4", f"/battles/{battle}/curve")  # the second has been made
        assert [(await Visitor(server).get(path)).status for path in paths] == [200, 200, 429, 429]


# --- in a browser


async def opened(server: RunningServer, browser: Browser, battle: str, query: str = "") -> Page:
    page = await new_page(
        await browser.new_context(viewport={"width": 1280, "height": 700}), server, f"/battles/{battle}{query}"
    )
    await page.evaluate("document.documentElement.dataset.mine = 'yes'")
    return page


async def stays(page: Page) -> bool:
    """Whether the page has never been loaded again."""
    return bool(await page.evaluate("document.documentElement.dataset.mine === 'yes'"))


async def test_steps_keep_page_scroll_and_history(server: RunningServer, browser: Browser, battle: str) -> None:
    page = await opened(server, browser, battle)
    last = (await server.running.battles.get(battle)).n
    await page.evaluate("scrollTo(0, 100)")  # so far each event's page can be scrolled
    history, scroll = await page.evaluate("[history.length, scrollY]")
    moment = page.locator("#moment")
    await page.keyboard.press("ArrowLeft")
    await expect(moment).to_have_attribute("data-n", str(last - 1))
    await page.get_by_role("link", name="One event back").click()
    await expect(moment).to_have_attribute("data-n", str(last - 2))
    await expect(page.get_by_role("link", name="One event back")).to_be_focused()
    assert page.url.endswith(f"?n={last - 2}")
    await page.keyboard.press("Home")
    await expect(moment).to_have_attribute("data-n", "1")
    curve = await curve_of(await server.running.battles.get(battle))
    for n in curve.turns[:2]:
        await page.keyboard.press("]")
        await expect(moment).to_have_attribute("data-n", str(n))
    await page.keyboard.press("[")
    await expect(moment).to_have_attribute("data-n", str(curve.turns[0]))
    await page.keyboard.press("End")
    await expect(moment).to_have_attribute("data-n", str(last))
    assert await page.evaluate("[history.length, scrollY]") == [history, scroll]
    assert await stays(page)
    await page.keyboard.press("Escape")
    await expect(page.locator("#status")).to_contain_text("You watch.")
    assert "n=" not in page.url
    await expect(moment).to_be_hidden()
    assert await stays(page)


async def test_an_event_lights_its_unit_and_shows_card_and_rule(
    server: RunningServer, browser: Browser, battle: str
) -> None:
    n = await at(server, battle, "Activation")
    page = await opened(server, browser, battle, f"?n={n}")
    await expect(page.locator("#board .doer[data-unit=R1]")).to_have_count(1)
    await expect(page.locator("#moment .card").first).to_be_visible()
    await expect(page.locator("#moment a[href='/rules/TTS-ACT-01']").first).to_be_visible()
    await expect(page.locator(f"#event-{n}")).to_have_class("so shown")
    await expect(page.locator("#curve path.south")).to_have_count(1)
    await page.locator(f"#event-{await at(server, battle, 'OrderAccepted')} a.n").click()
    await expect(page.locator("#moment")).to_contain_text("R1 ahead")
    assert await stays(page)


async def test_the_slider_and_play(server: RunningServer, browser: Browser, battle: str) -> None:
    page = await opened(server, browser, battle)
    await page.locator("#slider").fill("9")
    await expect(page.locator("#moment")).to_have_attribute("data-n", "9")
    await expect(page.locator("#slider")).to_have_attribute(
        "aria-valuetext",
        f"Event 9 of {(await server.running.battles.get(battle)).n}. 6 – 6",
    )
    await page.locator("#speed").select_option("4")
    await page.locator("h1").click()
    told = [n for n in (await curve_of(await server.running.battles.get(battle))).told if n > 9]
    await page.evaluate(SHOWN_ONE_BY_ONE)
    await page.keyboard.press("Space")
    await page.wait_for_function("last => window.shown.includes(last)", arg=told[2])
    assert [n for n in await page.evaluate("window.shown") if n > 9][:3] == told[:3]


async def test_play_is_paused_by_the_key_that_starts_it(server: RunningServer, browser: Browser, battle: str) -> None:
    page = await opened(server, browser, battle)
    await page.locator("#slider").fill("1")
    await expect(page.locator("#moment")).to_have_attribute("data-n", "1")
    await page.locator("h1").click()
    await page.keyboard.press("Space")
    await expect(page.locator("#play")).to_contain_text("Pause")
    await page.keyboard.press("Space")
    await expect(page.locator("#play")).to_contain_text("Play")
    assert (
        int(await page.locator("#moment").get_attribute("data-n") or 0) < (await server.running.battles.get(battle)).n
    )


async def test_each_event_is_fetched_once(server: RunningServer, browser: Browser, battle: str) -> None:
    page = await opened(server, browser, battle)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/moment?" in request.url else None)
    last = (await server.running.battles.get(battle)).n
    there, back = range(last - 1, last - 5, -1), range(last - 3, last + 1)
    for key, way in (("ArrowLeft", there), ("ArrowRight", back), ("ArrowLeft", there)):
        for n in way:
            await page.keyboard.press(key)
            await expect(page.locator("#moment")).to_have_attribute("data-n", str(n))
    assert len(asked) == len(set(asked)) <= 6


async def test_a_player_who_looks_back_keeps_the_draft_and_hears_what_is_new(
    server: RunningServer, browser: Browser
) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    context = await browser.new_context()
    await log_in(context, server, anna)
    page = await new_page(context, server, f"/battles/{battle}")
    await page.get_by_label("Orders, one to a line").fill("R3 ahead")
    await page.locator("h1").click()
    await page.keyboard.press("ArrowLeft")
    await expect(page.locator("#moment")).to_be_visible()
    await expect(page.locator("#aims .aim, #ghosts polyline")).to_have_count(0)
    await expect(page.locator("#tray")).not_to_be_visible()
    before = (await server.running.battles.get(battle)).n
    assert (await anna.order(battle, "R1 ahead")).status == 200
    now = (await server.running.battles.get(battle)).n
    await expect(page.locator("#slider")).to_have_attribute("max", str(now))
    await expect(page.locator("#moment")).to_have_attribute("data-n", str(before - 1))
    await page.get_by_role("link", name="Go to now").click()
    await expect(page.locator("#story")).to_contain_text("South: R1 ahead")
    await expect(page.get_by_label("Orders, one to a line")).to_have_value("R3 ahead")
    await expect(page.locator("#tray")).to_be_visible()
    await expect(page.locator("#board .pickable").first).to_be_visible()


async def test_without_a_script_the_links_step(server: RunningServer, browser: Browser, battle: str) -> None:
    page = await new_page(await browser.new_context(java_script_enabled=False), server, f"/battles/{battle}?n=9")
    await expect(page.locator("#replay")).to_be_hidden()
    await page.get_by_role("link", name="One event back").click()
    await expect(page.locator("#status")).to_contain_text("You look at event 8 of")


async def test_the_replay_has_no_barriers(server: RunningServer, browser: Browser, battle: str) -> None:
    if os.environ.get("CI") != "true":
        pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed")
    from axe_playwright_python.async_playwright import Axe

    axe = Axe()
    n = await at(server, battle, "Activation")
    page = await opened(server, browser, battle, f"?n={n}")
    await expect(page.locator("#moment .card").first).to_be_visible()
    for scheme in ("light", "dark"):
        await page.emulate_media(color_scheme=scheme)
        found = await axe.run(page)
        assert found.violations_count == 0, found.generate_report()
    assert await page.evaluate(NAMELESS) == [] and await page.evaluate(DOUBLE_IDS) == []
    await page.set_viewport_size({"width": 360, "height": 740})
    assert await page.evaluate("document.documentElement.scrollWidth") <= 360


BOARDS = """async (steps) => {
  const bare = (board) => {
    const copy = board.querySelector("svg").cloneNode(true);
    for (const one of copy.querySelectorAll("*")) one.classList.remove("doer", "aimed", "spot", "shown");
    return copy.outerHTML;
  };
  const part = document.getElementById("replay"), ground = document.querySelector("#board .ground, #board .lines");
  const wrong = [];
  for (let step = 0; step < steps; step += 1) {
    const key = step < steps / 2 ? "ArrowLeft" : "ArrowRight", before = document.getElementById("moment").dataset.n;
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    const at = () => document.getElementById("moment").dataset.n;
    while (at() === before) await new Promise((done) => { setTimeout(done, 5); });
    const n = at(), answer = await fetch(`${part.dataset.moment}?n=${n}`);
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    const [shown, wanted] = [document, fresh].map((page) => bare(page.getElementById("board")));
    if (shown !== wanted || document.getElementById("board").dataset.n !== n) wrong.push(n);
  }
  return [wrong, ground.isConnected];
}"""


async def test_a_board_that_is_stepped_to_is_that_of_the_server_and_its_ground_stays(
    server: RunningServer, battle: str, browser: Browser
) -> None:
    page = await new_page(await browser.new_context(), server, f"/battles/{battle}")
    last = (await server.running.battles.get(battle)).n
    assert await page.evaluate(BOARDS, min(40, 2 * (last - 2))) == [[], True]
