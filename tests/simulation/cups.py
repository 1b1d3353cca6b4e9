"""A cup among the players of a world: opened over the API, its battles opened by the steward, played like any other."""

import json
from collections import Counter
from typing import Any

from benchmarks.campaign_kills import Fault, require_letters
from domain.campaign.events import CAMPAIGN_EVENTS, BattleSet, DefaultGiven, LateNoted, ResultCounted
from domain.log import record
from server.campaigns.folding import folded_campaign
from server.store.tables import campaigns
from tests.simulation.people import SCENARIOS, Crowd, PlayedBattle
from tests.simulation.wire import LostConnection
from tests.simulation.world import Broken, World

CAMPAIGNS = "/api/v1/campaigns"
CUP = """
campaign = "cup"
title = "Cup"
ruleset = "{game}"
[cup]
system = "{system}"
{rounds}
[time]
pace = "12h+1d"
show = "2d"
grace = "1d"
round = "9d"
[battle]
scenario = "{scenario}"
"""
ENTRANTS = 4


class Cups:
    """One cup of a world, and what must hold of it (SIM-CAMP)."""

    def __init__(self, world: World, crowd: Crowd) -> None:
        self.world, self.crowd = world, crowd
        self.cup = ""
        self._known: set[str] = set()

    def begin(self) -> None:
        """Open it, enter everybody, begin; nothing goes wrong yet."""
        world, chance = self.world, self.world.chance("cup")
        game = chance.choice(world.setting.games or tuple(SCENARIOS))
        system = chance.choice(("swiss", "knock-out"))
        rounds = "rounds = 2" if system == "swiss" else ""
        toml = CUP.format(game=game, system=system, rounds=rounds, scenario=SCENARIOS[game][0])
        world.up.loop.do(self._open(toml, has_bots=chance.random() < 0.5))
        world.after_step.append(self._after_step)
        world.after_start.append(self.whole)

    async def _open(self, toml: str, *, has_bots: bool) -> None:
        people = list(self.crowd.players.values())[:ENTRANTS]
        organiser = people[0].account
        self.cup = str((await self._surely(organiser, CAMPAIGNS, {"toml": toml}))["campaign"])
        path = f"{CAMPAIGNS}/{self.cup}"
        for person in people:
            await self._surely(person.account, f"{path}/entrants", {"phrase": "a phrase of somebody who enters"})
        for _ in range(2 * has_bots):
            await self._surely(organiser, f"{path}/entrants", {"bot": "random"})
        await self._surely(organiser, f"{path}/orders", {"orders": "begin"})

    async def _surely(self, who: Any, path: str, body: Any) -> Any:
        try:
            answer = await self.world.ask(who, "POST", path, body)
        except LostConnection:
            raise Broken("SIM-HURT", f"{path}: no answer") from None
        if answer.status not in (200, 201):
            raise Broken("SIM-HURT", f"{path}: {answer.status} {answer.body[:300]!r}")
        return answer.json

    def _after_step(self) -> None:
        """Battles that have been opened are played by those who sit there."""
        host = self.world.up
        for battle, state in host.store.rows("SELECT battle, state FROM campaign_battles ORDER BY board, battle"):
            if battle in self._known or state == "set":
                continue
            self._known.add(battle)
            live = host.loop.do(host.whole.server.battles.get(str(battle)))
            held = live.recording.battle.seats
            seats = {side: seat.player for side, seat in held.items() if seat.player in self.crowd.players}
            played = PlayedBattle(str(battle), live.ruleset.code, "12h+1d", seats)
            self.crowd.battles.append(played)
            for player in seats.values():
                self.crowd.players[player].battles.append(played)

    def whole(self) -> None:
        """SIM-CAMP: each battle that is set is there once, each result is counted once, nobody loses by default without
        notice, the state is the fold of the log, and whom an event concerns has one letter about it.

        Raises: Broken
        """
        store = self.world.up.store
        events: list[Any] = [
            record.decode(line, CAMPAIGN_EVENTS).event for _, _, line in campaigns.lines(store, self.cup)
        ]
        boards = Counter(event.board for event in events if isinstance(event, BattleSet))
        counted = Counter(event.board for event in events if isinstance(event, ResultCounted))
        opened = Counter(self._board(stored.battle) for stored in store.battles())
        del opened[""]
        for what, found in (("set", boards), ("counted", counted), ("opened", opened)):
            twice = [board for board, times in found.items() if times > 1]
            if twice:
                raise Broken("SIM-CAMP", f"{self.cup}: {what} twice: {twice[0]}")
        if not opened.keys() <= boards.keys():
            raise Broken("SIM-CAMP", f"{self.cup}: battles of no board: {sorted(opened.keys() - boards.keys())}")
        noted = set[str]()
        for event in events:
            if isinstance(event, LateNoted):
                noted.add(str(event.board))
            elif isinstance(event, DefaultGiven) and event.reason == "no-show" and event.board not in noted:
                raise Broken("SIM-CAMP", f"{self.cup}: {event.board} is lost without notice")
        self._folded(len(events))
        if self.world.setting.mail:
            try:
                self.world.count["letters of a cup"] = require_letters(store, self.cup, events)
            except Fault as fault:
                raise Broken("SIM-CAMP", str(fault)) from None

    def _board(self, battle: str) -> str:
        opened = json.loads(self.world.up.store.lines(battle, 0, 1)[0])["data"].get("campaign")
        return str(opened["board"]) if opened and opened["id"] == self.cup else ""

    def _folded(self, n: int) -> None:
        host = self.world.up
        live = host.loop.do(host.whole.server.steward.campaigns.get(self.cup))
        read = folded_campaign(host.store, self.cup, n)
        if live.recording.n == n and (read is None or live.state != read[1]):
            raise Broken("SIM-CAMP", f"{self.cup} in memory is not the fold of its log")

    def at_the_end(self) -> None:
        """Everything, and what has been fought.

        Raises: Broken
        """
        self.whole()
        host = self.world.up
        live = host.loop.do(host.whole.server.steward.campaigns.get(self.cup))
        self.world.count[f"cups {'over' if live.state.is_over else 'going on'}"] += 1
