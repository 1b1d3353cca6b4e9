"""Logging out, and removing an account, take what belongs to it off the browser, and nothing of another account."""

from typing import Any

from playwright.async_api import Browser, Page, expect

from server.web.auth import COOKIE
from tests.server.web.pages.barriers import found_on
from tests.server.web.pages.test_devices import SECRETS
from tests.server.web.pages.test_passkeys import add, logged_in, named, page_with_device
from tests.server.web.pages.test_watching import checked
from tests.support.serving import Caller, RunningServer

OWNED = """async (player) => {
  const { everything } = await import("/static/database.js"), found = {};
  for (const store of ["books", "keys", "lines", "watched", "words"]) {
    const rows = (await everything(store)).filter(({ owners }) => owners?.includes(player));
    if (rows.length) found[store] = rows.length;
  }
  const { keyHere } = await import("/static/locker_keys.js");
  const small = Object.keys(localStorage).filter((name) => name.startsWith("phalera:head"));
  return { ...found, key: !!(await keyHere(player)), small: small.length };
}"""
EVIDENCE = """async (battle) => {
  const { keepEvidence } = await import("/static/kept_log.js");
  await keepEvidence(battle, [{ name: "x.battle", text: "x" }]);
}"""
OF_A_GUEST = """async () => {
  const { actFor, put } = await import("/static/database.js");
  actFor("");
  for (const battle of ["b1", "b2"]) await put("books", { battle, side: "south", anchor: "00", length: 1, tip: "00" });
}"""
BOOKS = """async () => (await (await import("/static/database.js")).everything("books")).length"""
DISOWNED = """async () => (await import("/static/database.js")).disown("books", () => [""])"""
OWNS_NOTHING = f"(player) => ({OWNED})(player).then(({{ books }}) => !books)"
IN_LOCKER = """async (battle) => {
  const { told, keyHere, readLocker } = await import("/static/locker_keys.js"), known = await told(battle);
  const { thing } = await readLocker(await keyHere(known.player), known, "seat", battle);
  return thing.books.map(({ side }) => side);
}"""
NOTHING = {"key": False, "small": 0}


async def owned(page: Page, caller: Caller) -> dict[str, Any]:
    """What the browser of a page keeps for an account: rows by store, and whether the key of the lockers is there."""
    found: dict[str, Any] = await page.evaluate(OWNED, caller.player)
    return found


async def seated(server: RunningServer, page: Page, battle: str, side: str) -> None:
    """Take a side of a battle, sealed, on its page."""
    await page.goto(named(server, f"/battles/{battle}"))
    await page.get_by_role("button", name=f"Take {side}").click()
    await expect(page.locator("#book-count")).to_contain_text("of 400 given")
    await checked(page)


async def become(server: RunningServer, page: Page, browser: Browser, caller: Caller) -> None:
    """Be logged in as somebody else without logging out, as when a session has run out."""
    session = next(one for one in await (await logged_in(browser, server, caller)).cookies() if one["name"] == COOKIE)
    await page.goto(named(server, "/offline"))  # nothing there goes on by itself
    await page.context.clear_cookies()
    await page.context.add_cookies([{"name": COOKIE, "value": session["value"], "url": named(server, "/")}])


async def two_accounts(server: RunningServer, browser: Browser, *devices: Any) -> tuple[Page, Caller, Caller, str]:
    """Anna, then Bob, have each taken a side of one battle in one browser; Anna is logged in again. `devices`: one that
    gives her a passkey."""
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await anna.open()
    context = await logged_in(browser, server, anna)
    page, _, _ = await page_with_device(context, server, "/settings", *devices)
    if devices:
        await add(page, "Blue laptop")
        await expect(page.get_by_text("Blue laptop: made on")).to_be_visible()
    await seated(server, page, battle, "south")
    await become(server, page, browser, bob)
    await seated(server, page, battle, "north")
    await become(server, page, browser, anna)
    await page.goto(named(server, f"/battles/{battle}"))
    await checked(page)
    return page, anna, bob, battle


async def log_out(page: Page) -> None:
    """Press the button at the top."""
    await page.locator(".who").get_by_role("button", name="Log out").click()


async def is_out(page: Page) -> None:
    """Wait until nobody is logged in."""
    await expect(page.locator("p.who")).to_have_text("Log in")


async def test_who_logs_out_leaves_nothing_and_another_account_keeps_its_own(
    server: RunningServer, browser: Browser
) -> None:
    page, anna, bob, battle = await two_accounts(server, browser, SECRETS)
    assert (await owned(page, anna))["books"] == (await owned(page, bob))["books"] == 1
    assert {"lines", "watched"} <= (await owned(page, anna)).keys()
    before = await owned(page, bob)
    await log_out(page)
    await is_out(page)
    assert await owned(page, anna) == {"key": False, "small": before["small"]}
    left = await owned(page, bob)
    assert left == before | {"watched": left["watched"]}
    await become(server, page, browser, bob)
    await page.goto(named(server, f"/battles/{battle}"))
    await checked(page)
    await expect(page.locator("#book-count")).to_contain_text("of 400 given")


async def test_a_locker_gets_no_book_of_another_account(server: RunningServer, browser: Browser) -> None:
    page, _, _, battle = await two_accounts(server, browser)
    sides = await page.evaluate(IN_LOCKER, battle)
    assert sides == ["south"]


async def test_keys_that_could_not_be_had_again_stay_until_their_player_says_so(
    server: RunningServer, browser: Browser
) -> None:
    page, anna, bob, battle = await two_accounts(server, browser)
    await log_out(page)
    await page.wait_for_url(named(server, "/logout"))
    await expect(page.get_by_text("may be on this device alone")).to_be_visible()
    assert await found_on(page) == []
    await page.locator("main").get_by_role("button", name="Log out").click()
    await is_out(page)
    left = await owned(page, anna)
    assert (left["key"], left["books"], left.keys() & {"lines", "watched", "words"}) == (True, 1, set())

    await become(server, page, browser, anna)
    await page.goto(named(server, f"/battles/{battle}"))
    await expect(page.locator("#book-count")).to_contain_text("of 400 given")
    await checked(page)
    await log_out(page)
    await page.get_by_label("take my keys and books of seals off this browser").check()
    await page.locator("main").get_by_role("button", name="Log out").click()
    await is_out(page)
    assert (await owned(page, anna)).keys() == NOTHING.keys()
    assert (await owned(page, bob))["books"] == 1


async def test_what_a_guest_has_kept_is_told_of_and_goes_with_the_only_account(
    server: RunningServer, browser: Browser
) -> None:
    """A book that was made before there was an account."""
    anna = await server.player("Anna")
    page = await (await logged_in(browser, server, anna)).new_page()
    await page.goto(named(server, "/"))
    await page.evaluate(OF_A_GUEST)
    assert await page.evaluate(BOOKS) == 2
    await log_out(page)
    await page.wait_for_url(named(server, "/logout"))
    await expect(page.get_by_text("may be on this device alone")).to_be_visible()
    await page.get_by_label("take my keys and books of seals off this browser").check()
    await page.locator("main").get_by_role("button", name="Log out").click()
    await is_out(page)
    assert await page.evaluate(BOOKS) == 0


async def test_a_book_that_a_guest_has_made_is_of_the_account_that_plays_with_it(
    server: RunningServer, browser: Browser
) -> None:
    anna = await server.player("Anna")
    battle = await anna.open()
    page = await (await logged_in(browser, server, anna)).new_page()
    await seated(server, page, battle, "south")
    await page.evaluate(DISOWNED)
    assert "books" not in await owned(page, anna)
    await page.reload()
    await expect(page.locator("#book-count")).to_contain_text("of 400 given")
    assert (await owned(page, anna))["books"] == 1


async def test_the_proof_of_a_fault_is_told_of_before_it_goes(server: RunningServer, browser: Browser) -> None:
    anna = await server.player("Anna")
    page = await (await logged_in(browser, server, anna)).new_page()
    await page.goto(named(server, "/"))
    await page.evaluate(EVIDENCE, "b1")
    await log_out(page)
    await expect(page.get_by_text("The proof of a fault is in this browser alone")).to_contain_text("b1")
    await expect(page.get_by_text("may be on this device alone")).to_be_hidden()
    await page.locator("main").get_by_role("button", name="Log out").click()
    await is_out(page)
    assert await owned(page, anna) == NOTHING


async def test_a_removed_account_leaves_nothing(server: RunningServer, browser: Browser) -> None:
    page, anna, bob, _ = await two_accounts(server, browser)
    before = await owned(page, bob)
    await page.goto(named(server, "/settings/remove"))
    await expect(page.get_by_text("What this browser keeps for you goes, too")).to_be_visible()
    await page.get_by_label("Your name").fill("Nobody")
    await page.get_by_role("button", name="Remove my account").click()
    await expect(page.get_by_role("alert")).to_be_visible()
    assert (await owned(page, anna))["books"] == 1
    await page.get_by_label("Your name").fill("Anna")
    await page.get_by_role("button", name="Remove my account").click()
    await expect(page.get_by_text("Your account is removed.")).to_be_visible()
    await page.wait_for_function(OWNS_NOTHING, arg=anna.player)
    left = await owned(page, bob)
    assert left == before | {"watched": left["watched"]}
