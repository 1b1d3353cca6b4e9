"""Command by mail: pass words on to the opponent."""

from domain.basics.message import Message
from server.acts.talk import talk
from server.mail.desk.caller import Caller
from server.mail.desk.desk import Desk
from server.mail.verdict import MailRequest


async def say(desk: Desk, request: MailRequest, caller: Caller, key: str) -> Message:
    """`say TEXT`, a `message` block, or a reply to such a letter.

    Raises: Refusal, as `talk`
    """
    battle, text = request.args if len(request.args) == 2 else ("", *request.args)
    live, side = await desk.own(caller, battle)
    return Message("desk.did.say", {"name": await talk(desk, caller.player, live, side, text, key)})
