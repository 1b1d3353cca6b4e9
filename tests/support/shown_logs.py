"""The log of a host as files, without the host: entries are added at will, and answers can be replaced."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path

from aiohttp import ClientSession, web
from aiohttp.test_utils import TestServer

from domain.log.entries import HEAD, OPENED, LogEntry
from replay.proof.notes import Signer
from server.witness.host_log import HostLog
from server.witness.log_file import LogFile

NAME = "alpha.test"
SIGNER = Signer(NAME, bytes([5]) * 32)


def entry(battle: str, n: int, telling: str = "", what: str = "") -> LogEntry:
    """An entry of a battle; another `telling` is another history of it."""
    name = sha256(battle.encode()).hexdigest()
    known = what or (OPENED if n == 1 else HEAD)
    return LogEntry(name, sha256(f"{telling}{battle}{n}".encode()).hexdigest(), n, known)  # type: ignore[arg-type]


def many(count: int, first: int = 0, telling: str = "") -> list[LogEntry]:
    """The openings of so many battles."""
    return [entry(f"battle {n}", 1, telling) for n in range(first, first + count)]


class ShownLog:
    """A log in a folder, served over HTTP with the heads of its battles. `answers` replaces what a path gives."""

    def __init__(self, folder: Path, signer: Signer = SIGNER) -> None:
        folder.mkdir(parents=True)
        self.folder, self.signer = folder, signer
        self.file = LogFile(folder / "tlog.db")
        self.log = HostLog(folder, self.file, signer, lambda: "2027-03-01T12:00:00.000Z")
        self.heads: dict[str, tuple[int, str]] = {}
        self.answers: dict[str, Callable[[web.Request], object]] = {}
        self.asked: list[str] = []

    def add(self, entries: Sequence[LogEntry]) -> None:
        """Add entries, and sign and publish the log with them. What it shows of battles follows."""
        self.file.append(entries, self.file.position + 1)
        self.heads |= {one.battle: (one.n, one.hash) for one in entries}
        self.log._sign()
        self.log.publish()

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """What the host answers."""
        self.asked.append(request.path)
        replaced = next((made for path, made in self.answers.items() if request.path.startswith(path)), None)
        if replaced is not None:
            made = replaced(request)
            return await made if asyncio.iscoroutine(made) else made  # type: ignore[return-value]
        if request.path == "/api/v1/host":
            return web.json_response({"name": NAME, "keys": [{"key": self.signer.key, "current": True}]})
        if request.path.startswith("/api/v1/logged/"):
            head = self.heads.get(request.path.rpartition("/")[2])
            return web.json_response({"n": head[0], "hash": head[1]}) if head else web.Response(status=404)
        path = self.folder / request.path.lstrip("/")
        return web.Response(body=path.read_bytes()) if path.is_file() else web.Response(status=404)


@asynccontextmanager
async def shown(log: ShownLog) -> AsyncIterator[tuple[ClientSession, str]]:
    """A log that is served: a session for its readers, and its address."""
    app = web.Application()
    app.router.add_get("/{path:.*}", log.answer)
    server = TestServer(app)
    await server.start_server()
    try:
        async with ClientSession() as session:
            yield session, str(server.make_url("")).rstrip("/")
    finally:
        await server.close()
