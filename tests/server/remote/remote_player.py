"""A player at a terminal, and a server whose answers can get lost or changed on the way."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from replay.writing.entropy import Entropy
from server.remote import play
from server.remote.connection import BattleNow, HttpAnswer, LegalOrders, ServerConnection, Unanswered
from server.remote.history import follow
from server.remote.state import BattleFiles, Home
from tests.support.entropy import entropy_of_test
from tests.support.serving import RunningServer


class Wire(ServerConnection):
    """A connection that loses answers: those to requests whose path ends so, as often as it is told."""

    def __init__(self, address: str, token: str) -> None:
        super().__init__(address, token)
        self.lost: dict[str, int] = {}
        self.changed: Callable[[str, bytes], bytes] = lambda path, content: content
        self.sent: list[tuple[str, bytes | None, Any]] = []

    async def ask(self, method: str, path: str, body: bytes | None = None, headers: Any = None) -> HttpAnswer:
        self.sent.append((path, body, headers))
        answer = await super().ask(method, path, body, headers)
        name = path.rpartition("/")[2].partition("?")[0]
        if self.lost.get(name, 0):
            self.lost[name] -= 1
            raise Unanswered("The line is dead.")
        return HttpAnswer(self.changed(path, answer.content), answer.headers)


class RemotePlayer:
    """Somebody with a token, a state folder and a terminal."""

    def __init__(self, server: RunningServer, token: str, folder: Path) -> None:
        self.address = str(server.client.make_url("")).rstrip("/")
        self.token = token
        self.home = Home(folder)
        self.home.server(self.address).keep_login(token)
        self.entropy: Entropy = entropy_of_test()
        self.wire = Wire(self.address, token)

    def place(self, battle: str) -> BattleFiles:
        return self.home.place(f"{self.address}/battles/{battle}")

    async def take(self, battle: str, side: str, plain: bool = False, sign: bool = False) -> BattleNow:
        async with self.wire as wire:
            return await play.take(wire, self.place(battle), side, self.entropy, plain, sign)

    async def order(self, battle: str, typed: str = "") -> play.PlayedOrders:
        async with self.wire as wire:
            return await play.give(wire, self.place(battle), typed, self.entropy)

    async def begin_another_book(self, battle: str) -> BattleNow:
        async with self.wire as wire:
            return await play.change_book(wire, self.place(battle), self.entropy)

    async def look(self, battle: str) -> BattleNow:
        async with self.wire as wire:
            return (await follow(wire, self.place(battle)))[0]

    async def options(self, battle: str) -> LegalOrders:
        async with self.wire as wire:
            return await wire.read(f"/battles/{battle}/options", LegalOrders)


async def remote_player(server: RunningServer, name: str, folder: Path) -> RemotePlayer:
    """A new player, who has logged in."""
    caller = await server.player(name)
    token = caller.headers["Authorization"].removeprefix("Bearer ")
    return RemotePlayer(server, token, folder / name)
