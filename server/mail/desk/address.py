"""Command by mail: move to another address."""

from domain.basics.message import Message
from server.acts.address import ask_to_move
from server.mail.desk.caller import Caller
from server.mail.desk.desk import Desk
from server.mail.verdict import MailRequest


async def ask(desk: Desk, request: MailRequest, caller: Caller, key: str) -> Message:
    """`address NEW@EXAMPLE`.

    Raises: Refusal, as `ask_to_move`
    """
    if not request.args:
        return Message("desk.did.address-is", {"address": caller.account.email})
    asked = await ask_to_move(desk, caller.player, request.args[0])
    return Message("desk.did.address", {"address": asked.address})
