"""What came of a mail, before it is stored."""

from collections.abc import Awaitable, Callable, Sequence

from msgspec import Struct

from domain.basics.message import Message
from server.mail.incoming.identity import Sender
from server.mail.verdict import MailReading, Verdict
from server.store import Statement


class Judgement(Struct, frozen=True):
    """A verdict, the statements stored with it, and whether somebody is notified."""

    verdict: Verdict
    also: Sequence[Statement] = ()
    is_answered: bool = False


Confirm = Callable[[str], Awaitable[Message]]
"""Releases what waits under a confirm token (`server.mail.desk.confirming`)."""


def verdict_of(who: Sender, what: str, **more: object) -> Verdict:
    """A verdict on a mail of a sender; `more` are members of it."""
    return Verdict(what=what, battle=who.battle, side=who.side, player=who.player, **more)  # type: ignore[arg-type]  # checked by msgspec


def silent(reading: MailReading) -> Verdict:
    """A verdict that nobody is notified of."""
    return Verdict(what=reading.what, why=reading.why)
