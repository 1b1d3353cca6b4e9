"""An umpire makes a key on the page of settings and rules on the page of disputes, in a real browser."""

from msgspec.structs import replace
from playwright.async_api import Browser, expect

from domain.log import record
from replay.proof.verify import verify
from server.people.umpire_keys import umpire_key_of
from tests.server.web.pages.test_browser import DOUBLE_IDS, NAMELESS, address, log_in, new_page
from tests.server.web.pages.test_devices import KEY_HERE
from tests.support.serving import RunningServer

KEEP_KEY = "async ([player, key]) => (await import('/static/locker_keys.js')).keepKey(player, key)"


async def test_an_umpire_makes_a_key_and_signs_a_ruling(server: RunningServer, browser: Browser) -> None:
    battles = server.running.battles
    battles.settings = replace(battles.settings, opens=record.PBEM_2_1)
    anna, bob, judge = [await server.player(name) for name in ("Anna", "Bob", "Judge")]
    context = await browser.new_context()
    await log_in(context, server, judge)
    page = await new_page(context, server, "/settings")
    assert await page.evaluate(NAMELESS) == []
    assert await page.evaluate(DOUBLE_IDS) == []
    await page.get_by_role("button", name="Make a key").click()
    await expect(page.get_by_role("button", name="Make another key")).to_be_visible()
    signer = umpire_key_of(server.running.store, judge.player)
    await expect(page.locator("code", has_text=signer)).to_be_visible()
    await expect(page.locator("#umpire-key-elsewhere")).to_be_hidden()

    battle = await server.battle(anna, bob, umpire="Judge")
    assert (await anna.order(battle, "dispute 5 facts It was otherwise")).status == 200
    await page.goto(address(server, f"/battles/{battle}/disputes/d1"))
    await expect(page.locator("#key-missing")).to_be_hidden()
    await page.get_by_label("Remedy", exact=True).select_option("draw")
    await page.get_by_role("button", name="Rule").click()
    await expect(page.locator("b.state")).to_have_text("Ruled")
    report = verify(await server.stranger.export(battle))
    assert (report.fault, report.ended) == (None, True)
    assert [act.is_unsigned for act in report.listed] == [False, False, False]

    other = await browser.new_context()
    await log_in(other, server, judge)
    elsewhere = await new_page(other, server, "/settings")
    await expect(elsewhere.locator("#umpire-key-elsewhere")).to_be_visible()
    await elsewhere.goto(address(server, f"/battles/{battle}/disputes/d1"))
    await expect(elsewhere.locator("#key-missing")).to_be_visible()

    key = await page.evaluate(KEY_HERE, judge.player)  # it goes by nine words, a link or a passkey
    assert key
    await elsewhere.evaluate(KEEP_KEY, [judge.player, key])
    await elsewhere.goto(address(server, f"/battles/{battle}/disputes/d1"))
    await expect(elsewhere.locator("#key-missing")).to_be_hidden()
    await elsewhere.goto(address(server, "/settings"))
    await expect(elsewhere.get_by_role("button", name="Make another key")).to_be_visible()
    await expect(elsewhere.locator("#umpire-key-elsewhere")).to_be_hidden()
