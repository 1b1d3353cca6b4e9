"""What others notice while one client makes the worst requests that the bounds allow.

    python -m benchmarks.attack [--seconds 10] [attack …]

The server is `phalera serve` in a process of its own, without limits of rate: what holds here is held by the bounds and
by the worker processes alone. The attacker is another process. This one asks for `/healthz` and gives an order, in
turn, ten times a second whatever the answers do (an open loop: who waits for an answer waits from the time of their
request), and shows p50, p95 and the longest, and how much of a processor the server itself took, and its workers.
"""

import argparse
import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle, repeat
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from benchmarks.loopback import ROOT, Client, Server, enrolled, run, serving
from domain.basics.toml_limits import DEPTH_LIMIT, FILE_LIMIT
from domain.basics.toml_text import to_toml
from server.settings import Settings, make_folder
from server.store import EventStore

BATTLES = "/api/v1/battles"
PHRASE = "sixteen bytes of my own"
UNITS, COLUMNS, ROWS = 60, 20, 20
"""Of the largest battle: units of a side, and the board."""
MOMENTS = 300
"""Events of the battle that is attacked, each a board of its own."""
EVERY_S = 0.1
PAUSE_S = 1.0
"""After an answer that says that too much is waiting."""
NOTHING = "nothing"

Request = tuple[str, str, bytes]
"""Method, path, body."""


# --- the worst requests


def largest() -> str:
    """The scenario with most units on the largest board, all of them in each other's way, and no end of its turns."""

    def army(letter: str, rows: Sequence[int], facing: str) -> dict[str, Any]:
        boxes = [f"{chr(ord('A') + column)}{row}" for row in rows for column in range(COLUMNS)]
        units = [
            {"id": f"{letter}{n}Q", "type": "light_javelin", "box": box, "facing": facing}
            for n, box in enumerate(boxes[:UNITS])
        ]
        corps = [{"id": f"{letter}C{at}", "units": units[at::12]} for at in range(12)]
        return {"name": letter, "medals": 500, "corps": corps}

    return to_toml(
        {
            "ruleset": "tts",
            "title": "The largest",
            "terrain": [],
            "options": {"group_max": 12, "turn_limit": 0},
            "board": {"columns": COLUMNS, "rows": ROWS},
            "sides": {"south": army("S", (10, 9, 8), "N"), "north": army("N", (11, 12, 13), "S")},
        }
    )


def _json(**members: Any) -> bytes:
    return msgspec.json.encode(members)


def texts(battle: str) -> Iterator[Request]:
    """Scenarios: a key of dots, and the most work that can be read."""
    dots = _json(scenario_toml=".".join("a" * (FILE_LIMIT // 2)))
    arrays = _json(scenario_toml="a = [" + "1," * (FILE_LIMIT // 2 - 10) + "]")
    tables = _json(scenario_toml="".join(f"[{'.'.join('a' * DEPTH_LIMIT)}.k{n}]\n" for n in range(1400)))
    return cycle([("POST", BATTLES, body) for body in (dots, arrays, tables)])


def openings(battle: str) -> Iterator[Request]:
    """The largest battle, opened again and again."""
    return repeat(("POST", BATTLES, _json(scenario_toml=largest())))


def pictures(battle: str) -> Iterator[Request]:
    """Boards as PNG, each of another moment or side."""
    moments = range(1, MOMENTS)
    return cycle(
        [("GET", f"{BATTLES}/{battle}/board?n={n}&lang={lang}", b"") for n in moments for lang in ("en", "fr")]
    )


def previews(battle: str) -> Iterator[Request]:
    """Scripts that only try, as long as they may be."""
    tried = "\n".join(f"try S{n % UNITS}Q ahead" for n in range(199))
    tested = "\n".join([f"if {' or '.join(['S0Q at A1'] * 24)}: S1Q ahead"] * 10)
    bodies = [_json(orders=text, phrase=PHRASE) for text in (tried, tested + "\nS0Q ahead")]
    return cycle([("POST", f"{BATTLES}/{battle}/preview", body) for body in bodies])


def scripts(battle: str) -> Iterator[Request]:
    """Orders whose conditions are all false, and orders that are all refused."""
    tested = "\n".join([f"stop if {' or '.join(['S0Q ahead needs at most 1'] * 24)}"] * 10)
    refused = "\n".join(["try S0Q charge A1"] * 199)
    seen = {"hash": "0" * 64, "n": 1}
    bodies = [_json(orders=text, phrase=PHRASE, seen=seen) for text in (tested + "\nS0Q charge A1", refused)]
    return cycle([("POST", f"{BATTLES}/{battle}/orders", body) for body in bodies])


def pages(battle: str) -> Iterator[Request]:
    """The page of the largest battle, and what a program reads of it."""
    paths = (f"/battles/{battle}", f"{BATTLES}/{battle}", f"{BATTLES}/{battle}/options", f"{BATTLES}/{battle}/board")
    return cycle([("GET", path, b"") for path in paths])


class Attack(Struct, frozen=True):
    """The requests of an attack, over how many connections at once. `bots`: battles in which both sides are bots."""

    requests: Callable[[str], Iterator[Request]] | None = None
    connections: int = 0
    bots: int = 0


ATTACKS = {
    NOTHING: Attack(),
    "texts": Attack(texts, 4),
    "openings": Attack(openings, 4),
    "bots": Attack(bots=4),
    "pictures": Attack(pictures, 100),
    "previews": Attack(previews, 16),
    "scripts": Attack(scripts, 4),
    "pages": Attack(pages, 4),
}


# --- the attacker, in a process of its own


async def attack(name: str, port: int, token: str, battle: str) -> None:
    """Send requests until the process is ended."""
    chosen = ATTACKS[name]
    assert chosen.requests is not None
    requests = chosen.requests(battle)

    async def one() -> None:
        async with await Client.at(port) as client:
            while True:
                method, path, body = next(requests)
                answer = await client.ask(method, path, body, token, accept="*/*" if body else "image/png, */*;q=0.5")
                if answer.status == 503:
                    await asyncio.sleep(PAUSE_S)

    await asyncio.gather(*(one() for _ in range(chosen.connections)))


# --- who is served meanwhile


class Noticed(Struct, frozen=True):
    """Seconds of each answer, and the seconds of processor of the server itself and of its children."""

    seconds: list[float]
    own_cpu_s: float
    all_cpu_s: float


class Stage(Struct):
    """A server with the battle of somebody who plays, and the battle that is attacked."""

    server: Server
    player: str
    attacker: str
    battle: str = ""
    target: str = ""
    heads: dict[str, Any] = {}


async def asked(client: Client, method: str, path: str, token: str, **members: Any) -> Any:
    """The answer to a request that must succeed."""
    answer = await client.ask(method, path, _json(**members) if members else b"", token)
    assert answer.status < 300, answer
    return msgspec.json.decode(answer.content)


async def opened(client: Client, token: str, bots: bool = False, **members: Any) -> str:
    """A battle in which a player holds both sides, or bots do."""
    battle = str((await asked(client, "POST", BATTLES, token, **members))["battle"])
    for side in ("south", "north"):
        head = (await asked(client, "GET", f"{BATTLES}/{battle}", token))["head"]
        seat = {"bot": "strong"} if bots else {"phrase": PHRASE, "seen": head}
        await asked(client, "POST", f"{BATTLES}/{battle}/sides/{side}", token, **seat)
    return battle


async def noticed(stage: Stage, seconds: float) -> Noticed:
    """What a player notices for some seconds."""
    clients = [await Client.at(stage.server.port) for _ in range(round(seconds / EVERY_S))]
    lock, found = asyncio.Lock(), list[float]()
    loop = asyncio.get_running_loop()
    before = stage.server.own_cpu_s(), stage.server.cpu_s()

    async def ask(number: int, client: Client, due: float) -> None:
        await asyncio.sleep(due - loop.time())
        if number % 2:
            answer = await client.ask("GET", "/healthz")
            assert answer.status == 200, answer
        else:
            async with lock:  # the orders of a player come one after another
                await offer(client, stage, stage.battle, stage.player)
        found.append(loop.time() - due)

    begun = loop.time()
    await asyncio.gather(*(ask(n, client, begun + n * EVERY_S) for n, client in enumerate(clients)))
    after = stage.server.own_cpu_s(), stage.server.cpu_s()
    for client in clients:
        await client.close()
    return Noticed(found, after[0] - before[0], after[1] - before[1])


async def offer(client: Client, stage: Stage, battle: str, token: str) -> int:
    """Give an order that can be given again and again; returns the last event."""
    path = f"{BATTLES}/{battle}"
    seen = stage.heads.get(battle) or (await asked(client, "GET", path, token))["head"]
    order = {"orders": "offer draw", "side": "south", "phrase": PHRASE, "seen": seen}
    given = await asked(client, "POST", f"{path}/orders", token, **order)
    stage.heads[battle] = given["head"]
    return int(given["n"])


async def measured(stage: Stage, name: str, seconds: float) -> Noticed:
    """One attack, from a moment after its beginning on."""
    async with await Client.at(stage.server.port) as client:
        for _ in range(ATTACKS[name].bots):
            await opened(client, stage.attacker, bots=True, scenario_toml=largest())
    attacker = None
    if ATTACKS[name].requests is not None:
        given = ("--attack", name, str(stage.server.port), stage.attacker, stage.target)
        attacker = subprocess.Popen([sys.executable, "-m", "benchmarks.attack", *given], cwd=ROOT, env=os.environ)
    try:
        await asyncio.sleep(3)
        return await noticed(stage, seconds)
    finally:
        if attacker is not None:
            attacker.kill()
            attacker.wait()


def under(name: str, seconds: float) -> Noticed:
    """One attack on a new server."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        settings = Settings.at(data)
        make_folder(settings)
        store = EventStore.open(settings.store())
        players = enrolled(store, "Anna", "Mallory")
        store.close()
        with serving(Server.of(data)) as server:
            stage = Stage(server, players["Anna"][1], players["Mallory"][1])

            async def main() -> Noticed:
                async with await Client.at(server.port) as client:
                    stage.battle = await opened(client, stage.player, scenario="skirmish")
                    stage.target = await opened(client, stage.attacker, scenario_toml=largest())
                    while await offer(client, stage, stage.target, stage.attacker) < MOMENTS:
                        pass
                return await measured(stage, name, seconds)

            found: Noticed = run(main())
            return found


def show(name: str, found: Noticed, seconds: float) -> None:
    """A line of the table."""
    ordered = sorted(found.seconds)
    p95 = ordered[int(len(ordered) * 0.95)]
    own, workers = found.own_cpu_s / seconds, (found.all_cpu_s - found.own_cpu_s) / seconds
    figures = f"{statistics.median(ordered) * 1e3:.0f} | {p95 * 1e3:.0f} | {ordered[-1] * 1e3:.0f}"
    print(f"| {name} | {figures} | {own:.0%} | {workers:.0%} |", flush=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print a line after each attack."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("attacks", nargs="*", help=f"of {', '.join(ATTACKS)}; all of them if none is named")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--attack", nargs=4, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.attack:
        name, port, token, battle = given.attack
        run(attack(name, int(port), token, battle))
        return
    print("| attack | others p50 ms | p95 | longest | server | workers |\n|---|---|---|---|---|---|")
    for name in given.attacks or ATTACKS:
        show(name, under(name, given.seconds), given.seconds)


if __name__ == "__main__":
    main()
