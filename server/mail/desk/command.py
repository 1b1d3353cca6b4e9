"""What there is to say of a command that a player can give by mail."""

from collections.abc import Awaitable, Callable, Mapping

from msgspec import Struct

from domain.basics.message import Message
from server.mail.blocks import Block
from server.mail.desk.caller import Caller
from server.mail.desk.desk import Desk
from server.mail.verdict import MailRequest

Doing = Callable[[Desk, MailRequest, Caller, str], Awaitable[MailRequest | Message | None]]
"""Does a command: returns its result, or the whole request if its arguments become clear on the way."""
Showing = Callable[[Desk, MailRequest, Caller], Awaitable[list[Block]]]


NAMED, LOOKED_UP = "named", "looked-up"
"""How a command is about a battle: its first argument is the id, "" if none was named; or it is found before anything
else is done."""
WITH_WORDS, WITH_LINES, ALWAYS = "with-words", "with-lines", "always"
"""When a command changes something: with words behind it, with lines below it, or always."""


class DeskCommand(Struct, frozen=True, kw_only=True):
    """All there is to say of a command.

    `words` name it, its own name first (`plain_word` has been through all of them); `usage` are examples by language,
    as the help has them. What `changes` something needs a sender whose word is taken; if `confirmed`, a yes as well.
    `do` does it (None: it only shows), `show` makes what its answer shows.
    """

    words: tuple[str, ...] = ()
    usage: Mapping[str, tuple[str, ...]] = {}
    about_battle: str = ""
    changes: str = ""
    confirmed: bool = False
    do: Doing | None = None
    show: Showing | None = None


NOTHING = DeskCommand()
"""What no command is."""
