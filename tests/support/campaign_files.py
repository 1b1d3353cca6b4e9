"""The file of a campaign that was served, with the files of its battles, and forgeries of it that a host has signed."""

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import Struct

from domain.basics.toml_text import to_toml
from replay.proof.notes import Signer
from replay.writing.entropy import SeededEntropy
from server.acts.campaigns.entering import CampaignEntry, enter_campaign
from server.acts.campaigns.lines import give_lines
from server.acts.campaigns.opening import open_campaign
from server.acts.campaigns.roles import give_role
from server.campaigns.live_campaign import LiveCampaign
from server.campaigns.steward import Steward
from server.people.players import Player
from server.web.api.campaigns import file_of
from tests.support.clock import ManualClock
from tests.support.ladders import ServedLadder
from tests.support.linked import NODES, SIDES
from tests.support.rechained import put_together, taken_apart
from tests.support.serving import PHRASE, Caller, RunningServer, serving
from tests.support.waiting import eventually

CUP = """
campaign = "cup"
title = "Autumn Cup"
ruleset = "singidunum"
[cup]
system = "swiss"
rounds = 2
[battle]
scenario = "quick"
"""
RULED = CUP.replace("[battle]", '[time]\nshow = "2d"\nround = "20d"\ngrace = "1d"\n[battle]')
LINKED: dict[str, Any] = {
    "campaign": "linked",
    "title": "Hannibal in Italy",
    "ruleset": "tts",
    "side": SIDES,
    "linked": {"start": "trebia"},
    "node": NODES,
}
NAMES = ("Anna", "Bob", "Cid", "Dora")
Events = list[dict[str, Any]]


class ServedCup(Struct, frozen=True):
    """A cup that has been fought: its file when it had begun, and at its end; the files of its battles by id."""

    begun: bytes
    ended: bytes
    battles: dict[str, bytes]

    def forged(self, change: Callable[[Events], None]) -> bytes:
        """The file with other events, numbered, chained and signed anew by its host's other key."""
        header, events = taken_apart(self.ended)
        change(events)
        for n, event in enumerate(events, 1):
            event["n"] = n
        signer = Signer(header["host"], bytes(range(32)))
        return put_together({**header, "key": signer.key}, events, signer)


def served_cup(folder: Path) -> ServedCup:
    """Play a cup of four over two rounds: in each battle one of the two resigns."""
    return asyncio.run(_served(folder))


async def _served(folder: Path) -> ServedCup:
    async with serving(folder) as server:
        callers = {(caller := await server.player(name)).player: caller for name in NAMES}
        live = await _entered(server, callers)
        begun = file_of(live)
        for number in (1, 2):
            await _fight(server, live, callers, number)
        await eventually("the cup ends", lambda: live.state.is_over)
        some = next(iter(callers.values()))
        battles = {board.battle: await some.export(board.battle) for board in live.state.boards.values()}
        return ServedCup(begun, file_of(live), battles)


def ruled_cup(folder: Path) -> ServedCup:
    """Play a cup of four in which an umpire rules: points are taken, a deadline is moved, a reserve takes the place of
    somebody, one does not come, a result is changed, and somebody is expelled."""
    return asyncio.run(_ruled(folder))


async def _ruled(folder: Path) -> ServedCup:
    clock = ManualClock()
    async with serving(folder, clock=clock, entropy=SeededEntropy("ruled")) as server:
        callers = {(caller := await server.player(name)).player: caller for name in NAMES}
        uma, eve = [await server.player(name) for name in ("Uma", "Eve")]
        steward = server.running.steward
        people = [Player(player, name) for player, name in zip(callers, NAMES, strict=True)]
        live = await _entered(server, callers, RULED)
        await steward.settle()
        callers[eve.player] = eve
        begun, umpire = file_of(live), Player(uma.player, "Uma")
        await give_role(steward, people[0], live, "umpire", "Uma")
        await enter_campaign(steward, Player(eve.player, "Eve"), live, CampaignEntry(is_reserve=True))
        for at, line in enumerate(("penalty p1 1 because late", "extend 1 7d", "replace p4 by Eve")):
            answer = await give_lines(steward, umpire, live, line, f"line {at}")
            assert answer[0].refusal is None, answer
        await steward.settle()
        first, second = (live.state.boards[name] for name in live.state.rounds[0].boards)
        assert (await callers[first.players["south"]].order(first.battle, "resign")).status == 200
        seated = (await server.running.battles.get(second.battle)).recording.battle.seats["north"].player
        assert (await callers[seated].order(second.battle, "")).status == 200
        for _ in range(4):
            clock.wait(days=1)
            await steward.settle()
        board = live.state.rounds[0].boards[0]
        for at, line in enumerate((f"result {board} draw because a tie", "expel p2 because rude", "end")):
            answer = await give_lines(steward, umpire, live, line, f"later {at}")
            assert answer[0].refusal is None, answer
        await steward.settle()
        some = next(iter(callers.values()))
        battles = {board.battle: await some.export(board.battle) for board in live.state.boards.values()}
        return ServedCup(begun, file_of(live), battles)


def served_ladder(folder: Path) -> ServedCup:
    """Play a ladder of three: a rated battle, one too short to be rated, one with another scenario; then it ends."""
    return asyncio.run(_served_ladder(folder))


async def _served_ladder(folder: Path) -> ServedCup:
    async with serving(folder) as server:
        ladder = await ServedLadder.opened(server, NAMES[:3])
        begun = file_of(ladder.live)
        await ladder.rated_battle("Anna", "Bob")
        await ladder.say("Bob", "challenge Cid cannae")
        await ladder.say("Cid", "accept Bob")
        await ladder.say("Anna", "challenge Cid")
        await ladder.say("Cid", "decline Anna")
        (running,) = [duel.battle for duel in ladder.live.state.duels.values() if duel.is_running]
        await ladder.fought(running, "south", turns=0)
        await ladder.say("Anna", "end")
        some = next(iter(ladder.callers.values()))
        battles = {battle: await some.export(battle) for battle in ladder.live.state.duels}
        return ServedCup(begun, file_of(ladder.live), battles)


async def _entered(server: RunningServer, callers: dict[str, Caller], cup: str = CUP) -> LiveCampaign:
    steward = server.running.steward
    people = [Player(player, name) for player, name in zip(callers, NAMES, strict=True)]
    live = await open_campaign(steward, people[0], cup, "k")
    for person in people:
        await enter_campaign(steward, person, live, CampaignEntry(phrase=f"{PHRASE} {person.name}"))
    await give_lines(steward, people[0], live, "begin", "b")
    return live


async def _fight(server: RunningServer, live: LiveCampaign, callers: dict[str, Caller], number: int) -> None:
    """Give up each battle of a round, as south."""
    await eventually("the round begins", lambda: live.state.round == number)
    boards = [live.state.boards[name] for name in live.state.rounds[number - 1].boards]
    for board in boards:
        await eventually("both are seated", partial(_is_seated, server, board.battle))
        reply = await callers[board.players["south"]].order(board.battle, "resign")
        assert reply.status == 200, reply


async def _is_seated(server: RunningServer, battle: str) -> bool:
    """Whether the steward has opened a battle and seated both."""
    if server.running.steward.store.header(battle) is None:
        return False
    return len((await server.running.battles.get(battle)).recording.battle.seats) == 2


def served_linked(folder: Path) -> ServedCup:
    """Play a linked campaign of two nodes between two small armies: orders in secret, and each battle given up by Rome
    after its armies have met."""
    return asyncio.run(_served_linked(folder))


async def _served_linked(folder: Path) -> ServedCup:
    async with serving(folder) as server:
        callers = {(caller := await server.player(name)).player: caller for name in NAMES[:2]}
        people = [Player(player, name) for player, name in zip(callers, NAMES[:2], strict=True)]
        steward = server.running.steward
        live = await open_campaign(steward, people[0], to_toml(LINKED), "k")
        for person, side in zip(people, ("rome", "carthage"), strict=True):
            entry = CampaignEntry(entrant=side, phrase=f"{PHRASE} {person.name}")
            assert await enter_campaign(steward, person, live, entry) == side
        await _said(steward, people[0], live, "begin")
        begun = file_of(live)
        await _said(steward, people[0], live, "rest F1 R3")
        await _said(steward, people[1], live, "rest F2 N1", "rest F2 N3", "field F2 N1")
        for number in (1, 2):
            for person in people:
                await _said(steward, person, live, "ready")
            await _fight(server, live, callers, number)
            await eventually("the node ends", partial(_is_behind, live, number))
            if number == 1:
                await _said(steward, people[0], live, "recruit F1 I light_javelin as R9")
        await eventually("the campaign ends", lambda: live.state.is_over)
        some = next(iter(callers.values()))
        battles = {board.battle: await some.export(board.battle) for board in live.state.boards.values()}
        return ServedCup(begun, file_of(live), battles)


def _is_behind(live: LiveCampaign, number: int) -> bool:
    """Whether a node is over."""
    return live.state.is_over or live.state.round > number


async def _said(steward: Steward, player: Player, live: LiveCampaign, *lines: str) -> None:
    """Order lines that are accepted."""
    for answer in await give_lines(steward, player, live, "\n".join(lines), ""):
        assert answer.refusal is None, answer
