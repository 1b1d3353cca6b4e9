"""The CPU time of a durable order over HTTP, of two trees in turns.

    python -m benchmarks.order [--beside TREE] [--rounds 99] [--clients 20] [--python OTHER] [--data FOLDER]

A machine that does other work too swings by half within a minute, so that figures of two runs cannot be compared. Here
both trees play the same rehearsed orders, round after round in turns: each has a server and a client in processes of
their own, and the one waits while the other plays. What is quoted is the CPU time of the server's main thread, of its
other threads and of its children for each order: the lower quartile of the rounds, which are those that were least
disturbed, and the median of the ratios of neighbouring rounds. Rates are by the clock, and need a quiet machine.

The list of battles is read in each round, so that the read models follow. `--python` runs this tree on another
interpreter, with the packages of this one. `--data` keeps the rehearsed orders: to rehearse takes longer than to play.
"""

import argparse
import asyncio
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from benchmarks.http import play, quantile, sit_down
from benchmarks.loopback import ROOT, Client, Server, enrolled, run, serving
from benchmarks.rehearsal import SIDES, Rehearsal, Stage, Step, endless
from server.settings import Settings, make_folder
from server.store import EventStore

ORDERS = 60
"""Orders of a round, over all clients: so few that many rounds pass undisturbed."""
PAUSE_S = 0.05
"""Between two rounds: the read models gather."""
PLAY = "play.json"


class Play(Struct):
    """What is played: tokens by side, and the orders of each battle."""

    tokens: dict[str, str]
    battles: dict[str, list[Step]]
    each: int


class Cost(Struct, frozen=True):
    """One round: orders per second, seconds of an order (median, p95), CPU microseconds of an order."""

    rate: float
    p50: float
    p95: float
    main: float
    other: float
    children: float

    @property
    def process(self) -> float:
        """CPU microseconds of the server's process."""
        return self.main + self.other


def rehearsed(folder: Path, clients: int, rounds: int) -> Play:
    """Fill a data folder with a battle for each client, played ahead; one round more gets warm."""
    settings = Settings.at(folder)
    make_folder(settings)
    each = max(1, ORDERS // clients)
    with EventStore.open(msgspec.structs.replace(settings.store(), synchronous="NORMAL")) as store:
        players = enrolled(store, *SIDES)
        ids = {side: player for side, (player, _) in players.items()}
        battles: dict[str, list[Step]] = {}
        for _ in range(clients):
            battle = Rehearsal(store, settings, ids, endless("cannae"))
            steps: list[Step] = []
            while len(steps) < each * (rounds + 1):
                (chunk,) = battle.rehearse(1).chunks[-1:]
                steps += (*chunk.before, *chunk.timed)
            battles[battle.id] = steps
    return Play({side: token for side, (_, token) in players.items()}, battles, each)


# --- one tree: its server, its client


def ran_ns(process: int) -> tuple[int, int]:
    """CPU time of the main thread of a process, and of its other threads, in nanoseconds."""
    main = others = 0
    for thread in Path(f"/proc/{process}/task").iterdir():
        with suppress(OSError):  # a thread that has just ended
            taken = int((thread / "schedstat").read_text().split()[0])
            if thread.name == str(process):
                main = taken
            else:
                others += taken
    return main, others


def children_of(process: int) -> list[int]:
    """The processes that a process has started."""
    found: list[int] = []
    for thread in Path(f"/proc/{process}/task").iterdir():
        with suppress(OSError):
            found += map(int, (thread / "children").read_text().split())
    return found


async def rounds_of(server: Server, played: Play) -> None:
    """Play a round for each line that comes in, and answer with its cost."""
    process = server.process.pid
    stage = Stage(played.tokens, [], [], {})
    clients = {battle: await Client.at(server.port) for battle in played.battles}
    for battle, client in clients.items():
        await sit_down(client, stage, battle)
    reader, start = await Client.at(server.port), 0
    while await asyncio.to_thread(sys.stdin.readline):
        assert (await reader.ask("GET", "/api/v1/battles?limit=10")).status == 200
        children = children_of(process)
        before = [ran_ns(one) for one in (process, *children)]
        began = time.perf_counter()
        taken = await asyncio.gather(
            *(
                play(clients[battle], stage, battle, steps[start : start + played.each])
                for battle, steps in played.battles.items()
            )
        )
        passed = time.perf_counter() - began
        await asyncio.sleep(PAUSE_S)
        after = [ran_ns(one) for one in (process, *children)]
        seconds = [one for some in taken for one in some]
        (main, other), *rest = (
            [(then - now) / len(seconds) / 1e3 for now, then in zip(a, b, strict=True)]
            for a, b in zip(before, after, strict=True)
        )
        cost = Cost(
            len(seconds) / passed,
            quantile(seconds, 0.5),
            quantile(seconds, 0.95),
            main,
            other,
            sum(map(sum, rest)),
        )
        print(msgspec.json.encode(cost).decode(), flush=True)
        start += played.each


def serve_and_play(folder: Path) -> None:
    """The client of a tree: it starts the tree's server on a data folder."""
    played = msgspec.json.decode((folder / PLAY).read_bytes(), type=Play)
    with serving(Server("benchmarks.served", str(folder))) as server:
        run(rounds_of(server, played))


class Tree:
    """A tree under measure: `ask` plays a round."""

    def __init__(self, root: Path, folder: Path, python: str) -> None:
        packages = [path for path in sys.path if path.endswith("site-packages")]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(root), *packages))}
        command = [python, str(Path(__file__)), "--folder", str(folder)]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # the log of the server
            cwd=root,
            env=environment,
            text=True,
        )

    def ask(self) -> Cost:
        """Play a round."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        said = self._process.stdout.readline()
        if not said:
            raise RuntimeError(f"the client has ended: {self._process.args!r}")
        return msgspec.json.decode(said, type=Cost)

    def end(self) -> None:
        """End the client, and its server with it."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


@contextmanager
def trees(roots: Sequence[tuple[Path, str]], data: Path) -> Iterator[list[Tree]]:
    """All trees, with the interpreter of each, each on a copy of its own of the same data."""
    with tempfile.TemporaryDirectory(prefix="phalera-order-") as folder:
        made = []
        try:
            for number, (root, python) in enumerate(roots):
                made.append(Tree(root, shutil.copytree(data, Path(folder) / str(number)), python))
            yield made
        finally:
            for tree in made:
                tree.end()


# --- the table


def show(names: Sequence[str], found: Sequence[Sequence[Cost]], clients: int) -> None:
    """Lower quartiles of the CPU times, medians of the rates; the ratios are to the first tree."""
    print(f"\n### {clients} client{'s' * (clients > 1)}, {len(found[0])} rounds in turns, lower quartiles\n")
    print("| tree | main µs | other | children | ratio: main, process | per second | p50 ms | p95 ms |")
    print("|---|---|---|---|---|---|---|---|")
    for name, costs in zip(names, found, strict=True):
        main, other, children = (
            quantile([getattr(cost, part) for cost in costs], 0.25) for part in ("main", "other", "children")
        )
        ratios = (
            statistics.median(getattr(cost, part) / getattr(of, part) for cost, of in zip(costs, found[0], strict=True))
            for part in ("main", "process")
        )
        rate, p50, p95 = (statistics.median(getattr(cost, part) for cost in costs) for part in ("rate", "p50", "p95"))
        shown = ", ".join(f"{ratio:.3f}" for ratio in ratios)
        print(
            f"| {name} | {main:,.0f} | {other:,.0f} | {children:,.0f} | {shown} | {rate:,.0f} "
            f"| {p50 * 1e3:.2f} | {p95 * 1e3:.1f} |"
        )


def measured(roots: Sequence[tuple[Path, str]], data: Path, clients: int, rounds: int) -> list[list[Cost]]:
    """All rounds of each tree, without the first, which gets warm. Data that are there are used again."""
    if not (data / PLAY).exists():
        (data / PLAY).write_bytes(msgspec.json.encode(rehearsed(data, clients, rounds)))
    found: list[list[Cost]] = [[] for _ in roots]
    with trees(roots, data) as both:
        for number in range(rounds + 1):
            for at in sorted(range(len(both)), reverse=number % 2 == 0):
                found[at].append(both[at].ask())
    return [costs[1:] for costs in found]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--beside", type=Path, default=ROOT, help="the root of another tree; else this one, twice")
    parser.add_argument("--rounds", type=int, default=99)
    parser.add_argument("--clients", type=int, default=20)
    parser.add_argument("--python", default=sys.executable, help="the interpreter of this tree")
    parser.add_argument("--data", type=Path, help="an empty folder, or one of a run with as many clients and rounds")
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.folder:
        serve_and_play(arguments.folder)
        return
    roots = ((arguments.beside, sys.executable), (ROOT, arguments.python))
    with tempfile.TemporaryDirectory(prefix="phalera-order-") as folder:
        data = arguments.data or Path(folder)
        found = measured(roots, data, arguments.clients, arguments.rounds)
    show(("beside", "here"), found, arguments.clients)


if __name__ == "__main__":
    main()
