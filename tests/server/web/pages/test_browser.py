"""What a player sees in a real browser."""

import asyncio
import re
from typing import Any
from urllib.parse import urlsplit

from playwright.async_api import Browser, BrowserContext, Page, Route, expect

from domain.events.inputs import SideJoined
from server.people import players
from server.play.live_battle import LiveBattle
from server.web.auth import COOKIE
from server.web.keys import STREAMS
from tests.support.serving import PHRASE, Caller, RunningServer
from tests.support.waiting import eventually

SECRET = "standing evade R3 never"
PHONE_WIDTH = 390
UNASKED = "standing evade all never"
"""Without it the bot's turn may stop at a question, as the cards of a browser's own phrase fall."""
NAMELESS = """() => [...document.querySelectorAll('input:not([type=hidden]), select, textarea, button, a, summary')]
  .filter((part) => !(part.labels?.length || part.textContent.trim() || part.getAttribute('aria-label')
    || part.querySelector('img[alt]')?.alt))
  .map((part) => part.outerHTML)"""
DOUBLE_IDS = """() => { const ids = [...document.querySelectorAll('[id]')].map((part) => part.id);
  return ids.filter((id, at) => ids.indexOf(id) !== at); }"""
DRAWN = "[...crypto.getRandomValues(new Uint8Array(4))]"


def address(server: RunningServer, path: str = "/") -> str:
    return str(server.client.make_url(path))


async def new_page(context: BrowserContext, server: RunningServer, path: str = "/") -> Page:
    """A page; what its script throws fails the test at once."""
    page = await context.new_page()

    def fail(error: Exception) -> None:
        raise AssertionError(error)

    page.on("pageerror", fail)
    await page.goto(address(server, path))
    return page


async def play_now(browser: Browser, server: RunningServer, **context: Any) -> Page:
    page = await new_page(await browser.new_context(**context), server)
    await page.get_by_role("button", name="Play To the Strongest!").click()
    await expect(page.locator("#status")).to_contain_text("It is your turn")
    await up_to_date(page, server)
    return page


async def end_turn(page: Page, label: str = "End turn") -> None:
    """Press what ends the turn, and again where the page asks since units could still act."""
    asks = page.locator("#onward [popovertarget]")
    if await asks.count():
        await asks.click()
    await page.get_by_role("button", name=label, exact=True).click()


async def shown(page: Page, server: RunningServer) -> LiveBattle:
    """The battle of a page."""
    return await server.running.battles.get(page.url.partition("/battles/")[2].partition("?")[0])


async def up_to_date(page: Page, server: RunningServer) -> None:
    """Wait until a page shows the bot's share, which comes right behind the battle's beginning."""
    live = await shown(page, server)
    await eventually("the bot's share", lambda: "north" not in live.recording.battle.owing)
    await shows_newest(page, live)


async def shows_newest(page: Page, live: LiveBattle) -> None:
    """Wait until a page shows the newest event, however many more come meanwhile."""

    async def is_shown() -> bool:
        return await page.locator("#battle").get_attribute("data-n") == str(live.n)

    await eventually("the page shows the newest event", is_shown)


async def send(page: Page, orders: str) -> None:
    await page.get_by_label("Orders, one to a line").fill(orders)
    await page.get_by_role("button", name="Send", exact=True).click()


async def play_plain(browser: Browser, server: RunningServer) -> Page:
    """A battle against the bot with a phrase for each turn."""
    page = await new_page(await browser.new_context(), server, "/new")
    await page.locator("#chance").select_option("plain")
    await page.get_by_role("button", name="Open").click()
    await expect(page.locator("#status")).to_contain_text("It is your turn")
    return page


async def log_in(context: BrowserContext, server: RunningServer, caller: Caller) -> None:
    running = server.running
    token, issued = players.new_token(running.clock, running.entropy, caller.player, "session")
    await running.store.write(issued)
    await context.add_cookies([{"name": COOKIE, "value": token, "url": address(server)}])


async def test_an_answer_behind_what_the_stream_told_leaves_the_newest_event_expected(
    server: RunningServer, browser: Browser
) -> None:
    page, is_shown = await play_now(browser, server), asyncio.Event()
    other = await page.context.new_page()
    await other.goto(page.url)

    async def late(route: Route) -> None:
        answer = await route.fetch()
        await is_shown.wait()
        await route.fulfill(response=answer)

    await page.route("**/orders", late)
    await send(page, "R1 ahead")
    await expect(other.locator("#story")).to_contain_text("South: R1 ahead")
    await send(other, "R5 ahead")
    await expect(page.locator("#story")).to_contain_text("South: R5 ahead")
    newest = str((await shown(page, server)).n)
    await expect(page.locator("#battle")).to_have_attribute("data-n", newest)
    is_shown.set()
    await expect(page.locator("#tray [aria-disabled]")).to_have_count(0)
    await expect(page.locator("#stamp [name=expect]")).to_have_value(newest)
    await page.unroute("**/orders")
    await send(page, "end turn")
    await expect(page.locator("#story")).to_contain_text("South: end turn")


async def test_a_newcomer_plays_a_turn_and_sees_the_bot_answer(server: RunningServer, browser: Browser) -> None:
    page = await play_now(browser, server)
    await page.locator('[data-unit-picks="R1"] summary').click()
    await page.get_by_role("button", name="R1 ahead", exact=True).click()
    await expect(page.get_by_label("Orders, one to a line")).to_have_value("R1 ahead\n")
    await page.get_by_role("button", name="Preview").click()
    await expect(page.locator("#answer")).to_contain_text("72 of the 80 left are 2 or more")
    await page.get_by_label("Orders, one to a line").fill(f"R1 ahead\n{UNASKED}\nend turn")
    await page.get_by_role("button", name="Send").click()
    await expect(page.locator("#story")).to_contain_text("South: R1 ahead")
    await expect(page.locator("#status")).to_contain_text("Turn 2")  # the bot has played, and nobody reloaded
    await expect(page.locator("#story")).to_contain_text("North: ")
    await expect(page.locator("#news")).not_to_be_empty()
    assert "Your turn" in await page.title()
    await expect(page.get_by_label("Orders, one to a line")).to_have_value("")


async def test_what_a_page_draws_is_the_same_in_every_run(server: RunningServer, browser: Browser) -> None:
    """That of the tests, not of the pages: otherwise each run would deal other cards."""
    first = await new_page(await browser.new_context(), server)
    drawn = [await first.evaluate(DRAWN)]
    await first.reload()
    second = await new_page(first.context, server)
    drawn += [await page.evaluate(DRAWN) for page in (first, second, second)]
    assert drawn[0] == [120, 79, 157, 136] and len(set(map(tuple, drawn))) == 4
    live = await shown(await play_now(browser, server), server)
    joined = [entry.event for entry in live.recording.timeline.events if type(entry.event) is SideJoined]
    assert [seat.anchor for seat in joined if seat.side == "south"] == ["0b1d9fbbd41a002b46789738679e1299"]


async def test_a_spectator_sees_it_live_and_nothing_private(server: RunningServer, browser: Browser) -> None:
    page = await play_now(browser, server)
    watching = await new_page(await browser.new_context(), server, urlsplit(page.url).path)
    await expect(watching.locator("#status")).to_contain_text("You watch.")
    await page.get_by_label("Orders, one to a line").fill(f"{SECRET}\nR1 ahead")
    await page.get_by_role("button", name="Send").click()
    await expect(page.locator("#kept")).to_contain_text(SECRET)
    await expect(watching.locator("#story")).to_contain_text("South: R1 ahead")
    assert "R3 never" not in await watching.content()
    assert await watching.locator("#order-form, [name=pick]").count() == 0


async def test_the_order_box_works_without_a_script(server: RunningServer, browser: Browser) -> None:
    page = await new_page(await browser.new_context(java_script_enabled=False), server)
    await page.get_by_role("button", name="Play To the Strongest!").click()
    await page.locator('[data-unit-picks="R1"] summary').click()
    await page.get_by_role("button", name="R1 ahead", exact=True).click()
    box = page.get_by_label("Orders, one to a line")
    await expect(box).to_have_value("R1 ahead\n")
    await page.get_by_label("Your part of the chance").fill(PHRASE)
    await page.get_by_role("button", name="Send").click()
    await expect(page.locator("#story")).to_contain_text("South: R1 ahead")
    await page.get_by_label("Orders, one to a line").fill("N1 ahead")
    await page.get_by_role("button", name="Send").click()
    await expect(page.locator("#answer .refused")).to_contain_text("[CORE-ID]")
    await page.get_by_role("link", name="One event back").click()
    await expect(page.locator("#status")).to_contain_text("You look at event")


async def test_a_refusal_is_shown_and_the_line_stays(server: RunningServer, browser: Browser) -> None:
    page = await play_now(browser, server)
    await page.get_by_label("Orders, one to a line").fill("R1 charge C6")
    await page.get_by_role("button", name="Send").click()
    await expect(page.locator("#answer .refused")).to_contain_text("[TTS-")
    await expect(page.get_by_label("Orders, one to a line")).to_have_value("R1 charge C6\n")
    await page.get_by_label("Orders, one to a line").fill("R1 ahead")
    await page.get_by_role("button", name="Send").click()
    await expect(page.locator("#story")).to_contain_text("South: R1 ahead")
    await expect(page.locator("#answer")).to_be_empty()


async def test_a_lost_connection_is_said_and_made_good(server: RunningServer, browser: Browser) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    page = await new_page(await browser.new_context(), server, f"/battles/{battle}")
    streams = server.app[STREAMS]
    await streams.stop()
    await expect(page.locator("#lost")).to_be_visible()
    await anna.order(battle, "R1 ahead")
    streams.stopping = False
    await expect(page.locator("#story")).to_contain_text("South: R1 ahead")
    await expect(page.locator("#lost")).to_be_hidden()


async def test_a_page_that_the_server_would_not_give_is_asked_for_again(
    server: RunningServer, browser: Browser
) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    page = await new_page(await browser.new_context(), server, f"/battles/{battle}")
    refused = 0

    async def refuse_once(route: Route) -> None:
        nonlocal refused
        refused += 1
        await (route.fulfill(status=503, headers={"Retry-After": "1"}) if refused == 1 else route.continue_())

    await page.route(re.compile(r"since="), refuse_once)
    await anna.order(battle, "R1 ahead")
    await expect(page.locator("#lost")).to_be_visible()
    await expect(page.locator("#story")).to_contain_text("South: R1 ahead")
    await expect(page.locator("#lost")).to_be_hidden()


async def test_an_update_steals_neither_focus_nor_draft(server: RunningServer, browser: Browser) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    context = await browser.new_context()
    await log_in(context, server, bob)
    page = await new_page(context, server, f"/battles/{battle}")
    box = page.get_by_label("Orders, one to a line")
    await box.fill("N1 ahead")
    await anna.order(battle, "R1 ahead")
    await expect(page.locator("#story")).to_contain_text("South: R1 ahead")
    await expect(box).to_be_focused()
    await expect(box).to_have_value("N1 ahead")
    await anna.order(battle, "end turn")
    await expect(page.locator("#picks button").first).to_be_attached()
    await page.get_by_role("button", name="Send").click()
    await expect(page.locator("#story")).to_contain_text("North: N1 ahead")


async def test_the_page_gives_the_first_contribution_by_itself(server: RunningServer, browser: Browser) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await anna.open()
    await anna.sit(battle, "south", phrase=PHRASE)
    await bob.sit(battle, "north")
    context = await browser.new_context()
    await log_in(context, server, bob)
    page = await new_page(context, server, f"/battles/{battle}")
    await expect(page.locator("#contribution")).to_have_count(0)
    seat = (await server.running.battles.get(battle)).recording.battle.seats["north"]
    assert seat.contribution and not seat.stale


async def test_a_friend_joins_while_the_opener_looks_on(server: RunningServer, browser: Browser) -> None:
    page = await new_page(await browser.new_context(), server, "/new")
    await page.locator("#opponent").select_option("person")
    await page.get_by_role("button", name="Open").click()
    await expect(page.locator("#sides")).to_contain_text("(you)")
    friend = await new_page(await browser.new_context(), server, urlsplit(page.url).path)
    await friend.get_by_label("Your name").fill("Bob")
    await friend.get_by_role("button", name="Take north").click()
    await expect(friend.locator("#sides")).to_contain_text("Bob (you)")
    await expect(page.locator("#status")).to_contain_text("It is your turn")
    await expect(page.locator("#sides")).to_contain_text("The valley (north): Bob")


async def test_pages_fit_a_phone_and_name_their_controls(server: RunningServer, browser: Browser) -> None:
    page = await play_now(browser, server)
    battle = page.url
    await page.set_viewport_size({"width": PHONE_WIDTH, "height": 800})
    for path in (battle, f"{battle}/why/5", f"{battle}?n=5", address(server), address(server, "/notation/tts")):
        await page.goto(path)
        assert await page.evaluate("document.documentElement.scrollWidth") <= PHONE_WIDTH, path
        assert await page.evaluate(NAMELESS) == [], path
        assert await page.evaluate(DOUBLE_IDS) == [], path
        assert await page.locator("h1").count() == 1, path
        assert await page.locator("main").count() == 1, path


async def test_a_lost_order_is_sent_again_with_the_same_phrase(server: RunningServer, browser: Browser) -> None:
    page = await play_plain(browser, server)
    phrase = page.locator("#stamp [name=phrase], #order-form [name=phrase]").first
    await expect(phrase).to_have_value(re.compile("^.{32}$"))
    first = await phrase.input_value()
    await page.reload()
    await expect(phrase).to_have_value(first)
    await page.get_by_label("Orders, one to a line").fill(f"{UNASKED}\nend turn")
    await page.get_by_role("button", name="Send").click()
    await expect(page.locator("#status")).to_contain_text("Turn 2")
    await expect(page.locator("#status")).to_contain_text("It is your turn")
    await expect(phrase).not_to_have_value(first)


async def test_a_log_that_has_changed_is_told(server: RunningServer, browser: Browser) -> None:
    page = await play_now(browser, server)
    notice = page.locator("#forked")
    await expect(notice).to_be_hidden()
    kept = "phalera:head:" + str(await page.locator("#battle").get_attribute("data-id"))
    seen = await page.locator("#battle").get_attribute("data-seen")
    await page.wait_for_function("([key, seen]) => localStorage.getItem(key) === seen", arg=[kept, seen])
    path = page.url
    await page.goto(address(server, "/help"))  # a page that still looks would keep the true head over this one
    await page.evaluate("key => localStorage.setItem(key, '2 ' + '0'.repeat(64))", kept)
    await page.goto(path)
    await expect(notice).to_contain_text("another history")
    await page.reload()
    await expect(notice).to_be_visible()
