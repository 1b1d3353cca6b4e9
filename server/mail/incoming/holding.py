"""Hold what a mail asks for until its player confirms it."""

from collections.abc import Mapping

import msgspec

from replay.writing.clock import later
from server.mail.incoming.identity import Sender
from server.people.addresses import Addresses
from server.store import Statement
from server.store.tables import mail_tokens

CONFIRM_S = 7 * 24 * 3600
"""How long a held request waits for its confirmation."""


def holding(addresses: Addresses, key: str, who: Sender, content: Mapping[str, str], now: str) -> tuple[str, Statement]:
    """The name of a confirm token, and the token with what it releases (`server.mail.desk.confirming`)."""
    name = f"{key}.{who.doubt or 'sure'}"
    return name, mail_tokens.issue(
        addresses.token("confirm", name),
        "confirm",
        who.player,
        now,
        battle=who.battle,
        side=who.side,
        content=msgspec.json.encode(content),
        expires=later(now, CONFIRM_S),
    )
