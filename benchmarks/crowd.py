"""Let many read one battle as browsers do: count who is refused, and time who is up to date and what players wait.

    python -m benchmarks.crowd [--readers 1000] [--addresses 1 600] [--orders 12] [--every 5] [--nginx PATH] [--known]
        [--quick]

The server is `phalera serve` with its usual limits, the readers are a process of their own. Each reader fetches the
page with its styles and scripts, opens the stream, and after each order fetches what the page fetches: itself, and
the line by which it sees that the history is the same. Addresses are those of the loopback (127.X.Y.Z), or, behind
nginx, what the proxy passes on. A reader is up to date when the page of the newest event has come, counted from the
moment at which the order was sent. `--known`: their browsers have styles and scripts from another visit. Meanwhile a
player of the battle asks for its view and its page ten times a second, in an open loop. CPU is that of the serving
process for an order and all that follows.
"""

import argparse
import asyncio
import gzip
import json
import os
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from msgspec import Struct

from benchmarks.attack import BATTLES, Stage, offer, opened
from benchmarks.loopback import ROOT, Answer, Client, Server, enrolled, run, serving
from server.settings import Settings, make_folder
from server.store import EventStore

HTML = "text/html"
GATHER_S = 0.12
"""How long the page waits for more events before it fetches itself."""
PATIENCE_S = 30.0
EVERY_S = 0.1
ARRIVALS_S = 0.01
"""Between two readers who arrive."""
STATIC = re.compile(r'(?:href|src)="(/static/[^"]+)"')
NEWEST = re.compile(r'data-n="(\d+)"')
EVENT = re.compile(rb"^id: (\d+)$", re.M)
PROXY = """daemon off; error_log stderr error; pid {folder}/pid; worker_processes 1;
events {{ worker_connections 8192; }}
http {{ access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
upstream phalera {{ server 127.0.0.1:{port}; keepalive 64; }}
server {{ listen 127.0.0.1:{front} backlog=4096;
location / {{ proxy_pass http://phalera; proxy_http_version 1.1; proxy_set_header Connection "";
proxy_set_header Host $host; proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; proxy_read_timeout 1h; }}
location ~ /stream$ {{ proxy_pass http://phalera; proxy_http_version 1.1; proxy_set_header Connection "";
proxy_set_header Host $host; proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; proxy_read_timeout 1h;
proxy_buffering off; }} }} }}
"""


# --- readers, in a process of their own


class Stream(asyncio.Protocol):
    """The event stream of a reader: the newest event that it told of."""

    def __init__(self, path: str, more: str) -> None:
        self._request = f"GET {path} HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n{more}\r\n"
        self.bell = asyncio.Event()
        self.newest = 0
        self.status = 0

    def connection_made(self, transport: Any) -> None:
        transport.write(self._request.encode())

    def data_received(self, data: bytes) -> None:
        self.status = self.status or int(data[9:12])
        told = EVENT.findall(data)
        if told:
            self.newest = max(self.newest, int(told[-1]))
            self.bell.set()


class Reader:
    """One of the crowd. `shown`: the moments at which each event was first on their page."""

    def __init__(self, port: int, battle: str, address: str, is_forwarded: bool, is_known: bool) -> None:
        self._is_known = is_known
        self._port, self._page, self._api = port, f"/battles/{battle}", f"{BATTLES}/{battle}"
        self._local = "" if is_forwarded else address
        self._more = {"Accept-Encoding": "gzip"} | ({"X-Forwarded-For": address} if is_forwarded else {})
        self.statuses: Counter[str] = Counter()
        self.shown: dict[int, float] = {}
        self._n = 0

    async def read(self, arrives_s: float) -> None:
        """Arrive, look, and follow."""
        await asyncio.sleep(arrives_s)
        loop = asyncio.get_running_loop()
        async with await Client.at(self._port, self._local) as client:
            page = await self._look(client)
            for path in () if self._is_known else dict.fromkeys(STATIC.findall(page)):
                await self._get(client, path, "static")
            header = "".join(f"{name}: {value}\r\n" for name, value in self._more.items() if name != "Accept-Encoding")
            stream = Stream(f"{self._api}/stream?after={self._n}", header)
            local = (self._local, 0) if self._local else None
            await loop.create_connection(lambda: stream, "127.0.0.1", self._port, local_addr=local)
            while True:
                await stream.bell.wait()
                self.statuses[f"stream {stream.status}"] += not self.shown
                stream.bell.clear()
                await asyncio.sleep(GATHER_S)
                while self._n < stream.newest:
                    await self._look(client)

    async def _look(self, client: Client) -> str:
        """Fetch the page, and the line of the head that it shows."""
        answer = await self._get(client, self._page, "page")
        if answer.status != 200:
            await asyncio.sleep(float(answer.header("Retry-After") or 3))
            return ""
        is_packed = answer.header("Content-Encoding") == "gzip"
        text = (gzip.decompress(answer.content) if is_packed else answer.content).decode()
        found = NEWEST.search(text)
        assert found, text[:200]
        self._n = int(found[1])
        self.shown[self._n] = time.monotonic()
        await self._get(client, f"{self._api}/events?after={self._n - 1}&limit=1", "head")
        return text

    async def _get(self, client: Client, path: str, what: str) -> Answer:
        try:
            answer = await client.ask("GET", path, accept=HTML if what == "page" else "", more=self._more)
        except ConnectionResetError:  # it stood idle and gave way: a browser opens another
            self.statuses["again 200"] += 1
            await client.again(self._local)
            return await self._get(client, path, what)
        self.statuses[f"{what} {answer.status}"] += 1
        return answer


async def crowd(port: int, battle: str, readers: int, addresses: int, is_forwarded: bool, is_known: bool) -> None:
    """Read until standard input ends; then tell what came of it."""
    sign = "198.18" if is_forwarded else "127.18"
    many = [
        Reader(port, battle, f"{sign}.{n % addresses // 250}.{n % addresses % 250 + 1}", is_forwarded, is_known)
        for n in range(readers)
    ]
    tasks = [asyncio.create_task(reader.read(n * ARRIVALS_S)) for n, reader in enumerate(many)]
    while not all(reader.shown for reader in many):
        await asyncio.sleep(0.2)
    await asyncio.sleep(2)
    print("here", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    failed = Counter(str(task.exception()) for task in tasks if task.done() and not task.cancelled())
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    statuses = sum((reader.statuses for reader in many), Counter[str]())
    print(json.dumps({"statuses": statuses, "failed": failed, "shown": [reader.shown for reader in many]}), flush=True)


# --- the player, and the measurement


class Found(Struct):
    """Seconds until each reader was up to date after each order (of who never was, `PATIENCE_S`); those of the player's
    own requests; CPU of the server for an order; answers by what they were."""

    shown: list[float]
    own: list[float]
    cpu_s: float
    statuses: Counter[str]


async def played(stage: Stage, front: int, orders: int, every_s: float) -> tuple[dict[int, float], list[float]]:
    """Orders, each with the moment at which it was sent; and what the player waited for their own requests."""
    sent, own, stopped = dict[int, float](), list[float](), asyncio.Event()
    clients = [await Client.at(front) for _ in range(30)]
    free = asyncio.Queue[Client]()
    for client in clients:
        free.put_nowait(client)

    async def ask(due: float, number: int) -> None:
        await asyncio.sleep(due - time.monotonic())
        client, page = await free.get(), number % 2 == 0
        path = f"/battles/{stage.battle}" if page else f"{BATTLES}/{stage.battle}"
        answer = await client.ask("GET", path, token=stage.player, accept=HTML if page else "")
        assert answer.status == 200, answer.head
        own.append(time.monotonic() - due)
        free.put_nowait(client)

    async def asks() -> None:
        begun, number, tasks = time.monotonic(), 0, []
        while not stopped.is_set():
            tasks.append(asyncio.create_task(ask(begun + number * EVERY_S, number)))
            number += 1
            await asyncio.sleep(max(0.0, begun + number * EVERY_S - time.monotonic()))
        await asyncio.gather(*tasks)

    asking = asyncio.create_task(asks())
    async with await Client.at(front) as client:
        for _ in range(orders):
            at = time.monotonic()
            n = await offer(client, stage, stage.battle, stage.player)
            sent[n] = at
            own.append(time.monotonic() - at)
            await asyncio.sleep(every_s)
    stopped.set()
    await asking
    for one in clients:
        await one.close()
    return sent, own


def measured(readers: int, addresses: int, orders: int, every_s: float, nginx: str, is_known: bool) -> Found:
    """One crowd on a new server."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        settings = Settings.at(data)
        make_folder(settings)
        store = EventStore.open(settings.store())
        token = enrolled(store, "Anna")["Anna"][1]
        store.close()
        options = ("--trusted-proxy", "127.0.0.1") if nginx else ("--log", "console")
        with serving(Server.of(data, *options)) as server, proxied(nginx, server.port, Path(folder)) as front:
            stage = Stage(server, token, token)

            async def begin() -> None:
                async with await Client.at(server.port) as client:
                    stage.battle = await opened(client, token, scenario="cannae")
                    for _ in range(60):
                        await offer(client, stage, stage.battle, token)

            run(begin())
            given = (
                str(front),
                stage.battle,
                str(readers),
                str(addresses),
                "yes" if nginx else "",
                "yes" if is_known else "",
            )
            command = [sys.executable, "-m", "benchmarks.crowd", "--crowd", *given]
            process = subprocess.Popen(
                command, cwd=ROOT, env=os.environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
            assert process.stdout is not None
            assert process.stdout.readline() == "here\n"
            before = server.own_cpu_s()
            sent, own = run(played(stage, front, orders, every_s))
            cpu_s = (server.own_cpu_s() - before) / orders
            told = json.loads(process.communicate()[0])
            if told["failed"]:
                print(told["failed"], file=sys.stderr)
            shown = [
                min((at for m, at in of.items() if int(m) >= n), default=moment + PATIENCE_S) - moment
                for of in told["shown"]
                for n, moment in sent.items()
            ]
            return Found(shown, own, cpu_s, Counter(told["statuses"]))


@contextmanager
def proxied(nginx: str, port: int, folder: Path) -> Iterator[int]:
    """The port at which readers reach the server: nginx before it, if its program is named."""
    if not nginx:
        yield port
        return
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        front = free.getsockname()[1]
    (folder / "nginx.conf").write_text(PROXY.format(folder=folder, port=port, front=front))
    process = subprocess.Popen([nginx, "-c", str(folder / "nginx.conf"), "-p", str(folder)])
    try:
        time.sleep(1)
        yield front
    finally:
        process.terminate()
        process.wait()


def show(name: str, found: Found) -> None:
    """A line of the table."""

    def told(seconds: Sequence[float]) -> str:
        ordered = sorted(seconds)
        p95 = ordered[int(len(ordered) * 0.95)]
        return f"{statistics.median(ordered):.2f} | {p95:.2f} | {ordered[-1]:.2f}"

    refused = {what: count for what, count in found.statuses.items() if not what.endswith((" 200", " 304"))}
    print(f"| {name} | {sum(refused.values())} | {told(found.shown)} | {told(found.own)} | {found.cpu_s:.2f} |")
    if refused:
        print(f"  {refused}", file=sys.stderr)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print a line for each crowd."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--readers", type=int, default=1000)
    parser.add_argument("--addresses", type=int, nargs="*", default=[1, 600])
    parser.add_argument("--orders", type=int, default=12)
    parser.add_argument("--every", type=float, default=5.0, help="seconds between two orders")
    parser.add_argument("--nginx", default="", help="the program of a proxy that is put before the server")
    parser.add_argument("--known", action="store_true", help="the browsers have styles and scripts")
    parser.add_argument("--quick", action="store_true", help="few of everything: does it run?")
    parser.add_argument("--crowd", nargs=6, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.crowd:
        port, battle, readers, addresses, forwarded, known = given.crowd
        run(crowd(int(port), battle, int(readers), int(addresses), bool(forwarded), bool(known)))
        return
    if given.quick:
        given.readers, given.addresses, given.orders, given.every = 20, [3], 2, 1.0
    print("| readers | refused | up to date p50 s | p95 | most | player p50 s | p95 | most | CPU s an order |")
    print("|---|---|---|---|---|---|---|---|---|")
    for addresses in given.addresses:
        name = f"{given.readers} from {addresses}{', through nginx' if given.nginx else ''}"
        show(name, measured(given.readers, addresses, given.orders, given.every, given.nginx, given.known))


if __name__ == "__main__":
    main()
