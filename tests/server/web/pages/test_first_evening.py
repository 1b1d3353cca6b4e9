"""The first evening of an organiser, in a browser: a club, its link, members, a file, pairings, tags, the table."""

import re

import pytest
from playwright.async_api import Browser, Page, expect

from server.people import players
from tests.server.web.pages.visiting import visitor_of
from tests.support.serving import Caller, RunningServer

PHONE = {"width": 390, "height": 800}
FILE = 'name, address, zone\nDido\nElissa\n"Fabius, the Delayer"\nGaius'
ROUND = "\n".join(
    (
        "Anna, Bob, skirmish",
        "Cato, Dido, skirmish",
        'Elissa, "Fabius, the Delayer", skirmish',
        "Gaius, Anna, skirmish",
        "Bob, Cato, skirmish",
        "Dido, Elissa, skirmish",
    )
)


async def arrived(browser: Browser, link: str, name: str) -> Page:
    """Somebody without an account who opens the entry link on a phone."""
    page = await (await browser.new_context(viewport=PHONE, java_script_enabled=False)).new_page()  # type: ignore[arg-type]
    await page.goto(link)
    await page.get_by_label("The name you will be shown under").fill(name)
    await page.get_by_role("button", name="Enter the club").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Leeds Night Owls")
    return page


async def made(browser: Browser, server: RunningServer, base: str) -> tuple[Page, str]:
    """Anna, who makes a club, and its entry link."""
    page = await (await browser.new_context()).new_page()
    await page.goto(f"{base}/clubs")
    await expect(page.get_by_text("No club shows itself to everybody yet.")).to_be_visible()
    await page.get_by_label("Name", exact=True).fill("Leeds Night Owls")
    await page.get_by_label("Short id").fill("leeds")
    await page.locator("#owner").fill("Anna")
    await page.get_by_role("button", name="Make it").click()
    await expect(page.get_by_role("heading", name="1 member")).to_be_visible()
    link = await page.get_by_label("The entry link").input_value()
    assert await page.locator(".club-code svg").count() == 1
    return page, base + link[link.index("/clubs/") :]


@pytest.mark.long
async def test_an_organiser_s_first_evening(server: RunningServer, browser: Browser) -> None:
    base = str(server.client.make_url("")).rstrip("/")
    anna, link = await made(browser, server, base)
    guests = {name: await arrived(browser, link, name) for name in ("Bob", "Cato")}
    await anna.reload()
    await anna.get_by_text("Let others in").click()
    await anna.get_by_label("A line for each member").fill(FILE)
    await anna.get_by_role("button", name="Add them").click()
    await expect(anna.locator(".club-lines li")).to_have_count(4)
    await expect(anna.get_by_role("heading", name="7 members")).to_be_visible()
    login = await anna.get_by_label("The link for Dido").input_value()
    assert "/login/" in login
    await anna.goto(f"{base}/clubs/leeds")
    await anna.get_by_label("A line for each battle").fill(ROUND)
    await anna.locator("#pairings-tag").fill("spring round-1")
    await anna.get_by_role("button", name="Open them all").click()
    await expect(anna.locator("h2:text('Battles going on') + ul > li")).to_have_count(6)
    bob = guests["Bob"]
    await bob.goto(f"{base}/clubs/leeds")
    await expect(bob.get_by_text("you (north)")).to_be_visible()
    assert await bob.evaluate("document.documentElement.scrollWidth") <= 390
    await resigned(server, await first_battle(anna))
    await anna.goto(f"{base}/clubs/leeds?tag=round-1")
    await expect(anna.locator("table tbody tr")).to_have_count(2)
    await expect(anna.locator("table tbody tr").first).to_contain_text("2")
    await anna.get_by_label("By tag").get_by_role("link", name="spring").click()
    await expect(anna.locator("table tbody tr")).to_have_count(2)


async def first_battle(page: Page) -> str:
    """The id of a battle that is listed first as going on."""
    address = await page.locator("h2:text('Battles going on') + ul > li > a").first.get_attribute("href")
    found = re.search(r"/battles/(\w+)", address or "")
    assert found
    return found[1]


async def resigned(server: RunningServer, battle: str) -> None:
    """South gives a battle up."""
    live = await server.running.battles.get(battle)
    player = live.recording.battle.seats["south"].player
    token, issue = players.new_token(server.running.clock, server.running.entropy, player, "api")
    await server.running.store.write(issue)
    assert (await Caller(server.client, token, player).order(battle, "resign")).status == 200


async def test_pages_of_a_club_that_is_not_theirs_say_nothing(server: RunningServer) -> None:
    anna, eve = (
        await visitor_of(server, await server.player("Anna")),
        await visitor_of(server, await server.player("Eve")),
    )
    page = await anna.send("/clubs", club="leeds", name="Night Owls", readers="members")
    assert page.status == 200 and "Night Owls" in page.text
    for path in ("/clubs/leeds", "/clubs/leeds?key=x", "/clubs", "/feeds/results.atom?club=leeds"):
        found = await eve.get(path)
        assert "Night Owls" not in found.text, path
        assert found.status == (200 if path == "/clubs" else 404), path
    sent = await eve.send("/clubs/leeds", do="leave")
    assert (sent.status, "Night Owls" in sent.text) == (404, False)


async def test_a_form_that_is_refused_says_why_on_its_page(server: RunningServer) -> None:
    anna = await visitor_of(server, await server.player("Anna"))
    await anna.send("/clubs", club="leeds", name="Night Owls")
    again = await anna.send("/clubs", club="No!", name="Night Owls")
    assert again.status == 422 and "begins with a letter" in again.words
    assert "account was made" in (await anna.send("/clubs/leeds", do="roster", csv="Dido")).words
    refused = await anna.send("/clubs/leeds", do="pairings", csv="Anna, Bob, skirmish")
    assert "Bob is no member of this club" in refused.words and "Anna, Bob, skirmish" in refused.text
    assert "is no pairing" in (await anna.send("/clubs/leeds", do="pairings", csv="Anna Bob")).words
    assert "keeps one organiser" in (await anna.send("/clubs/leeds", do="leave")).words
    assert (await anna.send("/clubs/leeds", do="nothing")).status == 422
