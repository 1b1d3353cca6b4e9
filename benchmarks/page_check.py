"""What the check of the proof costs on the page, and how long the opening of a battle holds the server.

    python -m benchmarks.page_check [--slowed 4] [--rounds 3] [--before FOLDER] [part …]

`check`: two battles of Cannae, one between bots and one whose players sign each message, in headless Chromium, as it is
and slowed by `Emulation.setCPUThrottlingRate`. That slows the thread of a page; what it does to a worker the last line
says, so all is measured on the page's own thread. Whole: a file of so many events, from its bytes to what was found.
Growing: the battle is taken in by each of its requests, and the cost of an event is that of the newest 250 events up to
there. The base is hashing and decoding the same lines, on the same thread, beside it. `--before`: the scripts of
another state (`server/web/pages/static` of it) are measured in turn with these.

`opening`: battles are opened over HTTP on a server in this process; each callback of its event loop is timed, by the
CPU time of its thread.
"""

import argparse
import asyncio
import asyncio.events
import json
import os
import shutil
import statistics
import tempfile
import time
from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from playwright.async_api import Browser, Page, Route, async_playwright

from benchmarks.reading import long_battle
from domain.log import fairness, record
from replay.proof import chain
from server.entropy import SystemEntropy
from server.web.pages import rendering
from server.workers.pool import worker_processes
from tests.support.serving import serving

REACHED = (200, 1_000, 2_000)
STATIC = Path(rendering.__file__).parent / "static"
BROWSERS = (os.environ.get("CHROMIUM", ""), "chromium", "chromium-browser", "chromium-headless-shell")
ORIGIN = "http://localhost"
OPENED = 60
KINDS = {".js": "text/javascript", "": "text/html"}
MEASURE = """async ({ text, reached, ends, newest }) => {
  const { check } = await import("/static/proof.js"), { GrowingCheck } = await import("/static/proof_growing.js");
  const { sha256 } = await import("/static/sha256.js");
  const lines = text.split("\\n").slice(0, -1).map((line) => new TextEncoder().encode(`${line}\\n`));
  const bytesOf = async (some) => new Uint8Array(await new Blob(some).arrayBuffer());
  const timed = async (deed) => {
    const start = performance.now();
    await deed();
    return performance.now() - start;
  };
  const base = (some) => {
    for (const line of some) {
      sha256(line);
      JSON.parse(new TextDecoder().decode(line));
    }
  };
  const found = { whole: {}, growing: {}, wholeBase: {}, growingBase: {} };
  for (const n of reached) {
    const bytes = await bytesOf(lines.slice(0, n + 1));
    found.wholeBase[n] = await timed(() => base(lines.slice(1, n + 1)));
    found.whole[n] = await timed(async () => {
      const { fault, events } = await check([bytes]);
      if (fault || events !== n) throw new Error(`${fault?.what} at ${fault?.n}`);
    });
    found.growing[n] = found.growingBase[n] = 0;
  }
  const log = new GrowingCheck(true);
  let read = 0;
  for (const end of ends) {
    const some = lines.slice(read, end + 1), bytes = await bytesOf(some);
    const taken = await timed(async () => {
      await log.file.take(bytes);
      const fault = await log.judge(false);
      if (fault) throw fault;
    });
    const raw = await timed(() => base(some));
    for (const n of reached) {
      if (end > n || end <= n - newest) continue;
      found.growing[n] += taken / newest;
      found.growingBase[n] += raw / newest;
    }
    read = end + 1;
  }
  return found;
}"""
SPUN = """async () => {
  const spin = `const start = performance.now();
    let sum = 0;
    for (let at = 0; at < 6e7; at += 1) sum += at % 7;
    postMessage(performance.now() - start + sum * 0);`;
  const here = await new Promise((postMessage) => new Function("postMessage", spin)(postMessage));
  const worker = new Worker(URL.createObjectURL(new Blob([spin])));
  return [here, await new Promise((done) => { worker.onmessage = ({ data }) => done(data); })];
}"""
HEAD = (
    "| battle, check | slowed | events | ms, median | ms an event | × hashing and decoding |\n|---|---|---|---|---|---|"
)
NEWEST = 250


def main() -> None:
    """Measure, and print."""
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("--slowed", type=float, default=4)
    reader.add_argument("--rounds", type=int, default=3)
    reader.add_argument("--before", type=Path)
    reader.add_argument("parts", nargs="*", default=["check", "opening"])
    chosen = reader.parse_args()
    if "check" in chosen.parts:
        asyncio.run(_checks(chosen.slowed, chosen.rounds, chosen.before))
    if "opening" in chosen.parts:
        asyncio.run(_openings())


# --- the check


async def _checks(slowed: float, rounds: int, before: Path | None) -> None:
    content = long_battle(REACHED[-1] + 60).file()
    files = {"bots": content, "players who sign": signed(content)}
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=_chromium(), args=["--no-sandbox"])
        pages = {"": await _page_of(browser, STATIC)} | (
            {"before: ": await _page_of(browser, before)} if before else {}
        )
        consoles = {name: await page.context.new_cdp_session(page) for name, page in pages.items()}
        print(HEAD)
        for rate in (1, slowed):
            for console in consoles.values():
                await console.send("Emulation.setCPUThrottlingRate", {"rate": rate})
            for name, file in files.items():
                found: dict[str, list[Any]] = {state: [] for state in pages}
                for _ in range(rounds):
                    for state, page in pages.items():
                        found[state].append(await _measured(page, file))
                for state, rows in found.items():
                    _show(f"{state}{name}", rate, rows)
        spun = {}
        for rate in (1, slowed):
            await consoles[""].send("Emulation.setCPUThrottlingRate", {"rate": rate})
            spun[rate] = await pages[""].evaluate(SPUN)
        print(f"\na loop, ms on the page and in a worker: {spun}")
        await browser.close()


def _chromium() -> str:
    return next(path for name in BROWSERS if name and (path := shutil.which(name)))


async def _page_of(browser: Browser, folder: Path) -> Page:
    """A page with the scripts of a folder."""
    page = await (await browser.new_context()).new_page()
    await page.route(f"{ORIGIN}/**", partial(_serve, folder))
    await page.goto(f"{ORIGIN}/")
    return page


async def _serve(folder: Path, route: Route) -> None:
    path = folder / route.request.url.rpartition("/")[2]
    body = path.read_text() if path.is_file() else "<!doctype html>"
    await route.fulfill(body=body, content_type=KINDS[path.suffix])


async def _measured(page: Page, content: bytes) -> dict[str, dict[str, float]]:
    asked = {"text": content.decode(), "reached": REACHED, "ends": _requests(content), "newest": NEWEST}
    found: dict[str, dict[str, float]] = await page.evaluate(MEASURE, asked)
    return found


def _show(name: str, rate: float, found: Sequence[dict[str, dict[str, float]]]) -> None:
    for n in map(str, REACHED):
        for what, each in (("whole", 1 / int(n)), ("growing", 1)):
            taken = statistics.median(one[what][n] for one in found)
            ratio = statistics.median(one[what][n] / one[f"{what}Base"][n] for one in found)
            total = f"{taken:,.0f}" if what == "whole" else ""
            print(f"| {name}, {what} | {rate:g} × | {n} | {total} | {taken * each:.3f} | {ratio:.1f} |")


def _requests(content: bytes) -> list[int]:
    """The last events of requests, from the start of the battle on; at least the opening."""
    kinds = [json.loads(line)["type"] for line in content.split(b"\n")[1:-1] if b'"checkpoint"' not in line[:14]]
    first = ("ContributionGiven", "OrderAccepted")
    ends = [n for n in range(1, len(kinds)) if kinds[n] in first and kinds[n - 1] != "ContributionGiven"]
    return [n for n in ends if n <= REACHED[-1]]


def signed(content: bytes) -> bytes:
    """The battle of two bots as players would have given it who sign each message; without the host's note."""
    header_line, *lines = content.split(b"\n")[:-1]
    events = [json.loads(line) for line in lines if not line.startswith(b'{"checkpoint":')]
    battle, keys = json.loads(header_line)["battle"], {}
    heads, written, serials = [record.first_hash(header_line)], [], dict[str, int]()
    giving: dict[str, bytes] = {}
    for event in events:
        del event["hash"]
        kind, data = event["type"], event["data"]
        side, is_lone = data.get("side", ""), kind == "ContributionGiven" and "channel" in data
        if kind == "SideJoined":
            keys[side] = key = Ed25519PrivateKey.from_private_bytes(side.encode().ljust(32, b"."))
            public = b64encode(key.public_key().public_bytes_raw()).decode()
            data |= {"kind": "person", "player": f"player-{side}", "name": side, "signer": public}
        if kind == "ContributionGiven":
            giving[side] = data["phrase"].encode()
        if kind == "OrderAccepted":
            data.pop("bot", None)
            data["player"] = f"player-{side}"
        if kind in ("SideJoined", "OrderAccepted") or is_lone:
            if kind != "SideJoined":
                data["channel"] = "api"
            text = f"join {side}" if kind == "SideJoined" else data.get("text", "")
            given = b"" if kind == "SideJoined" else giving.pop(side, b"")
            n = event["n"] - 1 - (kind == "OrderAccepted" and bool(given))
            serials[side] = serials.get(side, 0) + 1
            message = fairness.signed_message(battle, side, serials[side], (n, heads[n]), given, text)
            data |= {"seen": {"hash": heads[n].hex(), "n": n}, "serial": serials[side]}
            data["signature"] = b64encode(keys[side].sign(message)).decode()
        written.append(record.canonical(event))
        heads.append(record.next_hash(heads[-1], written[-1]))
    return chain.file_bytes(header_line, written, None)


# --- the server


async def _openings() -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with serving(Path(folder) / "data", SystemEntropy(), workers=worker_processes()) as server:
            south = await server.player("South")
            await south.open()  # what is learnt once
            most, alone = [], []
            for _ in range(OPENED):
                with _turns() as turns:
                    await south.open()
                most.append(max(turns))
                with _turns() as turns:
                    await server.client.get("/healthz")
                alone.append(max(turns))
    print("\n| the longest turn of the loop, ms of CPU | median | p95 | most |\n|---|---|---|---|")
    for name, found in (("a battle is opened", most), ("/healthz (base)", alone)):
        ordered = sorted(found)
        p95 = ordered[round(0.95 * len(found)) - 1]
        print(f"| {name} | {statistics.median(found):.2f} | {p95:.2f} | {ordered[-1]:.2f} |")


@contextmanager
def _turns() -> Iterator[list[float]]:
    """The CPU time of each callback of the event loop meanwhile, in ms."""
    taken = [0.0]
    original: Any = asyncio.events.Handle._run

    def timed(handle: asyncio.events.Handle) -> None:
        start = time.thread_time()
        original(handle)
        taken.append((time.thread_time() - start) * 1e3)

    setattr(asyncio.events.Handle, "_run", timed)  # noqa: B010
    try:
        yield taken
    finally:
        setattr(asyncio.events.Handle, "_run", original)  # noqa: B010


if __name__ == "__main__":
    main()
