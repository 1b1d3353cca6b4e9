"""Three months of correspondence in seconds: deadlines kept, reminders sent once, nobody robbed.

A seed decides who plays how fast, who is away, who forgets his battle, and when the server is down. The manual clock
jumps from one thing due to the next; after all of it the logs and the outbox are held against the rules.
"""

import random
from collections import Counter
from pathlib import Path

import pytest

from domain.basics.errors import Refusal
from domain.basics.pace import DAY_MS, HOUR_MS, moment_of
from domain.engine.state import OTHER
from domain.events.battle import BattleEnded, ClockFired
from domain.log.record import Recorded
from domain.time.clock import evolve_clocks, opened_clocks
from replay.proof.verify import verify
from replay.writing.entropy import SeededEntropy
from server.people.players import Player
from server.play.archive import export_battle
from server.play.live_battle import LiveBattle
from server.time.timekeeper import claim, pause, plan_vacation, resume
from tests.server.time.correspondence import Post, posting
from tests.support.clock import ManualClock
from tests.support.lanes import sampled

DAYS, BATTLES, PLAYERS = 90, 14, 6
PACES = ("1d+1d", "1d+3d", "3d+7d", "3d+7d weekdays", "12h+1d", "7d+14d", "")
LATENESS_MS = 2 * DAY_MS
"""How long the server is down at most, and so how late a flag can fall."""


class Months:
    """A seeded correspondence."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.random = random.Random(seed)
        self.entropy = SeededEntropy(f"months {seed}")
        self.folder, self.clock = folder, ManualClock()
        self.end = self.clock.moment + DAYS * DAY_MS
        self.people: list[Player] = []
        self.speed_ms: dict[str, int] = {}
        self.battles: list[str] = []
        self.down: list[tuple[int, int]] = []
        self.claimed: set[str] = set()

    async def play(self) -> None:
        """Ninety days, the server being started anew again and again."""
        while self.clock.moment < self.end:
            async with posting(self.folder, self.clock, self.entropy) as post:
                await self._up(post, min(self.end, self.clock.moment + self.random.randint(1, 14) * DAY_MS))
            went = self.clock.moment
            self.clock.wait(self.random.choice((0, HOUR_MS, 7 * HOUR_MS, LATENESS_MS)))
            self.down.append((went, self.clock.moment))

    async def _up(self, post: Post, until: int) -> None:
        while len(self.people) < PLAYERS:
            person = await post.player(f"Player {len(self.people)}")
            self.people.append(person)
            self.speed_ms[person.id] = self.random.choice((2 * HOUR_MS, DAY_MS, 5 * DAY_MS))
        await post.keeper.tick(self.clock.now())
        while self.clock.moment < until:
            if len(self.battles) < BATTLES:
                south, north = self.random.sample(self.people, 2)
                self.battles.append((await post.battle(south, north, PACES[len(self.battles) % len(PACES)])).id)
            await self._somebody(post)
            await post.wait(self.random.randint(1, 3 * HOUR_MS))

    async def _somebody(self, post: Post) -> None:
        """One player looks at one of his battles, if he is of those who do."""
        live = await post.battles.get(self.random.choice(self.battles))
        battle = live.recording.battle
        chance = self.random.random()
        for side, seat in battle.seats.items():
            if battle.ended or self.random.randint(0, self.speed_ms[seat.player]) > 3 * HOUR_MS:
                continue
            clocks = live.recording.clocks
            if clocks is not None and clocks.asked == OTHER[side]:
                await pause(live, seat.player)
            elif side in live.to_act() and not (clocks and clocks.paused):
                await post.order(live.id, side)
            elif chance < 0.5:
                await self._about_time(post, live, side, seat.player)

    async def _about_time(self, post: Post, live: LiveBattle, side: str, player: str) -> None:
        face = live.clock(self.clock.now()).get(OTHER[side])
        try:
            if face is not None and face.flagged and self.random.random() < 0.5:
                await claim(live, player)
                self.claimed.add(live.id)
            elif self.random.random() < 0.2:
                await pause(live, player)
            elif face is not None and face.paused:
                await resume(live, player)
            elif self.random.random() < 0.4:
                first = self.clock.moment + self.random.randint(0, 10) * DAY_MS
                days = self.random.randint(1, 14)
                ends = ManualClock()
                ends.moment = first + days * DAY_MS
                begins = ManualClock()
                begins.moment = first
                await plan_vacation(post.battles, player, begins.now(), ends.now())
        except Refusal as refusal:
            assert refusal.code.startswith("core.")

    # --- what must hold afterwards

    async def check(self) -> Counter[str]:
        """Hold every log against the clocks; gives how often each thing happened."""
        happened: Counter[str] = Counter()
        async with posting(self.folder, self.clock, self.entropy) as post:
            await post.keeper.tick(self.clock.now())
            for battle in self.battles:
                live = await post.battles.get(battle)
                happened.update(self._kept(live))
                exported = export_battle(post.store, post.battles.keys, battle)
                report = verify(exported)
                assert report.fault is None, report.fault
            self._letters(post, happened)
        return happened

    def _kept(self, live: LiveBattle) -> Counter[str]:
        """Every deadline was kept or flagged, when it was due or when the server was up again."""
        happened: Counter[str] = Counter()
        events = live.recording.timeline.events
        clocks = opened_clocks(events[0].event, events[0].at, live.recording.ruleset.seats)
        if clocks is None:
            assert not any(isinstance(recorded.event, ClockFired) for recorded in events)
            return happened
        for recorded in events[1:]:
            if not live.recording.timeline.at(recorded.n).begun:
                continue
            before = live.recording.timeline.at(recorded.n - 1)
            if recorded.type in ("OrderAccepted", "ContributionGiven", "ClockFired", "BattleBegan"):
                clocks = evolve_clocks(clocks, live.ruleset, before, recorded)
                for watch in clocks.watches.values():
                    assert 0 <= watch.left_ms <= clocks.pace.most_ms
                    if watch.since and not watch.left_ms and not watch.flagged:
                        assert self._late(watch.out, moment_of(recorded.at)), (live.id, recorded)
            if isinstance(recorded.event, ClockFired):
                happened[recorded.event.what] += 1
                if recorded.event.what == "deadline":
                    self._fell(clocks.watches[recorded.event.side].out, recorded)
            if isinstance(recorded.event, BattleEnded):
                happened[recorded.event.how] += 1
                assert (recorded.event.how == "time") == (live.id in self.claimed)
        assert clocks == live.recording.clocks
        if not live.recording.battle.ended:
            for face in live.clock(self.clock.now()).values():
                assert face.left_s or face.flagged or not face.running
        return happened

    def _fell(self, out: int, recorded: Recorded) -> None:
        at = moment_of(recorded.at)
        assert out <= at
        assert self._late(out, at), (out, recorded)

    def _late(self, due: int, at: int) -> bool:
        """Whether the server was down when something was due."""
        return due == at or any(went <= due <= back == at for went, back in self.down)

    def _letters(self, post: Post, happened: Counter[str]) -> None:
        told = Counter((row.battle, row.recipient, row.kind) for row in post.letters("reminder:"))
        assert max(told.values(), default=0) <= 1
        happened.update(kind.split(":")[1] for _, _, kind in told)
        assert len(post.letters("flag:")) == 2 * happened["deadline"]


@pytest.mark.long
@pytest.mark.parametrize("seed", sampled([1, 2, 3], 3))
@pytest.mark.slow
async def test_ninety_days_of_many_battles(tmp_path: Path, seed: int) -> None:
    months = Months(seed, tmp_path / "data")
    await months.play()
    happened = await months.check()
    for what in ("deadline", "claim", "time", "vacation", "vacation-over", "pause", "half", "24h", "2h"):
        assert happened[what], (what, happened)
    assert len(months.down) > 5
