"""Talk to a server over real sockets, as players with tokens."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer
from msgspec import to_builtins

from domain.basics.errors import Refusal
from replay.writing.entropy import Entropy
from server.assembly import Assembled, assemble
from server.clock import MachineClock
from server.limits import UNLIMITED
from server.people import players
from server.running import Server
from server.settings import Settings, make_folder
from server.store import EventStore
from server.store.tables import accounts
from server.web.base_path import serve_below
from server.web.keys import SERVER
from server.workers import INLINE, Workers
from tests.support.clock import ManualClock
from tests.support.entropy import entropy_of_test

PHRASE = "sixteen bytes of my own"
BATTLES = "/api/v1/battles"


class Reply(NamedTuple):
    """An answer, read whole."""

    status: int
    type: str
    text: str
    headers: Any

    @property
    def json(self) -> Any:
        """Its content as a value."""
        return json.loads(self.text)

    @property
    def code(self) -> str:
        """The code of a problem document, which it must be."""
        assert self.type == "application/problem+json", self
        problem = self.json
        assert problem["status"] == self.status
        assert problem["type"] and problem["title"] and problem["detail"]
        return str(problem["code"])


class Caller:
    """Somebody who asks: with a token, or a stranger."""

    def __init__(self, client: TestClient[Any, Any], token: str = "", player: str = "") -> None:
        self.client = client
        self.player = player
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._named: dict[str, Any] = {}

    async def ask(self, method: str, path: str, headers: Any = None, **more: Any) -> Reply:
        """Any request."""
        async with self.client.request(method, path, headers={**self.headers, **(headers or {})}, **more) as response:
            return Reply(response.status, response.content_type, await response.text(), response.headers)

    async def get(self, path: str, headers: Any = None) -> Reply:
        """Read something."""
        return await self.ask("GET", path, headers)

    async def post(self, path: str, body: Any, headers: Any = None) -> Reply:
        """Send a message."""
        return await self.ask("POST", path, headers, json=body)

    async def order(self, battle: str, orders: str, key: str = "", **more: Any) -> Reply:
        """Give orders, with a phrase unless one is given; a repetition names the head that it named first."""
        headers = {"Idempotency-Key": key} if key else None
        seen = await self.head(battle)
        if key:
            seen = self._named.setdefault(key, seen)
        body = {"orders": orders, "phrase": PHRASE, "seen": seen, **more}
        return await self.post(f"{BATTLES}/{battle}/orders", body, headers)

    async def head(self, battle: str) -> Any:
        """The newest head, as a player names it; None of a battle that there is not."""
        assert self.client.app is not None
        try:
            live = await self.client.app[SERVER].battles.get(battle)
        except Refusal:
            return None
        return to_builtins(live.recording.newest_head())

    async def open(self, scenario: str = "skirmish", **more: Any) -> str:
        """Open a battle; gives its id."""
        reply = await self.post(BATTLES, {"scenario": scenario, **more})
        assert reply.status == 201, reply
        return str(reply.json["battle"])

    async def sit(self, battle: str, side: str, **more: Any) -> Reply:
        """Take a side."""
        return await self.post(f"{BATTLES}/{battle}/sides/{side}", {"seen": await self.head(battle), **more})

    async def view(self, battle: str) -> Any:
        """The battle as they see it."""
        reply = await self.get(f"{BATTLES}/{battle}")
        assert reply.status == 200, reply
        return reply.json

    async def export(self, battle: str) -> bytes:
        """The battle file."""
        reply = await self.get(f"{BATTLES}/{battle}/export")
        assert reply.status == 200, reply
        return reply.text.encode()


class RunningServer:
    """A running server with its parts at hand."""

    def __init__(self, client: TestClient[Any, Any], whole: Assembled) -> None:
        self.client = client
        self.app: web.Application = whole.app
        self.running: Server = whole.server
        self.mail = whole.mail
        self.stranger = Caller(client)

    async def player(self, name: str) -> Caller:
        """A new player."""
        enrolled = players.enrol(self.running.clock, self.running.entropy, name, f"{name}@example.org")
        await self.running.store.write(*enrolled.statements)
        return Caller(self.client, enrolled.api_token, enrolled.account.player)

    async def administrator(self, name: str) -> Caller:
        """A new player who administers the server."""
        caller = await self.player(name)
        await self.running.store.write(accounts.promote(caller.player))
        return caller

    async def battle(self, south: Caller, north: Caller, **more: Any) -> str:
        """A battle between two players in which both have contributed; south begins."""
        battle = await south.open(**more)
        assert (await south.sit(battle, "south", phrase=PHRASE)).status == 201
        assert (await north.sit(battle, "north", phrase=PHRASE)).status == 201
        return battle


@asynccontextmanager
async def serving(
    folder: Path,
    entropy: Entropy | None = None,
    clock: MachineClock | None = None,
    workers: Workers = INLINE,
    **settings: Any,
) -> AsyncIterator[RunningServer]:
    """A server on a data folder; started anew on the same folder it goes on."""
    chosen = Settings.at(folder, {}, synchronous="NORMAL", **{"limits": UNLIMITED, **settings})
    make_folder(chosen)
    store = EventStore.open(chosen.store())
    try:
        whole = assemble(chosen, clock or ManualClock(), entropy or entropy_of_test(), store, workers=workers)
        async with TestClient(TestServer(whole.app)) as client:
            serve_below(client.server.runner.server, chosen.bases)  # type: ignore[union-attr]  # it runs
            yield RunningServer(client, whole)
    finally:
        store.close()
