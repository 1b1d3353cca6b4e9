"""The full-screen player on a battle of 5,000 events: ready, a step, a search, memory.

    python -m benchmarks.player

Ready is the CPU time of a fresh process from its start to the first screen; the rest is measured in one process, as
CPU time, because a step never waits for anything. Steps go to events at random, each to one not looked at before.
"""

import argparse
import asyncio
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from replay import battle_file
from replay.player.app import ReplayPlayer

ROOT = Path(__file__).parents[1]
SIZE = (80, 24)
STEPS = 400
SEARCHES = ("unit:R1 card:10", "destroyed melee", "type:OrderAccepted by:north", "rule:TTS-SHT", "hurricane")
ROUNDS = 5


async def once(file: str, *, is_measured: bool) -> dict[str, float]:
    """Start the player; milliseconds and MiB by name."""
    content = battle_file.read_bytes(file)
    app = ReplayPlayer(battle_file.parse(content), file)
    async with app.run_test(size=SIZE):
        found = {"ready": time.process_time() * 1000}
        if not is_measured:
            return found
        pick = random.Random(14)
        begun = time.process_time()
        app.playback.read_all()
        found["index"] = (time.process_time() - begun) * 1000
        for name, moves in (
            ("step", [lambda: app.action_step("event", True)] * STEPS),
            ("jump", [lambda: app.go(pick.randint(1, app.playback.last)) for _ in range(STEPS)]),
        ):
            app.go(app.playback.last // 2)
            taken = [await _taken(app, move) for move in moves]
            found[name], found[f"{name}, p95"] = median(taken), sorted(taken)[len(taken) * 95 // 100]
        found["search"] = max(_searched(app, text) for text in SEARCHES)
        found["memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return found


async def _taken(app: ReplayPlayer, move: Callable[[], None]) -> float:
    """Milliseconds from a key to the screen."""
    begun = time.process_time()
    move()
    app.screen._compositor.render_strips()
    taken = (time.process_time() - begun) * 1000
    await asyncio.sleep(0)
    return taken


def _searched(app: ReplayPlayer, text: str) -> float:
    begun = time.process_time()
    app.playback.search(text)
    return (time.process_time() - begun) * 1000


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--file", help="A battle file that a process of its own opens.")
    parser.add_argument("--ready", action="store_true", help="Stop at the first screen.")
    given = parser.parse_args()
    if given.file:
        print(json.dumps(asyncio.run(once(given.file, is_measured=not given.ready))))
        return
    from benchmarks.reading import long_battle  # not in the processes that are measured

    with tempfile.TemporaryDirectory() as folder:
        path, battle = Path(folder) / "long.battle", long_battle()
        path.write_bytes(battle.file())
        runs = [_run(path, "--ready") for _ in range(ROUNDS + 1)]
        found = _run(path) | {"ready": median(run["ready"] for run in runs[1:])}
    print(f"{battle.recording.battle.n:,} events, {SIZE[0]} × {SIZE[1]}; milliseconds of CPU, memory in MiB\n")
    for name, value in found.items():
        print(f"| {name} | {value:.1f} |")


def _run(path: Path, *more: str) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.player", "--file", str(path), *more]
    bytecode = {"PYTHONPYCACHEPREFIX": str(path.parent), "PYTHONDONTWRITEBYTECODE": ""}  # as where it is installed
    done = subprocess.run(command, cwd=ROOT, env=os.environ | bytecode, capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


if __name__ == "__main__":
    main()
