"""Do what is due when time passes.

It lets flags fall, begins and ends vacations in every battle that they touch, and reminds the side on move. What is
due is computed from the log and the table of absences alone, so it continues after a restart; each action follows
from the current state, never from a count of past actions.
"""

import asyncio
import logging
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from domain.basics.decoding import packed_decoder
from domain.basics.errors import Refusal
from domain.basics.pace import HOUR_MS, moment_of, text_of
from domain.time.clock import Clocks, SideClock, deadline_of
from server.play.live_battle import LiveBattle
from server.play.live_battles import LiveBattles
from server.store import StoreError
from server.store.cache_file import CacheFile
from server.store.tables import absences, reminders
from server.store.tables.absences import Absence
from server.time.clock_doubts import ClockDoubts
from server.time.deadlines import claim, clocks_now, pause, put_right, resume
from server.time.vacations import end_vacation, plan_vacation, vacations_of

__all__ = ["Timekeeper", "claim", "end_vacation", "pause", "plan_vacation", "resume", "vacations_of"]

log = logging.getLogger(__name__)

LEAST_S, POLL_S = 0.05, 2.0
"""Shortest and longest sleep: another process may have written, or a player planned a vacation."""
RETRY_MS = 60_000
"""The delay before retrying a battle whose time could not be kept."""
FILE = "times.db"
"""In the folder of the read models: what was due in each battle."""
FEED_ROWS = 500
HAS_PACE, LAST_EVENT = b'"pace":"', "MasterRevealed"
DAY, LAST = ("24h", 24 * HOUR_MS), ("2h", 2 * HOUR_MS)
APART_MS = 2 * HOUR_MS
"""Reminders closer together than this are merged."""


class TimedBattle(Struct):
    """A battle with a pace in progress: its players, and the moment of the next due action (0: none), as of event
    `n`."""

    due: int = 0
    players: frozenset[str] = frozenset()
    reminded: tuple[tuple[str, int, str], ...] = ()
    n: int = 0


_ENCODER, _DECODER = msgspec.msgpack.Encoder(), packed_decoder(TimedBattle)


class Timekeeper:
    """Keeps the time of all live battles. `cache` has what was due in each battle, so that after a start only those are
    read that have gone on since; without it, all are. While the `doubts` say that the clock cannot be believed, nothing
    is done."""

    def __init__(
        self, live_battles: LiveBattles, cache: CacheFile | None = None, doubts: ClockDoubts | None = None
    ) -> None:
        self.battles = live_battles
        self._doubts = doubts
        self._cache = cache
        self._planned: dict[str, bytes] = {}  # for the cache, until the end of the tick
        self._battles: dict[str, TimedBattle] = {}
        self._touched: set[str] = set()
        self._position = -1
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start keeping time."""
        self._task = asyncio.ensure_future(self._run())

    async def close(self) -> None:
        """Stop."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._cache is not None:
            await asyncio.to_thread(self._cache.close)

    async def _run(self) -> None:
        while True:
            wait_s = POLL_S
            try:
                if self._doubts is not None and await asyncio.to_thread(self._doubts.look) is not None:
                    await asyncio.sleep(POLL_S)
                    continue
                due = await self.tick(self.battles.clock.now())
                if due:
                    left_ms = moment_of(due) - moment_of(self.battles.clock.now())
                    wait_s = min(POLL_S, max(LEAST_S, left_ms / 1000))
            except StoreError as failure:
                log.warning("the time could not be kept: %s", failure)
            except Exception:
                log.exception("the time could not be kept")
            await asyncio.sleep(wait_s)

    async def tick(self, now: str) -> str:
        """Do everything that is due at a moment; returns the next such moment, "" if nothing is in sight."""
        await asyncio.to_thread(self._follow)
        planned = absences.all_open(self.battles.store)
        changed = [each for each in planned if _state_at(each, now) != each.state]
        of_changed = {each.player for each in changed}
        moment = moment_of(now)
        for battle, kept in list(self._battles.items()):
            if battle in self._touched or 0 < kept.due <= moment or not of_changed.isdisjoint(kept.players):
                await self._keep(battle, now, planned)
        if changed:  # afterwards: at the start all battles are checked
            await self.battles.store.write(*(absences.set_state(each.id, _state_at(each, now)) for each in changed))
        if self._cache is not None and self._planned:
            written, self._planned = self._planned, {}
            await asyncio.to_thread(self._cache.put, written)
        return self._next(planned, now)

    def _next(self, planned: list[Absence], now: str) -> str:
        due = min((kept.due for kept in self._battles.values() if kept.due), default=0)
        moments = [at for each in planned for at in (each.begins, each.ends) if at > now]
        return min([*moments, *([text_of(due)] if due else [])], default="")

    # --- which battles

    def _follow(self) -> None:
        """Find the battles to check: at first those in progress of which nothing is planned, or that have gone on since
        it was; then those that go on."""
        store = self.battles.store
        if self._position < 0:
            self._position = store.position()
            known = self._cache.all() if self._cache is not None else {}
            for battle in store.going_on("BattleOpened", 1, HAS_PACE, LAST_EVENT):
                self._find(battle, known.get(battle, b""))
            return
        while rows := store.feed(self._position, FEED_ROWS):
            for position, battle, n, line in rows:
                self._position = position
                if battle in self._battles or (n == 1 and HAS_PACE in line):
                    self._touch(battle)

    def _find(self, battle: str, content: bytes) -> None:
        """Take over what was planned for a battle, if nothing has happened in it since; else it is checked."""
        head = self.battles.store.head(battle)
        try:
            kept = _DECODER.decode(content) if content else TimedBattle()
        except msgspec.MsgspecError:
            kept = TimedBattle()
        if head is not None and 0 < kept.n == head.n:
            self._battles[battle] = kept
        else:
            self._touch(battle)

    def _touch(self, battle: str) -> None:
        self._battles.setdefault(battle, TimedBattle())
        self._touched.add(battle)

    # --- one battle

    async def _keep(self, battle: str, now: str, planned: Sequence[Absence]) -> None:
        """Do what is due in a battle."""
        self._touched.discard(battle)
        try:
            live = await self.battles.get(battle)
            async with live.lock:
                await live.freshen()
                await put_right(live, now, planned)
                await self._remind(live, now)
                self._plan(live, now)
        except Exception as failure:
            self._battles[battle].due = moment_of(now) + RETRY_MS
            if isinstance(failure, (StoreError, Refusal)):
                log.warning("the time of %s could not be kept: %s", battle, failure)
            else:
                log.exception("the time of %s could not be kept", battle)

    async def _remind(self, live: LiveBattle, now: str) -> None:
        """Post the most urgent reminder that is due; missed ones are not made up for."""
        if self.battles.letters is None or live.recording.battle.ended or live.closed:
            return
        kept, clocks = self._battles[live.id], clocks_now(live, now)
        for side, watch in clocks.watches.items():
            seat = live.recording.battle.seats.get(side)
            if seat is None or seat.kind != "person" or not _runs(clocks, watch) or not watch.left_ms:
                continue
            ladder = rungs(watch.granted_ms)
            due = [name for name, left_ms in ladder if watch.left_ms <= left_ms]
            if not due or (side, watch.since, due[-1]) in kept.reminded:
                continue
            later = [name for name, _ in ladder if name not in due]
            row = reminders.post(live.id, live.n, seat.player, watch.since, due[-1], later, now)
            await self.battles.store.write(row)
            others = tuple(mark for mark in kept.reminded if mark[0] != side)
            kept.reminded = (*others, (side, watch.since, due[-1]))

    def _plan(self, live: LiveBattle, now: str) -> None:
        """Determine when to check this battle again, if nothing happens in it."""
        battle = live.recording.battle
        if battle.ended or live.closed:
            del self._battles[live.id]
            self._planned[live.id] = b""
            return
        clocks, moments = clocks_now(live, now), list[int]()
        if clocks.paused_until:
            moments.append(clocks.paused_until)
        for watch in clocks.watches.values():
            if _runs(clocks, watch) and not watch.flagged:
                lefts = [0, *(left_ms for _, left_ms in rungs(watch.granted_ms) if left_ms < watch.left_ms)]
                moments += [deadline_of(clocks, watch, left_ms) for left_ms in lefts]
        kept = self._battles[live.id]
        kept.due = min(moments, default=0)
        kept.players = frozenset(seat.player for seat in battle.seats.values())
        kept.n = live.n
        self._planned[live.id] = _ENCODER.encode(kept)


def rungs(granted_ms: int) -> list[tuple[str, int]]:
    """The reminders of a question that began with so much time left: name, and the time left when each is sent.

    A reminder in the first quarter of the time says nothing new and is left out; so is the one at half
    time if it is within two hours of another.
    """
    fixed = [(name, left_ms) for name, left_ms in (DAY, LAST) if left_ms * 4 <= granted_ms * 3]
    half = granted_ms // 2
    if all(abs(half - left_ms) >= APART_MS for _, left_ms in fixed):
        fixed.append(("half", half))
    return sorted(fixed, key=lambda rung: -rung[1])


def _runs(clocks: Clocks, watch: SideClock) -> bool:
    return bool(watch.since) and not watch.away and not clocks.paused


def _state_at(absence: Absence, now: str) -> str:
    return "over" if absence.ends <= now else "begun" if absence.begins <= now else "planned"
