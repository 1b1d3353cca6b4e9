"""The steward may be killed at any commit, before it or behind it: nothing is missing then, and nothing there twice."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from server.acts.campaigns.entering import CampaignEntry, enter_campaign
from server.acts.campaigns.lines import give_lines
from server.acts.campaigns.opening import open_campaign
from server.campaigns.live_campaigns import LiveCampaigns
from server.campaigns.steward import Steward
from server.people.key_files import read_or_make_key
from server.people.keys import Keyring
from server.people.players import Player, enrol
from server.play.live_battles import LiveBattles
from server.play.stopping import status_of
from server.settings import Settings, make_folder
from server.store import EventStore
from server.store.tables import blocks
from tests.support.clock import ManualClock
from tests.support.entropy import entropy_of_test

CUP = """
campaign = "cup"
title = "Cup"
ruleset = "warmaster-shooting"
[cup]
system = "knock-out"
[time]
show = "1d"
grace = "1d"
[battle]
scenario = "two-lines"
"""


class Killed(BaseException):
    """The process is gone."""


class Dying:
    """Kills at the commit of a number, before it or behind it; 0: never."""

    def __init__(self, store: EventStore, monkeypatch: pytest.MonkeyPatch) -> None:
        self.left, self.behind = 0, False
        for name in ("submit", "write"):
            monkeypatch.setattr(store, name, self._counted(getattr(store, name)))

    def _counted(self, commit: Callable[..., Any]) -> Callable[..., Any]:
        async def counted(*what: Any) -> Any:
            self.left -= 1
            if self.left == 0 and not self.behind:
                raise Killed
            done = await commit(*what)
            if self.left == 0:
                raise Killed
            return done

        return counted


class Host:
    """A store, and all that lives in the memory of its server: made anew after each kill."""

    def __init__(self, folder: Path, store: EventStore) -> None:
        self.settings = Settings.at(folder, {})
        make_folder(self.settings)
        self.store, self.clock, self.entropy = store, ManualClock(), entropy_of_test()
        self.keys = Keyring(read_or_make_key(self.settings.key, self.settings.host, self.entropy))
        self.steward = self.begun()

    def begun(self) -> Steward:
        """The server, started."""
        battles = LiveBattles(self.settings, self.store, self.clock, self.entropy, self.keys)
        self.steward = Steward(LiveCampaigns(self.store, self.clock, self.entropy, self.keys), battles)
        return self.steward

    async def cup(self, people: Sequence[Player]) -> str:
        """A cup that has begun, of which no battle is open."""
        live = await open_campaign(self.steward, people[0], CUP)
        for person in people:
            await enter_campaign(self.steward, person, live, CampaignEntry())
        await give_lines(self.steward, people[0], live, "begin", f"begin {live.id}")
        return live.id

    async def people(self) -> list[Player]:
        """Four players."""
        made = [enrol(self.clock, self.entropy, name) for name in ("Anna", "Bob", "Cid", "Dee")]
        await self.store.write(*(statement for one in made for statement in one.statements))
        return [Player(one.account.player, one.account.name) for one in made]

    async def served(self, dying: Dying, kill_at: int, behind: bool) -> bool:
        """Serve until nothing is left to do, killed once on the way; whether there was such a commit."""
        dying.left, dying.behind = kill_at, behind
        try:
            await self.steward.settle()
        except Killed:
            self.begun()
            await self.steward.settle()
            return True
        finally:
            dying.left = 0
        return False

    async def require_whole(self, campaign: str, status: str) -> None:
        """Each battle that the log names is there once, as it should stand, with both of its players."""
        live = await self.steward.campaigns.get(campaign)
        found = [row for row in self.store.battles() if campaign in self.store.lines(row.battle, 0, 1)[0].decode()]
        assert sorted(row.battle for row in found) == sorted(board.battle for board in live.state.boards.values())
        for board in live.state.boards.values():
            battle = await self.steward.battles.get(board.battle)
            assert {side: seat.player for side, seat in battle.recording.battle.seats.items()} == dict(board.players)
            assert status_of(self.store, board.battle) == status


@pytest.mark.slow
@pytest.mark.parametrize("behind", [False, True])
async def test_the_steward_may_be_killed_at_any_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, behind: bool
) -> None:
    with EventStore.open(tmp_path / "log.db", asyncio.get_running_loop()) as store:
        host = Host(tmp_path, store)
        people = await host.people()
        dying, at, was_killed = Dying(store, monkeypatch), 0, True
        while was_killed:
            at += 1
            campaign = await host.cup(people)
            was_killed = await host.served(dying, at, behind)
            await host.require_whole(campaign, "open")
            host.clock.wait(days=1)
            was_killed |= await host.served(dying, at, behind)
            await host.require_whole(campaign, "open")
            host.clock.wait(days=1)
            was_killed |= await host.served(dying, at, behind)
            await host.require_whole(campaign, "stopped")
            live = await host.steward.campaigns.get(campaign)
            assert live.state.is_over
            assert {board.status for board in live.state.boards.values()} == {"default"}
        assert at > 8


async def test_a_battle_that_cannot_be_opened_stops_no_other_and_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with EventStore.open(tmp_path / "log.db", asyncio.get_running_loop()) as store:
        host = Host(tmp_path, store)
        campaign = await host.cup(await host.people())
        opens, tried = host.steward.battles.open, list[str]()

        async def fails_first(*what: Any, **more: Any) -> Any:
            tried.append(more["named"])
            if len(tried) == 1:
                raise ValueError(tried[0])
            return await opens(*what, **more)

        monkeypatch.setattr(host.steward.battles, "open", fails_first)
        await host.steward.settle()
        assert len(store.battles()) == 1
        await host.steward.settle()
        assert len(tried) == 2
        host.clock.step(days=-3)  # when it is tried again is counted, not read from a clock that somebody sets
        host.clock.wait(minutes=1)
        await host.steward.settle()
        await host.require_whole(campaign, "open")


async def test_whom_the_other_player_has_blocked_is_not_seated(tmp_path: Path) -> None:
    with EventStore.open(tmp_path / "log.db", asyncio.get_running_loop()) as store:
        host = Host(tmp_path, store)
        anna, bob, *_ = people = await host.people()
        for one, other in ((anna, bob), (bob, anna)):
            await store.write(blocks.add(one.id, other.id, host.clock.now()))
        live = await host.steward.campaigns.get(await host.cup(people[:2]))
        await host.steward.settle()
        (board,) = live.state.boards.values()
        battle = await host.steward.battles.get(board.battle)
        assert len(battle.recording.battle.seats) == 1
        host.clock.wait(days=2)
        await host.steward.settle()
        host.clock.wait(days=2)
        await host.steward.settle()
        assert live.state.is_over
