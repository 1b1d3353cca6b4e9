"""Start the server again and again, each time met by many requests at once, and count the starts that end badly.

    python -m benchmarks.starts [--starts 500] [--requests 20] [--load 2] [--seed 1]

All types are new to a server that has just started, and no battle is in memory. Each start is met, as soon as the port
is known, by that many connections with one request each, for pages, boards, logs and statistics of battles of all
games; then the server is asked to stop. Beside it that many processes keep the machine busy. A start has died if its
exit code is not 0, if a connection breaks, or if an answer is another than 200. Exit code 1 if any has.
"""

import argparse
import asyncio
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.loopback import ROOT, Client, Server, run
from benchmarks.start import with_battle
from server.play.archive import import_battle
from server.settings import Settings
from server.store import EventStore

PATHS = (
    "/battles/{battle}",
    "/battles/{battle}/units",
    "/api/v1/battles/{battle}",
    "/api/v1/battles/{battle}/events",
    "/api/v1/battles/{battle}/board?n=9",
    "/api/v1/battles/{battle}/statistics",
    "/api/v1/battles/{battle}/export",
    "/api/v1/battles",
    "/",
)
BUSY = "while True: pass"


def with_battles(folder: Path) -> list[str]:
    """A data folder with a running battle, and the kept battles of all games."""
    settings = Settings.at(with_battle(folder, 300))
    with EventStore.open(settings.store()) as store:
        for path in sorted((ROOT / "tests" / "golden").glob("*.battle")):
            if path.stem != "unfinished":
                import_battle(store, path.read_bytes(), None)
        return [kept.battle for kept in store.battles()]


@contextmanager
def loaded(processes: int) -> Iterator[None]:
    """A machine that has other work for the time of a block."""
    busy = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(processes)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


async def _met(port: int, paths: list[str]) -> Counter[str]:
    """What becomes of one request for each path, all at once."""

    async def one(path: str) -> str:
        try:
            async with await Client.at(port) as client:
                return str((await client.ask("GET", path, accept="*/*")).status)
        except OSError:
            return "broken"

    return Counter(await asyncio.gather(*map(one, paths)))


def survived(folder: Path, paths: list[str], found: Counter[str]) -> bool:
    """Whether one start lives through its requests; `found` counts their answers."""
    server = Server(
        "server.cli.main", "serve", "--data", str(folder), "--port", "0", "--unlimited", "--log-level", "error"
    )
    answers = run(_met(server.port, paths))
    code = server.end() if server.process.poll() is None else server.process.returncode
    found.update(answers)
    found[f"exit {code}"] += 1
    alive = code == 0 and set(answers) == {"200"}
    if not alive:
        print(f"exit {code}, {dict(answers)}", flush=True)
    return alive


def measured(folder: Path, starts: int, requests: int, seed: int) -> tuple[int, Counter[str]]:
    """How many starts died, and how often each answer and exit code came."""
    pick, found = random.Random(seed), Counter[str]()
    battles = with_battles(folder)
    died = 0
    for number in range(1, starts + 1):
        paths = [pick.choice(PATHS).format(battle=pick.choice(battles)) for _ in range(requests)]
        died += not survived(folder, paths, found)
        if number % 50 == 0:
            print(f"{number} starts, {died} died", flush=True)
    return died, found


def main() -> int:
    """Start, and tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--starts", type=int, default=500)
    parser.add_argument("--requests", type=int, default=20)
    parser.add_argument("--load", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="phalera-starts-"))
    try:
        with loaded(arguments.load):
            died, found = measured(folder, arguments.starts, arguments.requests, arguments.seed)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{arguments.starts} starts, {died} died; {dict(sorted(found.items()))}")
    return min(died, 1)


if __name__ == "__main__":
    sys.exit(main())
