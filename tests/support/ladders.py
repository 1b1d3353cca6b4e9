"""A ladder that a test serves: its members, what they say, and their battles."""

import re
from collections.abc import Sequence
from typing import Self

from server.acts.campaigns.entering import CampaignEntry, enter_campaign
from server.acts.campaigns.lines import ACCEPTED_LINE, AnsweredLine, give_lines
from server.acts.campaigns.opening import open_campaign
from server.campaigns.live_campaign import LiveCampaign
from server.people.players import Player
from tests.support.serving import Caller, RunningServer
from tests.support.waiting import eventually

LADDER = """
campaign = "ladder"
title = "Thursday Club"
ruleset = "tts"
[battle]
scenario = "skirmish"
"""


class ServedLadder:
    """A ladder of some members, `p1` organises it. `people` and `callers` by name."""

    def __init__(self, server: RunningServer, live: LiveCampaign, callers: dict[str, Caller]) -> None:
        self.server, self.live, self.callers = server, live, callers
        self.people = {name: Player(caller.player, name) for name, caller in callers.items()}
        self.lines = 0

    @classmethod
    async def opened(cls, server: RunningServer, names: Sequence[str] = ("Anna", "Bob"), text: str = LADDER) -> Self:
        callers = {name: await server.player(name) for name in names}
        first = Player(callers[names[0]].player, names[0])
        live = await open_campaign(server.running.steward, first, text, "ladder")
        ladder = cls(server, live, callers)
        for person in ladder.people.values():
            await enter_campaign(server.running.steward, person, live, CampaignEntry())
        return ladder

    async def say(self, name: str, line: str) -> None:
        """A line that is accepted."""
        answers = await given(self, name, line)
        assert [answer.status for answer in answers] == [ACCEPTED_LINE], answers

    async def rated_battle(self, winner: str, loser: str) -> str:
        """A rated battle from the challenge to the count; its id."""
        before = set(self.live.state.duels)
        await self.say(winner, f"challenge {loser}")
        await self.say(loser, f"accept {winner}")
        (battle,) = set(self.live.state.duels) - before
        place = self.live.state.duels[battle].place
        lost = "south" if self.live.state.entrants[place.south].name == loser else "north"
        await self.fought(battle, lost, turns=2)
        return battle

    async def settled(self) -> None:
        """The steward has done what is to be done."""
        await self.server.running.steward.settle()

    async def fought(self, battle: str, loser: str, turns: int) -> None:
        """Fight a battle: both contribute, some player-turns pass, then a side resigns; it is counted."""
        await self.settled()
        live = await self.server.running.battles.get(battle)
        by_player = {caller.player: caller for caller in self.callers.values()}
        sides = {side: by_player[seat.player] for side, seat in live.recording.battle.seats.items()}
        assert len(sides) == 2
        if turns:
            await self._turns(battle, sides, turns)
        reply = await sides[loser].order(battle, "resign")
        assert reply.status == 200, reply
        await eventually("the battle is counted", lambda: battle in self.live.state.counted)

    async def _turns(self, battle: str, sides: dict[str, Caller], turns: int) -> None:
        live = await self.server.running.battles.get(battle)
        for caller in sides.values():  # their contributions
            await caller.order(battle, "")
        for _ in range(turns):
            began = sum(entry.type == "TurnBegan" for entry in live.recording.timeline.events)
            if began >= turns:
                return
            replies = [await caller.order(battle, "end turn") for caller in sides.values()]
            assert any(reply.status == 200 for reply in replies), replies


async def given(ladder: ServedLadder, name: str, line: str) -> Sequence[AnsweredLine]:
    """The answers to a line."""
    ladder.lines += 1
    steward = ladder.server.running.steward
    return await give_lines(steward, ladder.people[name], ladder.live, line, f"k{ladder.lines}")


def key_in(text: str) -> str:
    """The key of the first form of a page."""
    found = re.search(r'name="key" value="([^"]+)"', text)
    assert found
    return found[1]
