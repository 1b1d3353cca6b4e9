"""The site as an app: its manifest and icons, and a battle that is replayed without the server."""

import json
import struct
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from server.web.pages.installing import ICONS
from tests.icons import draw
from tests.server.web.pages.test_browser import address, log_in, new_page
from tests.server.web.pages.visiting import Visitor
from tests.support.serving import RunningServer, serving

FILL = """async (ids) => { const cache = await caches.open('phalera-kept');
  for (const id of ids) for (const part of ['curve', '1', 'page']) {
    await cache.put(`/kept/${id}/${part}`, new Response(`<h1>Battle ${id}</h1>`)); }
  await (await caches.open('phalera-static')).put('/static/page.css?v=old', new Response('')); }"""
HELD = """async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url.replace(location.origin, ''))"""
MOST_KEPT = 10


async def test_the_manifest_names_icons_that_are_there(server: RunningServer) -> None:
    visitor = Visitor(server)
    assert '<link rel="manifest" href="/manifest.webmanifest">' in (await visitor.get("/")).text
    page = await visitor.get("/manifest.webmanifest", accept="*/*")
    assert page.headers["Content-Type"].startswith("application/manifest+json")
    manifest = json.loads(page.text)
    assert (manifest["start_url"], manifest["scope"], manifest["display"]) == ("/", "/", "standalone")
    assert [icon["sizes"] for icon in manifest["icons"]] == list(ICONS.values())
    for icon in manifest["icons"]:
        async with server.client.get(icon["src"]) as response:
            content = await response.read()
            assert (response.status, response.content_type) == (200, "image/png")
        assert "x".join(map(str, struct.unpack(">II", content[16:24]))) == icon["sizes"]


@pytest.mark.parametrize("name", ICONS)
def test_the_icons_are_drawn_from_the_svg(name: str) -> None:
    path = Path(__file__).parents[4] / "server/web/pages/static" / name
    drawn = draw(int(ICONS[name].partition("x")[0]))
    assert path.read_bytes() == drawn, "python -m tests.icons"


async def test_the_worker_may_answer_for_the_whole_site_below_its_path(tmp_path: Path) -> None:
    async with serving(tmp_path, url="https://games.example/phalera") as server:
        visitor = Visitor(server)
        worker = await visitor.get("/phalera/worker.js", accept="*/*")
        assert worker.status == 200 and worker.headers["Cache-Control"] == "no-cache"
        assert "worker-src 'self'" in (await visitor.get("/phalera/")).headers["Content-Security-Policy"]
        manifest = json.loads((await visitor.get("/phalera/manifest.webmanifest", accept="*/*")).text)
        assert manifest["scope"] == "/phalera/" and manifest["icons"][0]["src"].startswith("/phalera/static/")


async def test_a_battle_that_is_over_is_replayed_without_the_server(server: RunningServer, browser: Browser) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    assert (await anna.order(battle, "R1 ahead")).status == 200
    running = await (context := await browser.new_context()).new_page()
    await running.goto(address(server, f"/battles/{battle}"))
    await expect(running.locator("#keep-offline")).to_have_count(0)
    assert (await anna.order(battle, "resign")).status == 200
    page = await new_page(context, server, f"/battles/{battle}")
    last = (await server.running.battles.get(battle)).n
    await page.get_by_role("button", name="Keep offline").click()
    await expect(page.locator("#keep-offline [role=status]")).to_contain_text("This battle is on this device")
    await running.close()
    await context.set_offline(True)
    await page.goto(address(server, f"/battles/{battle}?n=3"))
    await expect(page.locator("#steps b")).to_contain_text(f"3 / {last}")
    await page.keyboard.press("ArrowRight")
    await expect(page.locator("#steps b")).to_contain_text(f"4 / {last}")
    await expect(page.locator("#board svg")).to_be_visible()
    await page.goto(address(server, "/watch"))
    await expect(page.locator("h1")).to_have_text("The server cannot be reached")
    await expect(page.locator("#kept-battles a")).to_have_text("Skirmish at the two woods")
    await page.locator("#kept-battles a").click()
    await expect(page.locator("#board svg")).to_be_visible()
    await context.set_offline(False)
    await page.goto(address(server, "/watch"))
    await expect(page.locator("h1")).to_have_text("Public battles")
    await context.close()


async def test_a_device_keeps_the_newest_battles_and_forgets_them_when_told(
    server: RunningServer, browser: Browser
) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    assert (await anna.order(battle, "resign")).status == 200
    context = await browser.new_context()
    await log_in(context, server, anna)
    page = await new_page(context, server, f"/battles/{battle}")
    olds = [f"old{at}" for at in range(MOST_KEPT + 2)]
    await page.evaluate(FILL, olds)
    await page.get_by_role("button", name="Keep offline").click()
    await expect(page.locator("#keep-offline [role=status]")).to_contain_text("This battle is on this device")
    held = await page.evaluate(HELD, "phalera-kept")
    assert {path.split("/")[2] for path in held} == {*olds[3:], battle}
    styles = [path for path in await page.evaluate(HELD, "phalera-static") if path.startswith("/static/page.css")]
    assert len(styles) == 1 and "v=old" not in styles[0]
    await page.goto(address(server, "/settings"))
    await expect(page.locator("#kept-battles a")).to_have_count(MOST_KEPT)
    await page.get_by_role("button", name="Forget: Skirmish at the two woods").click()
    await expect(page.locator("#kept-battles a")).to_have_count(MOST_KEPT - 1)
    assert not [path for path in await page.evaluate(HELD, "phalera-kept") if battle in path]
    await context.close()
