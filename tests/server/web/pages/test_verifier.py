"""The one file that verifies: built twice alike, opened from a disk in a real browser that reaches nobody."""

import hashlib
import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, Route, expect

from server.web.pages.verifier import verifier_hash, verifier_page
from tests.support.serving import RunningServer

ROOT = Path(__file__).parents[4]
GOLDEN = ROOT / "tests" / "golden"
WRITES = "import sys; from server.web.pages.verifier import verifier_page; sys.stdout.buffer.write(verifier_page())"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file on a disk."""
    path = tmp_path_factory.mktemp("verifier") / "verifier.html"
    path.write_bytes(verifier_page())
    return path


async def opened(browser: Browser, path: Path, lang: str = "en") -> tuple[Page, list[str], list[str]]:
    """A page of the file without a network, what it asked for beside itself, and what went wrong in it."""
    context = await browser.new_context(offline=True, locale=lang)
    page, asked, wrong = await context.new_page(), list[str](), list[str]()

    async def refuse(route: Route) -> None:
        asked.append(route.request.url)
        await route.abort()

    await context.route(re.compile("^(?!file:|blob:|data:)"), refuse)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    await page.goto(path.as_uri())
    return page, asked, wrong


@pytest.mark.parametrize("seed", ["1", "2"])
def test_the_same_sources_make_the_same_bytes_in_every_process(seed: str) -> None:
    made = subprocess.run(
        [sys.executable, "-c", WRITES], env={"PYTHONHASHSEED": seed}, cwd=ROOT, capture_output=True, check=True
    )
    assert hashlib.sha256(made.stdout).hexdigest() == verifier_hash()


def test_nothing_in_it_is_fetched_and_its_policy_allows_nothing_else() -> None:
    text = verifier_page().decode()
    assert not re.search(r'(?:src|href)="(?!data:)', text)
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', text)
    assert policy is not None
    said = re.sub(r"sha256-[A-Za-z0-9+/]{43}=", "HASH", policy[1])
    assert said == "default-src 'none'; script-src 'HASH'; style-src 'HASH'; img-src data:; worker-src blob:"


async def test_it_judges_a_file_that_is_chosen_from_a_disk_without_a_network(browser: Browser, written: Path) -> None:
    page, asked, wrong = await opened(browser, written)
    await page.locator("#file").set_input_files(GOLDEN / "ruling.battle")
    await expect(page.locator("#told")).to_have_class("holds")
    await expect(page.locator("#told")).to_contain_text("follow from the keys")
    await expect(page.locator("#lines")).to_contain_text("Everything that the protocol checks holds.")
    await expect(page.locator("#lines .act").first).to_contain_text("event ")
    await page.get_by_role("button", name="fr").click()
    await expect(page.locator("#lines")).to_contain_text("Tout ce que le protocole vérifie est juste.")
    assert (asked, wrong) == ([], [])


async def test_it_says_what_is_wrong_with_a_file_and_where(browser: Browser, written: Path, tmp_path: Path) -> None:
    content = (GOLDEN / "ruling.battle").read_bytes()
    forged = tmp_path / "forged.battle"
    forged.write_bytes(content.replace(b'"n":5,', b'"n":6,', 1))
    page, asked, wrong = await opened(browser, written, "fr")
    await page.locator("#file").set_input_files(forged)
    await expect(page.locator("#told")).to_have_class("fails")
    await expect(page.locator("#told")).to_contain_text("[wrong-number]")
    assert await page.locator("html").get_attribute("lang") == "fr"
    await page.locator("#file").set_input_files(GOLDEN / "resignation.battle")
    await expect(page.locator("#told")).to_have_class("holds")
    assert (asked, wrong) == ([], [])


async def test_a_file_that_is_dropped_on_it_is_judged(browser: Browser, written: Path) -> None:
    page, _, wrong = await opened(browser, written)
    dropped = await page.evaluate_handle(
        "text => { const all = new DataTransfer(); all.items.add(new File([text], 'a.battle')); return all; }",
        (GOLDEN / "singidunum-goal.battle").read_text(),
    )
    await page.locator("#drop").dispatch_event("drop", {"dataTransfer": dropped})
    await expect(page.locator("#told")).to_have_class("holds")
    assert wrong == []


async def test_the_server_has_it_under_the_policy_that_stands_in_it(server: RunningServer) -> None:
    answer = await server.client.get("/verifier.html")
    assert await answer.read() == verifier_page()
    policy = answer.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'sha256-") and "worker-src blob:" in policy


async def test_it_has_no_barriers_and_fits_a_phone(browser: Browser, written: Path) -> None:
    page, _, _ = await opened(browser, written)
    await page.locator("#file").set_input_files(GOLDEN / "ruling.battle")
    await expect(page.locator("#told")).to_have_class("holds")
    await page.set_viewport_size({"width": 320, "height": 740})
    assert await page.evaluate("document.documentElement.scrollWidth") <= 320
