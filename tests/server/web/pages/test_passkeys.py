"""A real browser makes a passkey on the settings page, logs in with it without a name, and removes it."""

from typing import Any

import pytest
from playwright.async_api import Browser, BrowserContext, CDPSession, Page, expect

from server.store.tables import passkeys
from server.web.auth import COOKIE
from tests.server.web.pages.barriers import found_on
from tests.server.web.pages.test_browser import address, new_page
from tests.server.web.pages.visiting import visitor_of
from tests.support.serving import Caller, RunningServer

DEVICE = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


def named(server: RunningServer, path: str) -> str:
    """The address of a page under the name at which a browser allows passkeys."""
    return address(server, path).replace("127.0.0.1", "localhost")


async def logged_in(browser: Browser, server: RunningServer, caller: Caller, **context: Any) -> BrowserContext:
    """A browser in which a player is logged in, at that name."""
    opened = await browser.new_context(**context)
    session = (await visitor_of(server, caller)).cookies[COOKIE]
    await opened.add_cookies([{"name": COOKIE, "value": session, "url": named(server, "/")}])
    return opened


async def page_with_device(
    context: BrowserContext, server: RunningServer, path: str, options: dict[str, Any] = DEVICE
) -> tuple[Page, CDPSession, str]:
    """A page, and its device: what talks to it, and its id."""
    page = await new_page(context, server, "/offline")
    talk = await context.new_cdp_session(page)
    await talk.send("WebAuthn.enable")
    device = (await talk.send("WebAuthn.addVirtualAuthenticator", {"options": options}))["authenticatorId"]
    await page.goto(named(server, path))
    return page, talk, device


async def add(page: Page, name: str) -> None:
    """Make a passkey by the keyboard alone."""
    await page.get_by_label("Name of the new passkey").focus()
    await page.keyboard.type(name)
    await page.keyboard.press("Tab")
    await expect(page.get_by_role("button", name="Add a passkey")).to_be_focused()
    await page.keyboard.press("Enter")


async def test_a_passkey_is_made_logs_in_and_is_removed(server: RunningServer, browser: Browser) -> None:
    anna = await server.player("Anna")
    context = await logged_in(browser, server, anna)
    page, talk, device = await page_with_device(context, server, "/settings")
    await add(page, "Blue laptop")
    await expect(page.locator("section", has=page.locator("#passkeys"))).to_contain_text("Blue laptop: made on")
    held = (await talk.send("WebAuthn.getCredentials", {"authenticatorId": device}))["credentials"]
    assert [(one["rpId"], one["isResidentCredential"]) for one in held] == [("localhost", True)]
    assert await found_on(page) == []

    await page.get_by_role("button", name="Log out", exact=True).first.click()
    await expect(page.locator(".who")).to_have_text("Log in")
    await page.goto(named(server, "/login"))
    await expect(page.locator(".who")).to_have_text("Log in")
    await page.get_by_role("button", name="Log in with a passkey").focus()
    await page.keyboard.press("Enter")
    await expect(page.locator(".who")).to_contain_text("Anna")
    assert page.url == named(server, "/")

    await page.goto(named(server, "/settings"))
    await expect(page.locator("section", has=page.locator("#passkeys"))).to_contain_text("last used on")
    await expect(page.locator("section", has=page.locator("#sessions"))).to_contain_text("This browser")
    await page.get_by_role("button", name="Remove the passkey Blue laptop").click()
    await expect(page.get_by_role("button", name="Remove the passkey")).to_have_count(0)
    assert passkeys.of_player(server.running.store, anna.player) == []
    await page.get_by_role("button", name="Log out", exact=True).first.click()
    await expect(page.locator(".who")).to_have_text("Log in")
    await page.goto(named(server, "/login"))
    await page.get_by_role("button", name="Log in with a passkey").click()
    await expect(page.locator("#passkey-told")).to_contain_text("This passkey is not accepted.")


@pytest.mark.slow
async def test_what_the_device_refuses_is_said_in_words_and_can_be_tried_again(
    server: RunningServer, browser: Browser
) -> None:
    context = await logged_in(browser, server, await server.player("Anna"), locale="fr-FR")
    page, talk, device = await page_with_device(context, server, "/settings")
    told, name = page.locator("#passkey-told"), page.get_by_label("Nom de la nouvelle clé d’accès")
    await name.fill("Un")
    await name.press("Enter")
    await expect(page.get_by_text("Un\u00a0: créée le")).to_be_visible()
    await name.fill("Deux")
    await name.press("Enter")
    await expect(told).to_have_text("Cet appareil a déjà une de vos clés d’accès.")
    await talk.send("WebAuthn.clearCredentials", {"authenticatorId": device})
    await name.fill(" ")
    await name.press("Enter")
    await expect(told).to_have_text("Un nom est une seule ligne de 1 à 40 caractères.")
    await page.route("**/passkeys/new*", lambda route: route.abort())
    await name.press("Enter")
    await expect(told).to_contain_text("serveur")
    await page.unroute("**/passkeys/new*")
    await talk.send("WebAuthn.clearCredentials", {"authenticatorId": device})
    await name.fill("Deux")
    await name.press("Enter")
    await expect(page.get_by_role("button", name="Retirer la clé d’accès Deux")).to_be_visible()


async def test_a_login_without_a_passkey_says_so(server: RunningServer, browser: Browser) -> None:
    page, _, _ = await page_with_device(await browser.new_context(), server, "/login")
    await page.get_by_role("button", name="Log in with a passkey").click()
    await expect(page.locator("#passkey-told")).to_contain_text("You are not logged in")
    assert await found_on(page) == []


async def test_where_a_browser_allows_none_the_page_says_so(server: RunningServer, browser: Browser) -> None:
    anna = await server.player("Anna")
    context = await logged_in(browser, server, anna)
    page = await context.new_page()
    await page.add_init_script("delete window.PublicKeyCredential")
    await page.goto(named(server, "/settings"))
    await expect(page.locator("#passkey-told")).to_have_text("This browser knows no passkeys.")
    await expect(page.get_by_label("Name of the new passkey")).to_be_hidden()
