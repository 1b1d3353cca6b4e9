"""The button that checks the proof, on the page of a battle in a real browser."""

import os

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, Route, expect

from replay.proof.verdict import lines
from replay.proof.verify import verify
from server.play.archive import import_battle
from tests.server.web.pages.test_browser import DOUBLE_IDS, NAMELESS, new_page
from tests.server.web.pages.test_proof_modules import GOLDEN
from tests.support.rechained import taken_apart
from tests.support.serving import RunningServer

BUTTON = "Check the proof"


@pytest_asyncio.fixture(loop_scope="session")
async def battle(server: RunningServer) -> str:
    """A battle in which the south has ended a turn, and the north has drawn in its own."""
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    assert (await anna.order(battle, "R1 ahead\nend turn")).status == 200
    assert (await bob.order(battle, "N1 ahead")).status == 200
    return battle


async def checked(page: Page, of: str = "#proof-check") -> None:
    """Click the button of a part of the page, and wait until it is answered."""
    button = page.locator(of).get_by_role("button", name=BUTTON)
    await button.click()
    await expect(button).not_to_have_attribute("aria-disabled", "true")


async def drawn(server: RunningServer, battle: str) -> list[int]:
    """The events that are cards or dice."""
    _, events = taken_apart(await server.stranger.export(battle))
    return [event["n"] for event in events if event["type"] in ("CardDrawn", "DieRolled")]


@pytest.mark.parametrize("name", ["ruling", "singidunum-turn-limit", "warmaster-destroyed"])
async def test_a_battle_that_is_over_is_checked_to_its_end(server: RunningServer, browser: Browser, name: str) -> None:
    """One that was rewound, and one of each game."""
    battle = import_battle(server.running.store, (GOLDEN / f"{name}.battle").read_bytes())
    draws = await drawn(server, battle)
    page = await new_page(await browser.new_context(), server, f"/battles/{battle}")
    await checked(page)
    said = f"Draws: all {len(draws)} follow from the keys; checked here, in this browser."
    for told in await page.locator("[data-proof-told]").all():
        await expect(told).to_have_text(said)
    found = page.locator("#proof-check li")
    await expect(found.filter(has_text="the host has signed the file")).to_have_count(1)
    await page.locator("#slider").fill(str(draws[-1]))
    await expect(page.locator("#moment")).to_have_attribute("data-n", str(draws[-1]))
    await expect(page.locator("#moment .proof-mark")).to_have_text(
        f"✓ Draw of event {draws[-1]}: follows from the keys; checked here."
    )


async def test_draws_of_the_turn_in_progress_are_not_yet_disclosed(
    server: RunningServer, browser: Browser, battle: str
) -> None:
    past, now = (await drawn(server, battle))[0], (await drawn(server, battle))[-1]
    page = await new_page(await browser.new_context(), server, f"/battles/{battle}?n={now}")
    await expect(page.locator("#moment")).to_have_attribute("data-n", str(now))
    await expect(page.locator(".proof-mark")).to_have_count(0)
    await checked(page, "#replay")
    await expect(page.locator("#replay [data-proof-told]")).to_contain_text("1 of 2 follow from the keys")
    await expect(page.locator("#proof-check li").first).to_contain_text("1 of the turn in progress")
    await expect(page.locator("#moment .proof-mark")).to_have_text(
        f"… Draw of event {now}: its key is not disclosed yet."
    )
    for n in (past, past + 1):  # the card, and the test that it settles
        await page.locator("#slider").fill(str(n))
        await expect(page.locator("#moment .proof-mark.checked")).to_contain_text(f"Draw of event {past}: follows")
    await expect(page.locator("#moment .drawn [data-proof=checked]")).to_have_count(1)


async def test_a_byte_that_was_changed_on_the_way_is_told_at_its_event(
    server: RunningServer, browser: Browser, battle: str
) -> None:
    n = (await drawn(server, battle))[0]
    page = await new_page(await browser.new_context(), server, f"/battles/{battle}")

    async def change(route: Route) -> None:
        lines = (await (await route.fetch()).body()).split(b"\n")
        at = lines[n].index(b'"card":"') + len(b'"card":"')
        lines[n] = lines[n][:at] + (b"9" if lines[n][at : at + 1] != b"9" else b"8") + lines[n][at + 1 :]
        await route.fulfill(body=b"\n".join(lines), content_type="application/jsonl")

    await page.route("**/export", change)
    await checked(page)
    told = page.locator("#proof-check [data-proof-told]")
    await expect(told).to_contain_text(
        f"The file does not hold at event {n}: its line is not the one that was chained."
    )
    await page.get_by_role("link", name="Look at this event").click()
    await page.wait_for_url(f"**?n={n}")
    await page.unroute("**/export")
    await checked(page)
    await expect(page.locator("#moment .proof-mark.checked")).to_contain_text(f"Draw of event {n}")
    await expect(told).not_to_have_class("proof-told failed")


async def test_a_battle_goes_on_and_is_checked_again(server: RunningServer, browser: Browser) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    assert (await anna.order(battle, "R1 ahead\nend turn")).status == 200
    assert (await bob.order(battle, "N1 ahead")).status == 200
    page = await new_page(await browser.new_context(), server, f"/battles/{battle}")
    await checked(page)
    await expect(page.locator("#proof-check [data-proof-told]")).to_contain_text("1 of 2 follow")
    assert (await bob.order(battle, "end turn")).status == 200
    await checked(page)
    await expect(page.locator("#proof-check [data-proof-told]")).to_contain_text("all 2 follow")


async def test_a_file_that_cannot_be_fetched_is_no_fault(server: RunningServer, browser: Browser, battle: str) -> None:
    page = await new_page(await browser.new_context(), server, f"/battles/{battle}")
    await page.route("**/export", lambda route: route.fulfill(status=429))
    await checked(page)
    await expect(page.locator("#proof-check [data-proof-told]")).to_have_text(
        "The battle file cannot be fetched now. Try again in a moment."
    )


async def test_a_page_without_hashes_says_what_to_do(server: RunningServer, browser: Browser, battle: str) -> None:
    page = await new_page(await browser.new_context(), server, f"/battles/{battle}")
    await page.evaluate("Object.defineProperty(crypto, 'subtle', { value: undefined })")
    await checked(page)
    await expect(page.locator("#proof-check [data-proof-told]")).to_contain_text("phalera verify")


async def test_the_host_has_no_table_to_be_believed(server: RunningServer, battle: str) -> None:
    assert (await server.stranger.get(f"/battles/{battle}/draw-table")).status == 404


async def test_the_page_says_what_a_verdict_says_of_seats_and_keys(
    server: RunningServer, browser: Browser, battle: str
) -> None:
    page = await new_page(await browser.new_context(), server, f"/battles/{battle}")
    await checked(page)
    await expect(page.locator("#proof-check li").first).to_be_attached()
    report = verify(await server.stranger.export(battle))
    told = await page.locator("#proof-check li").all_text_contents()
    assert [line for line in lines(report) if line.strip() not in [one.strip() for one in told]] == []


async def test_the_check_has_no_barriers(server: RunningServer, browser: Browser, battle: str) -> None:
    if os.environ.get("CI") != "true":
        pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed")
    from axe_playwright_python.async_playwright import Axe

    page = await new_page(
        await browser.new_context(), server, f"/battles/{battle}?n={(await drawn(server, battle))[0]}"
    )
    await checked(page)
    await expect(page.locator("#moment .proof-mark")).to_be_visible()
    for scheme in ("light", "dark"):
        await page.emulate_media(color_scheme=scheme)
        found = await Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
    assert await page.evaluate(NAMELESS) == [] and await page.evaluate(DOUBLE_IDS) == []
    await page.set_viewport_size({"width": 320, "height": 740})
    assert await page.evaluate("document.documentElement.scrollWidth") <= 320
