"""Kill `phalera serve` under HTTP load and check that everything acknowledged is kept (`benchmarks.kill9 --server`)."""

import asyncio
import random
import signal
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct

from benchmarks.loopback import Answer, Client, Server, enrolled, serving
from benchmarks.loopback import run as run_loop
from benchmarks.rehearsal import PHRASE
from replay.proof import chain
from replay.proof.verify import NOT_ALL_JUDGED, OK, verify
from server.settings import Settings as ServerSettings
from server.settings import make_folder
from server.store import EventStore

KILLS_PER_FILE = 8  # the whole file is checked after each kill: it should not grow forever


class Fault(Exception):
    """What must not be."""


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
                known = msgspec.json.decode(view.content)
                waits = known["to_act"]
                if not waits:
                    return  # the battle has ended
                shown = await client.ask("GET", f"{V1}/{battle}/options", token=seen.tokens[waits[0]])
                found = msgspec.json.decode(shown.content)["options"]
                text = "\n".join(option["order"] for option in pick.choices(found, k=pick.choice((1, 1, 2))))
                body = msgspec.json.encode({"orders": text, "phrase": PHRASE, "seen": known["head"]})
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
    if report.exit not in (OK, NOT_ALL_JUDGED):
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


def _order_key(line: bytes) -> tuple[str, str, int, str]:
    """What an order is played once under: an order that another needs first has its line, too."""
    data = msgspec.json.decode(line)["data"]
    return data["player"], data["key"], data["line"], data.get("text", "")


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
            known = msgspec.json.decode(answer.content)
            battle = known["battle"]
            for side, token in seen.tokens.items():
                body = msgspec.json.encode({"phrase": PHRASE, "seen": known["head"]})
                answer = await client.ask("POST", f"{V1}/{battle}/sides/{side}", body, token)
                known = msgspec.json.decode(answer.content)
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
            seen = new_folder(data)
        server = Server.of(data)
        try:
            if not seen.logs:
                run_loop(open_battles(server.port, seen, clients))
            judge(server, data, seen, found)
            run_loop(one_kill(server, seen, clients, pick.uniform(0.0, longest_s), pick))
            found["requests acknowledged"] += len(seen.receipts)
        finally:
            server.end(signal.SIGKILL)
        kill += 1
        found["kills"] += 1


def new_folder(data: Path) -> Seen:
    """A data folder with two players."""
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


def judge(server: Server, data: Path, seen: Seen, found: dict[str, int]) -> None:
    """After a start: look, send again what was cut, look again.

    Raises: Fault, FileFault, BadNote
    """
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
        judge(server, data, seen, found)
    found["events"] += sum(log.count(b"\n") - 1 for log in seen.logs.values())
