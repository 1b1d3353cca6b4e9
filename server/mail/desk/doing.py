"""Does the commands of a mail, and shows what they answer.

`do` does one and returns what came of it; `show` makes what the answer shows, when the answer is written.
"""

from collections.abc import Sequence

import msgspec

from domain.basics.errors import Refusal
from domain.basics.message import Message
from server.mail.blocks import Block
from server.mail.desk.caller import Caller, Declined, message_of
from server.mail.desk.command import LOOKED_UP, NOTHING
from server.mail.desk.commands import COMMANDS
from server.mail.desk.desk import Desk
from server.mail.verdict import MailRequest
from server.play.live_battle import LiveBattle

DID = "desk.did."
"""How the ids of messages begin that say that something was done; the others say why not."""
INSTEAD = {
    "desk.which-battle": "list",
    "desk.no-battles": "battles",
    "desk.join-which": "battles",
    "desk.open-what": "scenarios",
    "desk.invite-what": "scenarios",
    "desk.invite-which": "scenarios",
    "core.unknown-scenario": "scenarios",
    "core.which-scenario": "scenarios",
}
"""What is shown where a command could not be done."""


async def named(desk: Desk, request: MailRequest, caller: Caller) -> MailRequest:
    """An order among commands, its battle named: the only one that goes on, if it names none. Comes back with a
    message if there is none, or if there are several."""
    try:
        live, _ = await desk.own(caller, request.args[0])
    except Refusal as refused:
        return msgspec.structs.replace(request, message=message_of(refused))
    except Declined as declined:
        return msgspec.structs.replace(request, message=declined.message)
    return msgspec.structs.replace(request, args=(live.id, *request.args[1:]))


OPENS = "open"
"""The command whose first argument is a battle when it has been carried out."""


async def own_battle(desk: Desk, requests: Sequence[MailRequest], caller: Caller) -> tuple[LiveBattle, str] | None:
    """The battle of the first command that is about one of the caller's, and their side in it; None without one."""
    for request in requests:
        if request.name == OPENS or COMMANDS.get(request.name, NOTHING).about_battle:
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
        if command.about_battle == LOOKED_UP:
            live, _ = await desk.seated(caller, request.args[0] if request.args else "")
            request = msgspec.structs.replace(request, args=(live.id, *request.args[1:]))
        came = await command.do(desk, request, caller, key) if command.do else None
    except Refusal as refused:
        came = message_of(refused)
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
