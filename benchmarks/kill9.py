"""Kill the process at any moment and check that everything acknowledged is kept, in store and server.

    python -m benchmarks.kill9 --kills 50 [--seed 1] [--synchronous FULL]
    python -m benchmarks.kill9 --server --kills 50 [--seed 1] [--clients 8]

A child process appends under load and prints each append before it submits it and after it is acknowledged. The
parent kills it (SIGKILL) at a random moment, opens the file again and checks: every acknowledged append is there with
its hash; no append is there in part, its command, vault and outbox rows included; nothing is there twice; the chain
holds. Then it repeats what was submitted and not acknowledged: each is either done now, or answered as it was
recorded. The next child goes on in the same file. Exit code 0 if all kills passed, 1 at the first fault.

With `--server` the child is `phalera serve`, and the load comes over HTTP: clients who play battles, each request with
its own Idempotency-Key, some of two lines. After each kill the server starts again on the same folder and is asked for
the file of every battle: it must go on from what was last seen of it, byte for byte; every receipt must be a head of
it; every line of an acknowledged request must stand in it once, with the events that were answered; the whole must
verify, by chain, draws and rules, and end where the last order ends (no append in part). What was cut is sent again
with its key.

Only a power cut can test the disk's own promises; this tests the order of commit and answer.
"""

import argparse
import asyncio
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct

from benchmarks.http import PHRASE, Answer, Client, Server, enrolled, serving
from benchmarks.http import run as run_loop
from domain.log.record import FileFault
from replay.proof import chain
from replay.proof.notes import BadNote
from replay.proof.verify import verify
from server.settings import Settings as ServerSettings
from server.settings import make_folder
from server.store import Append, CommandRecord, Duplicate, EventRow, EventStore, Opening, StoreSettings
from server.store.tables import outbox, vault

BATTLES = 24
KILLS_PER_FILE = 8  # the whole file is checked after each kill: it should not grow forever
AT = "2025-03-01T12:00:00.000Z"


class Fault(Exception):
    """What must not be."""


class Load(NamedTuple):
    """What an append of the load consists of: all of it follows from battle, version and the hash before it."""

    append: Append
    n: int
    hash: bytes


def load(battle: str, expected: int, previous: bytes) -> Load:
    """The append that goes on after event `expected`: a few events, a secret for the first, a mail for the last."""
    count = 1 + (expected * 7 + len(battle)) % 8
    rows: list[EventRow] = []
    for i in range(1, count + 1):
        line = b'{"battle":"%b","first":%d,"i":%d,"n":%d,"of":%d,"pad":"%b"}' % (
            battle.encode(), expected + 1, i, expected + i, count, b"x" * 150,
        )  # fmt: skip
        previous = sha256(previous + line).digest()
        rows.append(("Loaded", line, previous))
    n = expected + count
    command = CommandRecord(
        sha256(f"{battle} {expected}".encode()).digest()[:16], previous, b"%d to %d" % (expected + 1, n)
    )
    also = (
        vault.put(vault.VaultSecret(battle, expected + 1, "sealed", "south", b"salt", previous)),
        outbox.post(battle, n, "p1", "turn", AT),
    )
    opens = Opening(header(battle), AT, "public") if expected == 0 else None
    return Load(Append(battle, expected, rows, command, also, opens), n, previous)


def header(battle: str) -> bytes:
    """The header of a battle of the load."""
    return b'{"battle":"%b"}' % battle.encode()


def head(store: EventStore, battle: str) -> tuple[int, bytes]:
    """Where to go on."""
    return store.head(battle) or (0, sha256(header(battle)).digest())


# --- the child


async def play(settings: StoreSettings) -> None:
    """Append to all battles at once, until killed."""
    store = EventStore.open(settings, asyncio.get_running_loop())

    async def one(battle: str) -> None:
        n, previous = head(store, battle)
        while True:
            this = load(battle, n, previous)
            os.write(1, b"try %b %d %b\n" % (battle.encode(), n, previous.hex().encode()))
            await store.submit(this.append)
            n, previous = this.n, this.hash
            os.write(1, b"ack %b %d %b\n" % (battle.encode(), n, previous.hex().encode()))

    await asyncio.gather(*(one(f"battle{i:02d}") for i in range(BATTLES)))


# --- the parent


def run_and_kill(settings: StoreSettings, after_s: float) -> list[list[str]]:
    """Start a child, kill it `after_s` seconds after its first line; returns the whole lines it printed."""
    command = [
        sys.executable,
        "-m",
        "benchmarks.kill9",
        "--child",
        settings.dbname,
        "--synchronous",
        settings.synchronous,
    ]
    root = Path(__file__).resolve().parent.parent
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=root) as child:
        assert child.stdout is not None
        printed = child.stdout.readline()
        os.set_blocking(child.stdout.fileno(), False)
        end = time.monotonic() + after_s
        while (left := end - time.monotonic()) > 0:  # keep the pipe empty: a full one would stop the child
            time.sleep(min(left, 0.002))
            printed += child.stdout.read() or b""
        child.send_signal(signal.SIGKILL)
        child.wait()
        os.set_blocking(child.stdout.fileno(), True)
        printed += child.stdout.read()
    if not printed:
        raise Fault("the child said nothing")
    return [line.decode().split() for line in printed.split(b"\n")[:-1]]


def check(store: EventStore, acknowledged: dict[tuple[str, int], str]) -> None:
    """All that was acknowledged, whole, once, and chained.

    Raises: Fault
    """
    stored: dict[tuple[str, int], str] = {}
    appends = 0
    for battle in store.battles():
        name, at, previous = battle.battle, 0, sha256(battle.header).digest()
        rows = store.read(name)
        while at < len(rows):
            this = load(name, at, previous)
            whole = [(at + i + 1, hash_, line) for i, (_, line, hash_) in enumerate(this.append.rows)]
            if rows[at : at + len(whole)] != whole:
                raise Fault(f"{name}: the append after {at} is not there as it was made")
            stored.update(((name, n), hash_.hex()) for n, hash_, _ in whole)
            require_company(store, this)
            at, previous, appends = this.n, this.hash, appends + 1
    for live in ("commands", "vault", "outbox"):
        ((count,),) = store.rows(f"SELECT COUNT(*) FROM {live}")
        if count != appends:
            raise Fault(f"{count} rows in {live} for {appends} appends")
    ((events,),) = store.rows("SELECT COUNT(*) FROM stored_events")
    if events != len(stored):
        raise Fault(f"{events} rows for {len(stored)} events")
    for (name, n), hash_ in acknowledged.items():
        if stored.get((name, n)) != hash_:
            raise Fault(f"{name} {n} was acknowledged with {hash_} and is {stored.get((name, n))}")


def require_company(store: EventStore, this: Load) -> None:
    """The rows that belong to an append.

    Raises: Fault
    """
    battle, first = this.append.battle, this.append.expected + 1
    assert this.append.command is not None
    known = store.command(this.append.command.command_id)
    if known is None or (known.first, known.events, known.answer) != (
        first,
        len(this.append.rows),
        this.append.command.answer,
    ):
        raise Fault(f"{battle} {first}: its command is {known}")
    if [secret.content for secret in vault.of_event(store, battle, first)] != [this.hash]:
        raise Fault(f"{battle} {first}: its secret is not in the vault")


def repeat(store: EventStore, battle: str, expected: int, previous: bytes) -> bool:
    """Submit again what was not acknowledged; was it there already?

    Raises: Fault if the answer is another one than was recorded
    """
    this = load(battle, expected, previous)
    try:
        done = store.append_now(this.append)
    except Duplicate as duplicate:
        if this.append.command is None or duplicate.answer != this.append.command.answer:
            raise Fault(f"{battle} {expected}: answered {duplicate.answer!r}") from duplicate
        return True
    if done.n != this.n:
        raise Fault(f"{battle} {expected}: appended to {done.n}")
    return False


def run(folder: Path, kills: int, seed: int, synchronous: str = "FULL", longest_s: float = 0.4) -> dict[str, int]:
    """Kill `kills` times; returns what was seen.

    Raises: Fault
    """
    moments = random.Random(seed)
    acknowledged: dict[tuple[str, int], str] = {}
    seen = dict.fromkeys(("kills", "acknowledged", "cut", "cut and there"), 0)
    for kill in range(kills):
        settings = StoreSettings(dbname=str(folder / f"kill9-{kill // KILLS_PER_FILE}.db"), synchronous=synchronous)
        if kill % KILLS_PER_FILE == 0:
            acknowledged.clear()
        tried: dict[str, tuple[int, bytes]] = {}
        for word, battle, n, hash_ in run_and_kill(settings, moments.uniform(0.0, longest_s)):
            if word == "try":
                tried[battle] = (int(n), bytes.fromhex(hash_))
            else:
                tried.pop(battle)
                acknowledged[battle, int(n)] = hash_
                seen["acknowledged"] += 1
        with EventStore.open(settings) as store:
            check(store, acknowledged)
            for battle, (expected, previous) in tried.items():
                seen["cut"] += 1
                seen["cut and there"] += repeat(store, battle, expected, previous)
            check(store, acknowledged)
        seen["kills"] += 1
    return seen


# --- the whole server

ORDER = b'"type":"OrderAccepted"}'
V1 = "/api/v1/battles"


class Request(NamedTuple):
    """A request of the load."""

    battle: str
    side: str
    key: str
    body: bytes


class LineAnswer(Struct):
    """What was answered to a line."""

    status: str
    events: tuple[msgspec.Raw, ...] = ()


class OrdersAnswer(Struct):
    """What was answered to a request; without `receipt` it was not played at all."""

    lines: tuple[LineAnswer, ...] = ()
    receipt: str = ""


class Seen(Struct):
    """What the clients know of a data folder: file lines by battle, and what was promised since they were read."""

    tokens: dict[str, str] = {}
    logs: dict[str, bytes] = {}
    receipts: list[tuple[str, str]] = []
    events: list[tuple[str, bytes]] = []
    cut: list[Request] = []


async def play_until_cut(port: int, seen: Seen, clients: int, pick: random.Random) -> None:
    """Play all battles, each by a client of its own, until the server is gone."""
    battles = [*seen.logs][:clients]
    await asyncio.gather(*(_play_until_cut(port, seen, battle, random.Random(pick.random())) for battle in battles))


async def _play_until_cut(port: int, seen: Seen, battle: str, pick: random.Random) -> None:
    request: Request | None = None
    try:
        async with await Client.at(port) as client:
            while True:
                view = await client.ask("GET", f"{V1}/{battle}", token=seen.tokens["south"])
                waits = msgspec.json.decode(view.content)["to_act"]
                if not waits:
                    return  # the battle has ended
                shown = await client.ask("GET", f"{V1}/{battle}/options", token=seen.tokens[waits[0]])
                found = msgspec.json.decode(shown.content)["options"]
                text = "\n".join(option["order"] for option in pick.choices(found, k=pick.choice((1, 1, 2))))
                body = msgspec.json.encode({"orders": text, "phrase": PHRASE})
                request = Request(battle, waits[0], pick.randbytes(16).hex(), body)
                note_answer(seen, request, await give(client, seen, request))
                request = None
    except OSError:
        if request is not None:
            seen.cut.append(request)


async def give(client: Client, seen: Seen, request: Request) -> Answer:
    """Send a request, or send it again."""
    path = f"{V1}/{request.battle}/orders"
    return await client.ask("POST", path, request.body, seen.tokens[request.side], request.key)


def note_answer(seen: Seen, request: Request, answer: Answer) -> int:
    """Keep what an answer promises; returns how many lines were accepted.

    Raises: Fault
    """
    told = msgspec.json.decode(answer.content, type=OrdersAnswer)
    if answer.status not in (200, 409, 422):
        raise Fault(f"{request} was answered {answer}")
    if told.receipt:
        seen.receipts.append((request.battle, told.receipt))
    accepted = [line for line in told.lines if line.status == "accepted"]
    seen.events += [(request.battle, bytes(event)) for line in accepted for event in line.events]
    return len(accepted)


async def look(port: int, seen: Seen) -> None:
    """Ask for the files of all battles, and compare them with what is known.

    Raises: Fault, FileFault, BadNote
    """
    for battle in seen.logs:
        async with await Client.at(port) as client:
            answer = await client.ask("GET", f"{V1}/{battle}/export")
        compare(seen, battle, answer.content)
    seen.receipts.clear()
    seen.events.clear()


def compare(seen: Seen, battle: str, content: bytes) -> None:
    """A battle file has all that was promised, goes on from what it was, and verifies.

    Raises: Fault; FileFault, BadNote for a receipt that is no head of it
    """
    log = content[: content.rindex(b"\n", 0, -1) + 1]  # without the checkpoint, which is signed anew each time
    if not log.startswith(seen.logs[battle]):
        raise Fault(f"{battle}: its log does not go on from what it was")
    report = verify(content)
    if report.exit != 0:
        raise Fault(f"{battle}: {report.fault}")
    chained = chain.open_file(content)
    for of, note in seen.receipts:
        if of == battle:
            chain.require_prefix(chained, note)
    lines = set(log.splitlines())
    for of, event in seen.events:
        if of == battle and event not in lines:
            raise Fault(f"{battle}: an acknowledged event is not there: {event!r}")
    orders = Counter(_order_key(line) for line in lines if line.endswith(ORDER))
    twice = [key for key, count in orders.items() if count > 1]
    if twice:
        raise Fault(f"{battle}: played twice: {twice}")
    seen.logs[battle] = log


def _order_key(line: bytes) -> tuple[str, str, int]:
    data = msgspec.json.decode(line)["data"]
    return data["player"], data["key"], data["line"]


async def send_again(port: int, seen: Seen) -> int:
    """Send what was cut once more; returns how many lines were accepted, then or now."""
    done = 0
    async with await Client.at(port) as client:
        while seen.cut:
            request = seen.cut.pop()
            done += note_answer(seen, request, await give(client, seen, request))
    return done


async def open_battles(port: int, seen: Seen, count: int) -> None:
    """Battles to play, both sides taken."""
    async with await Client.at(port) as client:
        for _ in range(count):
            answer = await client.ask("POST", V1, b'{"scenario":"cannae"}', seen.tokens["south"])
            battle = msgspec.json.decode(answer.content)["battle"]
            for side, token in seen.tokens.items():
                await client.ask("POST", f"{V1}/{battle}/sides/{side}", b'{"phrase":"%b"}' % PHRASE.encode(), token)
            seen.logs[battle] = b""


async def one_kill(server: Server, seen: Seen, clients: int, after_s: float, pick: random.Random) -> None:
    """Play, and kill the server at a moment of it."""
    playing = asyncio.ensure_future(play_until_cut(server.port, seen, clients, pick))
    await asyncio.sleep(after_s)
    server.process.kill()
    await playing


def run_server(folder: Path, kills: int, seed: int, clients: int = 8, longest_s: float = 0.5) -> dict[str, int]:
    """Kill a server `kills` times under load; returns what was seen.

    Raises: Fault
    """
    pick = random.Random(seed)
    found = dict.fromkeys(("kills", "events", "requests acknowledged", "cut", "lines of them played"), 0)
    seen = Seen()
    kill = 0
    while True:
        data = folder / f"data-{kill // KILLS_PER_FILE}"
        if kill % KILLS_PER_FILE == 0 or kill == kills:
            _last_look(folder, kill, seen, found)
            if kill == kills:
                return found
            seen = _new_folder(data)
        server = Server.of(data)
        try:
            if not seen.logs:
                run_loop(open_battles(server.port, seen, clients))
            _judge(server, data, seen, found)
            run_loop(one_kill(server, seen, clients, pick.uniform(0.0, longest_s), pick))
            found["requests acknowledged"] += len(seen.receipts)
        finally:
            server.end(signal.SIGKILL)
        kill += 1
        found["kills"] += 1


def _new_folder(data: Path) -> Seen:
    settings = ServerSettings.at(data)
    make_folder(settings)
    with EventStore.open(settings.store()) as store:
        return Seen({side: token for side, (_, token) in enrolled(store, "south", "north").items()})


def require_whole_appends(file: Path) -> None:
    """Every log ends where its last order's events end, as its command says: also what no rule would miss is there.

    Raises: Fault
    """
    ends = "SELECT battle, MAX(first + count - 1) FROM commands WHERE count > 0 GROUP BY battle"
    last = "SELECT MAX(originator_version) FROM stored_events WHERE originator_id = ?"
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as db:
        for battle, end in db.execute(ends).fetchall():
            ((n,),) = db.execute(last, (battle,)).fetchall()
            if n != end:
                raise Fault(f"{battle} ends at {n}, its last order at {end}")


def _judge(server: Server, data: Path, seen: Seen, found: dict[str, int]) -> None:
    """After a start: look, send again what was cut, look again."""
    require_whole_appends(ServerSettings.at(data).log)
    run_loop(look(server.port, seen))
    found["cut"] += len(seen.cut)
    found["lines of them played"] += run_loop(send_again(server.port, seen))
    run_loop(look(server.port, seen))


def _last_look(folder: Path, kill: int, seen: Seen, found: dict[str, int]) -> None:
    """Before a folder is left: one more start."""
    if not kill:
        return
    data = folder / f"data-{(kill - 1) // KILLS_PER_FILE}"
    with serving(Server.of(data)) as server:
        _judge(server, data, seen, found)
    found["events"] += sum(log.count(b"\n") - 1 for log in seen.logs.values())


def main() -> int:
    """Parse, run, report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=None, help="of the moments; drawn and printed if not given")
    parser.add_argument("--synchronous", default="FULL", choices=("FULL", "NORMAL"))
    parser.add_argument("--server", action="store_true", help="kill `phalera serve` under HTTP load")
    parser.add_argument("--clients", type=int, default=8, help="of the server")
    parser.add_argument("--child", metavar="FILE", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        asyncio.run(play(StoreSettings(dbname=arguments.child, synchronous=arguments.synchronous)))
    seed = random.randrange(2**32) if arguments.seed is None else arguments.seed
    with tempfile.TemporaryDirectory(prefix="phalera-kill9-") as folder:
        try:
            if arguments.server:
                seen = run_server(Path(folder), arguments.kills, seed, arguments.clients)
            else:
                seen = run(Path(folder), arguments.kills, seed, arguments.synchronous)
        except (Fault, FileFault, BadNote) as fault:
            print(f"FAULT (seed {seed}): {fault}")
            return 1
    print(
        f"seed {seed}: "
        + ", ".join(f"{count} {what}" for what, count in seen.items())
        + "; nothing lost, nothing twice"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
