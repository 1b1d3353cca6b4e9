"""Put the parts of the mail together.

Reading and processing on the way in, desk and writer on the way out; all share the live battles and one set of
addresses. A server makes them once; a command on the data folder makes them for its one mail.
"""

import asyncio
from collections.abc import Callable
from functools import partial

from msgspec import Struct

from server.campaigns.steward import Steward
from server.mail.desk import Desk
from server.mail.incoming.dns import lookup_if
from server.mail.incoming.intake import Intake
from server.mail.incoming.limits import RecentMail
from server.mail.incoming.processing import MailProcessor
from server.mail.incoming.reading import read_mail
from server.mail.outgoing.letters import LetterWriter
from server.mail.verdict import MailReading
from server.people.addresses import Addresses, addresses_of
from server.play.lobby import Lobby
from server.play.service import OrderService


class MailParts(Struct, frozen=True):
    """The parts that take mail in and write letters. `bell` is set when there may be a letter to carry."""

    addresses: Addresses
    desk: Desk
    read: Callable[[bytes], MailReading]
    intake: Intake
    writer: LetterWriter
    bell: asyncio.Event


def mail_parts(
    play: OrderService, lobby: Callable[[], Lobby], limits: RecentMail | None = None, steward: Steward | None = None
) -> MailParts:
    """The parts for live battles; `lobby` is called when it is needed; `steward` where this process serves campaigns.

    Raises: BadSetting if signatures are to be checked here and the extra is missing
    """
    battles, bell = play.battles, asyncio.Event()
    post = battles.settings.post
    addresses = addresses_of(battles.settings, battles.keys)
    desk = Desk(play, lobby, addresses, bell.set, steward)
    read = partial(read_mail, addresses=addresses, trusted=post.trusted, lookup=lookup_if(post.checks_dkim))
    intake = Intake(MailProcessor(play, addresses, desk, limits or RecentMail()), read)
    return MailParts(addresses, desk, read, intake, LetterWriter(battles, addresses, desk), bell)
