"""The cost of a durable order over HTTP, beside a bare handler that makes the same commit.

    python -m benchmarks.http [--rounds 7] [--battles 100] [--quick]

The order is an activation that passes, of about six events: authenticated, with an Idempotency-Key, answered with its
events and the signed head when it is on the disk (FULL). The base is an aiohttp handler on the same event loop that
decodes the same JSON and commits six rows of the same size with `sqlite3`, each request its own transaction; a second
one commits once per turn of the event loop, the best that can be done by hand. Both run in processes of their own;
this process makes the load. What the server will draw is known here beforehand, since its secrets are made here: so the
orders are rehearsed, only passing activations are timed, and no option is asked for while the clock runs.
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
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
from msgspec import Raw, Struct
from msgspec.json import Decoder

from benchmarks.loopback import Client, Server, run, serving
from benchmarks.rehearsal import FOLLOWED_ROUNDS, IN_A_ROW, LATE, PHRASE, Chunk, Stage, Step, prepare
from server.settings import Settings

# --- orders over HTTP


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


async def one_after_another(port: int, stage: Stage, work: Iterable[tuple[str, Chunk]]) -> list[float]:
    """A single client: seconds of each timed order."""
    taken = []
    async with await Client.at(port) as client:
        for battle, chunk in work:
            await sit_down(client, stage, battle)
            for step in chunk.before:
                await give(client, stage, battle, step)
            for step in chunk.timed:
                taken.append(await give(client, stage, battle, step))
    return taken


async def all_at_once(port: int, stage: Stage, work: Sequence[tuple[str, Chunk]]) -> tuple[float, list[float]]:
    """A client for each battle: orders per second of the timed ones, and seconds of each."""
    seats = [(await Client.at(port), battle, chunk) for battle, chunk in work]

    async def lead(client: Client, battle: str, steps: Sequence[Step]) -> list[float]:
        return [await give(client, stage, battle, step) for step in steps]

    for client, battle, _ in seats:
        await sit_down(client, stage, battle)
    await asyncio.gather(*(lead(client, battle, chunk.before) for client, battle, chunk in seats))
    start = time.perf_counter()
    taken = await asyncio.gather(*(lead(client, battle, chunk.timed) for client, battle, chunk in seats))
    passed = time.perf_counter() - start
    for client, _, _ in seats:
        await client.close()
    seconds = [one for some in taken for one in some]
    return len(seconds) / passed, seconds


async def bare_requests(port: int, clients: int, each: int) -> tuple[float, list[float]]:
    """The same load on a bare handler: requests per second, and seconds of each."""
    connected = [await Client.at(port) for _ in range(clients)]
    seen = b'{"n":1000,"hash":"%b"}' % (b"0" * 64)
    body = b'{"orders":"R1 turn left","phrase":"%b","seen":%b}' % (PHRASE.encode(), seen)

    async def one(client: Client, number: int) -> list[float]:
        taken = []
        for _ in range(each):
            answer = await client.ask("POST", f"/api/v1/battles/b{number:07}/orders", body, "0" * 32)
            assert answer.status == 200, answer
            taken.append(answer.seconds)
        return taken

    start = time.perf_counter()
    taken = await asyncio.gather(*(one(client, number) for number, client in enumerate(connected)))
    passed = time.perf_counter() - start
    for client in connected:
        await client.close()
    return clients * each / passed, [one for some in taken for one in some]


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
FRESH, OLD = "an order, first events of a battle", f"an order, from event {LATE:,} on"
CROWD, FOLLOWED = "orders, a battle each", "orders, a battle each, read models following"
Found = dict[str, list[tuple[float, list[float]]]]
"""By row, of each round: requests per second, and seconds of each request."""


class Sizes(Struct, frozen=True):
    """How much of everything."""

    rounds: int = 7
    fresh: int = 12
    late: int = 4
    crowd: int = 100
    bare_each: int = 50
    late_n: int = LATE


async def measure(product: int, base: int, by_turn: int, stage: Stage, sizes: Sizes) -> tuple[Found, Found]:
    """All rounds, the first to get warm: with one client, and with many."""
    single: Found = {BASE: [], FRESH: [], OLD: []}
    many: Found = {BASE: [], BY_TURN: [], CROWD: []}

    async def alone(work: Iterable[tuple[str, Chunk]]) -> tuple[float, list[float]]:
        seconds = await one_after_another(product, stage, work)
        return len(seconds) / sum(seconds), seconds

    def crowd(number: int) -> list[tuple[str, Chunk]]:
        return [(battle.id, battle.chunks[number]) for battle in stage.crowd]

    for number in range(sizes.rounds + 1):
        single[BASE].append(await bare_requests(base, 1, sizes.bare_each))
        single[FRESH].append(await alone((battle.id, battle.chunks[0]) for battle in stage.fresh[number]))
        single[OLD].append(await alone((battle.id, battle.chunks[number]) for battle in stage.late))
        many[BASE].append(await bare_requests(base, sizes.crowd, IN_A_ROW))
        many[BY_TURN].append(await bare_requests(by_turn, sizes.crowd, IN_A_ROW))
        many[CROWD].append(await all_at_once(product, stage, crowd(number)))
    for found in (single, many):
        for some in found.values():
            del some[0]
    async with await Client.at(product) as client:
        assert (await client.ask("GET", "/api/v1/battles")).status == 200  # from now on the read models follow
    many[FOLLOWED] = [
        await all_at_once(product, stage, crowd(sizes.rounds + 1 + number)) for number in range(FOLLOWED_ROUNDS)
    ]
    return single, many


def quantile(seconds: Sequence[float], share: float) -> float:
    """The value that so many of the values do not exceed."""
    ordered = sorted(seconds)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def show_single(found: Found) -> None:
    """The table of one client: medians over the rounds of p50, p99 over all rounds."""
    base = [quantile(seconds, 0.5) for _, seconds in found[BASE]]
    base_all = quantile([one for _, seconds in found[BASE] for one in seconds], 0.99)
    print("\n### One client, FULL\n")
    print("| what | p50 ms | p99 ms | p50 ratio | p99 ratio | reach |\n|---|---|---|---|---|---|")
    for name, rounds in found.items():
        halves = [quantile(seconds, 0.5) for _, seconds in rounds]
        late = quantile([one for _, seconds in rounds for one in seconds], 0.99)
        ratio = statistics.median(a / b for a, b in zip(halves, base, strict=True))
        reach = "" if name == BASE else "p50 ≤ 2.5"
        print(
            f"| {name} | {statistics.median(halves) * 1e3:.2f} | {late * 1e3:.2f} | {ratio:.2f} | "
            f"{late / base_all:.2f} | {reach} |"
        )


def show_many(found: Found, clients: int) -> None:
    """The table of many clients: medians over the rounds."""
    base = [rate for rate, _ in found[BASE]]
    print(f"\n### {clients} battles at once, {clients} clients, FULL\n")
    print("| what | per second | p50 ms | p99 ms | ratio | reach |\n|---|---|---|---|---|---|")
    for name, rounds in found.items():
        rate = statistics.median(rate for rate, _ in rounds)
        ratio = statistics.median(rate / of for (rate, _), of in zip(rounds, base, strict=False))
        half, late = (statistics.median(quantile(s, share) for _, s in rounds) * 1e3 for share in (0.5, 0.99))
        reach = "≥ 0.25" if name in (CROWD, FOLLOWED) else ""
        print(f"| {name} | {rate:,.0f} | {half:.1f} | {late:.1f} | {ratio:.2f} | {reach} |")


def measured(folder: Path, sizes: Sizes) -> tuple[Found, Found]:
    """Prepare, start the servers, measure, stop them."""
    settings = Settings.at(folder / "data")
    stage = prepare(settings, sizes.rounds, sizes.fresh, sizes.late, sizes.crowd, sizes.late_n)
    rows = [step.rows for step in stage.timed()]
    size = round(sum(map(sum, rows)) / sum(map(len, rows)))
    print(
        f"{len(rows):,} activations that pass, {sum(map(len, rows)) / len(rows):.1f} events each, {size} bytes an event"
    )
    with (
        serving(Server.of(settings.data)) as product,
        serving(bare(folder, size)) as base,
        serving(bare(folder, size, per_turn=True)) as by_turn,
    ):
        result: tuple[Found, Found] = run(measure(product.port, base.port, by_turn.port, stage, sizes))
    return result


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--battles", type=int, default=100)
    parser.add_argument("--quick", action="store_true", help="few rounds, few battles: does it run?")
    parser.add_argument("--bare", metavar="FILE", help=argparse.SUPPRESS)
    parser.add_argument("--size", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--per-turn", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.bare:
        run(serve_bare(arguments.bare, arguments.size, arguments.per_turn))
        return
    sizes = Sizes(arguments.rounds, crowd=arguments.battles)
    if arguments.quick:
        sizes = Sizes(2, 2, 1, 10, 10, 300)
    folder = Path(tempfile.mkdtemp(prefix="phalera-http-"))
    try:
        single, many = measured(folder, sizes)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    show_single(single)
    show_many(many, sizes.crowd)


if __name__ == "__main__":
    main()
