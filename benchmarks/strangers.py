"""What people notice while strangers attack from many addresses, with the usual limits.

    python -m benchmarks.strangers [--seconds 20] [--quick] [attack …]

`guests`: 30 addresses make guests as fast as they can and solve no puzzle. `halves`: 22 addresses hold 250 connections
each, send half a request line, and come again when they are hung up on. `exports`: 8 addresses fetch the file of a long
battle over 4 connections each. The attackers are a process of their own, at addresses of the loopback (127.X.Y.Z).
Meanwhile, in an open loop: somebody with a battle gives an order, looks at its page or its view, ten times a second;
once a second a newcomer opens `/learn`, and a monitor `/healthz`, over new connections; every four seconds a newcomer
becomes a guest, with a puzzle where one is asked for. Shown are what the person waited, how many of all these were
refused, how much of a processor the server took, and what came of the attackers' own requests.
"""

import argparse
import asyncio
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from msgspec import Struct, field

from benchmarks.attack import BATTLES, Stage, offer, opened
from benchmarks.loopback import ROOT, Client, Server, enrolled, run, serving
from server.settings import Settings, make_folder
from server.settings_file import NAME
from server.store import EventStore
from server.web.puzzles import is_solved

HTML = "text/html"
FORM = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}
NEW = {"scenario": "tts/skirmish", "opponent": "person"}
EVERY_S = 0.1
AS_MANY_ORDERS = '[limits.rates.orders]\naddress = ""\naccount = ""\n'
"""The battle whose file is fetched is made at once; the other limits are the usual ones."""
LONG = 1000
"""Orders of the battle whose file is fetched."""
NOTHING = "nothing"


# --- the attackers, in a process of their own


async def guests(port: int, battle: str, tally: Counter[str]) -> None:
    """New guests from 30 addresses."""

    async def one(address: str) -> None:
        while True:
            async with await Client.at(port, address) as client:
                answer = await client.ask("POST", "/battles", urlencode(NEW).encode(), "", "", HTML, FORM)
                tally[str(answer.status)] += 1

    await asyncio.gather(*(one(f"127.19.0.{number + 1}") for number in range(30)))


async def halves(port: int, battle: str, tally: Counter[str]) -> None:
    """Half a request line over 22 × 250 connections."""

    async def one(address: str) -> None:
        while True:
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
                writer.write(b"GET / HT")
                tally["begun"] += 1
                await reader.read()
                writer.close()
            except OSError:
                tally["hung up on"] += 1
            await asyncio.sleep(0.2)

    await asyncio.gather(*(one(f"127.19.1.{number % 22 + 1}") for number in range(22 * 250)))


async def exports(port: int, battle: str, tally: Counter[str]) -> None:
    """The file of a long battle, again and again."""

    async def one(address: str) -> None:
        async with await Client.at(port, address) as client:
            while True:
                answer = await client.ask("GET", f"{BATTLES}/{battle}/export")
                tally[str(answer.status)] += 1
                if answer.status != 200:
                    await asyncio.sleep(0.1)

    await asyncio.gather(*(one(f"127.19.2.{number % 8 + 1}") for number in range(32)))


Attack = Callable[[int, str, Counter[str]], Awaitable[None]]
ATTACKS: dict[str, Attack] = {"guests": guests, "halves": halves, "exports": exports}


async def attack(name: str, port: int, battle: str) -> None:
    """Attack until standard input ends; then tell what came of it."""
    tally = Counter[str]()
    task = asyncio.ensure_future(ATTACKS[name](port, battle, tally))
    await asyncio.to_thread(sys.stdin.read)
    task.cancel()
    print(json.dumps(tally), flush=True)


# --- people


class Noticed(Struct):
    """Seconds that somebody with a battle waited; answers by who asked for what, and the attackers' own; the share of a
    processor that the server took, without its workers."""

    seconds: list[float] = field(default_factory=list)
    statuses: Counter[str] = field(default_factory=Counter)
    attackers: dict[str, int] = field(default_factory=dict)
    cpu: float = 0.0


class People:
    """Those who want to play while it goes on."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._lock = asyncio.Lock()
        self.noticed = Noticed()

    async def meet(self, seconds: float) -> Noticed:
        """Ask for some seconds, whatever the answers do."""
        begun, tasks = time.monotonic(), []
        kept = [await Client.at(self._stage.server.port) for _ in range(3)]
        for number in range(round(seconds / EVERY_S)):
            await asyncio.sleep(max(0.0, begun + number * EVERY_S - time.monotonic()))
            jobs: list[Callable[[], Coroutine[Any, Any, None]]] = [partial(self._person, number)]
            jobs += [partial(self._once, "/learn"), partial(self._once, "/healthz")] if number % 10 == 0 else []
            jobs += [self._newcomer] if number % 40 == 0 else []
            tasks += [asyncio.create_task(job()) for job in jobs]
        await asyncio.gather(*tasks)
        for client in kept:
            await client.close()
        return self.noticed

    async def _person(self, number: int) -> None:
        due, stage = time.monotonic(), self._stage
        try:
            async with await Client.at(stage.server.port) as client:
                if number % 3 == 0:
                    async with self._lock:  # the orders of a player come one after another
                        await offer(client, stage, stage.battle, stage.player)
                    status = 200
                else:
                    path = f"/battles/{stage.battle}" if number % 3 == 1 else f"{BATTLES}/{stage.battle}"
                    accept = HTML if number % 3 == 1 else ""
                    status = (await client.ask("GET", path, token=stage.player, accept=accept)).status
        except (ConnectionError, AssertionError) as failure:
            status = 0
            print(repr(failure)[:200], file=sys.stderr)
        self.noticed.statuses[f"person {status}"] += 1
        self.noticed.seconds.append(time.monotonic() - due)

    async def _once(self, path: str) -> None:
        try:
            async with await Client.at(self._stage.server.port) as client:
                status = (await client.ask("GET", path, accept=HTML if path == "/learn" else "")).status
        except ConnectionError:
            status = 0
        self.noticed.statuses[f"{path} {status}"] += 1

    async def _newcomer(self) -> None:
        """Open a battle as a guest, and solve the puzzle if there is one."""
        form, status = dict(NEW), 0
        try:
            async with await Client.at(self._stage.server.port) as client:
                for _ in range(2):
                    answer = await client.ask("POST", "/battles", urlencode(form).encode(), "", "", HTML, FORM)
                    status = answer.status
                    if status != 428:
                        break
                    found = re.search(rb'name="ticket" value="([^"]+)"', answer.content)
                    assert found
                    ticket = found[1].decode()
                    solution = await asyncio.to_thread(solved, ticket)
                    form |= {"ticket": ticket, "solution": solution}
        except ConnectionError:
            status = 0
        self.noticed.statuses[f"newcomer {status}"] += 1


def solved(ticket: str) -> str:
    """The number that solves a ticket."""
    return next(str(number) for number in count() if is_solved(ticket, str(number)))


# --- all of it


def under(name: str, seconds: float, orders: int) -> Noticed:
    """One attack on a new server."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        settings = Settings.at(data)
        make_folder(settings)
        (data / NAME).write_text(AS_MANY_ORDERS)
        store = EventStore.open(settings.store())
        token = enrolled(store, "Anna")["Anna"][1]
        store.close()
        with serving(Server.of(data, "--log-level", "warning")) as server:
            stage = Stage(server, token, token)

            async def begin() -> None:
                async with await Client.at(server.port) as client:
                    stage.battle = await opened(client, token, scenario="skirmish")
                    stage.target = await opened(client, token, scenario="skirmish")
                    for _ in range(orders):
                        await offer(client, stage, stage.target, token)

            run(begin())
            process = None
            if name != NOTHING:
                given = ("--attack", name, str(server.port), stage.target)
                command = [sys.executable, "-m", "benchmarks.strangers", *given]
                process = subprocess.Popen(
                    command, cwd=ROOT, env=os.environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
                )
                time.sleep(3)

            async def meet() -> Any:
                return await People(stage).meet(seconds)

            before, begun = server.own_cpu_s(), time.monotonic()
            noticed: Noticed = run(meet())
            noticed.cpu = (server.own_cpu_s() - before) / (time.monotonic() - begun)
            if process is not None:
                noticed.attackers = json.loads(process.communicate()[0])
            return noticed


def show(name: str, noticed: Noticed) -> None:
    """A line of the table."""
    ordered = sorted(noticed.seconds)
    p95 = ordered[int(len(ordered) * 0.95)]
    figures = f"{statistics.median(ordered) * 1e3:.0f} | {p95 * 1e3:.0f} | {ordered[-1] * 1e3:.0f}"
    refused = Counter[str]()
    for what, times in noticed.statuses.items():
        who, _, status = what.partition(" ")
        refused[who] += 0 if status in ("200", "303") else times
    told = " | ".join(str(refused[who]) for who in ("person", "newcomer", "/learn", "/healthz"))
    print(f"| {name} | {figures} | {told} | {noticed.cpu:.0%} | {noticed.attackers or ''} |", flush=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print a line after each attack."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("attacks", nargs="*", help=f"of {NOTHING}, {', '.join(ATTACKS)}; all of them if none is named")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--quick", action="store_true", help="a moment of each: does it run?")
    parser.add_argument("--attack", nargs=3, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.attack:
        name, port, battle = given.attack
        run(attack(name, int(port), battle))
        return
    print("| attack | person p50 ms | p95 | most | refused: person | newcomer | /learn | /healthz | CPU | attackers |")
    print(f"|{'---|' * 10}")
    for name in given.attacks or [NOTHING, *ATTACKS]:
        orders = LONG if name == "exports" and not given.quick else 10
        show(name, under(name, 2.0 if given.quick else given.seconds, orders))


if __name__ == "__main__":
    main()
