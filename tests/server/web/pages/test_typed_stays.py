"""What somebody has typed or chosen stays on the page when something happens in the battle meanwhile."""

from playwright.async_api import Browser, expect

from tests.server.web.pages.test_browser import new_page
from tests.server.web.pages.test_player_keys import CHOICE
from tests.support.serving import RunningServer


async def test_a_form_that_is_filled_in_stays_so_when_the_other_side_is_taken(
    server: RunningServer, browser: Browser
) -> None:
    host = await server.player("Host")
    battle = await host.open()
    page = await new_page(await browser.new_context(), server, f"/battles/{battle}")
    form = page.locator("form[data-take][data-side=north]")
    await form.get_by_label("Your name").fill("Anna")
    await form.get_by_label("Your share of the chance").select_option("plain")
    await form.get_by_label(CHOICE).check()
    await page.locator("#main").focus()
    await page.evaluate("document.activeElement.blur()")

    assert (await host.sit(battle, "south")).status == 201

    await expect(page.locator("#sides .south")).to_contain_text("Host")
    await expect(form.get_by_label("Your name")).to_have_value("Anna")
    await expect(form.get_by_label("Your share of the chance")).to_have_value("plain")
    await expect(form.get_by_label(CHOICE)).to_be_checked()
    await expect(form.get_by_label(CHOICE)).to_be_visible()
