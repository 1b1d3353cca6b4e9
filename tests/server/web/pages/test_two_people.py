"""Two people from the first page to the rematch, by clicks alone."""

from urllib.parse import urlsplit

import pytest
from playwright.async_api import Browser, ViewportSize, expect

from tests.server.web.pages.test_browser import end_turn, new_page
from tests.server.web.pages.test_by_hand import order_by_hand
from tests.server.web.pages.test_seals import newest
from tests.support.serving import RunningServer


@pytest.mark.parametrize("viewport", [{"width": 1280, "height": 800}, {"width": 360, "height": 740}])
async def test_from_the_invitation_to_the_rematch(
    server: RunningServer, browser: Browser, viewport: ViewportSize
) -> None:
    south = await new_page(await browser.new_context(viewport=viewport), server, "/new")
    await south.locator("#opponent").select_option("person")
    await south.get_by_label("Your name").first.fill("Ann")
    await south.get_by_role("button", name="Open").first.click()
    invitation = await south.locator("#invite").input_value()
    north = await new_page(await browser.new_context(viewport=viewport), server, urlsplit(invitation).path)
    await north.get_by_label("Your name").fill("Ben")
    await north.get_by_role("button", name="Take north").click()
    await expect(south.locator("#status")).to_contain_text("It is your turn")
    await expect(south.locator("#battle")).to_have_attribute("data-n", "10")  # north's page has given its first seal
    await newest(server, south)
    await order_by_hand(south, "R6", "H3")
    await south.get_by_role("button", name="Send").click()
    await expect(south.locator("#result")).to_contain_text("South: R6 to H3")
    await end_turn(south)
    await expect(north.locator("#status")).to_contain_text("It is your turn")
    await newest(server, north)
    await order_by_hand(north, "N1", "F4")
    await north.get_by_role("button", name="Send").click()
    await expect(south.locator("#story")).to_contain_text("North: N1 to F4")
    await newest(server, north)
    await north.locator("#resign summary").click()
    await north.get_by_label("Yes, I give this battle up.").check()
    await north.locator("#resign").get_by_role("button").click()
    await expect(north.locator("#end")).to_be_visible()
    await expect(south.locator("#end")).to_be_visible()  # the page has loaded itself anew
    last = str(await south.locator("#battle").get_attribute("data-n"))
    await south.get_by_role("link", name="One event back").click()
    await expect(south.locator("#slider")).to_have_value(str(int(last) - 1))
    await south.goto(south.url.partition("?")[0])
    await south.get_by_role("button", name="Rematch").click()
    await expect(south.locator("#battle")).not_to_have_attribute("data-id", urlsplit(invitation).path.rsplit("/", 1)[1])
    await expect(south.locator("#sides")).to_contain_text("Ann (you)")
