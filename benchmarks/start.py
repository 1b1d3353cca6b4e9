"""The time until the command answers, and until the server does.

    python -m benchmarks.start [--rounds 9] [--quick]

Bases: an interpreter that does nothing, and one that imports aiohttp, below which no server on it can start. The time
is that of a whole process, from its start until its end, or until `/healthz` answers (a server with an empty data
folder, and one with a battle in it). Rounds are interleaved, medians quoted.
"""

import argparse
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable
from pathlib import Path

from benchmarks.loopback import ROOT, Server, enrolled
from benchmarks.rehearsal import SIDES, Rehearsal
from domain.basics.data import scenario_text
from server.settings import Settings, make_folder
from server.store import EventStore

Measure = Callable[[], float]
BASE, AIOHTTP = "python -c pass (BASE)", "python -c 'import aiohttp'"
REACH = {"phalera --help": 0.2, "phalera serve, empty folder": 0.8, "phalera serve, a battle of 2,000 events": 0.8}
COMMAND = "from server.cli.main import main; main()"
"""What the installed `phalera` runs."""


def python(*arguments: str) -> Measure:
    """A process until its end."""

    def measure() -> float:
        start = time.perf_counter()
        subprocess.run([sys.executable, *arguments], cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
        return time.perf_counter() - start

    return measure


def served(folder: Path) -> Measure:
    """A server until it has answered /healthz."""

    def measure() -> float:
        start = time.perf_counter()
        server = Server.of(folder)
        with socket.create_connection(("127.0.0.1", server.port)) as connection:
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
            answer = connection.recv(12)
        taken = time.perf_counter() - start
        server.end()
        assert answer == b"HTTP/1.1 200", answer
        return taken

    return measure


def with_battle(folder: Path, n: int) -> Path:
    """A data folder with a battle of so many events."""
    settings = Settings.at(folder)
    make_folder(settings)
    scenario = tomllib.loads(scenario_text("tts", "cannae"))
    with EventStore.open(settings.store()) as store:
        players = {side: player for side, (player, _) in enrolled(store, *SIDES).items()}
        Rehearsal(store, settings, players, {**scenario, "options": {"turn_limit": 0}}).go_to(n)
    return folder


def measured(folder: Path, rounds: int, n: int = 2000) -> dict[str, list[float]]:
    """Seconds of each row, of each round."""
    measures = {
        BASE: python("-c", "pass"),
        AIOHTTP: python("-c", "import aiohttp"),
        "phalera --help": python("-c", COMMAND, "--help"),
        "phalera serve, empty folder": served(folder / "empty"),
        f"phalera serve, a battle of {n:,} events": served(with_battle(folder / "full", n)),
    }
    found: dict[str, list[float]] = {name: [] for name in measures}
    for number in range(rounds + 1):
        for name, measure in measures.items():
            seconds = measure()
            if number:  # the first round fills caches
                found[name].append(seconds)
    return found


def show(found: dict[str, list[float]]) -> None:
    """A table for README.md."""
    print("| what | seconds | ratio to python | ratio to import aiohttp | reach |\n|---|---|---|---|---|")
    for name, seconds in found.items():
        to_base, to_aiohttp = (
            statistics.median(a / b for a, b in zip(seconds, found[base], strict=True)) for base in (BASE, AIOHTTP)
        )
        reach = f"≤ {REACH[name]} s" if name in REACH else ""
        print(f"| {name} | {statistics.median(seconds):.3f} | {to_base:.1f} | {to_aiohttp:.1f} | {reach} |")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--quick", action="store_true", help="one round: does it run?")
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="phalera-start-"))
    try:
        show(measured(folder, 1 if arguments.quick else arguments.rounds))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
