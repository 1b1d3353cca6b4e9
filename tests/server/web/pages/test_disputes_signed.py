"""Disputes of seats with a key, in a real browser: each form is a line that the page signs."""

from playwright.async_api import Browser, Page, expect

from domain.events.battle import OrderAccepted
from tests.server.play.test_signed_seats import SIGNER
from tests.server.web.pages.test_browser import DOUBLE_IDS, NAMELESS, address, new_page
from tests.server.web.pages.test_player_keys import report_of, signed_duel
from tests.server.web.pages.test_seals import give, newest
from tests.support.serving import RunningServer
from tests.support.waiting import eventually


async def disputes_of(server: RunningServer, page: Page, battle: str, docket: str = "") -> None:
    await page.goto(address(server, f"/battles/{battle}/disputes{docket}"))
    assert await page.evaluate(NAMELESS) == []
    assert await page.evaluate(DOUBLE_IDS) == []
    await expect(page.locator("#key-missing")).to_be_hidden()


async def test_signed_seats_quarrel_agree_and_name_an_umpire(server: RunningServer, browser: Browser) -> None:
    judge = await server.player("Judge")
    assert (await judge.post("/api/v1/account/umpire-key", {"signer": SIGNER})).status == 200
    south, north, battle = await signed_duel(server, browser)
    live = await server.running.battles.get(battle)
    to = live.n
    await give(server, south, "R1 ahead")
    await disputes_of(server, north, battle)
    await north.get_by_label("Number of the event").fill(str(live.n))
    await north.get_by_label("It is").select_option("facts")
    await north.get_by_label("What is wrong with it").fill("It was   <mine>.")
    await north.get_by_role("button", name="Dispute an event").click()
    await expect(north.get_by_role("heading", level=1)).to_contain_text("d1")
    await disputes_of(server, south, battle, "/d1")
    await south.get_by_label("Remedy", exact=True).select_option("rewind")
    await south.get_by_label("Back to event").fill(str(to))
    await south.get_by_role("button", name="Offer").click()
    await expect(south.locator("ol.said")).to_contain_text("offers for d1")
    await disputes_of(server, north, battle)

    await north.get_by_label("Name or address of a player").fill("judge")
    await north.get_by_role("button", name="Propose").click()
    await expect(north.locator("form .notice")).to_contain_text("umpire p")
    assert live.recording.battle.disputes.proposed == {}
    await north.get_by_role("button", name="Propose").click()
    await eventually("the proposal is there", lambda: live.recording.battle.disputes.proposed)
    await disputes_of(server, south, battle)
    await south.get_by_role("button", name="Agree").click()
    await expect(south.get_by_text("Judge is the umpire of this battle.")).to_be_visible()

    await disputes_of(server, north, battle, "/d1")
    await north.get_by_role("button", name="Agree").click()
    await expect(north.locator("b.state")).to_have_text("Agreed")
    assert live.game.rewinds == 1
    said = [one.event for one in live.recording.timeline.events if isinstance(one.event, OrderAccepted)]
    assert all(isinstance(order.signature, str) for order in said)
    assert [str(order.text).split()[0] for order in said if order.side == "north"] == ["dispute", "umpire", "agree"]
    report = await report_of(server, battle)
    assert [act.what for act in report.listed] == ["umpire", "settled", "rewound"]


async def test_what_cannot_be_signed_is_said_in_the_form(server: RunningServer, browser: Browser) -> None:
    _, north, battle = await signed_duel(server, browser)
    await newest(server, north)
    await disputes_of(server, north, battle)
    await north.get_by_label("Name or address of a player").fill("Nobody Atall")
    await north.get_by_role("button", name="Propose").click()
    await expect(north.locator("form .notice")).to_contain_text("Nobody Atall")


async def test_a_browser_without_the_key_says_so(server: RunningServer, browser: Browser) -> None:
    _, north, battle = await signed_duel(server, browser)
    cookies = await north.context.cookies()
    other = await browser.new_context()
    await other.add_cookies([{"name": one["name"], "value": one["value"], "url": address(server)} for one in cookies])
    page = await new_page(other, server, f"/battles/{battle}/disputes")
    await expect(page.locator("#key-missing")).to_be_visible()
    await page.get_by_label("Number of the event").fill("1")
    await page.get_by_label("What is wrong with it").fill("x")
    await page.get_by_role("button", name="Dispute an event").click()
    await expect(page.get_by_role("alert").first).to_contain_text("needs a signature")
    await expect(page.get_by_label("What is wrong with it")).to_have_value("x")
