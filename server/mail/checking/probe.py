"""Send a probe, and wait until the running server has taken it in.

A probe has a token of its own, as envelope sender and, to the server itself, as recipient. The intake knows it: such a
mail is kept, does nothing and is never answered.
"""

from collections.abc import Awaitable, Callable
from datetime import datetime
from email.message import EmailMessage
from email.utils import format_datetime
from typing import NamedTuple

from replay.writing.clock import Clock, later
from replay.writing.entropy import Entropy
from server.mail import bounces
from server.mail.verdict import PROBE
from server.people.addresses import Addresses
from server.store import EventStore
from server.store.contract import TableRows
from server.store.tables import mail_tokens, raw_mail

LASTS_S = 3600
PAUSE_S = 1.0
TOKEN_NAME_BYTES = 16

Sleep = Callable[[float], Awaitable[None]]


class Arrived(NamedTuple):
    """A probe as the server took it in, and when, by the clock of this machine."""

    raw: bytes
    received: str


async def new_token(store: EventStore, addresses: Addresses, clock: Clock, entropy: Entropy) -> str:
    """A token for a probe; mail to it is taken for an hour.

    Raises: StoreError
    """
    now = clock.now()
    token = addresses.token(PROBE, entropy.bytes(TOKEN_NAME_BYTES).hex())
    await store.write(mail_tokens.issue(token, bounces.KIND, "", now, question=PROBE, expires=later(now, LASTS_S)))
    return token


def probe(addresses: Addresses, token: str, to: str, now: str) -> EmailMessage:
    """The probe to an address."""
    message = EmailMessage()
    message["From"] = f"Phalera <{addresses.mailbox}>"
    message["To"] = to
    message["Subject"] = "A probe of Phalera"
    message["Date"] = format_datetime(datetime.fromisoformat(now))
    message["Message-ID"] = f"<probe.{token}@{addresses.host}>"
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(
        "This is a probe of `phalera mail check`: it asks for nothing.\n\n"
        "Your mail program can show it with all its headers. There, the field\n"
        "Authentication-Results says what your mail system has found: SPF, DKIM\n"
        "and DMARC should pass. If the probe lies in a spam folder, its headers\n"
        "often say why.\n"
    )
    return message


async def arrival(store: TableRows, token: str, since: str, wait_s: float, sleep: Sleep) -> Arrived | None:
    """The probe with a token, once it has come in; None if it does not within `wait_s`."""
    waited = 0.0
    while True:
        for mail in raw_mail.of_kind(store, PROBE, since):
            if token.encode() in mail.raw.lower():
                return Arrived(mail.raw, mail.received)
        if waited >= wait_s:
            return None
        await sleep(PAUSE_S)
        waited += PAUSE_S
