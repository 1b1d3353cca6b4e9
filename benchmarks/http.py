"""The cost of a durable order over HTTP, beside a bare handler that makes the same commit.

    python -m benchmarks.http [--rounds 7] [--clients 20 100] [--quick]

The order is an activation that passes, of about six events: authenticated, with an Idempotency-Key, answered with its
events and the signed head when it is on the disk (FULL). The base is an aiohttp handler on the same event loop that
decodes the same JSON and commits six rows of the same size with `sqlite3`, each request its own transaction; a second
one commits once per turn of the event loop, the best that can be done by hand. Both run in processes of their own;
this process makes the load. What the server will draw is known here beforehand, since its secrets are made here: so the
orders are rehearsed, only passing activations are timed, and no option is asked for while the clock runs.

The server is timed as people run it: limits are counted, each request is logged, its read models follow all the while,
and somebody reads the list of battles once a second. "And then the view" is a client that reads the battle after each
order; both requests are in its time.
"""

import argparse
import asyncio
import os
import shutil
import signal
import sqlite3
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Coroutine, Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Raw, Struct
from msgspec.json import Decoder

from benchmarks.loopback import Client, Server, run, serving
from benchmarks.rehearsal import IN_A_ROW, LATE, PHRASE, Chunk, Stage, Step, prepare
from server.settings import Settings

# --- orders over HTTP


class Round(Struct, frozen=True):
    """One round of a row: requests per second, seconds of each request, CPU microseconds of the server for each."""

    rate: float
    seconds: list[float]
    cpu_us: float


class _Headed(Struct):
    head: Raw


HEAD = Decoder(_Headed).decode
"""The head in an answer, as it stands there."""


async def sit_down(client: Client, stage: Stage, battle: str) -> None:
    """Let the server fetch a battle into its memory, and learn its head."""
    answer = await client.ask("GET", f"/api/v1/battles/{battle}", token=stage.tokens["south"])
    assert answer.status == 200, answer
    stage.heads[battle] = bytes(HEAD(answer.content).head)


async def give(client: Client, stage: Stage, battle: str, step: Step) -> float:
    """Give an order; how long it took."""
    body = b'{"orders":"%b","phrase":"%b","seen":%b}' % (step.text.encode(), PHRASE.encode(), stage.heads[battle])
    path = f"/api/v1/battles/{battle}/orders"
    answer = await client.ask("POST", path, body, stage.tokens[step.side], os.urandom(16).hex())
    assert answer.status == 200, answer
    stage.heads[battle] = bytes(HEAD(answer.content).head)
    found = answer.content.count(b'"type":"')
    assert found == len(step.rows), f"{step} came out with {found} events: {answer.content!r}"
    return answer.seconds


async def look(client: Client, stage: Stage, battle: str, side: str) -> float:
    """Read a battle; how long it took."""
    answer = await client.ask("GET", f"/api/v1/battles/{battle}", token=stage.tokens[side])
    assert answer.status == 200, answer
    return answer.seconds


async def play(client: Client, stage: Stage, battle: str, steps: Sequence[Step], looks: bool = False) -> list[float]:
    """Give orders one after another; `looks`: each time, read the battle too. Returns the seconds of each."""
    taken = []
    for step in steps:
        seconds = await give(client, stage, battle, step)
        taken.append(seconds + (await look(client, stage, battle, step.side) if looks else 0.0))
    return taken


async def one_after_another(
    server: Server, stage: Stage, work: Iterable[tuple[str, Chunk]], looks: bool = False
) -> Round:
    """A single client; only the timed orders count."""
    taken, cpu_s = [], 0.0
    async with await Client.at(server.port) as client:
        for battle, chunk in work:
            await sit_down(client, stage, battle)
            await play(client, stage, battle, chunk.before)
            before = server.cpu_s()
            taken += await play(client, stage, battle, chunk.timed, looks)
            cpu_s += server.cpu_s() - before
    return Round(len(taken) / sum(taken), taken, cpu_s / len(taken) * 1e6)


async def all_at_once(server: Server, stage: Stage, work: Sequence[tuple[str, Chunk]], looks: bool) -> Round:
    """A client for each battle. All its orders count: the time has to be long beside that between two rounds of the
    read models."""
    seats = [(await Client.at(server.port), battle, chunk) for battle, chunk in work]
    for client, battle, _ in seats:
        await sit_down(client, stage, battle)
    loads = [play(client, stage, battle, (*chunk.before, *chunk.timed), looks) for client, battle, chunk in seats]
    result = await together(server, loads)
    for client, _, _ in seats:
        await client.close()
    return result


async def together(server: Server, loads: Sequence[Coroutine[Any, Any, list[float]]]) -> Round:
    """Several clients at once."""
    before, start = server.cpu_s(), time.perf_counter()
    seconds = [one for some in await asyncio.gather(*loads) for one in some]
    passed = time.perf_counter() - start
    return Round(len(seconds) / passed, seconds, (server.cpu_s() - before) / len(seconds) * 1e6)


async def bare_requests(server: Server, clients: int, each: int) -> Round:
    """The same load on a bare handler."""
    connected = [await Client.at(server.port) for _ in range(clients)]
    seen = b'{"n":1000,"hash":"%b"}' % (b"0" * 64)
    body = b'{"orders":"R1 turn left","phrase":"%b","seen":%b}' % (PHRASE.encode(), seen)

    async def one(client: Client, number: int) -> list[float]:
        taken = []
        for _ in range(each):
            answer = await client.ask("POST", f"/api/v1/battles/b{number:07}/orders", body, "0" * 32)
            assert answer.status == 200, answer
            taken.append(answer.seconds)
        return taken

    result = await together(server, [one(client, number) for number, client in enumerate(connected)])
    for client in connected:
        await client.close()
    return result


# --- the bare handlers


class BareOrder(Struct):
    orders: str
    phrase: str = ""


class BareAnswer(Struct):
    battle: str
    n: int


INSERT = "INSERT INTO stored_events VALUES (?,?,?,?)"


async def serve_bare(file: str, size: int, per_turn: bool) -> None:
    """Commit six rows of `size` bytes for each request; `per_turn`: for all requests of a turn of the event loop."""
    from aiohttp import web

    db = sqlite3.connect(file, isolation_level=None)
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA synchronous=FULL")
    db.execute(
        "CREATE TABLE stored_events (originator_id TEXT, originator_version INTEGER, topic TEXT, state BLOB, "
        "PRIMARY KEY (originator_id, originator_version))"
    )
    loop = asyncio.get_running_loop()
    versions: dict[str, int] = {}
    waiting: list[tuple[str, asyncio.Future[int]]] = []
    state = os.urandom(size)
    decode, encode = msgspec.json.Decoder(BareOrder).decode, msgspec.json.Encoder().encode

    def commit(battles: Sequence[str]) -> list[int]:
        rows, ends = [], []
        for battle in battles:
            n = versions.get(battle, 0)
            rows += [(battle, n + i, "UnitMoved", state) for i in range(1, 7)]
            versions[battle] = n + 6
            ends.append(n + 6)
        db.execute("BEGIN IMMEDIATE")
        db.executemany(INSERT, rows)
        db.execute("COMMIT")
        return ends

    def commit_all() -> None:
        batch = waiting.copy()
        waiting.clear()
        for (_, future), n in zip(batch, commit([battle for battle, _ in batch]), strict=True):
            future.set_result(n)

    async def order(request: web.Request) -> web.Response:
        decode(await request.read())
        battle = request.match_info["id"]
        if per_turn:
            future: asyncio.Future[int] = loop.create_future()
            if not waiting:
                loop.call_soon(commit_all)
            waiting.append((battle, future))
            n = await future
        else:
            (n,) = commit([battle])
        return web.Response(body=encode(BareAnswer(battle, n)), content_type="application/json")

    app = web.Application()
    app.router.add_post("/api/v1/battles/{id}/orders", order)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    print(f"http://127.0.0.1:{runner.addresses[0][1]}")
    stop = asyncio.Event()
    loop.add_signal_handler(signal.SIGTERM, stop.set)
    await stop.wait()
    await runner.cleanup()
    db.close()


def bare(folder: Path, size: int, per_turn: bool = False) -> Server:
    """A bare handler in its own process."""
    name = folder / f"bare-{per_turn}.db"
    return Server("benchmarks.http", "--bare", str(name), "--size", str(size), *(["--per-turn"] if per_turn else []))


# --- rounds and tables

BASE, BY_TURN = "bare handler, a commit per request (BASE)", "bare handler, a commit per turn of the loop"
FRESH, LOOKED = "an order, first events of a battle", "an order, and then the view of the battle"
OLD = f"an order, from event {LATE:,} on"
CROWD, CROWD_LOOKED = "orders, a battle each", "orders, and after each the view"
READER_S = 1.0
"""Seconds between two questions of somebody who reads the list of battles meanwhile."""


Found = dict[str, list[Round]]


class Sizes(Struct, frozen=True):
    """How much of everything."""

    rounds: int = 7
    fresh: int = 12
    late: int = 4
    crowds: tuple[int, ...] = (20, 100)
    bare_each: int = 50
    late_n: int = LATE


async def measure(product: Server, base: Server, by_turn: Server, stage: Stage, sizes: Sizes) -> dict[int, Found]:
    """All rounds, the first to get warm; by number of clients."""
    found: dict[int, Found] = {clients: defaultdict(list) for clients in (1, *sizes.crowds)}

    reader = asyncio.ensure_future(read_now_and_then(product.port))
    for number in range(sizes.rounds + 1):
        rows = found[1]
        fresh = stage.fresh[number]
        rows[BASE].append(await bare_requests(base, 1, sizes.bare_each))
        rows[FRESH].append(await one_after_another(product, stage, [(one.id, one.chunks[0]) for one in fresh]))
        rows[OLD].append(await one_after_another(product, stage, [(one.id, one.chunks[number]) for one in stage.late]))
        rows[LOOKED].append(await one_after_another(product, stage, [(one.id, one.chunks[1]) for one in fresh], True))
        for clients in sizes.crowds:
            rows, crowd = found[clients], stage.crowds[clients]
            rows[BASE].append(await bare_requests(base, clients, IN_A_ROW))
            rows[BY_TURN].append(await bare_requests(by_turn, clients, IN_A_ROW))
            for name, at in ((CROWD, 2 * number), (CROWD_LOOKED, 2 * number + 1)):
                work = [(battle.id, battle.chunks[at]) for battle in crowd]
                rows[name].append(await all_at_once(product, stage, work, name is CROWD_LOOKED))
    reader.cancel()
    for rows in found.values():
        for some in rows.values():
            del some[0]
    return found


async def read_now_and_then(port: int) -> None:
    """Ask for the list of battles: the read models follow, and have to have caught up."""
    async with await Client.at(port) as client:
        while True:
            assert (await client.ask("GET", "/api/v1/battles?limit=10")).status == 200
            await asyncio.sleep(READER_S)


def quantile(seconds: Sequence[float], share: float) -> float:
    """The value that so many of the values do not exceed."""
    ordered = sorted(seconds)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def show(found: Found, clients: int) -> None:
    """The table for a number of clients: medians over the rounds; p95 over all of them."""
    print(f"\n### {clients} client{'s' * (clients > 1)}, FULL\n")
    print(
        "| what | per second | p50 ms | p95 ms | p50 ratio | rate ratio | CPU µs each |\n|---|---|---|---|---|---|---|"
    )
    base = found[BASE]
    for name, rounds in found.items():
        half = statistics.median(quantile(one.seconds, 0.5) for one in rounds) * 1e3
        late = quantile([second for one in rounds for second in one.seconds], 0.95) * 1e3
        slower = statistics.median(
            quantile(one.seconds, 0.5) / quantile(of.seconds, 0.5) for one, of in zip(rounds, base, strict=True)
        )
        rate = statistics.median(one.rate for one in rounds)
        ratio = statistics.median(one.rate / of.rate for one, of in zip(rounds, base, strict=True))
        cpu = statistics.median(one.cpu_us for one in rounds)
        print(f"| {name} | {rate:,.0f} | {half:.2f} | {late:.2f} | {slower:.2f} | {ratio:.2f} | {cpu:,.0f} |")


def measured(folder: Path, sizes: Sizes) -> dict[int, Found]:
    """Prepare, start the servers, measure, stop them."""
    settings = Settings.at(folder / "data")
    stage = prepare(settings, sizes.rounds, sizes.fresh, sizes.late, sizes.crowds, sizes.late_n)
    rows = [step.rows for step in stage.timed()]
    size = round(sum(map(sum, rows)) / sum(map(len, rows)))
    print(
        f"{len(rows):,} activations that pass, {sum(map(len, rows)) / len(rows):.1f} events each, {size} bytes an event"
    )
    with (
        serving(Server("benchmarks.served", str(settings.data))) as product,
        serving(bare(folder, size)) as base,
        serving(bare(folder, size, per_turn=True)) as by_turn,
    ):
        for server in (product, base, by_turn):
            assert server.port
        result: dict[int, Found] = run(measure(product, base, by_turn, stage, sizes))
    return result


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--clients", type=int, nargs="*", default=[20, 100])
    parser.add_argument("--quick", action="store_true", help="few rounds, few battles: does it run?")
    parser.add_argument("--bare", metavar="FILE", help=argparse.SUPPRESS)
    parser.add_argument("--size", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--per-turn", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.bare:
        run(serve_bare(arguments.bare, arguments.size, arguments.per_turn))
        return
    sizes = Sizes(arguments.rounds, crowds=tuple(arguments.clients))
    if arguments.quick:
        sizes = Sizes(2, 2, 1, (10,), 10, 300)
    folder = Path(tempfile.mkdtemp(prefix="phalera-http-"))
    try:
        found = measured(folder, sizes)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    for clients, rows in found.items():
        show(rows, clients)


if __name__ == "__main__":
    main()
