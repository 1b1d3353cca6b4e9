"""What grows with the number of battles in a store, and what must not.

    python -m benchmarks.growth [--battles 10000] [--quick]

One short battle is played in memory and stored under as many ids, and a long one under a few; the secrets of a copy are
those of the first, and its draws are not checked here. Two stores are measured one after another, with a tenth of the
battles and with all of them: what does not grow costs the same in both. Printed are the rebuild of the read models, the
time to the first answer, the work of all processes after that until they rest, their memory, the list of battles (its
first page, one from its middle, one near its end), an order in a battle that is in memory and in one that is not, and
the page of one that is not; then, after another start, an order in a long battle that has a snapshot by now; and
`phalera doctor`.

A request is told twice: milliseconds until the answer, the median, and milliseconds of processor time of the server
without its children, the mean. On a busy machine only the second says anything.
"""

import argparse
import asyncio
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.json import decode
from msgspec.structs import replace

from benchmarks.loopback import ROOT, Client, Server, enrolled, run, serving
from benchmarks.rehearsal import AT, SIDES, Rehearsal, endless
from domain.log import record
from server.settings import Settings, make_folder
from server.store import Append, EventStore, Opening
from server.store.tables import vault

EVENTS, LONG_EVENTS = 100, 2_000
"""Of a short battle, and of a long one."""
TRIED = 20
"""Requests of each kind, and long battles."""
REST_S, RESTING = 1.0, 0.02
"""A server rests when it has used less than this share of a processor for so long."""

Found = dict[str, float]


class Filled(Struct):
    """A store with battles: their ids, and tokens by side."""

    short: list[str]
    long: list[str]
    tokens: dict[str, str]


def fill(settings: Settings, battles: int) -> Filled:
    """Make a store of so many short battles, and some long ones."""
    make_folder(settings)
    with EventStore.open(replace(settings.store(), synchronous="NORMAL")) as store:
        players = enrolled(store, *SIDES)
        ids = {side: player for side, (player, _) in players.items()}

        def some(count: int, events: int) -> list[str]:
            first = Rehearsal(store, settings, ids, endless("cannae")).go_to(events).id
            return [first, *copies(store, first, [f"b{events}n{number:05}" for number in range(1, count)])]

        tokens = {side: token for side, (_, token) in players.items()}
        return Filled(some(battles, EVENTS), some(TRIED, LONG_EVENTS), tokens)


def copies(store: EventStore, battle: str, names: Sequence[str]) -> Sequence[str]:
    """Store a battle under other ids, each with hashes of its own."""
    header, master = store.header(battle), vault.master(store, battle)
    assert header is not None
    assert master is not None
    lines = store.lines(battle)
    for name in names:
        first, rows = copied(header, lines, name)
        opening = Opening(first, AT, "public")
        store.append_now(Append(name, 0, rows, also=(vault.put_master(name, master),), opens=opening))
    return names


def copied(header: bytes, lines: Sequence[bytes], name: str) -> tuple[bytes, list[tuple[str, bytes, bytes]]]:
    """The header line of a battle under another id, and its lines, each with its type and its new hash."""
    first = record.encode_header(replace(record.decode_header(header), battle=name))
    rows, head = [], record.first_hash(first)
    for line in lines:
        head = record.next_hash(head, line)
        rows.append((decode(line)["type"], line, head))
    return first, rows


def heads_of(settings: Settings, battles: Sequence[str]) -> dict[str, bytes]:
    """The newest heads of some battles, as an order names them, while no server runs."""
    with EventStore.open(settings.store()) as store:
        heads = {battle: store.head(battle) for battle in battles}
    return {name: b'{"n":%d,"hash":"%b"}' % (head.n, head.hash.hex().encode()) for name, head in heads.items() if head}


class Visit:
    """Somebody who asks one server, over one connection, and notes what it costs."""

    def __init__(self, server: Server, client: Client, token: str, heads: dict[str, bytes]) -> None:
        self.server = server
        self.client = client
        self.token = token
        self.heads = heads
        self.found: Found = {}

    async def rested(self) -> float:
        """Wait until the server rests; the CPU seconds it took until then."""
        used = start = self.server.cpu_s()
        while True:
            await asyncio.sleep(REST_S)
            before, used = used, self.server.cpu_s()
            if used - before < RESTING * REST_S:
                return used - start

    async def listed(self, name: str, query: str = "", times: int = 1) -> None:
        """A page of the list."""
        await self.timed(name, [("GET", f"/api/v1/battles?limit=50{query}", b"", "")] * times)

    async def paged(self, name: str, battles: Sequence[str]) -> None:
        """The page of each of some battles, as a stranger sees it."""
        await self.timed(name, [("GET", f"/battles/{battle}", b"", "text/html") for battle in battles])

    async def ordered(self, name: str, battles: Sequence[str], order: bytes, side: bytes) -> None:
        """An order that draws nothing, in each of some battles."""
        await self.timed(
            name,
            [
                (
                    "POST",
                    f"/api/v1/battles/{battle}/orders",
                    b'{"orders":"%b","side":"%b","seen":%b}' % (order, side, self.heads[battle]),
                    "",
                )
                for battle in battles
            ],
        )

    async def timed(self, name: str, requests: Sequence[tuple[str, str, bytes, str]]) -> None:
        """Ask; note how long an answer took, the median, and what it cost the server, the mean."""
        used, taken = self.server.own_cpu_s(), []
        for method, path, body, accept in requests:
            answer = await self.client.ask(method, path, body, self.token, os.urandom(16).hex(), accept)
            assert answer.status == 200, answer
            taken.append(answer.seconds)
        self.found[f"{name}, ms"] = statistics.median(taken) * 1e3
        self.found[f"{name}, CPU ms"] = (self.server.own_cpu_s() - used) / len(taken) * 1e3


async def first_visit(visit: Visit, filled: Filled) -> Found:
    """Everything that is asked after the first start."""
    visit.found["work after the start, CPU s"] = await visit.rested()
    visit.found["memory of all processes, MB"] = memory_mb(visit.server.process.pid)
    await visit.listed("list, first asked")
    await visit.rested()
    battles = filled.short
    await visit.listed("list, first page", times=TRIED)
    await visit.listed("list, middle", f"&before={AT}~{battles[len(battles) // 2]}", TRIED)
    await visit.listed("list, near its end", f"&before={AT}~{battles[min(60, len(battles) - 1)]}", TRIED)
    await visit.ordered("order, not in memory", battles[1 : TRIED + 1], b"offer draw", b"south")
    await visit.paged("page, not in memory", battles[TRIED + 1 : 2 * TRIED + 1])
    await visit.paged("page, in memory", battles[TRIED + 1 : 2 * TRIED + 1])
    await visit.ordered("order, in memory", battles[TRIED + 1 : 2 * TRIED + 1], b"offer draw", b"south")
    await visit.ordered("order, not in memory, long battle without snapshot", filled.long, b"offer draw", b"south")
    return visit.found


async def next_visit(visit: Visit, filled: Filled) -> Found:
    """What is asked after another start, when there are snapshots."""
    await visit.rested()
    half = len(filled.long) // 2
    await visit.ordered("order, not in memory, long battle", filled.long[:half], b"decline draw", b"north")
    await visit.paged("page, not in memory, long battle", filled.long[half:])
    return visit.found


def memory_mb(pid: int) -> float:
    """The memory of a process and of its children."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6 + sum(memory_mb(int(child)) for child in children)


def command_s(folder: Path, name: str) -> float:
    """The processor time of a command on a data folder."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-m", "server.cli.main", name, "--data", str(folder)],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,  # the doctor finds what was written without the rules, to be there quickly
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def measured(folder: Path, battles: int) -> Found:
    """Fill a store; run the commands and two servers on it."""
    settings = Settings.at(folder)
    filled = fill(settings, battles)
    found: Found = {"rebuild of the read models, CPU s": command_s(folder, "rebuild")}
    for visit, side, asked in (
        (first_visit, "south", [*filled.short[: 2 * TRIED + 1], *filled.long]),
        (next_visit, "north", filled.long),
    ):
        heads, start = heads_of(settings, asked), time.perf_counter()
        with serving(Server.of(folder)) as server:
            assert server.port
            found.setdefault("ready, s", time.perf_counter() - start)
            found.setdefault("ready, CPU s", server.cpu_s())
            found |= run(visited(visit, server, filled, side, heads))
    return {**found, "doctor, CPU s": command_s(folder, "doctor")}


async def visited(
    visit: Callable[[Visit, Filled], Coroutine[Any, Any, Found]],
    server: Server,
    filled: Filled,
    side: str,
    heads: dict[str, bytes],
) -> Found:
    """What a visit to a server finds."""
    async with await Client.at(server.port) as client:
        return await visit(Visit(server, client, filled.tokens[side], heads), filled)


def show(found: dict[int, Found]) -> None:
    """A table for README.md."""
    print(f"| what | {' | '.join(f'{battles:,} battles' for battles in found)} |")
    print("|---" * (len(found) + 1) + "|")
    for name in next(iter(found.values())):
        print(f"| {name} | {' | '.join(f'{some[name]:.2f}' for some in found.values())} |")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--battles", type=int, default=10_000)
    parser.add_argument("--quick", action="store_true", help="few battles: does it run?")
    arguments = parser.parse_args()
    most = 500 if arguments.quick else arguments.battles
    folder = Path(tempfile.mkdtemp(prefix="phalera-growth-"))
    try:
        show({battles: measured(folder / str(battles), battles) for battles in (most // 10, most)})
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
