"""A guest does not lose a seat by logging out: they are warned, and offered a link by which they come back."""

import re
from io import BytesIO

import pytest
import pytest_asyncio
import zxingcpp
from PIL import Image
from playwright.async_api import Browser, expect
from playwright.async_api import Page as Sheet

from server.people.players import KEY_LINK_S
from server.store.tables import correspondents, tokens
from server.store.tables.correspondents import Correspondent
from server.web.auth import COOKIE
from tests.server.web.pages.test_browser import new_page, play_now
from tests.server.web.pages.visiting import OWN, Page, Visitor, visitor_of
from tests.support.clock import ManualClock
from tests.support.serving import PHRASE, RunningServer, serving

WARNING = "You are a guest: only this browser knows you."
FRENCH = {**OWN, "Accept-Language": "fr"}


async def guest_in(server: RunningServer) -> tuple[Visitor, str]:
    """A guest with a battle that waits for them."""
    guest = Visitor(server)
    page = await guest.send("/battles", scenario="tts/skirmish", name="Cato", phrase=PHRASE)
    return guest, page.path


def key_link(page: Page) -> str:
    """The path of the key link on a page."""
    found = re.search(r'value="[^"]*(/login/[^"]+)"', page.text)
    assert found, page.words
    return found[1]


def let_pass(server: RunningServer, seconds: int) -> None:
    clock = server.running.machine
    assert isinstance(clock, ManualClock)
    clock.wait(seconds=seconds)


async def test_one_click_logs_no_guest_out(server: RunningServer) -> None:
    guest, battle = await guest_in(server)
    assert 'method="get" action="/logout"' in (await guest.get("/")).text
    for page in (
        await guest.get("/logout"),
        await guest.send("/logout"),
        await guest.send("/settings", do="everywhere"),
    ):
        assert page.status == 200 and WARNING in page.words
    assert "It is your turn" in (await guest.get(battle)).words


@pytest.mark.slow
async def test_a_key_link_brings_a_guest_back_to_their_seat_once(server: RunningServer) -> None:
    guest, battle = await guest_in(server)
    shown = await guest.send("/logout/key")
    assert "works once, within 7 days" in shown.words
    assert shown.headers["Cache-Control"] == "no-store"
    assert "Log in" in (await guest.send("/logout", sure="yes")).words
    assert "It is your turn" not in (await guest.get(battle)).words
    again = Visitor(server)
    assert "Log in as Cato" in (await again.get(key_link(shown))).words
    await again.send(key_link(shown))
    assert "It is your turn" in (await again.get(battle)).words
    assert (await Visitor(server).get(key_link(shown))).status == 410


async def test_a_key_link_works_for_a_week_and_the_newest_alone(server: RunningServer) -> None:
    guest, _ = await guest_in(server)
    older, newer = [key_link(await guest.send("/logout/key")) for _ in range(2)]
    let_pass(server, KEY_LINK_S - 1)
    assert (await Visitor(server).get(older)).status == 410
    assert (await Visitor(server).get(newer)).status == 200
    let_pass(server, 2)
    assert (await Visitor(server).get(newer)).status == 410


@pytest.mark.slow
async def test_logging_out_everywhere_spares_the_link_just_shown_and_no_other(server: RunningServer) -> None:
    guest, _ = await guest_in(server)
    other = Visitor(server)
    await other.send(key_link(await guest.send("/logout/key")))
    link = key_link(await guest.send("/logout/key", everywhere="yes"))
    await guest.send("/logout", sure="yes", everywhere="yes", kept="yes")
    assert "Log in" in (await other.get("/")).words
    await other.send(link)
    assert "Cato" in (await other.get("/")).words
    link = key_link(await other.send("/logout/key"))
    await other.send("/logout", sure="yes", everywhere="yes")
    assert (await Visitor(server).get(link)).status == 410


async def test_a_player_with_an_address_logs_out_by_one_click(server: RunningServer) -> None:
    anna = await visitor_of(server, await server.player("Anna"))
    assert 'method="post" action="/logout"' in (await anna.get("/")).text
    assert "/login/" not in (await anna.send("/logout/key")).text
    assert "Log in" in (await anna.send("/logout")).words


@pytest.mark.parametrize("sends", [True, False])
async def test_an_address_is_proposed_only_where_the_server_sends_mail(tmp_path, sends: bool) -> None:
    async with serving(tmp_path / "data", mail=sends) as server:
        guest, _ = await guest_in(server)
        assert ("Or give an address" in (await guest.get("/logout")).words) == sends


async def test_nobody_else_makes_a_key_link(server: RunningServer) -> None:
    guest, _ = await guest_in(server)
    assert (await guest.send("/logout/key", {**OWN, "Sec-Fetch-Site": "cross-site"})).status == 403
    assert (await Visitor(server).send("/logout/key")).status == 401
    assert (await Visitor(server).send("/logout")).path == "/"


async def test_the_warning_is_french_for_a_french_reader(server: RunningServer) -> None:
    guest, _ = await guest_in(server)
    page = await guest.ask("GET", "/logout", FRENCH)
    assert "Vous jouez en invité\u00a0: seul ce navigateur vous connaît." in page.text


@pytest_asyncio.fixture(loop_scope="session", params=["/logout", "battle"])
async def linked(server: RunningServer, browser: Browser, request: pytest.FixtureRequest) -> tuple[Sheet, str]:
    """A page that shows a link, in dark mode; and the link's field."""
    if request.param == "battle":
        page = await new_page(await browser.new_context(color_scheme="dark"), server, "/new")
        await page.locator("#opponent").select_option("person")
        await page.get_by_role("button", name="Open").click()
        return page, "#invite"
    page = await play_now(browser, server, color_scheme="dark")
    await page.get_by_role("button", name="Log out").click()
    await page.get_by_role("button", name="Show my key link").click()
    return page, "#key-link"


async def test_a_phone_reads_a_link_from_the_screen(linked: tuple[Sheet, str]) -> None:
    page, field = linked
    await page.get_by_text("Show as a code for a phone").click()
    picture = await page.locator(".scanned .code").screenshot()
    (code,) = zxingcpp.read_barcodes(Image.open(BytesIO(picture)))
    assert code.text == await page.locator(field).input_value()


async def test_a_link_is_copied_by_a_button(linked: tuple[Sheet, str]) -> None:
    page, field = linked
    await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await page.get_by_role("button", name="Copy").click()
    await expect(page.locator(".copying [role=status]")).to_have_text("Copied.")
    assert await page.evaluate("navigator.clipboard.readText()") == await page.locator(field).input_value()
    assert any(cookie["name"] == COOKIE for cookie in await page.context.cookies())


GROWS = """() => {
  const field = document.getElementById("key-link"), whole = field.value;
  field.value = whole.split("#")[0];
  field.dataset.grows = "";
  window.grow = () => {
    field.value = whole;
    delete field.dataset.grows;
    field.dispatchEvent(new Event("grown"));
  };
}"""


async def test_a_link_is_copied_when_it_has_its_key(server: RunningServer, browser: Browser) -> None:
    """Half a link would log in a device that cannot read its own seats."""
    page = await play_now(browser, server)
    await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await page.get_by_role("button", name="Log out").click()
    await page.get_by_role("button", name="Show my key link").click()
    await expect(page.locator("#key-link:not([data-grows])")).to_have_value(re.compile("#"))
    await page.evaluate(GROWS)
    await page.get_by_role("button", name="Copy").click()
    await expect(page.locator(".copying [role=status]")).to_have_text("")
    await page.evaluate("grow()")
    await expect(page.locator(".copying [role=status]")).to_have_text("Copied.")
    copied = await page.evaluate("navigator.clipboard.readText()")
    assert "#" in copied and copied == await page.locator("#key-link").input_value()


# --- from the settings


def ends(page: Page) -> list[str]:
    """The ids that the list of sessions can end."""
    return re.findall(r'name="end" value="([0-9a-f]+)"', page.text)


async def test_a_session_elsewhere_is_ended_alone(server: RunningServer) -> None:
    anna = await server.player("Anna")
    here, lost, third = [await visitor_of(server, anna) for _ in range(3)]
    assert len(ends(await here.get("/settings"))) == 3  # two browsers and a token; this one has no button
    of_lost = tokens.digest(lost.cookies[COOKIE]).hex()[: tokens.ID_DIGITS]
    page = await here.send("/settings", end=of_lost)
    assert of_lost not in ends(page) and "This browser" in page.words
    assert [(await one.get("/settings")).status for one in (here, lost, third)] == [200, 401, 200]
    assert (await here.send("/settings", end=of_lost)).status == 404


async def test_nobody_ends_the_session_of_another(server: RunningServer) -> None:
    anna, bob = await visitor_of(server, await server.player("Anna")), await server.player("Bob")
    other = await visitor_of(server, bob)
    of_anna = tokens.digest(anna.cookies[COOKIE]).hex()[: tokens.ID_DIGITS]
    assert (await other.send("/settings", end=of_anna)).status == 404
    assert (await anna.get("/settings")).status == 200


async def test_a_guest_gets_a_key_link_in_the_settings_and_is_warned_before_ending_this_session(
    server: RunningServer,
) -> None:
    guest, battle = await guest_in(server)
    shown = await guest.send("/settings", do="key")
    assert shown.headers["Cache-Control"] == "no-store"
    again = Visitor(server)
    await again.send(key_link(shown))
    assert "It is your turn" in (await again.get(battle)).words
    own = tokens.digest(guest.cookies[COOKIE]).hex()[: tokens.ID_DIGITS]
    assert WARNING in (await guest.send("/settings", end=own)).words
    assert "It is your turn" in (await guest.get(battle)).words


async def test_the_language_is_saved_without_the_wishes_about_letters(server: RunningServer) -> None:
    anna = await server.player("Anna")
    await server.running.store.write(correspondents.save(Correspondent(anna.player, picture=True, is_long=True)))
    page = await (await visitor_of(server, anna)).send("/settings", do="save", language="fr", zone="Europe/Paris")
    assert "<title>Réglages – Phalera</title>" in page.text
    kept = correspondents.find(server.running.store, anna.player)
    assert (kept.lang, kept.zone, kept.picture, kept.is_long) == ("fr", "Europe/Paris", True, True)
