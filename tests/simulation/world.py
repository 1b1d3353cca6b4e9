"""A whole host with its players in a simulated time: what happens when, what goes wrong, and what has come of it."""

import heapq
import logging
import random
from collections import Counter, deque
from collections.abc import Callable, Coroutine
from hashlib import sha256
from pathlib import Path
from typing import Any

from msgspec import Struct

from domain.basics.pace import text_of
from replay.writing.entropy import SeededEntropy
from server.people.players import enrol
from server.store import StoreError
from server.store.append import Statement
from tests.simulation.host import SimulatedClock, SimulatedHost
from tests.simulation.loop import Cut, SimulatedLoop, SimulatedTime
from tests.simulation.rates import drawn
from tests.simulation.wire import WireAnswer, ask

START = "2026-09-07T06:00:00.000Z"
"""A Monday; summer time ends some weeks later."""
MINUTE_S, HOUR_S, DAY_S = 60.0, 3600.0, 86400.0
PATIENCE_S = 120.0
"""How long a step may take until what it does goes on beside the next."""
DOWN_S = (0.0, 1.0, 5 * MINUTE_S, 2 * HOUR_S, 30 * HOUR_S)
"""How long a server is down after a crash."""
FUSES = (12, 40, 120, 300)
"""Within so many callbacks a crash comes, counted from the beginning of a step."""
TOLD = 20
"""How many actions are told where an invariant is broken."""


class Broken(Exception):
    """An invariant does not hold."""

    def __init__(self, invariant: str, said: str) -> None:
        super().__init__(f"{invariant}: {said}")
        self.invariant, self.said = invariant, said


class Down(Exception):
    """No server answers."""


class Setting(Struct, frozen=True):
    """What is simulated: `games` by their codes, none: all; kinds of faults to be left out (`without`); the days it
    lasts, how many battles and players."""

    seed: int
    days: float = 40.0
    battles: int = 6
    players: int = 7
    games: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    mail: bool = True
    campaigns: bool = True
    steps: int = 0
    """After so many steps it ends; 0: after its days."""


class Account(Struct, frozen=True):
    """Somebody with an account."""

    player: str
    name: str
    token: str
    address: str


class Faults(logging.Handler):
    """What the server logs of faults of its own."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep it, unless a store that is gone explains it."""
        fault = record.exc_info[1] if record.exc_info else None
        if not isinstance(fault, StoreError):
            self.found.append(f"{record.name}: {record.getMessage()} {fault!r}")


class World:
    """All there is. Players and checks are given to it (`agenda`, `checks`)."""

    def __init__(self, setting: Setting, folder: Path, carrier: Any = None) -> None:
        self.setting, self.seed = setting, setting.seed
        self.rates = drawn(setting.seed, setting.without)
        self.time = SimulatedTime()
        self.clock = SimulatedClock(START, self.time)
        self.entropy = SeededEntropy(f"simulation {setting.seed}")
        self.folder, self.lives = folder, 0
        self.carrier = carrier
        self.count: Counter[str] = Counter()
        self.recent: deque[str] = deque(maxlen=TOLD)
        self.trace = sha256()
        self.steps = 0
        self.battle_s = 0.0
        self.up_since_s = 0.0
        self.trouble_s = 0.0
        """When the last fault was that may have delayed something."""
        self.host: SimulatedHost | None = None
        self.after_step: list[Callable[[], None]] = []
        self.after_crash: list[Callable[[], None]] = []
        self.after_start: list[Callable[[], None]] = []
        self._agenda: list[tuple[float, int, str, Callable[[], Coroutine[Any, Any, Any]], Callable[[], None]]] = []
        self._added = 0
        self.faults = Faults()

    # --- chance and time

    def chance(self, *about: object) -> random.Random:
        """Chance about something: it does not depend on what else is drawn."""
        return random.Random(f"{self.seed} {about}")

    def strikes(self, kind: str, *about: object) -> bool:
        """Whether a fault of a kind, or a habit, strikes here."""
        rate = self.rates[kind]
        return rate > 0 and self.chance(kind, *about).random() < rate

    @property
    def now_s(self) -> float:
        """The seconds since the start."""
        return self.time.now_s

    @property
    def up(self) -> SimulatedHost:
        """The server.

        Raises: Down
        """
        if self.host is None:
            raise Down
        return self.host

    def at(
        self,
        moment_s: float,
        what: str,
        do: Callable[[], Coroutine[Any, Any, Any]],
        cut: Callable[[], None] = lambda: None,
    ) -> None:
        """Something will happen; `cut` is called if the server ends in the middle of it."""
        self._added += 1
        heapq.heappush(self._agenda, (max(moment_s, self.now_s), self._added, what, do, cut))

    def note(self, what: str) -> None:
        """Write an action into the trace."""
        line = f"{self.steps} {text_of(self.clock.true_ms)} {what}"
        self.recent.append(line)
        self.trace.update(line.encode() + b"\n")

    def trouble(self) -> None:
        """Something has gone wrong that may delay what is due."""
        self.trouble_s = self.now_s

    # --- the server

    def start(self) -> None:
        """Start the server on what there is."""
        loop = SimulatedLoop(self.time, self.chance("order", self.lives), lambda: self.now_s)
        loop.is_shuffled = self.chance("shuffled").random() < 0.8
        self.host = SimulatedHost(
            self.folder / str(self.lives), loop, self.clock, self.entropy, self.carrier, memory_bytes=self._memory()
        )
        self.host.start()
        self.up_since_s = self.now_s
        self.trouble()
        for look in self.after_start:
            look()

    def _memory(self) -> int:
        return 1 if self.chance("memory").random() < 0.3 else 64 * 1024 * 1024

    def crash(self) -> None:
        """The server loses its power, and is started again after a while."""
        host = self.up
        self.host = None
        self.count["crashed"] += 1
        before, self.lives = self.lives, self.lives + 1
        host.lose_power(self.folder / str(self.lives))
        _remove(self.folder / str(before))
        self.trouble()
        self.note("crash")
        for look in self.after_crash:
            look()
        self.at(self.now_s + self.chance("down", self.lives).choice(DOWN_S), "start", self._start_again)

    async def _start_again(self) -> None:
        raise AssertionError("it is done outside of the loop")

    def stop(self) -> None:
        """The host stops the server in order, and starts it again."""
        self.up.stop()
        self.up.loop.cut()
        self.host = None
        self.count["stopped"] += 1
        self.note("stop")
        self.start()

    # --- going on

    def run(self) -> None:
        """Go through all of it.

        Raises: Broken
        """
        end_s = self.setting.days * DAY_S
        while self._agenda and self._agenda[0][0] < end_s:
            if self.setting.steps and self.steps >= self.setting.steps:
                return
            self.step()
        if self.host is None:
            self.start()

    def step(self) -> None:
        """The next thing that happens, and what the server does about it.

        Raises: Broken
        """
        at_s, _, what, do, cut = heapq.heappop(self._agenda)
        self.steps += 1
        if self.host is None and what != "start":
            self.time.now_s = max(self.now_s, at_s)
            cut()
            return
        if what == "start":
            self.time.now_s = max(self.now_s, at_s)
            self.note(what)
            self.start()
        else:
            self._do(at_s, what, do, cut)
        if self.host is not None:
            for look in self.after_step:
                look()

    def _do(self, at_s: float, what: str, do: Callable[[], Coroutine[Any, Any, Any]], cut: Callable[[], None]) -> None:
        host = self.up
        try:
            host.loop.go(at_s)
            self._set_clock()
            host.loop.stir()
            if self.strikes("crash", self.steps):
                fuse = self.chance("fuse", self.steps)
                host.loop.fuse = fuse.randint(1, fuse.choice(FUSES))
            task = host.loop.create_task(do())
            host.loop.go(at_s + PATIENCE_S, task.done)
            if not task.done():
                raise Broken("SIM-HURT", f"{what} is not done after {PATIENCE_S:g} s")
            task.result()
            host.loop.stir()
            host.loop.go(self.now_s + self.chance("beat", self.steps).choice((0.0, 0.3, 3.0)))
            host.loop.fuse = 0
        except Cut:
            self.crash()
            cut()
            return
        if self.strikes("stop", self.steps):
            self.stop()

    def _set_clock(self) -> None:
        """Somebody sets the clock of the machine, or sets it right again."""
        chance = self.chance("clock", self.steps)
        if self.clock.ahead_ms and chance.random() < 0.2:
            self.clock.ahead_ms = 0
            self.note("clock right")
        for kind, sign in (("clock forward", 1), ("clock back", -1)):
            if self.strikes(kind, self.steps):
                self.clock.ahead_ms = sign * chance.choice((30, 3600, 30 * 3600, 40 * 86400)) * 1000
                self.count[kind] += 1
                self.note(f"{kind} {self.clock.ahead_ms // 1000} s")
        if self.up.whole.server.clock.doubt is not None:
            self.trouble()

    # --- what everybody may do

    def enrol(self, name: str) -> Account:
        """A new player."""
        made = enrol(self.clock, self.entropy, name, f"{name.lower()}@players.test")
        self.write(*made.statements)
        return Account(made.account.player, name, made.api_token, made.account.email)

    def write(self, *statements: Statement) -> None:
        """Write something into the store, as the commands beside a server do."""
        host = self.up

        async def written() -> None:
            await host.store.write(*statements)

        host.loop.do(written())

    async def ask(self, who: Account, method: str, path: str, body: Any = None, key: str = "") -> WireAnswer:
        """Ask the server something; the connection may be cut.

        Raises: LostConnection, Down, Broken
        """
        host = self.up
        about = who.name, method, path, self.steps, key, self.count["requests"]
        self.count["requests"] += 1
        sent = received = -1
        if self.strikes("cut request", *about):
            sent = self.chance("sent", *about).randint(0, 300)
        if self.strikes("cut answer", *about):
            received = self.chance("received", *about).randint(0, 600)
        headers = {"Idempotency-Key": key} if key else {}
        answer = await ask(host.web, method, path, who.token, body, headers, sent=sent, received=received)
        self.note(f"{who.name} {method} {path} -> {answer.status} {answer.code}")
        if answer.status >= 500:
            raise Broken("SIM-HURT", f"{method} {path}: {answer.status} {answer.body[:300]!r}")
        return answer


def _remove(folder: Path) -> None:
    import shutil

    shutil.rmtree(folder)
