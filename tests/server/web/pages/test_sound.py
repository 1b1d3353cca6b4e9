"""Tones and calls: off until somebody turns them on, made by the browser itself, and silent about what is hidden."""

from typing import Any

import pytest
from playwright.async_api import Browser, BrowserContext, Page, expect

from tests.server.web.pages.test_browser import address, log_in, new_page
from tests.server.web.pages.test_talk import say
from tests.server.web.pages.visiting import visitor_of
from tests.support.serving import RunningServer

LISTENING = """() => {
  window.tones = [];
  window.AudioContext = class {
    currentTime = 0; destination = {};
    resume() { return Promise.resolve(); }
    createOscillator() {
      const frequency = {};
      return { frequency, connect: (next) => next, start: () => tones.push(frequency.value), stop() {} };
    }
    createGain() {
      return { gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect: (next) => next };
    }
  };
}"""
CALLED = """() => {
  window.calls = [];
  window.Notification = class {
    static permission = "granted";
    static requestPermission() { window.asked = true; return Promise.resolve("granted"); }
    constructor(title, { body, tag }) { calls.push([title, body, tag]); window.shown = this; }
    close() {}
  };
}"""
AWAY = """(isAway) => {
  Object.defineProperty(document, "visibilityState", { value: isAway ? "hidden" : "visible", configurable: true });
}"""
CLICKED = """() => {
  let isFocused = false;
  window.focus = () => { isFocused = true; };
  window.shown.onclick();
  return isFocused;
}"""
WORKING = """async () => {
  await navigator.serviceWorker.register("/worker.js");
  await navigator.serviceWorker.ready;
  window.calls = [];
  Notification.requestPermission = async () => "granted";
  Object.defineProperty(Notification, "permission", { get: () => "granted" });
  ServiceWorkerRegistration.prototype.showNotification = async (...told) => { calls.push(told); };
}"""
TURN = [523, 659, 784]
SOUND, CALLS = "Sound", "Tell me when it is my turn"
FETCHED = "() => performance.getEntriesByType('resource').map(({ name }) => name)"


async def opened(
    browser: Browser, server: RunningServer, player: Any, path: str, script: str, **options: Any
) -> tuple[BrowserContext, Page]:
    """A page of a player in a browser that notes tones or calls."""
    context = await browser.new_context(**options)
    await log_in(context, server, player)
    page = await context.new_page()
    await page.add_init_script(f"({script})()")
    await page.goto(address(server, path))
    return context, page


async def two(server: RunningServer) -> tuple[Any, Any, str]:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    return anna, bob, await server.battle(anna, bob)


async def has_fetched(page: Page, name: str) -> bool:
    return any(f"/static/{name}" in address for address in await page.evaluate(FETCHED))


async def test_tones_are_off_until_turned_on_and_then_tell_of_the_turn(server: RunningServer, browser: Browser) -> None:
    anna, bob, battle = await two(server)
    context, page = await opened(browser, server, bob, f"/battles/{battle}", LISTENING)
    sound = page.get_by_role("button", name=SOUND)
    await expect(sound).to_have_attribute("aria-pressed", "false")
    assert not await has_fetched(page, "sound.js")
    await sound.focus()
    await page.keyboard.press("Enter")
    await expect(sound).to_have_attribute("aria-pressed", "true")
    await page.evaluate("tones.length = 0")
    assert (await anna.order(battle, "end turn")).status == 200
    await expect(page.locator("#status.yours")).to_have_count(1)
    await page.wait_for_function("() => tones.length >= 3")
    assert (await page.evaluate("tones"))[-3:] == TURN
    await page.reload()
    await expect(sound).to_have_attribute("aria-pressed", "true")
    await sound.click()
    await expect(sound).to_have_attribute("aria-pressed", "false")
    await context.close()


async def test_an_event_that_is_looked_at_is_heard_by_its_draw(server: RunningServer, browser: Browser) -> None:
    anna, bob, battle = await two(server)
    assert (await anna.order(battle, "R1 ahead")).status == 200
    context, page = await opened(browser, server, bob, f"/battles/{battle}", LISTENING)
    await page.get_by_role("button", name=SOUND).click()
    await page.wait_for_function("() => tones.length > 0")
    line = page.locator("#story p:has(.drawn .passed), #story p:has(.drawn .failed)").last
    is_passed = await line.locator(".drawn .passed").count() > 0
    await page.evaluate("tones.length = 0")
    await line.locator("a.n").click()
    await page.wait_for_function("() => tones.length > 0")
    assert await page.evaluate("tones") == ([659, 880] if is_passed else [311, 233])
    await context.close()


async def test_who_wants_less_motion_hears_nothing(server: RunningServer, browser: Browser) -> None:
    anna, bob, battle = await two(server)
    context, page = await opened(browser, server, bob, f"/battles/{battle}", LISTENING, reduced_motion="reduce")
    await expect(page.locator("#sound")).to_be_hidden()
    await page.evaluate("localStorage.setItem('phalera:sound', 'on')")
    await page.reload()
    await expect(page.locator("#sound")).to_have_attribute("aria-pressed", "true")
    assert (await anna.order(battle, "end turn")).status == 200
    await expect(page.locator("#status.yours")).to_have_count(1)
    assert await page.evaluate("tones") == []
    await context.close()


async def test_a_player_who_looks_elsewhere_is_called_for_a_turn_and_for_words(
    server: RunningServer, browser: Browser
) -> None:
    anna, bob, battle = await two(server)
    context, page = await opened(browser, server, bob, f"/battles/{battle}", CALLED)
    assert not await has_fetched(page, "calls.js")
    calls = page.get_by_role("button", name=CALLS)
    await calls.click()
    await expect(calls).to_have_attribute("aria-pressed", "true")
    assert await page.evaluate("window.asked")
    await say(await visitor_of(server, anna), battle, "Seen by a reader", "k1")
    await expect(page.locator("#talk-new")).to_contain_text("New messages: 1")
    assert await page.evaluate("calls") == []
    await page.evaluate(AWAY, True)
    assert (await anna.order(battle, "end turn")).status == 200
    await page.wait_for_function("() => calls.length > 0")
    title = await page.locator("h1").text_content()
    assert await page.evaluate("calls") == [[title, "It is your turn.", battle]]
    await say(await visitor_of(server, anna), battle, "A secret plan", "k2")
    await page.wait_for_function("() => calls.length > 1")
    assert (await page.evaluate("calls"))[1] == [title, "A new message has come.", battle]
    assert await page.evaluate(
        "() => { let is = false; window.focus = () => { is = true; }; shown.onclick(); return is; }"
    )
    await context.close()


async def test_nobody_is_called_who_has_not_asked_for_it(server: RunningServer, browser: Browser) -> None:
    anna, bob, battle = await two(server)
    context, page = await opened(browser, server, bob, f"/battles/{battle}", CALLED)
    await page.evaluate(AWAY, True)
    assert (await anna.order(battle, "end turn")).status == 200
    await expect(page.locator("#status.yours")).to_have_count(1)
    assert await page.evaluate("[calls.length, window.asked ?? false]") == [0, False]
    await expect(page.locator("#calls")).to_have_count(1)
    await (stranger := await new_page(await browser.new_context(), server, f"/battles/{battle}")).wait_for_load_state()
    await expect(stranger.locator("#calls")).to_have_count(0)
    await context.close()


async def test_the_list_of_battles_calls_too(server: RunningServer, browser: Browser) -> None:
    anna, bob, battle = await two(server)
    context, page = await opened(browser, server, bob, "/", CALLED)
    await page.clock.install()
    await page.reload()
    await page.get_by_role("button", name=CALLS).click()
    await expect(page.locator("#called")).to_contain_text("while a page of the site is open")
    await page.evaluate(AWAY, True)
    assert (await anna.order(battle, "end turn")).status == 200
    await page.clock.run_for(61_000)
    await page.wait_for_function("() => calls.length > 0")
    told = await page.evaluate("calls[0]")
    assert told[2] == battle and "your turn" in told[1].lower()
    await expect(page.locator("#mine-list li.urgent")).to_have_count(1)
    await context.close()


@pytest.mark.slow
async def test_a_worker_shows_the_call_where_there_is_one(server: RunningServer, browser: Browser) -> None:
    anna, bob, battle = await two(server)
    context = await browser.new_context()
    await log_in(context, server, bob)
    page = await new_page(context, server, f"/battles/{battle}")
    await page.evaluate(WORKING)
    await page.get_by_role("button", name=CALLS).click()
    await expect(page.locator("#calls")).to_have_attribute("aria-pressed", "true")
    await page.evaluate(AWAY, True)
    assert (await anna.order(battle, "end turn")).status == 200
    await page.wait_for_function("() => calls.length > 0")
    title, told = await page.evaluate("calls[0]")
    assert (told["body"], told["data"]) == ("It is your turn.", {"here": f"/battles/{battle}"})
    assert title == await page.locator("h1").text_content()
    await context.close()
