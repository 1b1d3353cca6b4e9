"""What looking at a battle costs: views, pages, watchers, letters.

    python -m benchmarks.looking [--rounds 5] [--watchers 1000] [--quick] [part …]

Everything is CPU time: of the process that serves, without the one of the read models and without the workers; of a
letter that of all its making, workers included. The battles are of the largest packaged scenario, at event 120. `new`:
the first time after an order; `again`: the same once more; `unchanged`: once more by a reader who says what they have;
`other language`: the same state in French. A page is compressed, as browsers want it.
"""

import argparse
import asyncio
import os
import shutil
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlencode

from msgspec.json import decode
from msgspec.structs import replace

from benchmarks.http import give, sit_down
from benchmarks.loopback import CLOCK, ENTROPY, Answer, Client, Server, enrolled, run, serving
from benchmarks.rehearsal import PHRASE, SIDES, Rehearsal, Stage, Step, endless
from domain.engine.state import OTHER
from server.mail.outgoing.letters import LetterWriter
from server.people.addresses import Addresses
from server.people.key_files import read_or_make_key
from server.people.keys import Keyring
from server.play.live_battles import LiveBattles
from server.play.service import OrderRequest, OrderService
from server.settings import Settings, make_folder
from server.store import EventStore
from server.store.tables import accounts, outbox

EVENTS = 120
"""Of each battle, before the clock runs."""
HTML = "text/html"
BROWSER = {"Accept-Encoding": "gzip, deflate", "Sec-Fetch-Site": "same-origin"}
FORM = {"Content-Type": "application/x-www-form-urlencoded", **BROWSER}

Found = dict[str, list[float]]
"""CPU milliseconds of one request, by what it was, for each round."""


# --- over HTTP


class Looking:
    """A server with its battles, and one client."""

    def __init__(self, server: Server, stage: Stage, client: Client) -> None:
        self.server = server
        self.stage = stage
        self.client = client
        self.found: Found = defaultdict(list)

    async def ask(
        self, path: str, side: str, tag: str = "", page: bool = False, more: Mapping[str, str] = {}
    ) -> Answer:
        """Look at something; `tag` is what the reader has of it already."""
        headers = {**(BROWSER if page else {}), **({"If-None-Match": tag} if tag else {}), **more}
        answer = await self.client.ask(
            "GET", path, token=self.stage.tokens[side], accept=HTML if page else "", more=headers
        )
        assert answer.status == (304 if tag else 200), answer
        return answer

    async def timed(self, name: str, work: Sequence[Callable[[], Awaitable[Any]]]) -> list[Any]:
        """Do some of the same kind, and note the CPU of the serving process for each."""
        before = self.server.own_cpu_s()
        answers = [await one() for one in work]
        self.found[name].append((self.server.own_cpu_s() - before) / len(work) * 1e3)
        return answers

    async def looked(self, name: str, paths: Sequence[tuple[str, str]], page: bool) -> None:
        """Look at (path, side) for the first time, and again in each way."""

        def all_of(more: str = "", tags: Sequence[str] = ()) -> list[Callable[[], Awaitable[Any]]]:
            have = tags or [""] * len(paths)
            return [
                partial(self.ask, path + more, side, tag, page) for (path, side), tag in zip(paths, have, strict=True)
            ]

        await self.timed(f"{name}, new", all_of())
        answers = await self.timed(f"{name}, again", all_of())
        tags = [answer.header("ETag") for answer in answers]
        if all(tags):
            await self.timed(f"{name}, unchanged", all_of(tags=tags))
        await self.timed(f"{name}, other language", all_of("?lang=fr"))

    async def posted(self, battle: str, step: Step) -> None:
        """Send the order box of a page, and fetch the page that it leads to."""
        n, hash_ = head_of(self.stage, battle)
        form = {"orders": step.text, "phrase": PHRASE, "side": step.side, "do": "send"}
        form |= {"key": os.urandom(16).hex(), "seen": f"{n} {hash_}"}
        path, token = f"/battles/{battle}", self.stage.tokens[step.side]
        answer = await self.client.ask("POST", f"{path}/orders", urlencode(form).encode(), token, "", HTML, FORM)
        assert answer.status == 303, answer
        await self.ask(path, step.side, page=True)

    # --- the rows of the table

    async def views_and_pages(self, rounds: int) -> None:
        """Orders, and what is looked at after them."""
        battles = self.stage.late
        await self.timed("page, battle not in memory", [self._page(one, 0) for one in battles])
        for at in range(rounds):
            for battle in battles:
                await sit_down(self.client, self.stage, battle.id)
                for step in battle.chunks[at].before:
                    await give(self.client, self.stage, battle.id, step)
            for number in range(len(battles[0].chunks[at].timed)):
                await self._rows(at, number)

    async def _rows(self, at: int, number: int) -> None:
        steps = [(battle, battle.chunks[at].timed[number]) for battle in self.stage.late]
        if number == 2:
            await self.timed("page flow: order box and page", [self._posts(one.id, step) for one, step in steps])
            for battle, _ in steps:
                await sit_down(self.client, self.stage, battle.id)
            return
        await self.timed("order alone", [self._gives(one.id, step) for one, step in steps])
        if number == 0:
            api = [(f"/api/v1/battles/{one.id}", step.side) for one, step in steps]
            await self.looked("view", api, page=False)
        elif number == 1:
            await self.looked("page", [(f"/battles/{one.id}", step.side) for one, step in steps], page=True)
            other = [(f"/battles/{one.id}", OTHER[step.side]) for one, step in steps]
            await self.looked("page of the other side", other, page=True)
        else:
            await self.timed("board as PNG, in this process", [self._board(one.id, step.side) for one, step in steps])

    def _page(self, battle: Rehearsal, number: int) -> Callable[[], Awaitable[Any]]:
        return lambda: self.ask(f"/battles/{battle.id}", battle.chunks[0].timed[number].side, page=True)

    def _posts(self, battle: str, step: Step) -> Callable[[], Awaitable[Any]]:
        return lambda: self.posted(battle, step)

    def _gives(self, battle: str, step: Step) -> Callable[[], Awaitable[Any]]:
        return lambda: give(self.client, self.stage, battle, step)

    def _board(self, battle: str, side: str) -> Callable[[], Awaitable[Any]]:
        return lambda: self.client.ask(
            "GET", f"/api/v1/battles/{battle}/board", b"", self.stage.tokens[side], "", "image/png"
        )

    async def watched(self, watchers: int) -> None:
        """Orders in a battle that many follow."""
        battle = self.stage.crowds[watchers][0]
        await sit_down(self.client, self.stage, battle.id)
        crowd = [await Watcher.at(self.server.port, battle.id) for _ in range(watchers)]
        for chunk in battle.chunks:
            for step in (*chunk.before, *chunk.timed):
                heads = head_of(self.stage, battle.id)[0] + len(step.rows)
                before = self.server.own_cpu_s()
                await give(self.client, self.stage, battle.id, step)
                await asyncio.gather(*(one.until(heads) for one in crowd))
                self.found[f"order with {watchers:,} watchers"].append((self.server.own_cpu_s() - before) * 1e3)
        for one in crowd:
            one.leave()


def head_of(stage: Stage, battle: str) -> tuple[int, str]:
    """The head that the client knows."""
    head = decode(stage.heads[battle])
    return int(head["n"]), str(head["hash"])


class Watcher(asyncio.Protocol):
    """Reads the stream of a battle."""

    def __init__(self) -> None:
        self.seen = 0
        self._rest = b""
        self._moved = asyncio.Event()

    @classmethod
    async def at(cls, port: int, battle: str) -> Self:
        """A new one, who has been answered."""
        transport, watcher = await asyncio.get_running_loop().create_connection(cls, "127.0.0.1", port)
        watcher._transport = transport
        transport.write(f"GET /api/v1/battles/{battle}/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        await watcher._moved.wait()
        return watcher

    _transport: asyncio.Transport

    def data_received(self, data: bytes) -> None:
        """Note the newest event."""
        self._rest = (self._rest + data)[-4096:]
        at = self._rest.rfind(b"\nid: ")
        if at >= 0 and b"\n" in self._rest[at + 5 :]:
            self.seen = int(self._rest[at + 5 :].partition(b"\n")[0])
        self._moved.set()

    async def until(self, n: int) -> None:
        """Wait for an event."""
        while self.seen < n:
            self._moved.clear()
            await self._moved.wait()

    def leave(self) -> None:
        """Hang up."""
        self._transport.abort()


# --- letters, in this process


async def written(settings: Settings, battles: Sequence[Rehearsal], players: Mapping[str, str]) -> Found:
    """Letters to both sides after each order of some battles; in a server a worker process does most of the work."""
    found: Found = defaultdict(list)
    with EventStore.open(settings.store(), asyncio.get_running_loop()) as store:
        signer = read_or_make_key(settings.key, settings.host, ENTROPY)
        live_battles = LiveBattles(settings, store, CLOCK, ENTROPY, Keyring(signer))
        addresses, play = Addresses(settings.mailbox, bytes(32)), OrderService(live_battles)
        writer = LetterWriter(live_battles, addresses)
        for side, player in players.items():
            await store.write(accounts.move(player, f"{side}@example.org"))
        for battle in battles:
            live = await live_battles.get(battle.id)
            for chunk in battle.chunks:
                for step in (*chunk.before, *chunk.timed):
                    order = OrderRequest(battle.id, step.side, players[step.side], "mail", step.text, PHRASE)
                    await play.orders(replace(order, seen=live.recording.newest_head()))
                    for side in SIDES:
                        await store.write(outbox.post(battle.id, live.n, players[side], "joined", CLOCK.now()))
                        row = outbox.unsent(store)[-1]
                        before = time.process_time()
                        composed = await writer.compose(row)
                        found["letter with a picture"].append((time.process_time() - before) * 1e3)
                        assert composed is not None
                        assert b"image/png" in composed.message.as_bytes()
                        await store.write(outbox.sent(row.id, CLOCK.now()))
        await play.close()
    return found


# --- all of it


def measured(folder: Path, rounds: int, battles: int, watchers: int, parts: Sequence[str]) -> Found:
    """Prepare, start a server, look."""
    settings = Settings.at(folder / "data")
    make_folder(settings)
    with EventStore.open(settings.store()) as store:
        players = enrolled(store, *SIDES)
        ids = {side: player for side, (player, _) in players.items()}
        made = [Rehearsal(store, settings, ids, endless("cannae")).go_to(EVENTS) for _ in range(battles)]
        watched, told = (Rehearsal(store, settings, ids, endless("cannae")).go_to(EVENTS).rehearse(3) for _ in SIDES)
        for battle in made:
            battle.rehearse(rounds)
    stage = Stage({side: token for side, (_, token) in players.items()}, [], made, {watchers: [watched]})
    found: Found = {}
    if "letters" in parts:
        found |= run(written(settings, [told], ids))
    with serving(Server.of(settings.data)) as server:

        async def main() -> Found:
            async with await Client.at(server.port) as client:
                looking = Looking(server, stage, client)
                if "pages" in parts:
                    await looking.views_and_pages(rounds)
                if "watchers" in parts:
                    await looking.watched(watchers)
                return looking.found

        found |= run(main())
    return found


def show(found: Found) -> None:
    """A line for each kind of request: the median over the rounds, and the most."""
    print("| what | CPU ms | most |\n|---|---|---|")
    for name, values in found.items():
        print(f"| {name} | {statistics.median(values):.2f} | {max(values):.2f} |")


PARTS = ("pages", "watchers", "letters")


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", default=PARTS, help=f"of {', '.join(PARTS)}")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--battles", type=int, default=8)
    parser.add_argument("--watchers", type=int, default=1000)
    parser.add_argument("--quick", action="store_true", help="few of everything: does it run?")
    given = parser.parse_args(arguments)
    if given.quick:
        given.rounds, given.battles, given.watchers = 1, 2, 20
    folder = Path(tempfile.mkdtemp(prefix="phalera-looking-"))
    try:
        show(measured(folder, given.rounds, given.battles, given.watchers, given.parts))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
