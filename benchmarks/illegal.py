"""Try orders that the rules refuse, and count those accepted.

    python -m benchmarks.illegal [--count 100000] [--seed 1]

Two players fight battles over HTTP, several at once. Between their orders they send illegal ones, a line a request:
legal orders with one argument changed, orders of the other side, orders of earlier turns, answers that nobody asked
for, orders before the start and after the end, garbage. A mirror of each battle, folded here from the public log, says
beforehand what is illegal: `decide` must refuse it; what happens to be legal is left out. Every answer must be a
refusal with the code that the rules gave here, and leave number and hash of the head as they were. Exit code 0 if all
were refused, 1 at the first that was not.
"""

import argparse
import asyncio
import random
import sys
import tempfile
import time
from pathlib import Path

import msgspec
from msgspec import Struct

from benchmarks.illegal_orders import Accepted, Mirror, Tally, illegal
from benchmarks.loopback import Client, Server, enrolled, run, serving
from benchmarks.rehearsal import PHRASE, RULES, SIDES
from domain.run.decide import to_act
from replay.proof import chain
from server.settings import Settings, make_folder
from server.store import EventStore

SCENARIOS = ("skirmish", "cannae", "zama")
WORKERS = 6
BATCH = 40
"""Illegal orders in a position."""
MOST_EVENTS = 700


class _Line(Struct):
    status: str
    code: str = ""


class _Answer(Struct):
    code: str = ""
    receipt: str = ""
    lines: tuple[_Line, ...] = ()


class _Opened(Struct):
    battle: str


ANSWER = msgspec.json.Decoder(_Answer).decode
V1 = "/api/v1/battles"


class Fighter:
    """One connection, on which battle after battle is fought."""

    def __init__(self, client: Client, tokens: dict[str, str], tally: Tally, pick: random.Random) -> None:
        self.client = client
        self.tokens = tokens
        self.tally = tally
        self.pick = pick

    async def fight(self) -> None:
        """Until enough has been sent."""
        while self.tally.sent < self.tally.wanted:
            mirror = await self._opened()
            await self._try(mirror)
            await self._join(mirror, "north")
            while self.tally.sent < self.tally.wanted and mirror.game.winner is None and mirror.n < MOST_EVENTS:
                await self._try(mirror)
                for _ in range(self.pick.randint(1, 5)):
                    await self._play(mirror)
            await self._try(mirror)
            await self._compare(mirror)

    async def _opened(self) -> Mirror:
        body = msgspec.json.encode({"scenario": self.pick.choice(SCENARIOS)})
        answer = await self._ok("POST", V1, "south", body)
        mirror = Mirror(msgspec.json.decode(answer, type=_Opened).battle, self.pick)
        self.tally.battles += 1
        await self._follow(mirror, answer)
        await self._join(mirror, "south")
        return mirror

    async def _join(self, mirror: Mirror, side: str) -> None:
        body = msgspec.json.encode({"phrase": PHRASE, "seen": {"n": mirror.n, "hash": mirror.head}})
        answer = await self._ok("POST", f"{V1}/{mirror.battle}/sides/{side}", side, body)
        await self._follow(mirror, answer)

    async def _play(self, mirror: Mirror) -> None:
        """A legal order, fights first, so that there is something to see."""
        waits = to_act(RULES, mirror.game)
        if not waits:
            return
        orders = mirror.options(waits[0])
        fights = [order for order in orders if " charge " in order or " shoot " in order]
        order = self.pick.choice(fights if fights and self.pick.random() < 0.5 else orders)
        await self._follow(
            mirror, await self._ok("POST", f"{V1}/{mirror.battle}/orders", waits[0], _body(order, mirror))
        )
        self.tally.played += 1

    async def _follow(self, mirror: Mirror, answer: bytes) -> None:
        mirror.receipt = ANSWER(answer).receipt
        mirror.feed(await self._ok("GET", f"{V1}/{mirror.battle}/events?after={mirror.n}", "south"))

    async def _ok(self, method: str, path: str, side: str, body: bytes = b"") -> bytes:
        answer = await self.client.ask(method, path, body, self.tokens[side])
        if answer.status >= 300:
            raise RuntimeError(f"{method} {path} {body!r}: {answer.status} {answer.content!r}")
        return answer.content

    async def _try(self, mirror: Mirror) -> None:
        """A batch of illegal orders; nothing may come of it."""
        tally, state = self.tally, mirror.state()
        for order in illegal(mirror, self.pick, min(BATCH, tally.wanted - tally.sent), tally):
            if tally.sent >= tally.wanted:
                break
            tally.sent += 1
            path = f"{V1}/{mirror.battle}/orders"
            answer = await self.client.ask("POST", path, _body(order.text, mirror), self.tokens[order.side])
            found = ANSWER(answer.content)
            code = found.lines[0].code if found.lines else found.code
            if answer.status < 400 or not code or found.receipt not in ("", mirror.receipt):
                raise Accepted(f"{mirror.battle} after {mirror.n}: {order} was answered {answer}")
            tally.codes[code] += 1
            tally.origins[order.origin] += 1
            tally.parsed += order.parses
            tally.states[state] += 1
            if code != order.code:
                tally.otherwise[order.code, code] += 1
        view = ANSWER(await self._ok("GET", f"{V1}/{mirror.battle}", "south"))
        events = await self._ok("GET", f"{V1}/{mirror.battle}/events?after={mirror.n}", "south")
        if view.receipt != mirror.receipt or events:
            raise Accepted(f"{mirror.battle}: {mirror.receipt!r} became {view.receipt!r}, {events!r}")

    async def _compare(self, mirror: Mirror) -> None:
        """The file at the end has what the mirror has, and nothing else."""
        log = chain.open_file(await self._ok("GET", f"{V1}/{mirror.battle}/export", "south"))
        if len(log.lines) != mirror.n or log.checkpoint != mirror.receipt:
            raise Accepted(f"{mirror.battle}: its file has {len(log.lines)} events, not {mirror.n}")


def _body(order: str, mirror: Mirror) -> bytes:
    return msgspec.json.encode({"orders": order, "phrase": PHRASE, "seen": {"n": mirror.n, "hash": mirror.head}})


async def attack(port: int, tokens: dict[str, str], count: int, seed: int) -> Tally:
    """Send so many illegal orders.

    Raises: Accepted
    """
    tally = Tally(count)

    async def fight(number: int) -> None:
        async with await Client.at(port) as client:
            await Fighter(client, tokens, tally, random.Random(f"{seed} {number}")).fight()

    async with asyncio.TaskGroup() as tasks:
        for number in range(WORKERS):
            tasks.create_task(fight(number))
    return tally


def attacked(folder: Path, count: int, seed: int) -> Tally:
    """Start a server and attack it.

    Raises: Accepted
    """
    settings = Settings.at(folder)
    make_folder(settings)
    with EventStore.open(settings.store()) as store:
        players = enrolled(store, *SIDES)
    tokens = {side: token for side, (_, token) in players.items()}
    with serving(Server.of(folder)) as server:
        try:
            tally: Tally = run(attack(server.port, tokens, count, seed))
        except* Accepted as faults:
            raise Accepted("; ".join(map(str, faults.exceptions))) from None
    return tally


def show(tally: Tally, seconds: float) -> None:
    """Print what was met."""
    print(
        f"\n{tally.sent:,} illegal orders in {seconds:,.0f} s over {WORKERS} connections, in {tally.battles} battles "
        f"between {tally.played:,} legal orders: 0 accepted, no head moved."
    )
    print(
        f"{tally.parsed / tally.sent:.1%} could be read as orders; "
        f"{tally.legal:,} more candidates were legal and left out."
    )
    others = ", ".join(f"{found} instead of {wanted}: {count}" for (wanted, found), count in tally.otherwise.items())
    print(f"Refused with another code than the rules gave here: {others or 'none'}.")
    for title, counts in (("code", tally.codes), ("what was sent", tally.origins), ("where", tally.states)):
        print(f"\n| {title} | orders | share |\n|---|---|---|")
        for name, count in counts.most_common():
            print(f"| {name} | {count:,} | {count / tally.sent:.1%} |")


def main() -> int:
    """Parse, run, report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=None, help="drawn and printed if not given")
    arguments = parser.parse_args()
    seed = random.randrange(2**32) if arguments.seed is None else arguments.seed
    print(f"seed {seed}")
    start = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="phalera-illegal-") as folder:
        try:
            tally = attacked(Path(folder), arguments.count, seed)
        except Accepted as fault:
            print(f"FAULT: {fault}")
            return 1
    show(tally, time.perf_counter() - start)
    return 0


if __name__ == "__main__":
    sys.exit(main())
