"""One seat on all devices of its player, in real browsers: what it needs follows by a key link."""

import asyncio
import re
from base64 import b64decode
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from playwright.async_api import Browser, Page, expect

from replay.proof.verify import OK, verify
from server.store import Statement
from server.store.tables import lockers
from tests.server.web.pages.barriers import found_on
from tests.server.web.pages.test_browser import address, log_in, new_page
from tests.server.web.pages.test_passkeys import DEVICE, add, logged_in, named, page_with_device
from tests.server.web.pages.test_seals import FORGET, contributions, duel, give, newest
from tests.support.serving import PHRASE, RunningServer, serving
from tests.support.waiting import eventually

SECRETS = {**DEVICE, "ctap2Version": "ctap2_1", "hasPrf": True}
"""A device whose passkeys give secrets."""
ALL = "async ([store, battle]) => (await import('/static/database.js')).allIn(store, battle)"
OTHER_KEY = """async () => {
  const keys = await import("/static/locker_keys.js"), { player } = await keys.told();
  await keys.keepKey(player, "0123456789abcdef0123456789abcdef");
}"""
AS_BEFORE = """(book) => new Promise((done) => {
  const asked = indexedDB.open("phalera", 2);
  asked.onupgradeneeded = () => {
    asked.result.createObjectStore("books", { keyPath: ["battle", "side", "anchor"] }).put(book);
    asked.result.createObjectStore("keys", { keyPath: ["battle", "side", "signer"] });
  };
  asked.onsuccess = () => { asked.result.close(); done(); };
})"""
NEW_KEY = "async (battle) => (await import('/static/signing.js')).newKey(battle, 'south')"
CARRY = "async (battle) => (await import('/static/seat_locker.js')).carry(battle)"
SIGNS = """async ([battle, signer]) => {
  const { keyOf, signatureOf } = await import("/static/signing.js"), { fromBase64 } = await import("/static/bytes.js");
  const key = await keyOf(battle, "south", signer), nothing = new Uint8Array(), head = "1 " + "00".repeat(32);
  const signed = fromBase64(await signatureOf(key, battle, "south", 1, head, nothing, "end turn"));
  return !key.extractable && signed.length === 64;
}"""
KEY_HERE = "async (player) => (await import('/static/locker_keys.js')).keyHere(player)"


async def key_link(server: RunningServer, page: Page) -> str:
    """The link that a guest's page shows, with the key that the page has put behind its #."""
    await page.goto(address(server, "/settings"))
    await page.get_by_role("button", name="Show my key link").click()
    await expect(page.locator("#key-carried")).to_be_visible()
    link = urlsplit(await page.get_by_label("Your key link").input_value())
    return address(server, f"{link.path}#{link.fragment}")


async def another_device(server: RunningServer, browser: Browser, link: str) -> Page:
    """A browser in which somebody has opened a key link, and pressed its button: two clicks."""
    page = await (await browser.new_context()).new_page()
    await page.goto(link)
    await expect(page.locator("#key-taken")).to_be_visible()
    assert "#" not in page.url
    await page.get_by_role("button", name="Log in as").click()
    await page.wait_for_url(address(server, "/"))
    return page


def kept(server: RunningServer) -> list[lockers.StoredLocker]:
    """All lockers on the server."""
    rows = server.running.store.rows("SELECT DISTINCT player FROM lockers")
    return [locker for (player,) in rows for locker in lockers.of_player(server.running.store, player)]


async def kept_on_the_server(server: RunningServer, count: int) -> None:
    """Wait until so many lockers are on the server."""
    await eventually(f"{count} lockers", lambda: len(kept(server)) == count)


async def test_a_second_device_plays_on_by_a_key_link(server: RunningServer, browser: Browser) -> None:
    south, north, battle = await duel(server, browser)
    await kept_on_the_server(server, 2)
    await give(server, south, "R1 ahead\nend turn")
    phone = await another_device(server, browser, await key_link(server, south))
    await phone.goto(address(server, f"/battles/{battle}"))
    await expect(phone.locator("#book-count")).to_have_text("1 of 400 given")
    await expect(phone.locator("#book-missing")).to_be_hidden()
    await give(server, north, "end turn")
    await give(server, phone, "R1 ahead\nend turn")
    await give(server, north, "end turn")
    await south.goto(address(server, f"/battles/{battle}"))
    await give(server, south, "end turn")
    assert [kind for kind, _ in await contributions(server, battle, "south")] == ["seal"] * 3


async def test_a_passkey_brings_the_key_of_the_seats(server: RunningServer, browser: Browser) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await anna.open()
    context = await logged_in(browser, server, anna)
    page, _, _ = await page_with_device(context, server, "/settings", SECRETS)
    await add(page, "Blue laptop")
    await expect(page.get_by_text("Blue laptop: made on")).to_be_visible()
    await page.goto(named(server, f"/battles/{battle}"))
    await page.get_by_role("button", name="Take south").click()
    await expect(page.locator("#book-count")).to_have_text("0 of 400 given")
    await bob.sit(battle, "north", phrase=PHRASE)
    await kept_on_the_server(server, 2)
    assert {locker.kind for locker in kept(server)} == {lockers.SEAT, lockers.PASSKEY}

    await page.goto(named(server, "/offline"))
    await page.evaluate(FORGET)  # another browser that has the same passkey
    await context.clear_cookies()
    await page.goto(named(server, "/login"))
    await page.get_by_role("button", name="Log in with a passkey").click()
    await expect(page.locator(".who")).to_contain_text("Anna")
    await page.goto(named(server, f"/battles/{battle}"))
    await expect(page.locator("#book-count")).to_have_text("0 of 400 given")
    await give(server, page, "end turn")
    await expect(page.locator("#book-count")).to_have_text("1 of 400 given")

    await page.goto(named(server, "/settings"))
    await page.get_by_role("button", name="Remove the passkey Blue laptop").click()
    await expect(page.get_by_role("button", name="Remove the passkey")).to_have_count(0)
    assert [locker.kind for locker in kept(server)] == [lockers.SEAT]


async def test_a_passkey_that_gives_another_secret_logs_in_without_the_key(
    server: RunningServer, browser: Browser
) -> None:
    anna = await server.player("Anna")
    context = await logged_in(browser, server, anna)
    page, talk, device = await page_with_device(context, server, "/settings", SECRETS)
    await add(page, "Blue laptop")
    await expect(page.get_by_text("Blue laptop: made on")).to_be_visible()
    (before,) = kept(server)
    (credential,) = (await talk.send("WebAuthn.getCredentials", {"authenticatorId": device}))["credentials"]
    phone, talk, device = await page_with_device(await browser.new_context(), server, "/login", SECRETS)
    await talk.send("WebAuthn.addCredential", {"authenticatorId": device, "credential": credential})  # not its secret
    await phone.get_by_role("button", name="Log in with a passkey").click()
    await expect(phone.locator(".who")).to_contain_text("Anna")
    assert await phone.evaluate(KEY_HERE, anna.player) == ""
    assert kept(server) == [before]


async def overwrite(server: RunningServer, content: str, version: int, battle: str) -> None:
    """What a host can do: put something else in the place of the lockers of a battle."""
    sql = "UPDATE lockers SET content=?, version=? WHERE place=?"
    await server.running.store.write(Statement(sql, (content, version, battle)))


async def open_battle(server: RunningServer, page: Page, battle: str) -> None:
    """Open the page of a battle anew."""
    await page.goto(address(server, f"/battles/{battle}"))


async def south_on_two(server: RunningServer, browser: Browser) -> tuple[Page, Page, str]:
    """South's first and second browser, and the battle. The second has not seen it yet."""
    south, _, battle = await duel(server, browser)
    await kept_on_the_server(server, 2)
    phone = await another_device(server, browser, await key_link(server, south))
    return south, phone, battle


async def test_three_browsers_play_one_seat_and_one_is_thrown_away(server: RunningServer, browser: Browser) -> None:
    south, north, battle = await duel(server, browser)
    await kept_on_the_server(server, 2)
    laptop = await another_device(server, browser, await key_link(server, south))
    phone = await another_device(server, browser, await key_link(server, laptop))
    for page in (south, phone):
        await open_battle(server, page, battle)
        await give(server, page, "R1 ahead\nend turn")
        await give(server, north, "end turn")
    await south.context.close()
    await open_battle(server, laptop, battle)
    await give(server, laptop, "end turn")
    await give(server, north, "end turn")
    tablet = await another_device(server, browser, await key_link(server, phone))
    await open_battle(server, tablet, battle)
    await give(server, tablet, "end turn")
    await newest(server, north)
    await north.locator("#resign summary").click()
    await north.get_by_label("Yes, I give this battle up.").check()
    await north.get_by_role("button", name="Resign").click()
    await expect(tablet.locator("#status")).to_contain_text("The battle is over.")
    assert [kind for kind, _ in await contributions(server, battle, "south")] == ["seal"] * 4
    report = verify(await server.stranger.export(battle))
    assert (report.exit, [seat.mode for seat in report.seats]) == (OK, ["sealed", "sealed"])


async def test_two_devices_that_send_at_once_bring_the_same_seal(server: RunningServer, browser: Browser) -> None:
    south, phone, battle = await south_on_two(server, browser)
    sent: list[str] = []
    for page in (south, phone):
        await open_battle(server, page, battle)
        await expect(page.locator("#book-count")).to_have_text("0 of 400 given")
        page.on("request", lambda one: sent.append(one.post_data or "") if one.url.endswith("/orders") else None)
        await page.get_by_label("Orders, one to a line").fill("end turn")
    buttons = [page.get_by_role("button", name="Send") for page in (south, phone)]
    await asyncio.gather(*(button.click() for button in buttons))
    for page in (south, phone):
        await expect(page.locator("#book-count")).to_have_text("1 of 400 given")
    assert len({parse_qs(form)["seal"][0] for form in sent}) == 1
    assert len(await contributions(server, battle, "south")) == 1


async def test_the_server_keeps_no_seal_that_it_could_read(server: RunningServer, browser: Browser) -> None:
    south, _, battle = await duel(server, browser)
    await kept_on_the_server(server, 2)
    (book,) = await south.evaluate(ALL, ["books", battle])
    whole = b"".join(b64decode(locker.content) for locker in kept(server))
    assert bytes.fromhex(book["tip"]) not in whole and book["tip"].encode() not in whole
    for player in {locker.player for locker in kept(server)}:
        key = await south.evaluate(KEY_HERE, player)
        assert not key or bytes.fromhex(key) not in whole


async def test_an_altered_locker_is_told_and_put_right_by_who_has_the_book(
    server: RunningServer, browser: Browser
) -> None:
    south, phone, battle = await south_on_two(server, browser)
    await overwrite(server, "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=", 1, battle)
    await open_battle(server, phone, battle)
    await expect(phone.locator("#seat-told")).to_contain_text("was altered, and is not used")
    await expect(phone.locator("#book-missing")).to_be_visible()
    await open_battle(server, south, battle)
    await expect(south.locator("#seat-told")).to_contain_text("was altered, and is not used")
    await expect(south.locator("#book-count")).to_have_text("0 of 400 given")
    await open_battle(server, phone, battle)
    await give(server, phone, "end turn")


async def test_an_older_locker_and_a_lost_one_are_told_and_nothing_breaks(
    server: RunningServer, browser: Browser
) -> None:
    south, phone, battle = await south_on_two(server, browser)
    await server.running.store.write(Statement("DELETE FROM lockers WHERE place=?", (battle,)))
    await open_battle(server, south, battle)
    await expect(south.locator("#seat-told")).to_contain_text("gone back to an older locker")
    await kept_on_the_server(server, 1)
    await open_battle(server, phone, battle)
    await give(server, phone, "end turn")
    await expect(phone.locator("#seat-told")).to_be_hidden()


async def test_a_device_with_another_key_is_told_and_plays_what_it_has(server: RunningServer, browser: Browser) -> None:
    south, _, battle = await duel(server, browser)
    await kept_on_the_server(server, 2)
    await south.evaluate(OTHER_KEY)
    await south.reload()
    await expect(south.locator("#seat-told")).to_contain_text("has another key than your other devices")
    await give(server, south, "end turn")
    assert len(await contributions(server, battle, "south")) == 1


async def test_a_link_without_its_end_logs_in_and_says_what_is_missing(server: RunningServer, browser: Browser) -> None:
    south, _, battle = await duel(server, browser)
    await kept_on_the_server(server, 2)
    link = await key_link(server, south)
    phone = await (await browser.new_context()).new_page()
    await phone.goto(link[:-3])
    await expect(phone.locator("#key-cut")).to_be_visible()
    await phone.get_by_role("button", name="Log in as").click()
    await phone.wait_for_url(address(server, "/"))
    await open_battle(server, phone, battle)
    await expect(phone.locator("#seat-told")).to_contain_text("Another device of yours has the key to this seat")


async def test_a_book_of_before_moves_to_the_server_when_its_page_is_opened(
    server: RunningServer, browser: Browser
) -> None:
    south, _, battle = await duel(server, browser)
    await kept_on_the_server(server, 2)
    (book,) = await south.evaluate(ALL, ["books", battle])
    await server.running.store.write(Statement("DELETE FROM lockers", ()))
    await south.goto(address(server, "/offline"))
    await south.evaluate(FORGET)
    await south.evaluate(AS_BEFORE, book)
    await open_battle(server, south, battle)
    await kept_on_the_server(server, 1)
    await expect(south.locator("#seat-told")).to_be_hidden()
    await give(server, south, "end turn")


async def test_a_key_that_signs_follows_its_player(server: RunningServer, browser: Browser) -> None:
    south, phone, battle = await south_on_two(server, browser)
    await open_battle(server, phone, battle)
    signer = await south.evaluate(NEW_KEY, battle)
    await south.evaluate(CARRY, battle)
    assert await phone.evaluate(CARRY, battle) == ""
    assert await phone.evaluate(SIGNS, [battle, signer])


async def test_a_seat_is_plain_by_default_where_letters_alone_let_in(tmp_path: Path, browser: Browser) -> None:
    async with serving(tmp_path / "data", mail=True) as server:
        anna = await server.player("Anna")
        context = await browser.new_context()
        await log_in(context, server, anna)
        page = await new_page(context, server, "/new")
        await expect(page.locator("#chance")).to_have_value("plain")
        await expect(page.locator("[data-plain=by-letter]").first).to_be_visible()
        await page.locator("#opponent").select_option("person")
        await page.locator("#chance").select_option("sealed")
        await page.get_by_role("button", name="Open").click()
        await expect(page.locator("#book-count")).to_have_text("0 of 400 given")
        await kept_on_the_server(server, 1)
        await page.goto(address(server, "/new"))  # now this device has a key
        await expect(page.locator("#chance")).to_have_value("sealed")

        other = await browser.new_context()
        await log_in(other, server, anna)
        phone = await new_page(other, server, "/new")
        await expect(phone.locator("#chance")).to_have_value("plain")
        await expect(phone.locator("[data-plain=no-key]").first).to_be_visible()


async def test_the_key_is_written_as_words_and_typed_elsewhere(server: RunningServer, browser: Browser) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await anna.open()
    await bob.sit(battle, "north", phrase=PHRASE)
    first, second = await browser.new_context(), await browser.new_context()
    for context in (first, second):
        await log_in(context, server, anna)
    page = await new_page(first, server, f"/battles/{battle}")
    await page.get_by_role("button", name="Take south").click()
    await kept_on_the_server(server, 1)
    await page.goto(address(server, "/settings"))
    assert await found_on(page) == []
    await page.get_by_role("button", name="Show it as nine words").click()
    await expect(page.locator("#words")).not_to_have_value("")
    words = await page.locator("#words").input_value()
    assert re.fullmatch(r"[a-z]{5}( [a-z]{5}){8}", words)

    phone = await new_page(second, server, "/settings")
    await expect(phone.locator("#devices")).to_contain_text("This device does not have it")
    assert await found_on(phone) == []
    slip = ("d" if words[0] == "b" else "b") + words[1:]
    await phone.get_by_label("The nine words").fill(slip)
    await phone.get_by_role("button", name="Take them").click()
    await expect(phone.locator("#words-wrong")).to_be_visible()
    await phone.get_by_label("The nine words").fill(words.upper().replace(" ", "\n"))
    await phone.get_by_role("button", name="Take them").click()
    await expect(phone.get_by_text("This device has it")).to_be_visible()
    await phone.goto(address(server, f"/battles/{battle}"))
    await give(server, phone, "end turn")


async def test_who_logs_in_by_letters_carries_the_key_by_a_link(server: RunningServer, browser: Browser) -> None:
    anna = await server.player("Anna")
    first, second = await browser.new_context(), await browser.new_context()
    await log_in(first, server, anna)
    page = await new_page(first, server, "/settings")
    await page.get_by_role("button", name="Show the link for another device").click()
    await expect(page.locator("#carried")).not_to_have_value("")
    link = await page.locator("#carried").input_value()
    phone = await second.new_page()
    await phone.goto(link)
    await expect(phone.locator("#key-taken")).to_be_visible()
    assert "#" not in phone.url
    assert await phone.evaluate(KEY_HERE, anna.player) == await page.evaluate(KEY_HERE, anna.player) != ""


async def test_who_has_no_key_any_more_begins_with_another(server: RunningServer, browser: Browser) -> None:
    south, _, battle = await duel(server, browser)
    await kept_on_the_server(server, 2)
    await south.goto(address(server, "/offline"))
    await south.evaluate(FORGET)
    await south.goto(address(server, "/settings"))
    await south.get_by_text("No device has it any more").click()
    await south.get_by_role("button", name="Give up what is locked").click()
    await expect(south.get_by_text("This device has it")).to_be_visible()
    await kept_on_the_server(server, 1)
    await open_battle(server, south, battle)
    await south.locator("#book-part > summary").click()
    await expect(south.locator("#book-missing")).to_be_visible()
