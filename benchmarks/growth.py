"""What grows with the number of battles in a store, and what must not.

    python -m benchmarks.growth [--battles 10000] [--quick]

One battle is played in memory, and its rows are stored under as many ids; the secrets of a copy are those of the first,
and its draws are not checked here. The read models are built beforehand. Two servers run one after another, on a store
of a tenth of the battles and on the whole: what does not grow takes the same time in both. Printed are the time to the
first answer, the CPU time of all its processes after that until they rest, the memory then, the list of battles (its
first page, one from its middle, and one near its end), and an order in a battle that is not in memory and in one that
is.
"""

import argparse
import asyncio
import os
import shutil
import statistics
import tempfile
import time
from contextlib import closing
from pathlib import Path

from msgspec.json import decode
from msgspec.structs import replace

from benchmarks.loopback import Client, Server, enrolled, run, serving
from benchmarks.rehearsal import AT, SIDES, Rehearsal, endless
from domain.log import record
from projections.runner import Runner
from server.play.lobby import FILE
from server.settings import Settings, make_folder
from server.store import Append, EventStore, Opening
from server.store.tables import vault

EVENTS = 100
"""Of each battle."""
TRIED = 20
REST_S, RESTING = 1.0, 0.02
"""A server rests when it has used less than this share of a processor for so long."""

Found = dict[str, float]


def fill(settings: Settings, battles: int) -> tuple[list[str], dict[str, str]]:
    """Make a store of so many copies of a battle; returns their ids and the tokens of their players."""
    make_folder(settings)
    with EventStore.open(replace(settings.store(), synchronous="NORMAL")) as store:
        players = enrolled(store, *SIDES)
        ids = {side: player for side, (player, _) in players.items()}
        first = Rehearsal(store, settings, ids, endless("cannae")).go_to(EVENTS).id
        header, master = store.header(first), vault.master(store, first)
        assert header is not None
        assert master is not None
        rows = [(decode(line)["type"], line, hash_) for _, hash_, line in store.read(first)]
        made = [f"b{number:07}" for number in range(1, battles)]
        for battle in made:
            line = record.encode_header(replace(record.decode_header(header), battle=battle))
            opening = Opening(line, AT, "public")
            store.append_now(Append(battle, 0, rows, also=(vault.put_master(battle, master),), opens=opening))
        settings.read_models.mkdir()
        with closing(Runner(settings.read_models / FILE, store)) as runner:
            runner.rebuild()
    return [first, *made], {side: token for side, (_, token) in players.items()}


async def rested(server: Server) -> float:
    """Wait until a server rests; the CPU seconds it took until then."""
    used = server.cpu_s()
    while True:
        await asyncio.sleep(REST_S)
        before, used = used, server.cpu_s()
        if used - before < RESTING * REST_S:
            return used


async def order(client: Client, battle: str, seen: bytes, tokens: dict[str, str]) -> float:
    """An order that draws nothing; the milliseconds it took."""
    body = b'{"orders":"offer draw","side":"south","seen":%b}' % seen
    path = f"/api/v1/battles/{battle}/orders"
    answer = await client.ask("POST", path, body, tokens["south"], os.urandom(16).hex())
    assert answer.status == 200, answer
    return answer.seconds * 1e3


async def listed(client: Client, query: str) -> float:
    """A page of the list; the milliseconds it took."""
    answer = await client.ask("GET", f"/api/v1/battles?limit=50{query}")
    assert answer.status == 200, answer
    return answer.seconds * 1e3


async def looked_at(server: Server, battles: list[str], tokens: dict[str, str], seen: bytes) -> Found:
    """Everything that is asked of one server."""
    async with await Client.at(server.port) as client:
        at_start = server.cpu_s()
        work = await rested(server) - at_start
        first = await listed(client, "")
        work += await rested(server) - at_start - work
        found = {"list, first asked": first, "work after the start, CPU s": work, "memory, MB": server.memory_mb()}
        pages = {
            "first page": "",
            "middle": battles[len(battles) // 2],
            "near its end": battles[min(60, len(battles) - 1)],
        }
        for name, battle in pages.items():
            query = f"&before={AT}~{battle}" if battle else ""
            found[f"list, {name}"] = statistics.median([await listed(client, query) for _ in range(TRIED)])
        cold = [await order(client, battle, seen, tokens) for battle in battles[1 : TRIED + 1]]
        warm = []
        for battle in battles[-TRIED:]:
            assert (await client.ask("GET", f"/api/v1/battles/{battle}", token=tokens["south"])).status == 200
            warm.append(await order(client, battle, seen, tokens))
        found["order, battle not in memory"], found["order, battle in memory"] = map(statistics.median, (cold, warm))
    return found


def measured(folder: Path, battles: int) -> Found:
    """Fill a store, start a server on it, ask, stop it."""
    settings = Settings.at(folder)
    ids, tokens = fill(settings, battles)
    with EventStore.open(settings.store()) as store:
        head = store.head(ids[0])
    assert head is not None
    seen = b'{"n":%d,"hash":"%b"}' % (head.n, head.hash.hex().encode())
    start = time.perf_counter()
    with serving(Server.of(folder)) as server:
        assert server.port
        ready = time.perf_counter() - start
        found: Found = run(looked_at(server, ids, tokens, seen))
    return {"ready, s": ready, **found}


def show(found: dict[int, Found]) -> None:
    """A table for README.md; milliseconds where nothing else is said."""
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
    most = 200 if arguments.quick else arguments.battles
    folder = Path(tempfile.mkdtemp(prefix="phalera-growth-"))
    try:
        show({battles: measured(folder / str(battles), battles) for battles in (most // 10, most)})
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
