"""While the clock cannot be believed nobody loses by the time, and everybody is told."""

import logging
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from domain.basics.pace import DAY_MS
from domain.events.battle import ClockFired
from replay.proof.verify import verify
from replay.writing.clock import later
from server.acts.campaigns.entering import CampaignEntry, enter_campaign
from server.acts.campaigns.lines import give_lines
from server.acts.campaigns.opening import open_campaign
from server.people.players import Player
from server.play.live_battle import LiveBattle
from server.sole import sole_server
from server.store.tables import absences, accounts
from server.time.clock_doubts import last_doubt, leave_word, newest_at
from server.time.timekeeper import plan_vacation
from server.upkeep.doctor import examine
from tests.support.clock import START, ManualClock
from tests.support.serving import BATTLES, Caller, RunningServer, serving
from tests.support.verdicts import WHILE_IT_RUNS
from tests.support.waiting import eventually

STEPS_MS = (10 * DAY_MS, -3 * DAY_MS)


CUP = """
campaign = "cup"
title = "Cup"
ruleset = "tts"
[cup]
system = "knock-out"
[time]
show = "1d"
grace = "1d"
[battle]
scenario = "skirmish"
"""


class Duel:
    """Two players in a battle with a pace of a day, on a server whose clock a test sets."""

    def __init__(self, server: RunningServer, machine: ManualClock, south: Caller, north: Caller, live: LiveBattle):
        self.server, self.machine, self.south, self.north, self.live = server, machine, south, north, live

    @property
    def running(self):
        return self.server.running

    async def tick(self) -> None:
        """What the timekeeper does now and then, by itself."""
        if self.running.doubts.look() is None:
            await self.running.timekeeper.tick(self.running.clock.now())

    async def flag_falls(self) -> None:
        """Tick until a flag has fallen: a round of the server's own may be on its way, and see to the battle first."""

        async def fallen() -> bool:
            await self.tick()
            return bool(self.clocks())

        await eventually("a flag has fallen", fallen)

    def clocks(self) -> list[str]:
        events = [recorded.event for recorded in self.live.recording.timeline.events]
        return [event.what for event in events if isinstance(event, ClockFired)]


@pytest.fixture
async def duel(tmp_path: Path) -> AsyncIterator[Duel]:
    machine = ManualClock()
    async with serving(tmp_path / "data", clock=machine) as server:
        south, north = await server.player("Anna"), await server.player("Bob")
        live = await server.running.battles.get(await server.battle(south, north, pace="1d+1d"))
        yield Duel(server, machine, south, north, live)


@pytest.mark.parametrize("step_ms", STEPS_MS)
async def test_no_flag_falls_while_the_clock_is_doubted_and_none_is_claimed(duel: Duel, step_ms: int) -> None:
    duel.machine.step(step_ms)
    await duel.tick()
    reply = await duel.north.post(f"{BATTLES}/{duel.live.id}/clock", {"do": "claim"})
    assert (reply.status, reply.code) == (409, "core.clock-doubted")
    duel.machine.wait(days=5)
    await duel.tick()
    assert duel.clocks() == []
    duel.machine.step(-step_ms)
    await duel.flag_falls()
    assert duel.clocks() == ["deadline"]


async def test_no_vacation_begins_or_ends_while_the_clock_is_doubted(duel: Duel) -> None:
    await plan_vacation(duel.running.battles, duel.south.player, "2026-11-24", "2026-11-25")
    duel.machine.step(days=1)
    await duel.tick()
    assert duel.clocks() == []
    duel.machine.step(days=-1)
    duel.machine.wait(days=1)
    await duel.flag_falls()
    assert duel.clocks() == ["vacation"]
    duel.machine.step(days=4)
    await duel.tick()
    assert duel.clocks() == ["vacation"]
    assert [each.state for each in absences.open_of(duel.running.store, duel.south.player)] == ["begun"]


async def test_no_board_of_a_campaign_falls_due_while_the_clock_is_doubted(duel: Duel) -> None:
    steward, people = duel.running.steward, [Player(each.player, each.player) for each in (duel.south, duel.north)]
    live = await open_campaign(steward, people[0], CUP, "opened")
    for person in people:
        await enter_campaign(steward, person, live, CampaignEntry())
    await give_lines(steward, people[0], live, "begin", "begun")
    await steward.settle()
    board = next(iter(live.state.boards))
    duel.machine.step(days=10)
    for _ in range(3):
        duel.machine.wait(days=1)
        await steward.settle()
    assert live.state.boards[board].is_running
    duel.machine.step(days=-10)
    await steward.settle()  # now it is said that nobody has come, and the days of grace begin
    duel.machine.wait(days=1)
    await steward.settle()
    assert live.state.boards[board].status == "default"


async def test_time_in_the_log_goes_on_as_it_was_counted(duel: Duel) -> None:
    duel.machine.step(days=10)
    duel.machine.wait(minutes=5)
    assert (await duel.south.order(duel.live.id, "end turn")).status == 200
    assert duel.live.recording.newest_at == later(START, 300)
    duel.machine.step(days=-10)
    assert (await duel.north.order(duel.live.id, "end turn")).status == 200
    report = verify(await duel.south.export(duel.live.id))
    assert (report.fault, report.exit) == (None, WHILE_IT_RUNS)


async def test_what_is_confirmed_counts_at_once(duel: Duel) -> None:
    duel.machine.step(days=10)
    await duel.tick()
    leave_word(duel.running.settings, duel.machine.now())
    await duel.flag_falls()
    assert duel.clocks() == ["deadline"]
    assert duel.live.recording.newest_at == duel.machine.now()


async def test_everybody_is_told_of_the_doubt_and_of_its_end(duel: Duel, caplog: pytest.LogCaptureFixture) -> None:
    async def shown() -> tuple[bool, bool, bool]:
        page = await duel.south.get(f"/battles/{duel.live.id}", {"Accept": "text/html"})
        view = await duel.south.view(duel.live.id)
        front = await duel.server.stranger.get("/", {"Accept": "text/html"})
        said = "The clock of this server is being doubted."
        return said in page.text, said in front.text, view["clock_doubted"]

    assert await shown() == (False, False, False)
    duel.machine.step(days=10)
    with caplog.at_level(logging.WARNING):
        await duel.tick()
    assert "The clock was set forward by 10 days while the server ran" in caplog.text
    assert await shown() == (True, True, True)
    figures = (await duel.server.stranger.get("/metrics")).text
    assert "phalera_clock_doubted 1.0" in figures
    assert "phalera_clock_parted_seconds 864000.0" in figures
    health = await duel.server.stranger.get("/readyz")
    assert health.status == 200
    assert {"what": "clock", "ok": False} in [{"what": c["what"], "ok": c["ok"]} for c in health.json["checks"]]
    doubt = last_doubt(duel.running.settings)
    assert doubt is not None
    assert (doubt.kind, doubt.off_ms) == ("parted", 10 * DAY_MS)
    with sole_server(duel.running.settings):
        found = [finding for finding in examine(duel.running.settings, START) if finding.what == "clock"]
    assert [(finding.ok, finding.advice) for finding in found] == [
        (False, "Put the clock right; or, if it is right, phalera clock confirm.")
    ]
    duel.machine.step(days=-13)
    await duel.tick()
    changed = last_doubt(duel.running.settings)
    assert changed is not None
    assert changed.off_ms == -3 * DAY_MS
    assert "The clock was set back by 3 days" in caplog.text
    duel.machine.step(days=3)
    with caplog.at_level(logging.WARNING):
        await duel.tick()
    assert "the clock is no longer doubted" in caplog.text
    assert await shown() == (False, False, False)
    assert "phalera_clock_doubted 0.0" in (await duel.server.stranger.get("/metrics")).text
    assert last_doubt(duel.running.settings) is None


async def test_an_administrator_confirms_the_clock_on_the_page(duel: Duel) -> None:
    await duel.running.store.write(accounts.promote(duel.south.player))
    html = {"Accept": "text/html", "Sec-Fetch-Site": "same-origin"}
    assert "/admin/clock" not in (await duel.south.get("/admin", html)).text
    duel.machine.step(days=10)
    page = (await duel.south.get("/admin", html)).text
    assert "It was set while the server ran" in page
    assert 'action="/admin/clock"' in page
    assert (await duel.north.ask("POST", "/admin/clock", html, data={})).status == 404
    assert duel.running.clock.doubt is not None
    await duel.south.ask("POST", "/admin/clock", html, data={}, allow_redirects=False)
    assert duel.running.clock.doubt is None
    assert duel.running.clock.now() == duel.machine.now()


@pytest.mark.parametrize(("away_ms", "flagged_at_once"), [(2 * DAY_MS, False), (DAY_MS - 1000, True)])
async def test_a_start_far_ahead_holds_flags_for_ten_minutes(
    tmp_path: Path, away_ms: int, flagged_at_once: bool
) -> None:
    machine = ManualClock()
    async with serving(tmp_path / "data", clock=machine) as server:
        south, north = await server.player("Anna"), await server.player("Bob")
        battle = await server.battle(south, north, pace="10m+1h")
        assert newest_at(server.running.store) == START
    machine.wait(away_ms)
    async with serving(tmp_path / "data", clock=machine) as server:
        duel = Duel(server, machine, south, north, await server.running.battles.get(battle))
        await (duel.flag_falls() if flagged_at_once else duel.tick())
        assert (duel.clocks() == ["deadline"]) is flagged_at_once
        machine.wait(minutes=10)
        await duel.flag_falls()
        assert duel.clocks() == ["deadline"]


async def test_a_start_behind_the_store_holds_flags_until_the_clock_is_right(tmp_path: Path) -> None:
    machine = ManualClock()
    async with serving(tmp_path / "data", clock=machine) as server:
        south, north = await server.player("Anna"), await server.player("Bob")
        battle = await server.battle(south, north, pace="10m+1h")
    machine.step(days=-3)
    async with serving(tmp_path / "data", clock=machine) as server:
        duel = Duel(server, machine, south, north, await server.running.battles.get(battle))
        doubt = server.running.doubts.look()
        assert doubt is not None
        assert (doubt.kind, doubt.off_ms) == ("behind", -3 * DAY_MS)
        machine.wait(hours=2)
        await duel.tick()
        assert duel.clocks() == []
        machine.step(days=3)
        await duel.flag_falls()
        assert duel.clocks() == ["deadline"]


async def test_a_log_that_is_known_to_be_ahead_of_a_right_clock_holds_no_flags_at_later_starts(tmp_path: Path) -> None:
    machine = ManualClock()
    async with serving(tmp_path / "data", clock=machine) as server:
        await server.battle(await server.player("Anna"), await server.player("Bob"))
    machine.step(days=-3)
    async with serving(tmp_path / "data", clock=machine) as server:
        assert server.running.doubts.look() is not None
        server.running.doubts.confirm()
        assert server.running.doubts.look() is None
    async with serving(tmp_path / "data", clock=machine) as server:
        assert server.running.doubts.look() is None
        machine.step(days=-1)
        assert server.running.doubts.look() is not None
