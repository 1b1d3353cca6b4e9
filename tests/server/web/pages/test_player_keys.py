"""Seats with a key of their own in a real browser: the page makes it, keeps it and signs by itself."""

import json
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from playwright.async_api import Browser, BrowserContext, Page, Route, expect

from replay.proof import verdict
from replay.proof.verify import OK, Report, verify
from tests.server.web.pages.test_browser import DOUBLE_IDS, NAMELESS, address, log_in, new_page
from tests.server.web.pages.test_seals import contributions, give, newest
from tests.support.serving import PHRASE, RunningServer

VECTORS = json.loads((Path(__file__).parents[3] / "domain" / "fairness-vectors.json").read_text())
PKCS8 = "302e020100300506032b657004220420"  # what stands before the 32 bytes of a secret key
ARITHMETIC = """async ({pkcs8, battle, seat, serial, seen, giving, text}) => {
  const { bytesOf } = await import("/static/bytes.js");
  const { signatureOf } = await import("/static/signing.js");
  const key = await crypto.subtle.importKey("pkcs8", bytesOf(pkcs8), "Ed25519", false, ["sign"]);
  return signatureOf(key, battle, seat, serial, `${seen.n} ${seen.hash}`, bytesOf(giving), text);
}"""
SECRETS = """async () => {
  const { allOf } = await import("/static/database.js");
  const { id, side } = document.getElementById("battle").dataset;
  const [{ key }] = await allOf("keys", id, side);
  return [key.extractable, await crypto.subtle.exportKey("pkcs8", key).then(() => "out", () => "kept")];
}"""
UNSIGNING = """() => {
  const make = SubtleCrypto.prototype.generateKey;
  SubtleCrypto.prototype.generateKey = function (kind, ...more) {
    if (kind.name === "Ed25519") return Promise.reject(new DOMException("", "NotSupportedError"));
    return make.call(this, kind, ...more);
  };
}"""
CHOICE = "Sign my orders with a key that only my devices have"


async def signed_duel(server: RunningServer, browser: Browser) -> tuple[Page, Page, str]:
    """The south sealed and signed, chosen where the battle was opened; the north plain and signed."""
    south = await new_page(await browser.new_context(), server, "/new")
    form = south.locator("form", has=south.locator("#chance"))
    await expect(form.get_by_label(CHOICE)).not_to_be_checked()
    await form.get_by_label(CHOICE).check()
    await south.locator("#opponent").select_option("person")
    await south.get_by_role("button", name="Open").click()
    await expect(south.locator("#sides")).to_contain_text("Rome (south): Guest")
    path = urlsplit(south.url).path
    north = await new_page(await browser.new_context(), server, path)
    await north.locator("#chance-north").select_option("plain")
    await north.get_by_label(CHOICE).check()
    await north.get_by_role("button", name="Take north").click()
    await expect(north.locator("#sides .north")).to_contain_text("(you)")
    await expect(south.locator("#status")).to_contain_text("It is your turn")
    await expect(north.locator("#battle")).to_have_attribute("data-serial", "2")  # it joined, then contributed alone
    await newest(server, south)
    return south, north, path.rsplit("/", 1)[1]


async def report_of(server: RunningServer, battle: str) -> Report:
    report = verify(await server.stranger.export(battle))
    assert report.fault is None, report
    return report


async def test_the_browser_signs_as_the_vectors_say(server: RunningServer, browser: Browser) -> None:
    page = await new_page(await browser.new_context(), server, "/new")
    for vector in VECTORS["player_signature"]:
        asked = {name: vector[name] for name in ("seat", "serial", "seen", "giving", "text")}
        asked |= {"battle": VECTORS["gid"], "pkcs8": PKCS8 + vector["private"]}
        assert await page.evaluate(ARITHMETIC, asked) == vector["signature"]


async def test_two_people_sign_what_they_order(server: RunningServer, browser: Browser) -> None:
    south, north, battle = await signed_duel(server, browser)
    for page in (south, north):
        assert await page.evaluate(SECRETS) == [False, "kept"]
        assert await page.evaluate(NAMELESS) == []
        assert await page.evaluate(DOUBLE_IDS) == []
        await expect(page.locator("#key-missing")).to_be_hidden()
    for page, orders in ((south, "r1  AHEAD # on\nend turn"), (north, "N1 ahead\nend turn"), (south, "end turn")):
        await give(server, page, orders)
    assert [kind for kind, _ in await contributions(server, battle, "south")] == ["seal", "seal"]
    await expect(north.locator("#status")).to_contain_text("It is your turn")
    await north.locator("#offer summary").click()
    await north.get_by_role("button", name="Offer a draw").click()
    await expect(north.locator("#kept")).to_contain_text("You have offered a draw.")
    await south.locator("#resign summary").click()
    await south.get_by_label("Yes, I give this battle up.").check()
    await south.get_by_role("button", name="Resign").click()
    await expect(north.locator("#status")).to_contain_text("The battle is over.")
    report = await report_of(server, battle)
    assert (report.exit, [(seat.mode, seat.is_signed) for seat in report.seats]) == (
        OK,
        [("plain", True), ("sealed", True)],
    )
    assert [seat.vouched.messages for seat in report.seats] == [4, 4]  # the joining is signed, too
    assert "\n".join(verdict.lines(report)).count("each is signed by the player's own key.") == 2


async def test_a_line_in_other_words_is_shown_before_it_is_signed(server: RunningServer, browser: Browser) -> None:
    south, _, battle = await signed_duel(server, browser)
    box = south.get_by_label("Orders, one to a line")
    await box.fill("fin du tour")
    await south.get_by_role("button", name="Send").click()
    await expect(south.locator("#answer")).to_contain_text("Your key signs lines as they are written in the log")
    await expect(box).to_have_value("end turn")
    await expect(south.locator("#battle")).to_have_attribute("data-serial", "1")
    await south.get_by_role("button", name="Send").click()
    await expect(south.locator("#battle")).to_have_attribute("data-serial", "2")
    assert len(await contributions(server, battle, "south")) == 1


async def test_what_cannot_be_signed_is_said_like_any_refusal(server: RunningServer, browser: Browser) -> None:
    south, _, _ = await signed_duel(server, browser)
    for typed, said in (("fly", "fly"), ("try R1 ahead", "no repeats")):
        await south.get_by_label("Orders, one to a line").fill(typed)
        await south.get_by_role("button", name="Send").click()
        await expect(south.locator("#answer")).to_contain_text(said)
    await south.get_by_label("Orders, one to a line").fill("R1 ahead")
    await south.get_by_role("button", name="Preview").click()
    await expect(south.locator("#answer")).to_contain_text("72 of the 80 left are 2 or more")


async def test_an_answer_that_was_lost_is_asked_for_with_the_same_bytes(
    server: RunningServer, browser: Browser
) -> None:
    south, north, battle = await signed_duel(server, browser)
    sent: list[str] = []

    async def lose(route: Route) -> None:
        sent.append(route.request.post_data or "")
        await (route.continue_() if len(sent) > 2 else route.abort())

    await south.route("**/orders*", lose)
    for times in (1, 2, 3):
        await south.get_by_label("Orders, one to a line").fill("R1 ahead\nend turn")
        await south.get_by_role("button", name="Send").click()
        if times < 3:
            await expect(south.locator("#answer")).to_contain_text("The server cannot be reached.")
            await south.reload()
    await expect(north.locator("#status")).to_contain_text("It is your turn")
    assert len(set(sent)) == 1
    assert [one.split()[0] for one in parse_qs(sent[0])["signature"]] == ["2", "3"]
    assert len(await contributions(server, battle, "south")) == 1


async def test_lines_that_have_arrived_are_new_ones_the_next_time(server: RunningServer, browser: Browser) -> None:
    south, north, battle = await signed_duel(server, browser)

    async def lose(route: Route) -> None:
        await route.fetch()
        await route.abort()

    await south.route("**/orders*", lose)
    await newest(server, south)
    await south.get_by_label("Orders, one to a line").fill("end turn")
    await south.get_by_role("button", name="Send").click()
    await expect(south.locator("#answer")).to_contain_text("The server cannot be reached.")
    await south.unroute("**/orders*")
    await give(server, north, "end turn")
    await south.reload()
    await give(server, south, "end turn")
    assert len(await contributions(server, battle, "south")) == 2


async def test_another_browser_says_that_it_lacks_the_key(server: RunningServer, browser: Browser) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await anna.open()
    first, second = await browser.new_context(), await browser.new_context()
    await log_in(first, server, anna)
    await log_in(second, server, anna)
    page = await taken(first, server, battle)
    await bob.sit(battle, "north", phrase=PHRASE)
    await expect(page.locator("#status")).to_contain_text("It is your turn")
    other = await new_page(second, server, f"/battles/{battle}")
    await expect(other.locator("#key-missing")).to_contain_text("this browser does not have its key")
    await other.get_by_label("Orders, one to a line").fill("end turn")
    await other.get_by_role("button", name="Send").click()
    await expect(other.locator("#answer")).to_contain_text("needs a signature")
    await give(server, page, "end turn")


async def taken(context: BrowserContext, server: RunningServer, battle: str) -> Page:
    """A page that has taken the south, plain and signed."""
    page = await new_page(context, server, f"/battles/{battle}")
    await page.locator("#chance-south").select_option("plain")
    await page.locator("#sign-south").check()
    await page.get_by_role("button", name="Take south").click()
    await expect(page.locator("#sides .south")).to_contain_text("(you)")
    return page


async def test_a_lost_book_of_a_signed_seat_is_replaced(server: RunningServer, browser: Browser) -> None:
    south, north, battle = await signed_duel(server, browser)
    await give(server, south, "end turn")
    await south.locator("#book-part > summary").click()
    await south.locator("#book-another summary").click()
    await south.get_by_role("button", name="Begin another book").click()
    await expect(south.locator("#book-count")).to_have_text("0 of 400 given")
    await give(server, north, "end turn")
    await give(server, south, "end turn")
    assert [kind for kind, _ in await contributions(server, battle, "south")] == ["seal", "reanchor", "seal"]
    assert (await report_of(server, battle)).seats[1].is_signed


async def test_a_browser_without_ed25519_offers_no_key(server: RunningServer, browser: Browser) -> None:
    context = await browser.new_context()
    await context.add_init_script(f"({UNSIGNING})()")
    page = await new_page(context, server, "/new")
    await expect(page.locator("#chance")).to_be_visible()
    await page.wait_for_function("""async () => {
      const { canSign } = await import("/static/signing.js");
      return !(await canSign());
    }""")
    for choice in await page.locator("[data-sign-choice]").all():
        await expect(choice).to_be_hidden()
    await page.goto(address(server))
    await page.get_by_role("button", name="Play To the Strongest!").click()
    await expect(page.locator("#status")).to_contain_text("It is your turn")
