"""A battle as one file: written twice alike, played in a real browser that reaches nobody."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from server.web.pages.film import film_page
from tests.server.cli.test_cli import phalera
from tests.server.web.pages.test_verifier import opened
from tests.support.serving import RunningServer

ROOT = Path(__file__).parents[4]
BATTLE = ROOT / "tests" / "golden" / "ruling.battle"
WRITES = """
import sys
from server.web.pages.film import film_page
sys.stdout.buffer.write(film_page(open(sys.argv[1], "rb").read(), "en"))
"""
SHOWN = "() => document.querySelector('#board svg').outerHTML"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file on a disk."""
    path = tmp_path_factory.mktemp("film") / "ruling.html"
    path.write_bytes(film_page(BATTLE.read_bytes(), "en"))
    return path


def told_in(log: bytes, kind: str) -> list[int]:
    """The numbers of the events of a type."""
    lines = [json.loads(line) for line in log.splitlines() if line.startswith(b"{")]
    return [line["n"] for line in lines if line.get("type") == kind]


def test_the_same_file_makes_the_same_page_in_every_process() -> None:
    run = [sys.executable, "-c", WRITES, str(BATTLE)]
    seeds = ({"PYTHONHASHSEED": seed} for seed in "12")
    made = {subprocess.run(run, env=seed, cwd=ROOT, capture_output=True, check=True).stdout for seed in seeds}
    assert made == {film_page(BATTLE.read_bytes(), "en")}


def test_nothing_in_it_is_fetched_and_its_policy_allows_nothing_else(written: Path) -> None:
    text = written.read_text()
    assert not re.search(r'(?:src|href)="(?!data:|#)', text)
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', text)
    assert policy is not None
    said = re.sub(r"sha256-[A-Za-z0-9+/]{43}=", "HASH", policy[1])
    assert said == "default-src 'none'; script-src 'HASH'; style-src 'HASH'; img-src data:; worker-src blob:"


async def test_it_is_stepped_through_without_a_network(browser: Browser, written: Path) -> None:
    page, asked, wrong = await opened(browser, written)
    at_the_end = await page.evaluate(SHOWN)
    await page.get_by_role("button", name="First event").click()
    await expect(page.locator("#number")).to_have_text("1")
    assert await page.evaluate(SHOWN) != at_the_end
    first_turn = told_in(BATTLE.read_bytes(), "TurnBegan")[0]
    await page.get_by_role("button", name="A turn on").click()
    await expect(page.locator("#number")).to_have_text(str(first_turn))
    await expect(page.locator("#story [aria-current]")).to_have_id(f"e{first_turn}")
    await page.locator("h1").click()  # keys are those of the page
    await page.keyboard.press("End")
    assert await page.evaluate(SHOWN) == at_the_end
    drawn = told_in(BATTLE.read_bytes(), "ActivationPassed")[0]
    await page.locator(f"#e{drawn} a").click()
    await page.get_by_text("Why", exact=True).click()
    await expect(page.locator("#reasons")).to_contain_text("TTS-ACT-01")
    await expect(page.locator("[data-luck]")).to_have_count(2)
    await page.reload()
    await expect(page.locator("#number")).to_have_text(str(drawn))
    assert (asked, wrong) == ([], [])


async def test_it_plays_by_itself_to_the_end(browser: Browser, written: Path) -> None:
    page, _, wrong = await opened(browser, written)
    slider = page.locator("#slider")
    most = int(await slider.get_attribute("max") or 0)
    await slider.fill(str(most - 2))
    await page.locator("#speed").select_option("4")
    await page.locator("#play").click()
    await expect(page.locator("#play")).to_contain_text("Pause")
    await expect(slider).to_have_value(str(most))
    await expect(page.locator("#play")).to_contain_text("Play")
    assert wrong == []


async def test_it_checks_its_own_proof_and_gives_the_file(browser: Browser, written: Path, tmp_path: Path) -> None:
    page, asked, wrong = await opened(browser, written)
    await page.get_by_role("button", name="Check the proof").click()
    await expect(page.locator("#told")).to_have_class("holds")
    await expect(page.locator("#lines")).to_contain_text("Everything that the protocol checks holds.")
    async with page.expect_download() as saving:
        await page.get_by_role("link", name="Save the battle file").click()
    saved = tmp_path / "saved.battle"
    await (await saving.value).save_as(saved)
    assert saved.read_bytes() == BATTLE.read_bytes()
    assert phalera("verify", saved).code == 0
    assert (asked, wrong) == ([], [])


async def test_without_scripts_it_is_the_last_board_and_the_story(browser: Browser, written: Path) -> None:
    page = await (await browser.new_context(offline=True, java_script_enabled=False)).new_page()
    await page.goto(written.as_uri())
    await expect(page.locator("#board svg")).to_be_visible()
    await expect(page.locator("#story li").first).to_be_visible()
    await expect(page.locator("#slider")).to_be_hidden()
    await expect(page.locator("noscript p")).to_be_visible()


@pytest.mark.parametrize(("width", "height"), [(360, 740), (1280, 720), (2560, 1440)])
async def test_no_page_is_wider_than_its_window(browser: Browser, written: Path, width: int, height: int) -> None:
    context = await browser.new_context(offline=True, viewport={"width": width, "height": height})
    page: Page = await context.new_page()
    await page.goto(written.as_uri())
    await expect(page.locator("#slider")).to_be_visible()
    assert await page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    if width >= 960:  # board, slider and story in one window
        assert await page.evaluate("() => document.documentElement.scrollHeight <= innerHeight")


def test_the_command_writes_it_and_keeps_what_is_there(tmp_path: Path) -> None:
    path = tmp_path / "film.html"
    assert phalera("replay", BATTLE, "--html", path, "--lang", "fr").code == 0
    assert '<html lang="fr">' in path.read_text()
    path.write_text("another")
    assert phalera("replay", BATTLE, "--html", path).code != 0 and path.read_text() == "another"
    assert phalera("replay", BATTLE, "--html", path, "--force").code == 0 and path.stat().st_size > 100_000


async def test_a_server_gives_that_of_a_battle_that_is_over(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    id_ = await server.battle(anna, bob)
    early = await anna.get(f"/battles/{id_}/film")
    assert (early.status, early.json["code"]) == (409, "core.report-later")
    assert (await bob.order(id_, "resign")).status == 200
    assert f"/battles/{id_}/film" in (await server.stranger.get(f"/battles/{id_}")).text
    found = await server.stranger.get(f"/battles/{id_}/film?lang=fr")
    assert found.status == 200 and '<html lang="fr">' in found.text
    assert found.headers["Content-Disposition"] == f'attachment; filename="{id_}.html"'
    assert (
        await server.stranger.get(f"/battles/{id_}/film?lang=fr", {"If-None-Match": found.headers["ETag"]})
    ).status == 304
