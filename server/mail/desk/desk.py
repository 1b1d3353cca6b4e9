"""Everything that a player can do and see by mail beside giving orders.

The desk takes the commands of a mail one by one: `do` does it and says what came of it, `show` makes what the answer
shows, when the answer is written. Both know no more than the caller's side may know. The chapters have the commands;
the table at the foot names them all.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Protocol

import msgspec
from msgspec import Struct

from domain.engine.errors import Refusal
from domain.engine.message import Message
from projections.lobby import LobbyEntry
from server.mail.address import Addresses
from server.mail.blocks import Block
from server.mail.desk import (
    away,
    battles,
    confirming,
    handbook,
    looking,
    moving,
    reading,
    talk,
    trying,
    vocabulary,
    wishes,
)
from server.mail.desk.caller import Caller, Declined, told
from server.mail.verdict import MailReading, MailRequest, Verdict
from server.play import access
from server.play.live_battle import LiveBattle
from server.play.live_battles import LiveBattles
from server.play.lobby import Lobby
from server.play.service import OrderService
from server.store.tables import accounts, correspondents
from server.store.tables.accounts import Account
from server.store.tables.correspondents import Correspondent

LISTED = 100
"""Battles of a player that are looked at."""
DID = "desk.did."
"""How the ids of messages begin that say that something was done; the others say why not."""
CHANGES = frozenset(
    [
        "open",
        "join",
        "accept",
        "vacation",
        "pause",
        "resume",
        "claim",
        "order",
        "letters",
        "quiet",
        "language",
        "zone",
        "picture",
        "address",
        "say",
        "stop",
        "start",
        "confirm",
    ]
)
"""Commands that change something: they need a sender whose word is taken."""
CONFIRMED = frozenset({"address", "order"})
"""Commands that are always confirmed; an order if it is no standing one."""
SHOWN_ALONE = frozenset({"open", "vacation", "letters", "quiet", "language", "zone", "picture", "address"})
"""Commands that, with nothing behind them, change nothing."""
HARMLESS = frozenset(vocabulary.WORDS) - CHANGES - {reading.BLOCK}
"""Commands that only show something, to the player's own address."""


class CallerLookup(Protocol):
    """Whose mail it seems to be (`server.mail.incoming.identity`)."""

    @property
    def account(self) -> Account | None:
        """The player."""

    @property
    def correspondent(self) -> Correspondent:
        """His wishes."""

    @property
    def battle(self) -> str:
        """The battle of the letter that he answers, or ""."""

    @property
    def side(self) -> str:
        """His side in it, or ""."""


async def nothing_held(id_: bytes) -> Verdict:
    """A server whose intake does not run lets no held mail happen."""
    return Verdict(what="unknown")


class Desk:
    """`lobby` is asked for when it is needed. The mail service sets `confirmed`, which lets a held mail happen,
    `read_mail`, which reads the bytes of one, and `ring`, which wakes whoever carries letters."""

    def __init__(self, play: OrderService, lobby: Callable[[], Lobby], addresses: Addresses) -> None:
        self.play = play
        self.battles: LiveBattles = play.battles
        self.store = play.battles.store
        self.addresses = addresses
        self.lobby = lobby
        self.confirmed: Callable[[bytes], Awaitable[Verdict]] = nothing_held
        self.read_mail: Callable[[bytes], MailReading] | None = None
        self.ring: Callable[[], None] = lambda: None

    # --- the commands of a mail

    def read(self, text: str, subject: str) -> tuple[MailRequest, ...]:
        """The commands of a mail; () if it holds orders."""
        return reading.read(text, subject)

    def order_alone(self, text: str) -> MailRequest | None:
        """Resigning or a draw, in a mail that says nothing else; it needs no letter to answer."""
        return reading.order_alone(text)

    def changes(self, request: MailRequest) -> bool:
        """Whether a command changes something, so that the sender's word must be taken."""
        return request.name in CHANGES and not (request.name in SHOWN_ALONE and not request.args)

    def must_confirm(self, request: MailRequest) -> bool:
        """Whether it is always confirmed: another address, resigning, draws; of orders a standing one is not."""
        return request.name in CONFIRMED and self.changes(request) and not reading.is_standing(request)

    async def named(self, request: MailRequest, who: CallerLookup) -> MailRequest:
        """An order among commands, its battle named: the only one that goes on, if it names none. Comes back with a
        message if there is none, or if there are several."""
        if who.account is None:
            return request
        caller = Caller(who.account, who.correspondent.lang, who.battle, who.side)
        try:
            live, _ = await self.own(caller, request.args[0])
        except Refusal as refused:
            return msgspec.structs.replace(request, message=told(refused))
        except Declined as declined:
            return msgspec.structs.replace(request, message=declined.message)
        return msgspec.structs.replace(request, args=(live.id, *request.args[1:]))

    async def do(self, request: MailRequest, who: CallerLookup, key: str) -> MailRequest:
        """Do what a command asks; what came of it is its message. The same `key` again changes nothing more.

        Raises: StoreError
        """
        if who.account is None:
            return request
        return await do(self, request, Caller(who.account, who.correspondent.lang, who.battle, who.side), key)

    async def show(self, request: MailRequest, caller: Caller) -> list[Block]:
        """What the answer to a command shows."""
        return await show(self, request, caller)

    async def confirm(self, token: str) -> Message:
        """Let happen what waits under a confirm token. A token works once, and for a week.

        Raises: StoreError
        """
        return await confirming.confirm(self, token)

    # --- looking things up

    def now(self) -> str:
        """The time."""
        return self.battles.clock.now()

    def wishes(self, player: str) -> Correspondent:
        """How a player wants his letters."""
        return correspondents.find(self.store, player)

    def account(self, player: str) -> Account | None:
        """The account of an opaque id."""
        return accounts.by_player(self.store, player)

    async def battles_of(self, player: str) -> list[LobbyEntry]:
        """The battles in which a player holds a side: those that wait for him first, those that are over last."""
        lobby = self.lobby()
        waiting = list(await lobby.battles("waiting", player, LISTED, 0))
        urgent = {entry.battle for entry in waiting}
        others = [entry for entry in await lobby.battles("mine", player, LISTED, 0) if entry.battle not in urgent]
        return waiting + sorted(others, key=lambda entry: entry.status == "ended")

    async def seated(self, caller: Caller, battle: str) -> tuple[LiveBattle, str]:
        """The battle that a command is about, and the side as which the caller sees it ("": he only watches): the one
        he names, else that of the letter he answers, else the only one he has.

        Raises: Refusal core.unknown-battle; Declined desk.no-battles, desk.which-battle
        """
        id_ = battle or caller.battle or await self._only(caller)
        live = await self.battles.get(id_)
        access.require_reader(live, caller.player)
        held = live.recording.battle.seat_of(caller.account.player)
        if id_ == caller.battle and caller.side in held:
            return live, caller.side
        return live, access.side_for(live, caller.player)

    async def about(self, requests: Sequence[MailRequest], caller: Caller) -> tuple[LiveBattle, str] | None:
        """The battle of the first command that is about one of the caller's, and his side in it; None without one."""
        for request in requests:
            if request.name in reading.OF_BATTLE:
                try:
                    return await self.own(caller, request.args[0] if request.args else "")
                except (Refusal, Declined):
                    continue
        return None

    async def own(self, caller: Caller, battle: str) -> tuple[LiveBattle, str]:
        """The same, for what only a player of the battle may do.

        Raises: also Refusal core.not-seated
        """
        live, side = await self.seated(caller, battle)
        if not side:
            raise Refusal("core.not-seated", "CORE-ACCESS", battle=live.id)
        return live, side

    async def _only(self, caller: Caller) -> str:
        mine = await self.battles_of(caller.account.player)
        going = [entry.battle for entry in mine if entry.status != "ended"] or [entry.battle for entry in mine]
        if not going:
            raise Declined("desk.no-battles")
        if len(going) > 1:
            raise Declined("desk.which-battle", count=len(going))
        return going[0]


# --- commands

Doing = Callable[[Desk, MailRequest, Caller, str], Awaitable[MailRequest | Message | None]]
"""Does a command: gives what came of it, or the whole request where its arguments become clear on the way."""
Showing = Callable[[Desk, MailRequest, Caller], Awaitable[list[Block]]]


class Command(Struct, frozen=True):
    """A command: what it does (None: it only shows), and what it shows."""

    do: Doing | None = None
    show: Showing | None = None


async def do(desk: Desk, request: MailRequest, caller: Caller, key: str) -> MailRequest:
    """Do what a command asks. The request comes back with what came of it, and with its battle named.

    Raises: StoreError
    """
    command = COMMANDS.get(request.name)
    if request.message is not None or command is None:
        return request
    came: MailRequest | Message | None
    try:
        if request.name in NAMED:
            live, _ = await desk.seated(caller, request.args[0] if request.args else "")
            request = msgspec.structs.replace(request, args=(live.id, *request.args[1:]))
        came = await command.do(desk, request, caller, key) if command.do else None
    except Refusal as refused:
        came = told(refused)
    except Declined as declined:
        came = declined.message
    return came if isinstance(came, MailRequest) else msgspec.structs.replace(request, message=came)


async def show(desk: Desk, request: MailRequest, caller: Caller) -> list[Block]:
    """What the answer to a command shows, as the caller's side may know it. Where it could not be done: what helps."""
    if request.message is not None and not request.message.id.startswith(DID):
        request = MailRequest(INSTEAD.get(request.message.id, ""))
    command = COMMANDS.get(request.name)
    if command is None or command.show is None:
        return []
    try:
        return await command.show(desk, request, caller)
    except (Refusal, Declined):  # what it was about is not there any more
        return []


NAMED = frozenset(
    ["history", "board", "orders", "why", "standing", "preview", "pause", "resume", "claim", "export", "proof"]
)
"""Commands whose battle is looked up before anything else."""
INSTEAD = {
    "desk.which-battle": "list",
    "desk.no-battles": "battles",
    "desk.join-which": "battles",
    "desk.open-what": "scenarios",
    "core.unknown-scenario": "scenarios",
}
"""What is shown where a command could not be done."""

COMMANDS: Mapping[str, Command] = {
    "help": Command(None, handbook.show_help),
    "list": Command(None, battles.show_mine),
    "battles": Command(None, battles.show_free),
    "scenarios": Command(None, battles.show_scenarios),
    "open": Command(battles.open_battle, battles.show_joined),
    "join": Command(battles.join, battles.show_joined),
    "accept": Command(battles.accept, looking.show_board_now),
    "order": Command(battles.order, battles.show_order),
    "history": Command(looking.check_history, looking.show_history),
    "board": Command(looking.check_board, looking.show_board),
    "orders": Command(None, looking.show_orders),
    "why": Command(looking.check_why, looking.show_why),
    "standing": Command(looking.check_standing, looking.show_standing),
    "export": Command(None, looking.show_export),
    "proof": Command(None, looking.show_proof),
    "preview": Command(trying.check, trying.show_preview),
    "vacation": Command(away.plan, away.show_absences),
    "pause": Command(away.pause),
    "resume": Command(away.resume),
    "claim": Command(away.claim, looking.show_board_now),
    "settings": Command(None, wishes.show_settings),
    **{name: Command(partial(wishes.change, wish=name), wishes.show_settings) for name in wishes.WISHES},
    "address": Command(moving.ask),
    "confirm": Command(confirming.answer),
    "say": Command(talk.say),
}
