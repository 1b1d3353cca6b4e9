"""Sealed seats in a real browser: books of seals that the page makes, keeps and uses by itself."""

import json
import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from msgspec.json import encode as to_json
from playwright.async_api import Browser, Page, Route, expect

from domain.events.battle import ContributionGiven
from domain.log.fairness import SEAL_CHARACTERS, seal_chain, seal_from_text, seal_text
from replay.proof.verify import OK, verify
from server.remote.book import SealBook
from tests.server.web.pages.test_browser import (
    DOUBLE_IDS,
    NAMELESS,
    PHONE_WIDTH,
    address,
    log_in,
    new_page,
    play_now,
    shown,
    shows_newest,
)
from tests.support.serving import PHRASE, RunningServer
from tests.support.verdicts import WHILE_IT_RUNS

VECTORS = json.loads((Path(__file__).parents[3] / "domain" / "fairness-vectors.json").read_text())
ARITHMETIC = """async ({battle, seat, secret, length}) => {
  const seals = { ...await import("/static/seals.js"), ...await import("/static/seal_chain.js") };
  const { bytesOf } = await import("/static/bytes.js");
  const tip = seals.tipOf(bytesOf(secret), battle, seat);
  const chain = seals.sealsOf(battle, seat, tip, length);
  const text = seals.sealText(chain[1]);
  return {anchor: chain[0], s_1: chain[1], s_2: chain[2], s_1_text: text, read: seals.sealFromText(text.toLowerCase())};
}"""
FORGET = "() => new Promise((done) => { indexedDB.deleteDatabase('phalera').onsuccess = done; }).then(() => undefined)"
"""All that the pages have kept: asked on a page that has nothing open, else the deletion would wait for its end."""
READ = 'async (text) => (await import("/static/seals.js")).sealFromText(text)'


async def duel(server: RunningServer, browser: Browser) -> tuple[Page, Page, str]:
    """Two players in two browsers, sealed as the pages do it by themselves, and the id of their battle."""
    south = await new_page(await browser.new_context(), server, "/new")
    await expect(south.locator("[data-no-books]").first).to_be_hidden()
    await south.locator("#opponent").select_option("person")
    await south.get_by_role("button", name="Open").click()
    await expect(south.locator("#sides")).to_contain_text("Rome (south): Guest")
    path = urlsplit(south.url).path
    north = await new_page(await browser.new_context(), server, path)
    await north.get_by_role("button", name="Take north").click()
    await expect(north.locator("#sides .north")).to_contain_text("(you)")
    await expect(north.locator("#book-count")).to_have_text("1 of 400 given")  # it has no turn to wait for
    await expect(south.locator("#status")).to_contain_text("It is your turn")
    await newest(server, south)
    return south, north, path.rsplit("/", 1)[1]


async def newest(server: RunningServer, page: Page) -> None:
    """Wait until a page shows the newest event: orders given before it would be refused."""
    await shows_newest(page, await shown(page, server))


async def give(server: RunningServer, page: Page, orders: str) -> None:
    """Orders from a page that shows the newest event."""
    await newest(server, page)
    await expect(page.locator("#status")).to_contain_text("It is your turn")
    await page.get_by_label("Orders, one to a line").fill(orders)
    await page.get_by_role("button", name="Send").click()
    await expect(page.get_by_label("Orders, one to a line")).to_have_value("")


async def contributions(server: RunningServer, battle: str, side: str) -> list[tuple[str, str]]:
    """Kind and value of what a side has contributed, in order."""
    events = (await server.running.battles.get(battle)).recording.timeline.events
    given = [recorded.event for recorded in events if isinstance(recorded.event, ContributionGiven)]
    return [(event.kind, event.value) for event in given if event.side == side]


async def test_the_browser_computes_seals_as_the_vectors_say(server: RunningServer, browser: Browser) -> None:
    page = await new_page(await browser.new_context(), server)
    for vector in VECTORS["seals"]:
        asked = {"battle": VECTORS["gid"], **{name: vector[name] for name in ("seat", "secret", "length")}}
        found = await page.evaluate(ARITHMETIC, asked)
        assert found.pop("read") == vector["s_1"]
        assert found == {name: vector[name] for name in found}
        spelling = vector["s_1_text"]
        assert await page.evaluate(READ, f" {spelling[:9]}-{spelling[9:]} ") == vector["s_1"]
        assert await page.evaluate(READ, f"{spelling[:-1]}B") == ""  # its spare bits are set
        assert await page.evaluate(READ, spelling[1:]) == ""


async def test_two_people_play_sealed_and_type_no_seal(server: RunningServer, browser: Browser) -> None:
    south, north, battle = await duel(server, browser)
    for page, orders in ((south, "R1 ahead\nend turn"), (north, "N1 ahead\nend turn"), (south, "end turn")):
        await give(server, page, orders)
    await expect(north.locator("#status")).to_contain_text("It is your turn")
    assert [kind for kind, _ in await contributions(server, battle, "south")] == ["seal", "seal"]
    await expect(south.locator("#book-count")).to_have_text("2 of 400 given")
    await north.locator("#resign summary").click()
    await north.get_by_label("Yes, I give this battle up.").check()
    await north.get_by_role("button", name="Resign").click()
    await expect(north.locator("#status")).to_contain_text("The battle is over.")
    report = verify(await server.stranger.export(battle))
    assert report.exit == OK, report
    assert [(seat.side, seat.mode) for seat in report.seats] == [("north", "sealed"), ("south", "sealed")]


async def test_a_seal_goes_with_its_order_and_with_no_preview(server: RunningServer, browser: Browser) -> None:
    south, _, _ = await duel(server, browser)
    sent: list[str] = []
    south.on(
        "request", lambda request: sent.append(request.post_data or "") if request.url.endswith("/orders") else None
    )
    await south.get_by_label("Orders, one to a line").fill("R1 ahead")
    await south.get_by_role("button", name="Preview").click()
    await expect(south.locator("#answer")).to_contain_text("72 of the 80 left are 2 or more")
    await south.get_by_role("button", name="Send").click()
    await expect(south.locator("#story")).to_contain_text("South: R1 ahead")
    assert [len(parse_qs(form).get("seal", [""])[0]) for form in sent] == [0, SEAL_CHARACTERS]


async def test_an_order_that_was_lost_brings_the_same_seal_again(server: RunningServer, browser: Browser) -> None:
    south, north, battle = await duel(server, browser)
    sent: list[str] = []

    async def lose(route: Route) -> None:
        sent.append(parse_qs(route.request.post_data or "")["seal"][0])
        await (route.continue_() if len(sent) > 2 else route.abort())

    await south.route("**/orders*", lose)
    for times in (1, 2, 3):
        await expect(south.locator("#book-count")).to_have_text("0 of 400 given")
        await south.get_by_label("Orders, one to a line").fill("R1 ahead\nend turn")
        await south.get_by_role("button", name="Send").click()
        if times < 3:
            await expect(south.locator("#answer")).to_contain_text("The server cannot be reached.")
            await south.reload()
    await expect(north.locator("#status")).to_contain_text("It is your turn")
    assert len(sent) == 3 and len(set(sent)) == 1
    assert await contributions(server, battle, "south") == [("seal", seal_from_text(sent[0]).hex())]


async def test_an_answer_that_was_lost_costs_no_seal(server: RunningServer, browser: Browser) -> None:
    south, north, battle = await duel(server, browser)

    async def lose(route: Route) -> None:
        await route.fetch()
        await route.abort()

    await south.route("**/orders*", lose)
    async with south.expect_response(lambda answer: answer.url.endswith("/draft")):  # or the reload might overtake it
        await south.get_by_label("Orders, one to a line").fill("R1 ahead\nend turn")
        await south.get_by_role("button", name="Send").click()
        await expect(south.locator("#answer")).to_contain_text("The server cannot be reached.")
    await south.unroute("**/orders*")
    await give(server, north, "end turn")
    await south.reload()
    await give(server, south, "end turn")
    assert len(await contributions(server, battle, "south")) == 2


async def saved_book(page: Page) -> str:
    """The file that the page saves."""
    await page.locator("#book-part > summary").click()
    await page.locator("#book-save summary").click()
    async with page.expect_download() as download:
        await page.get_by_role("button", name="Save as a file").click()
    return Path(await (await download.value).path()).read_text()


async def test_a_saved_book_goes_on_in_another_browser(server: RunningServer, browser: Browser) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await anna.open()
    first, second = await browser.new_context(), await browser.new_context()
    await log_in(first, server, anna)
    await log_in(second, server, anna)
    page = await new_page(first, server, f"/battles/{battle}")
    await page.get_by_role("button", name="Take south").click()
    await bob.sit(battle, "north", phrase=PHRASE)
    await expect(page.locator("#status")).to_contain_text("It is your turn")
    book = await saved_book(page)
    other = await new_page(second, server, f"/battles/{battle}")
    await expect(other.locator("#book-missing")).to_contain_text("this browser does not have its book of seals")
    await other.locator("#book-load summary").click()
    await other.get_by_label("Or its text").fill(re.sub(r" 400  \w+", "", book))
    await other.get_by_role("button", name="Load it").click()
    await expect(other.locator("#book-count")).to_have_text("0 of 399 given")
    await give(server, other, "end turn")
    await expect(page.locator("#book-count")).to_have_text("1 of 400 given")


async def test_a_book_of_the_command_line_goes_on_in_the_browser(server: RunningServer, browser: Browser) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await anna.open()
    book = SealBook(battle, "south", "5" * 64, 12)
    await anna.sit(battle, "south", mode="sealed", anchor=book.anchor)
    await bob.sit(battle, "north", phrase=PHRASE)
    for text in (book.printed(), to_json(book).decode()):
        context = await browser.new_context()
        await log_in(context, server, anna)
        page = await new_page(context, server, f"/battles/{battle}")
        await page.locator("#book-load summary").click()
        await page.get_by_label("Or its text").fill(text)
        await page.get_by_role("button", name="Load it").click()
        await expect(page.locator("#book-count")).to_have_text("0 of 12 given")


async def test_a_book_of_another_seat_is_not_taken(server: RunningServer, browser: Browser) -> None:
    south, north, _ = await duel(server, browser)
    foreign = await saved_book(north)
    await south.locator("#book-part > summary").click()
    await south.locator("#book-load summary").click()
    for text in (foreign, "", "  1  EAMEQ3AZ2TBGPBM6GDM4DDLGRA"):
        await south.get_by_label("Or its text").fill(text)
        await south.get_by_role("button", name="Load it").click()
        await expect(south.locator("#book-loaded")).to_contain_text("This is not the book of this seat")
    await expect(south.locator("#book-count")).to_have_text("0 of 400 given")


async def test_a_lost_book_is_told_and_another_begun(server: RunningServer, browser: Browser) -> None:
    south, north, battle = await duel(server, browser)
    await give(server, south, "end turn")
    await north.goto(address(server, "/offline"))
    await north.evaluate(FORGET)
    await north.goto(address(server, f"/battles/{battle}"))
    await expect(north.locator("#book-missing")).to_be_visible()
    await expect(north.get_by_label("The next seal of your book")).to_be_visible()
    await north.locator("#book-another summary").click()
    await north.get_by_role("button", name="Begin another book").click()
    await expect(north.locator("#book-count")).to_have_text("0 of 400 given")
    await expect(north.locator("#book-missing")).to_be_hidden()
    await expect(south.locator("#book-count")).to_have_text("2 of 400 given")  # given anew, without a click
    await give(server, north, "N1 ahead\nend turn")
    await give(server, south, "end turn")
    kinds = [kind for kind, _ in await contributions(server, battle, "north")]
    assert kinds == ["seal", "reanchor", "seal"]
    report = verify(await server.stranger.export(battle))
    assert (report.exit, report.fault) == (WHILE_IT_RUNS, None)


async def test_without_a_script_seals_are_typed(server: RunningServer, browser: Browser) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await anna.open()
    seals = seal_chain(battle, "south", bytes(32), 9)
    await anna.sit(battle, "south", mode="sealed", anchor=seals[0].hex())
    await bob.sit(battle, "north", phrase=PHRASE)
    await bob.order(battle, "offer draw")
    context = await browser.new_context(java_script_enabled=False)
    await log_in(context, server, anna)
    page = await new_page(context, server, f"/battles/{battle}")
    await page.get_by_label("Orders, one to a line").fill("R1 ahead")
    await page.get_by_role("button", name="Send").click()
    await expect(page.locator("#answer")).to_contain_text("CORE-FAIR")
    await page.get_by_label("The next seal of your book").fill(seal_text(seals[1]).lower())
    await page.get_by_role("button", name="Send").click()
    await expect(page.locator("#story")).to_contain_text("South: R1 ahead")
    other = seal_chain(battle, "south", bytes(31) + b"1", 9)
    await page.locator("#book-part > summary").click()
    await page.locator("#book-another summary").click()
    await page.get_by_label("The anchor of the other book").fill(other[0].hex())
    await page.get_by_role("button", name="Begin another book").click()
    assert (await contributions(server, battle, "south"))[-1] == ("reanchor", other[0].hex())


async def test_a_browser_that_keeps_nothing_plays_plain_and_is_told(server: RunningServer, browser: Browser) -> None:
    context = await browser.new_context()
    await context.add_init_script("indexedDB.open = () => { throw new Error('no storage'); };")
    page = await new_page(context, server, "/new")
    await expect(page.locator("[data-no-books]").first).to_contain_text("cannot keep a book of seals")
    await expect(page.locator("[data-no-books]").first).to_be_visible()
    await expect(page.locator("#chance")).to_have_value("plain")
    await page.goto(address(server))
    await page.get_by_role("button", name="Play To the Strongest!").click()
    await expect(page.locator("#status")).to_contain_text("It is your turn")
    await expect(page.locator("#sides")).not_to_contain_text("A sealed seat")
    await give(server, page, "end turn")


async def test_a_link_alone_takes_no_side(server: RunningServer, browser: Browser) -> None:
    anna = await server.player("Anna")
    battle = await anna.open()
    context = await browser.new_context()
    await log_in(context, server, anna)
    page = await new_page(context, server, f"/battles/{battle}?take=south")
    await page.reload()  # the script has run before, and asks for nothing the second time
    await expect(page.get_by_role("button", name="Take south")).to_be_visible()
    assert not (await server.running.battles.get(battle)).recording.battle.seats


async def test_the_book_fits_a_phone(server: RunningServer, browser: Browser) -> None:
    page = await play_now(browser, server)
    await page.set_viewport_size({"width": PHONE_WIDTH, "height": 800})
    for part in ("#book-part > summary", "#book-save summary", "#book-load summary", "#book-another summary"):
        await page.locator(part).click()
    assert await page.evaluate("document.documentElement.scrollWidth") <= PHONE_WIDTH
    assert await page.evaluate(NAMELESS) == []
    assert await page.evaluate(DOUBLE_IDS) == []
