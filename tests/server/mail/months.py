"""Simulate months of battles by mail in which everything goes wrong.

    python -m tests.server.mail.months [--seeds 30] [--first 1] [--days 75] [--trace]

A seed owns the clock, the entropy, the post and the disk. Letters and replies are lost, doubled, delayed, overtaken;
players (`months_people`) are away, asleep, forgetful; mailboxes refuse mail for a while; writes fail, and the server is
killed in the middle of whatever it does and started again on its folder. After each step, and at the end, the rules of
`months_checks` are held against the store and what the post has seen. A failing seed replays exactly.
"""

import argparse
import asyncio
import heapq
import logging
import random
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine
from email.message import EmailMessage
from hashlib import sha256
from pathlib import Path
from typing import Any

from domain.basics.pace import DAY_MS, HOUR_MS, MINUTE_MS, moment_of, text_of
from domain.log.chance import StreamChance
from domain.log.fairness import Stream
from replay.writing.entropy import SeededEntropy
from server.mail.assembly import mail_parts
from server.mail.outgoing.carrier import Composed, NotCarried
from server.mail.outgoing.occasions import letters
from server.mail.outgoing.postman import Postman
from server.people.addresses import Addresses
from server.people.key_files import read_or_make_key
from server.people.keys import Keyring
from server.play.live_battles import LiveBattles
from server.play.lobby import ReadModels
from server.play.service import OrderService
from server.settings import MailSettings, Settings, make_folder
from server.store import EventStore, StoreError, StoreFailed
from server.store.tables import deliveries, mail_tokens, raw_mail
from server.store.tables.outbox import Letter
from server.time.timekeeper import Timekeeper
from tests.server.mail.months_checks import Checks, Failed
from tests.server.mail.months_people import FRONT, People

START = "2026-09-07T06:00:00.000Z"  # a Monday; summer time ends in between
PACES = ("brisk", "1d+2d weekdays", "12h+2d", "steady", "2d+4d")
LOST, DOUBLED, LATE, REFUSED_FOR_NOW, FAILED_WRITE = 0.05, 0.05, 0.12, 0.02, 0.008
KILLS = 0.06
"""How many steps end with the server killed at one of its writes."""
RETRY_MS = 20 * MINUTE_MS
"""After so long a mail system brings a mail again that was not acknowledged."""


class Killed(Exception):
    """The server is gone in the middle of something."""


class Disk:
    """What stands between the server and its store: it fails, and it is where the server dies.

    What happens to a write follows from its content and the seed, not from the order of writes, which threads decide.
    """

    def __init__(self, world: "World", store: EventStore) -> None:
        self.world = world
        self.is_armed = False
        self.killed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        submit, write = store.submit, store.write
        store.submit = lambda append: self._do(submit, append, repr(append.rows))  # type: ignore[method-assign]
        store.write = lambda *said: self._do(lambda all_: write(*all_), said, repr(said))  # type: ignore[method-assign]

    def _do(self, real: Callable[[Any], Any], work: Any, content: str) -> Any:
        never: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        if self.killed.done():
            return never
        chance = self.world.chance("disk", content)
        roll, is_kept = chance.random(), chance.random() < 0.5
        if self.is_armed and chance.random() < 0.4:
            self.is_armed = False
            if is_kept:
                real(work).add_done_callback(lambda done: self._kill(done.exception()))
            else:
                self._kill()
            return never
        if roll >= FAILED_WRITE or not self.world.is_rough:
            return real(work)
        self.world.count["write failed"] += 1
        self.world.trouble = self.world.moment
        if is_kept:  # it is written, but nobody is told so
            real(work).add_done_callback(lambda done: never.set_exception(done.exception() or StoreFailed("cut")))
        else:
            never.set_exception(StoreFailed("the disk is full"))
        return never

    def _kill(self, done: object = None) -> None:
        if not self.killed.done():
            self.killed.set_result(None)


class SimulatedServer:
    """The parts of a running server, without sockets."""

    def __init__(self, world: "World", folder: Path) -> None:
        memory = 64 * 1024 * 1024 if world.seed % 4 else 1
        settings = Settings.at(
            folder,
            {},
            host="phalera.test",
            post=MailSettings(trusted=(FRONT,)),
            memory_bytes=memory,
            synchronous="NORMAL",
        )
        make_folder(settings)
        self.world = world
        self.store = EventStore.open(settings.store(), asyncio.get_running_loop())
        self.disk = Disk(world, self.store)
        entropy = world.entropy
        signer = read_or_make_key(settings.key, settings.host, entropy)
        self.battles = LiveBattles(settings, self.store, world, entropy, Keyring(signer), letters)
        self.lobby = ReadModels(settings, self.store)
        self.play = OrderService(self.battles)
        self.parts = mail_parts(self.play, lambda: self.lobby)
        self.keeper = Timekeeper(self.battles)
        self.rows: dict[int, Letter] = {}
        self.postman = Postman(self.battles, self, self._compose, at_once=1)  # a seed replays exactly

    async def _compose(self, row: Letter) -> Composed | None:
        composed = await self.parts.writer.compose(row)
        if composed is not None:
            self.rows[id(composed.message)] = row
        return composed

    async def reach(self) -> None:
        """It is there."""

    async def carry(self, message: EmailMessage, sender: str, recipient: str) -> None:
        """Hand a letter to the post of the world."""
        await self.world.carried(self.rows[id(message)], message, sender, recipient)

    async def close(self) -> None:
        """The carrier has nothing open."""

    async def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Do something, unless the server is killed meanwhile."""
        task = asyncio.ensure_future(work)
        await asyncio.wait({task, self.disk.killed}, return_when=asyncio.FIRST_COMPLETED)
        if self.disk.killed.done():
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            raise Killed
        return task.result()

    async def end(self) -> None:
        """Drop everything; what is in the store stays."""
        self.disk._kill()
        tasks = set(self.play._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.to_thread(self.lobby.close)
        await asyncio.to_thread(self.store.close)


class Faults(logging.Handler):
    """Tracebacks in the log that no failing write explains."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep it."""
        fault = record.exc_info[1] if record.exc_info else None
        if fault is not None and not isinstance(fault, StoreError):
            self.found.append(f"{record.getMessage()}: {fault!r}")


class World:
    """All there is: time, chance, post, disk, people, and a server that is up most of the time."""

    def __init__(self, seed: int, folder: Path, days: int = 75, battles: int = 5) -> None:
        self.seed, self.folder = seed, folder
        self.entropy = SeededEntropy(f"months of mail {seed}")
        self.moment = moment_of(START)
        self.end = self.moment + days * DAY_MS
        self.count: Counter[str] = Counter()
        self.bots = StreamChance(Stream(sha256(f"bots {seed}".encode()).digest()))
        self.agenda: list[tuple[int, int, Callable[[], Awaitable[None]]]] = []
        self.added = 0
        self.is_rough = False
        self.server: SimulatedServer | None = None
        self.addresses: Addresses
        self.trouble = self.moment
        self.people = People(self, battles)
        self.checks = Checks(self)
        self.battles: list[str] = []
        self.acknowledged: dict[bytes, str] = {}
        self.steps = 0

    def now(self) -> str:
        """The time as the log writes it."""
        return text_of(self.moment)

    def chance(self, *about: object) -> random.Random:
        """Chance about something: the same whenever it is asked."""
        return random.Random(f"{self.seed} {self.moment} {about}")

    @property
    def up(self) -> SimulatedServer:
        """The server."""
        assert self.server is not None
        return self.server

    def at(self, moment: int, do: Callable[[], Awaitable[None]]) -> None:
        """Something will happen."""
        self.added += 1
        heapq.heappush(self.agenda, (max(moment, self.moment), self.added, do))

    # --- from the start to the end

    async def go(self) -> None:
        """Live through it all.

        Raises: Failed, with what is wrong
        """
        faults = Faults()
        logger = logging.getLogger("server")
        level, propagates = logger.level, logger.propagate
        logger.addHandler(faults)
        logger.propagate = False
        try:
            self.server = await self._started()
            await self.people.begin()
            self.is_rough = True
            self.at(self.moment, self._judge_left)
            while self.agenda and self.agenda[0][0] < self.end:
                await self._step()
                if faults.found:
                    raise Failed(f"a traceback at {self.now()}: {faults.found[0]}")
            self.is_rough = False
            if self.server is not None:
                await self.server.end()
            self.server = await self._started()
            await self._settle()
            await self.checks.at_the_end()
        finally:
            logger.removeHandler(faults)
            logger.setLevel(level)
            logger.propagate = propagates
            if self.server is not None:
                await self.server.end()

    async def _started(self) -> SimulatedServer:
        server = SimulatedServer(self, self.folder)
        self.server, self.addresses = server, server.parts.addresses
        await server.run(server.play.resume())
        try:
            await server.run(server.parts.intake.resume())
        except StoreError:  # as `server.mail.service` does
            self.count["resumed later"] += 1
        await server.run(server.play.close())
        return server

    async def _step(self) -> None:
        """The next thing, and all that the server does about it."""
        at, _, do = heapq.heappop(self.agenda)
        self.moment = max(at, self.moment)
        self.steps += 1
        if self.server is not None and self.is_rough and self.chance("kill", self.steps).random() < KILLS:
            self.server.disk.is_armed = True
        try:
            await do()
            if self.server is not None:
                await self._settle()
                self.server.disk.is_armed = False
                await self.checks.after_a_step()
        except Killed:
            await self._killed()

    async def _settle(self) -> None:
        """Parked scripts, the clock, the letters; then the server sleeps until something is due."""
        server = self.up
        await server.run(server.play.close())
        wakes: list[int] = []
        try:
            due = await server.run(server.keeper.tick(self.now()))
            wakes += [moment_of(due)] if due else []
        except StoreError:
            wakes.append(self.moment + 2_000)
            self.trouble = self.moment
        try:
            while await server.run(server.postman.deliver()):
                pass
        except StoreError:
            wakes.append(self.moment + 30_000)
            self.trouble = self.moment
        due = deliveries.next_due(server.store) or ""
        wakes += [moment_of(due)] if due else []
        ahead = min((at for at in wakes if at > self.moment), default=0)
        if ahead and (not self.agenda or ahead < self.agenda[0][0]):
            self.at(ahead, self._nothing)

    async def _judge_left(self) -> None:
        """As `server.mail.service` does, only less often."""
        self.at(self.moment + 2 * HOUR_MS, self._judge_left)
        if self.server is not None and raw_mail.unjudged(self.server.store, 1):
            try:
                self.count["judged later"] += await self.server.run(self.server.parts.intake.resume(60))
            except StoreError:
                self.trouble = self.moment

    async def _nothing(self) -> None:
        """Time passes."""

    async def _killed(self) -> None:
        self.count["killed"] += 1
        await self.up.end()
        self.server = None
        self.trouble = self.moment
        down = self.chance("down").choice((0, 0, MINUTE_MS, 40 * MINUTE_MS, 5 * HOUR_MS, 30 * HOUR_MS))
        self.at(self.moment + down, self._start_again)

    async def _start_again(self) -> None:
        self.trouble = self.moment
        await self._started()

    # --- the post

    async def carried(self, row: Letter, message: EmailMessage, sender: str, recipient: str) -> None:
        """The server hands a letter over.

        Raises: NotCarried
        """
        person = self.people.of(recipient)
        chance = self.chance("letter", row.kind, row.battle, recipient, row.created)
        if self.is_rough and chance.random() < REFUSED_FOR_NOW:
            self.trouble = self.moment
            raise NotCarried(421, "later", False, is_down=chance.random() < 0.3)
        self.checks.handed_over(row, message, person)
        self.count[f"letter {row.kind.partition(':')[0]}"] += 1
        if person.is_gone(self.moment):
            self.count["bounced"] += 1
            self.checks.unreached.add(person.player)
            if chance.random() < 0.5:
                self.trouble = self.moment
                raise NotCarried(550, "no such user", True)
            if sender:
                report = self.people.report(message, sender, recipient)
                self.at(self.moment + 5 * MINUTE_MS, lambda: self.taken_in(report))
            return
        await self.people.describe(person, message)
        for delay in self._ways(chance):
            self.at(self.moment + delay, lambda: self.people.arrived(person, row, message))

    def post(self, raw: bytes) -> None:
        """Somebody sends a mail to the server."""
        for delay in self._ways(self.chance("mail", raw)):
            self.at(self.moment + delay, lambda: self.taken_in(raw))

    def _ways(self, chance: random.Random) -> list[int]:
        """When a mail arrives: not at all, once or twice, soon or days later."""
        if self.is_rough and chance.random() < LOST:
            self.count["lost"] += 1
            return []
        copies = 2 if self.is_rough and chance.random() < DOUBLED else 1
        self.count["doubled"] += copies - 1
        is_late = [self.is_rough and chance.random() < LATE for _ in range(copies)]
        return [chance.randint(2 * HOUR_MS, 3 * DAY_MS) if late else chance.randint(2_000, 600_000) for late in is_late]

    async def taken_in(self, raw: bytes) -> None:
        """A mail is at the server's door; if it is not acknowledged it comes again."""
        server = self.server
        try:
            if server is None:
                raise Killed
            verdict = await server.run(server.parts.intake.accept(raw))
        except (Killed, StoreError):
            self.at(self.moment + RETRY_MS, lambda: self.taken_in(raw))
            if server is not None and server.disk.killed.done():
                raise
            return
        self.acknowledged[raw] = verdict.what
        self.count[f"mail {verdict.what}"] += 1
        await self.people.told(raw, verdict)

    def person_of_token(self, token: str) -> mail_tokens.MailToken | None:
        """What the store knows of a token."""
        return mail_tokens.find(self.up.store, token)


async def live(seed: int, folder: Path, days: int = 75, battles: int = 5) -> World:
    """One seed, from its first day to its last.

    Raises: Failed, which names the seed
    """
    world = World(seed, folder, days, battles)
    try:
        await world.go()
    except Exception as failure:
        raise Failed(f"seed {seed}, {world.now()}, step {world.steps}: {failure!r}") from failure
    return world


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--days", type=int, default=75)
    parser.add_argument("--trace", action="store_true")
    arguments = parser.parse_args()
    failed, whole = 0, Counter[str]()
    for seed in range(arguments.first, arguments.first + arguments.seeds):
        begun = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            try:
                world = asyncio.run(live(seed, Path(folder), arguments.days))
            except Failed as failure:
                failed += 1
                print(f"{failure}\n{traceback.format_exc() if arguments.trace else ''}", flush=True)
                continue
        whole += world.count
        print(f"seed {seed}: {world.steps} steps, {time.monotonic() - begun:.0f} s, {world.checks.heads}", flush=True)
    for what, times in sorted(whole.items()):
        print(f"  {what}: {times}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
