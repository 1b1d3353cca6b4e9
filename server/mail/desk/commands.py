"""The commands that a player can give by mail, all of them in one table: what each does, and what its answer shows.

`read` (of `server.mail.desk.reading`) finds the commands of a mail; `do` does one and returns what came of it; `show`
makes what the answer shows, when the answer is written.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial

import msgspec
from msgspec import Struct

from domain.engine.errors import Refusal
from domain.engine.message import Message
from server.mail.blocks import Block
from server.mail.desk import away, battles, handbook, looking, moving, reading, talk, trying, vocabulary, wishes
from server.mail.desk.caller import Caller, Declined, told
from server.mail.desk.desk import Desk
from server.mail.verdict import MailRequest
from server.play.live_battle import LiveBattle

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
    ]
)
"""Commands that change something: they need a sender whose word is taken."""
CONFIRMED = frozenset({"address", "order"})
"""Commands that are always confirmed; an order if it is no standing one."""
SHOWN_ALONE = frozenset({"open", "vacation", "letters", "quiet", "language", "zone", "picture", "address"})
"""Commands that, with nothing behind them, change nothing."""
HARMLESS = frozenset(vocabulary.WORDS) - CHANGES - {reading.BLOCK}
"""Commands that only show something, to the player's own address."""

Doing = Callable[[Desk, MailRequest, Caller, str], Awaitable[MailRequest | Message | None]]
"""Does a command: gives what came of it, or the whole request where its arguments become clear on the way."""
Showing = Callable[[Desk, MailRequest, Caller], Awaitable[list[Block]]]


class Command(Struct, frozen=True):
    """A command: what it does (None: it only shows), and what it shows."""

    do: Doing | None = None
    show: Showing | None = None


def changes(request: MailRequest) -> bool:
    """Whether a command changes something, so that the sender's word must be taken."""
    return request.name in CHANGES and not (request.name in SHOWN_ALONE and not request.args)


def must_confirm(request: MailRequest) -> bool:
    """Whether it is always confirmed: another address, resigning, draws; of orders a standing one is not."""
    return request.name in CONFIRMED and changes(request) and not reading.is_standing(request)


async def named(desk: Desk, request: MailRequest, caller: Caller) -> MailRequest:
    """An order among commands, its battle named: the only one that goes on, if it names none. Comes back with a
    message if there is none, or if there are several."""
    try:
        live, _ = await desk.own(caller, request.args[0])
    except Refusal as refused:
        return msgspec.structs.replace(request, message=told(refused))
    except Declined as declined:
        return msgspec.structs.replace(request, message=declined.message)
    return msgspec.structs.replace(request, args=(live.id, *request.args[1:]))


async def own_battle(desk: Desk, requests: Sequence[MailRequest], caller: Caller) -> tuple[LiveBattle, str] | None:
    """The battle of the first command that is about one of the caller's, and his side in it; None without one."""
    for request in requests:
        if request.name in reading.OF_BATTLE:
            try:
                return await desk.own(caller, request.args[0] if request.args else "")
            except (Refusal, Declined):
                continue
    return None


async def do(desk: Desk, request: MailRequest, caller: Caller, key: str) -> MailRequest:
    """Do what a command asks. The request comes back with what came of it, and with its battle named. The same `key`
    again changes nothing more.

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
    "say": Command(talk.say),
}
