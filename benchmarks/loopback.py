"""A server in a process of its own on 127.0.0.1, and a client that talks to it."""

import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, Self

from server.clock import SystemClock
from server.entropy import SystemEntropy
from server.people.players import enrol
from server.store import EventStore

ROOT = Path(__file__).resolve().parents[1]
CLOCK, ENTROPY = SystemClock(), SystemEntropy()
NO_HEADERS: Mapping[str, str] = {}
LENGTH = re.compile(rb"content-length: *(\d+)", re.I)


# --- a server in its own process


class Server:
    """A process that serves on 127.0.0.1."""

    def __init__(self, *arguments: str) -> None:
        command = [sys.executable, "-m", *arguments]
        environment = {**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONDONTWRITEBYTECODE": ""}  # as people run it
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
    def of(cls, folder: Path, *options: str) -> Self:
        """`phalera serve` on a data folder; without limits, unless other options are given."""
        return cls("server.cli.main", "serve", "--data", str(folder), "--port", "0", *(options or ("--unlimited",)))

    def cpu_s(self) -> float:
        """The CPU time of the process and its children so far, in seconds."""
        return _cpu_s(self.process.pid)

    def own_cpu_s(self) -> float:
        """The CPU time of the process alone, without its children."""
        return _own_cpu_s(self.process.pid)

    def memory_mb(self) -> float:
        """The memory of the process, without its children."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Stop it, and wait for its end."""
        self.process.send_signal(how)
        code = self.process.wait(30)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code


def _cpu_s(pid: int) -> float:
    """The time that the threads of a process, and of its children, have been on a processor."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return _own_cpu_s(pid) + sum(_cpu_s(int(child)) for child in children)


def _own_cpu_s(pid: int) -> float:
    return sum(int(task.read_text().split()[0]) for task in Path(f"/proc/{pid}/task").glob("*/schedstat")) / 1e9


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
    """Status and body of a response, how long it took from the request's first byte to its own last, and its head."""

    status: int
    content: bytes
    seconds: float
    head: bytes

    def header(self, name: str) -> str:
        """The value of a header, "" if it has none."""
        found = re.search(rb"^%b: (.*?)\r?$" % re.escape(name.encode()), self.head, re.I | re.M)
        return found[1].decode() if found else ""


class Client(asyncio.Protocol):
    """One connection that stays open, one request at a time."""

    def __init__(self) -> None:
        self._buffer = b""
        self._asked = 0.0
        self._answer: asyncio.Future[Answer] | None = None
        self._lost = False

    @classmethod
    async def at(cls, port: int, address: str = "") -> Self:
        """A client of a server on this machine, from another of its addresses (127.X.Y.Z) if one is named."""
        loop, local = asyncio.get_running_loop(), (address, 0) if address else None
        _, client = await loop.create_connection(cls, "127.0.0.1", port, local_addr=local)
        return client

    async def again(self, address: str = "") -> None:
        """Connect anew, after the server has hung up."""
        host, port = self._transport.get_extra_info("peername")[:2]
        self._lost, self._buffer = False, b""
        local = (address, 0) if address else None
        await asyncio.get_running_loop().create_connection(lambda: self, host, port, local_addr=local)

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def ask(
        self,
        method: str,
        path: str,
        body: bytes = b"",
        token: str = "",
        key: str = "",
        accept: str = "",
        more: Mapping[str, str] = NO_HEADERS,
    ) -> "asyncio.Future[Answer]":
        """Send a request; `more` are headers beside the usual ones. The answer fails with ConnectionResetError if the
        server goes away."""
        self._answer = asyncio.get_running_loop().create_future()
        if self._lost:
            self._answer.set_exception(ConnectionResetError())
            return self._answer
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        if token:
            head += f"Authorization: Bearer {token}\r\n"
        if accept:
            head += f"Accept: {accept}\r\n"
        if key:
            head += f"Idempotency-Key: {key}\r\n"
        head += "".join(f"{name}: {value}\r\n" for name, value in more.items())
        if body:
            kind = "" if "Content-Type" in more else "Content-Type: application/json\r\n"
            head += f"{kind}Content-Length: {len(body)}\r\n"
        request = f"{head}\r\n".encode() + body
        self._asked = time.perf_counter()
        self._transport.write(request)
        return self._answer

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        head, end, content = self._buffer.partition(b"\r\n\r\n")
        if not end or self._answer is None:
            return
        found = LENGTH.search(head)  # an answer without a body has none
        if found and len(content) < int(found[1]):
            return
        seconds = time.perf_counter() - self._asked
        self._buffer = b""
        if not self._answer.done():
            self._answer.set_result(Answer(int(head[9:12]), content, seconds, head))

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
