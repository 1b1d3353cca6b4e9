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
import random
import shutil
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, Self

import msgspec
from msgspec import Struct

from domain.catalogue import RULESETS
from domain.data import scenario_text
from domain.engine.decide import to_act
from domain.engine.inputs import Entry
from domain.engine.seats import Seat
from domain.log.record import FORMAT, VERSION, Header
from domain.ruleset import Option
from server.clock import SystemClock
from server.entropy import SystemEntropy, new_id
from server.people.keys import read_or_make_key
from server.people.players import enrol
from server.play.recording import Batch, Recording
from server.settings import Settings, make_folder
from server.store import Append, EventStore, Opening
from server.store.tables import vault

RULES = RULESETS["tts"]
PHRASE = "a phrase of sixteen bytes"
AT = "2026-01-01T00:00:00.000Z"
ROOT = Path(__file__).resolve().parents[1]
CLOCK, ENTROPY = SystemClock(), SystemEntropy()
SIDES = ("south", "north")

IN_A_ROW = 4
"""Timed orders of a battle between two that are not timed."""
ABOUT = 6
"""Events of an order as near to this as the position allows."""
LOOKED_AT = 6
"""Options tried for it, of those with many events and of those with few."""
LATE = 2_000
FOLLOWED_ROUNDS = 3


# --- a server in its own process


class Server:
    """A process that serves on 127.0.0.1."""

    def __init__(self, *arguments: str) -> None:
        command = [sys.executable, "-m", *arguments]
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT, env=environment, text=True)

    @cached_property
    def port(self) -> int:
        """Where it serves; waits until it has said so."""
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        if not said.strip():
            raise RuntimeError("the server did not start")
        return int(said.rpartition(":")[2])

    @classmethod
    def of(cls, folder: Path) -> Self:
        """`phalera serve` on a data folder."""
        return cls("server.cli.main", "serve", "--data", str(folder), "--port", "0")

    def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Stop it, and wait for its end."""
        self.process.send_signal(how)
        code = self.process.wait(30)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code


@contextmanager
def serving(server: Server) -> Iterator[Server]:
    """A server for the time of a block."""
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.end()


def enrolled(store: EventStore, *names: str) -> dict[str, tuple[str, str]]:
    """New players by name: (id, API token)."""
    made = {name: enrol(CLOCK, ENTROPY, name) for name in names}
    for one in made.values():
        store.write_now(*one.statements)
    return {name: (one.account.player, one.api_token) for name, one in made.items()}


# --- a client


class Answer(NamedTuple):
    """Status and body of a response, and how long it took from the request's first byte to its own last."""

    status: int
    content: bytes
    seconds: float


class Client(asyncio.Protocol):
    """One connection that stays open, one request at a time."""

    def __init__(self) -> None:
        self._buffer = b""
        self._asked = 0.0
        self._answer: asyncio.Future[Answer] | None = None
        self._lost = False

    @classmethod
    async def at(cls, port: int) -> Self:
        """A client of a server on this machine."""
        _, client = await asyncio.get_running_loop().create_connection(cls, "127.0.0.1", port)
        return client

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def ask(
        self, method: str, path: str, body: bytes = b"", token: str = "", key: str = ""
    ) -> "asyncio.Future[Answer]":
        """Send a request. The answer fails with ConnectionResetError if the server goes away."""
        self._answer = asyncio.get_running_loop().create_future()
        if self._lost:
            self._answer.set_exception(ConnectionResetError())
            return self._answer
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        if token:
            head += f"Authorization: Bearer {token}\r\n"
        if key:
            head += f"Idempotency-Key: {key}\r\n"
        if body:
            head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        request = f"{head}\r\n".encode() + body
        self._asked = time.perf_counter()
        self._transport.write(request)
        return self._answer

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        head, end, content = self._buffer.partition(b"\r\n\r\n")
        if not end or self._answer is None:
            return
        length = int(head.lower().rpartition(b"content-length:")[2].split(b"\r\n", 1)[0])
        if len(content) < length:
            return
        seconds = time.perf_counter() - self._asked
        self._buffer = b""
        if not self._answer.done():
            self._answer.set_result(Answer(int(head[9:12]), content, seconds))

    def connection_lost(self, reason: Exception | None) -> None:
        self._lost = True
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(ConnectionResetError())

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *reason: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Hang up: no loop ends well under an open connection."""
        self._transport.close()
        while not self._lost:
            await asyncio.sleep(0)


def run(main: Coroutine[Any, Any, Any]) -> Any:
    """Run on uvloop where it is installed, as the server does."""
    factory: Callable[[], asyncio.AbstractEventLoop] = asyncio.new_event_loop
    with suppress(ImportError):
        import uvloop

        factory = uvloop.new_event_loop
    with asyncio.Runner(loop_factory=factory) as runner:
        return runner.run(main)


# --- battles that are rehearsed


class Step(Struct, frozen=True):
    """An order to give; `rows` are the sizes of the events that will come of it, hashes included."""

    side: str
    text: str
    rows: tuple[int, ...]


class Chunk(Struct, frozen=True):
    """Orders that lead on, and then orders to be timed."""

    before: tuple[Step, ...]
    timed: tuple[Step, ...]


class Rehearsal:
    """A battle that stands in the store up to some event and is played ahead in memory from there.

    The server comes to the same draws: they follow from the battle's secret, its id, the phrases and the orders.
    """

    def __init__(
        self, store: EventStore, settings: Settings, players: dict[str, str], scenario: dict[str, Any]
    ) -> None:
        signer = read_or_make_key(settings.key, settings.host, ENTROPY)
        header = Header(
            new_id(ENTROPY), AT, FORMAT, settings.host, signer.key, RULES.version, RULES.code, VERSION
        )  # fmt: skip
        master = ENTROPY.bytes(32)
        self.id = header.battle
        self.players = players
        self.chunks: list[Chunk] = []
        self._pick = random.Random(self.id)
        self._store = store
        self._recording = Recording(header, master, RULES, lambda: ENTROPY.bytes(32))
        opening = Opening(self._recording.header_line, AT, "public")
        self._write(self._recording.open(scenario, "public", AT), opening, (vault.put_master(self.id, master),))
        phrases = dict.fromkeys(SIDES, PHRASE)
        for side in SIDES:
            self._write(self._recording.join(Seat(side, players[side], side), phrases, AT))

    def _write(self, batch: Batch, opens: Opening | None = None, also: Sequence[Any] = ()) -> None:
        expected = self._recording.battle.n
        self._store.append_now(Append(self.id, expected, batch.rows, also=also, opens=opens))
        self._recording.adopt(batch)

    def go_to(self, n: int) -> Self:
        """Manoeuvre until the store has event `n`: nobody is lost, so the board stays as full as it was."""
        while self._recording.battle.n < n:
            quiet = [option for option in self._options() if option.kind in ("move", "turn", "group", "end-turn")]
            option = self._pick.choice(quiet) if quiet and self._pick.random() < 0.9 else self._options()[-1]
            self._write(self._order(option.order))
        return self

    def rehearse(self, chunks: int, in_a_row: int = IN_A_ROW) -> Self:
        """Play so many chunks ahead."""
        for _ in range(chunks):
            self.chunks.append(self._chunk(in_a_row))
        return self

    def _chunk(self, in_a_row: int) -> Chunk:
        before: list[Step] = []
        timed: list[Step] = []
        while len(timed) < in_a_row:
            passing = self._passing()
            if passing is not None:
                timed.append(self._played(*passing))
                continue
            before += timed
            timed.clear()
            order = (self._drawing() or self._options())[
                -1
            ].order  # what fails is played too: else its cards would stay
            before.append(self._played(order, self._order(order)))
        return Chunk(tuple(before), tuple(timed))

    def _passing(self) -> tuple[str, Batch] | None:
        """An activation that passes and leaves no question behind."""
        drawing = self._drawing()
        self._pick.shuffle(drawing)
        drawing.sort(key=lambda option: option.kind in ("move", "turn"))  # groups and fights have more events
        found: list[tuple[str, Batch]] = []
        for option in (*drawing[:LOOKED_AT], *drawing[LOOKED_AT:][-LOOKED_AT:]):
            batch = self._order(option.order)
            types = {recorded.type for recorded in batch.recorded}
            if "ActivationPassed" in types and not types & {"DecisionAsked", "BattleEnded"}:
                found.append((option.order, batch))
                if len(batch.rows) == ABOUT:
                    break
        return min(found, key=lambda one: abs(len(one[1].rows) - ABOUT), default=None)

    def _drawing(self) -> list[Option]:
        return [option for option in self._options() if option.needed and option.kind not in ("answer", "leave")]

    def _played(self, text: str, batch: Batch) -> Step:
        side = self._side()
        self._recording.adopt(batch)
        return Step(side, text, tuple(len(line) + len(hash_) for _, line, hash_ in batch.rows))

    def _side(self) -> str:
        return to_act(RULES, self._recording.battle.game)[0]

    def _options(self) -> Sequence[Option]:
        side = self._side()
        return RULES.orders.options(self._recording.known(side), side)

    def _order(self, text: str) -> Batch:
        side = self._side()
        entry = Entry(side, text, self.players[side], "api", key="0" * 16, phrase=PHRASE, phrase_required=True)
        return self._recording.order(entry, AT)


def endless(name: str) -> dict[str, Any]:
    """A packaged scenario that nobody wins."""
    scenario: dict[str, Any] = tomllib.loads(scenario_text("tts", name))
    scenario["options"] = {**scenario.get("options", {}), "turn_limit": 0}
    for side in scenario["sides"].values():
        side["medals"] = 9_999
    return scenario


class Stage(Struct):
    """All battles of a run, and who plays them: tokens by side."""

    tokens: dict[str, str]
    fresh: list[list[Rehearsal]]
    late: list[Rehearsal]
    crowd: list[Rehearsal]

    def timed(self) -> Iterator[Step]:
        """Every order that will be timed."""
        for battle in (*self.late, *self.crowd, *(one for round_ in self.fresh for one in round_)):
            for chunk in battle.chunks:
                yield from chunk.timed


def prepare(settings: Settings, rounds: int, fresh: int, late: int, crowd: int, late_n: int = LATE) -> Stage:
    """Fill a data folder: `fresh` battles for each round, `late` ones at event `late_n`, and a `crowd`.

    There is a chunk for each round, and one more to get warm.
    """
    make_folder(settings)
    scenario = endless("cannae")
    with EventStore.open(msgspec.structs.replace(settings.store(), synchronous="NORMAL")) as store:
        players = enrolled(store, *SIDES)
        ids = {side: player for side, (player, _) in players.items()}

        def some(count: int, chunks: int, n: int = 0) -> list[Rehearsal]:
            made = (Rehearsal(store, settings, ids, scenario) for _ in range(count))
            return [battle.go_to(n).rehearse(chunks) for battle in made]

        return Stage(
            {side: token for side, (_, token) in players.items()},
            [some(fresh, 1) for _ in range(rounds + 1)],
            some(late, rounds + 1, late_n),
            some(crowd, rounds + 1 + FOLLOWED_ROUNDS),
        )


# --- orders over HTTP


async def sit_down(client: Client, battle: str) -> None:
    """Let the server fetch a battle into its memory."""
    answer = await client.ask("GET", f"/api/v1/battles/{battle}/events?limit=1")
    assert answer.status == 200, answer


async def give(client: Client, stage: Stage, battle: str, step: Step) -> float:
    """Give an order; how long it took."""
    body = b'{"orders":"%b","phrase":"%b"}' % (step.text.encode(), PHRASE.encode())
    path = f"/api/v1/battles/{battle}/orders"
    answer = await client.ask("POST", path, body, stage.tokens[step.side], os.urandom(16).hex())
    assert answer.status == 200, answer
    found = answer.content.count(b'"hash":"')
    assert found == len(step.rows), f"{step} came out with {found} events: {answer.content!r}"
    return answer.seconds


async def one_after_another(port: int, stage: Stage, work: Iterable[tuple[str, Chunk]]) -> list[float]:
    """A single client: seconds of each timed order."""
    taken = []
    async with await Client.at(port) as client:
        for battle, chunk in work:
            await sit_down(client, battle)
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
        await sit_down(client, battle)
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
    body = b'{"orders":"R1 turn left","phrase":"%b"}' % PHRASE.encode()

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
