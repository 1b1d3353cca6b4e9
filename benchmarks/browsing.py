"""What a browser waits for: battle pages of a busy server, the weight of a first view, an order, a step of the replay.

    python -m benchmarks.browsing [--battles 200] [--orders 40] [--steps 60] [--quick] [part …]

`pages`: so many battles of the largest packaged scenario are going on, all in memory; one after the other, at random,
an order is given and then the mover's page fetched, compressed, by the clock from its request's first byte to its
answer's last. The base is `/healthz` in the same run. `browser`: headless Chromium on the same machine, a guest against
the bot. An order is timed from the click on Send to the frame after its outcome stands on the page; a step of the
replay, its event fetched before, from the key to the end of layout. Weights are bytes as they are transferred.
"""

import argparse
import asyncio
import os
import random
import shutil
import statistics
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from playwright.async_api import Page, Request, async_playwright

from benchmarks.http import give, sit_down
from benchmarks.looking import BROWSER, HTML
from benchmarks.loopback import Client, Server, enrolled, run, serving
from benchmarks.rehearsal import SIDES, Rehearsal, Stage, endless
from server.settings import Settings, make_folder
from server.store import EventStore

EVENTS = 120
"""Of each battle, before the clock runs."""
CHROMIUM = "/usr/bin/chromium"
SEND = """async (orders) => {
  const battle = document.getElementById("battle"), box = document.getElementById("orders"), before = battle.dataset.n;
  box.value = orders;
  box.dispatchEvent(new Event("input", { bubbles: true }));
  const form = document.getElementById("order-form");
  const isShown = () => battle.dataset.n !== before || !form.dataset.sending; // a refusal adds no event
  const shown = new Promise((done) => {
    const watch = new MutationObserver(() => { if (isShown()) { watch.disconnect(); requestAnimationFrame(done); } });
    watch.observe(battle, { attributes: true, childList: true, subtree: true });
  });
  const start = performance.now();
  document.querySelector("#tray [value=send]").click();
  await shown;
  return [performance.now() - start, battle.dataset.n !== before];
}"""
STEP = """async (key) => {
  const moment = () => document.getElementById("moment").dataset.n, before = moment();
  const start = performance.now();
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const turn = new MessageChannel(); // a turn of the event loop, without the least wait of a timer
  while (moment() === before && performance.now() - start < 5000) {
    await new Promise((done) => { turn.port1.onmessage = done; turn.port2.postMessage(0); });
  }
  document.body.getBoundingClientRect();
  return performance.now() - start;
}"""

Found = dict[str, list[float]]
"""Milliseconds, or bytes, by what was measured."""


# --- a busy server


async def pages(server: Server, stage: Stage, rounds: int) -> Found:
    """Orders in battles at random, each followed by the page of who gave it."""
    found: Found = defaultdict(list)
    pick = random.Random(1)
    async with await Client.at(server.port) as client:
        for battle in stage.late:
            await sit_down(client, stage, battle.id)
            await page(client, stage, battle, "south")
        left = [(battle, step) for battle in stage.late for step in (*battle.chunks[0].before, *battle.chunks[0].timed)]
        steps = {battle.id: [step for one, step in left if one is battle] for battle in stage.late}
        for _ in range(min(rounds, len(left))):
            battle = pick.choice([one for one in stage.late if steps[one.id]])
            step = steps[battle.id].pop(0)
            found["an order"].append(await give(client, stage, battle.id, step) * 1e3)
            found["its page, new"].append(await page(client, stage, battle, step.side))
            found["the page again"].append(await page(client, stage, battle, step.side))
            found["/healthz (base)"].append((await client.ask("GET", "/healthz")).seconds * 1e3)
    return found


async def page(client: Client, stage: Stage, battle: Rehearsal, side: str) -> float:
    """Fetch the page of a battle; its milliseconds."""
    token, path = stage.tokens[side], f"/battles/{battle.id}"
    answer = await client.ask("GET", path, token=token, accept=HTML, more=BROWSER)
    assert answer.status == 200, answer
    return answer.seconds * 1e3


# --- a browser


async def browsed(server: Server, orders: int, steps: int) -> Found:
    """A first battle of a guest, looked at, fought and stepped through."""
    found: Found = defaultdict(list)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        sheet = await (await browser.new_context()).new_page()
        await sheet.goto(f"http://127.0.0.1:{server.port}/")
        await sheet.get_by_role("button", name="Play To the Strongest!").click()
        await sheet.wait_for_url("**/battles/*")
        await settled(sheet)
        found["first view of a battle, bytes"].append(await weight(await browser.new_page(), sheet.url))
        await fought(sheet, orders, found)
        await stepped(sheet, steps, found)
        await browser.close()
    return found


async def settled(sheet: Page) -> None:
    """Wait until it is our turn and the bot has said all it has to say, or the battle is over."""
    while await sheet.locator("#tray").count() and not (await sheet.title()).startswith("●"):
        await sheet.wait_for_timeout(50)
    await sheet.wait_for_timeout(300)


async def weight(sheet: Page, url: str) -> float:
    """Bytes that a page without a cache transfers: itself, styles, scripts, pictures."""
    asked: list[Request] = []

    def note(request: Request) -> None:
        asked.append(request)

    sheet.on("requestfinished", note)
    await sheet.goto(url, wait_until="load")
    await sheet.wait_for_timeout(500)
    total = 0
    for request in asked:
        size = await request.sizes()
        total += size["responseBodySize"] + size["responseHeadersSize"]
    await sheet.close()
    return float(total)


async def fought(sheet: Page, orders: int, found: Found) -> None:
    """Single orders of all units, turn by turn; a question gets the first of its answers."""
    await sheet.evaluate(SEND, "standing evade all never")
    await settled(sheet)
    while len(found["order → shown"]) < orders and await sheet.locator("#tray").count():
        if await sheet.locator("#status[data-asks]").count():
            await sheet.evaluate(SEND, await sheet.locator("#onward button[name=end]").first.get_attribute("value"))
            await settled(sheet)
            continue
        names = sheet.locator("[data-unit-picks]")
        units = [await names.nth(at).get_attribute("data-unit-picks") for at in range(await names.count())]
        for unit in units:
            taken, is_played = await sheet.evaluate(SEND, f"{unit} ahead")
            if is_played:
                found["order → shown"].append(taken)
            await sheet.wait_for_timeout(100)
        await sheet.evaluate(SEND, "end turn")
        await settled(sheet)


async def stepped(sheet: Page, steps: int, found: Found) -> None:
    """Back to where the battle began and forward again: the second time, each event has been fetched."""
    for key in ("ArrowLeft", "ArrowRight", "ArrowLeft"):
        for _ in range(steps):
            taken = await sheet.evaluate(STEP, key)
            found["replay: a step, fetched" if key != "ArrowLeft" else "replay: a step back"].append(taken)
            await sheet.wait_for_timeout(60)


# --- all of it


def measured(folder: Path, battles: int, orders: int, steps: int, parts: Sequence[str]) -> Found:
    """Prepare, start a server, look."""
    settings = Settings.at(folder / "data")
    make_folder(settings)
    with EventStore.open(settings.store()) as store:
        players = enrolled(store, *SIDES)
        ids = {side: player for side, (player, _) in players.items()}
        many = battles if "pages" in parts else 0
        made = [Rehearsal(store, settings, ids, endless("cannae")).go_to(EVENTS).rehearse(1, 2) for _ in range(many)]
    stage = Stage({side: token for side, (_, token) in players.items()}, [], made, {})
    found: Found = {}
    with serving(Server.of(settings.data)) as server:
        if "pages" in parts:
            found |= run(pages(server, stage, 2 * battles))
        if "browser" in parts:
            found |= asyncio.run(browsed(server, orders, steps))
    return found


def show(found: Found) -> None:
    """A line for each: median, 95th percentile, most."""
    print("| what | median | p95 | most |\n|---|---|---|---|")
    for name, values in found.items():
        p95 = sorted(values)[max(0, round(0.95 * len(values)) - 1)]
        print(f"| {name} | {statistics.median(values):,.1f} | {p95:,.1f} | {max(values):,.1f} |")


PARTS = ("pages", "browser")


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", default=PARTS, help=f"of {', '.join(PARTS)}")
    parser.add_argument("--battles", type=int, default=200)
    parser.add_argument("--orders", type=int, default=40)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--quick", action="store_true", help="few of everything: does it run?")
    given = parser.parse_args(arguments)
    if given.quick:
        given.battles, given.orders, given.steps = 3, 4, 5
    if "browser" in given.parts and not os.access(CHROMIUM, os.X_OK):
        parser.error(f"there is no {CHROMIUM}")
    folder = Path(tempfile.mkdtemp(prefix="phalera-browsing-"))
    try:
        show(measured(folder, given.battles, given.orders, given.steps, given.parts))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
