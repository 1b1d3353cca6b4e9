"""The battles of a letter about several, or its campaign, kept with the token of its reply address.

Each has a token of its own, which speaks for that battle and side alone; the token of the letter only leads to them.
"""

import msgspec
from msgspec import Struct

from domain.basics.decoding import decode
from server.store.contract import TableRows
from server.store.tables import mail_tokens
from server.store.tables.mail_tokens import MailToken

QUESTION = "question"
"""The kind of mail token under which a letter about a battle is answered; about no battle, it may lead to several."""


class DigestEntry(Struct, frozen=True):
    """A battle of a letter about several: its id, its side, and the digest of its token in hex."""

    battle: str
    side: str
    token: str


class DigestEntries(Struct, frozen=True, omit_defaults=True):
    """The battles of a letter, by number from 1; or the campaign that it is about."""

    entries: tuple[DigestEntry, ...] = ()
    campaign: str = ""


def written(entries: tuple[DigestEntry, ...]) -> bytes:
    """The battles of a letter as they are stored."""
    return msgspec.json.encode(DigestEntries(entries))


def entries_of(known: MailToken | None) -> tuple[DigestEntry, ...]:
    """The battles to which a token leads; () for that of any other letter."""
    return _content(known).entries


def about_campaign(campaign: str) -> bytes:
    """The campaign of a letter as it is stored, b"" for none."""
    return msgspec.json.encode(DigestEntries(campaign=campaign)) if campaign else b""


def campaign_of(known: MailToken | None) -> str:
    """The campaign whose letter a mail answers, "" for any other."""
    return _content(known).campaign


def _content(known: MailToken | None) -> DigestEntries:
    if known is None or known.kind != QUESTION or known.battle or not known.content:
        return DigestEntries()
    return decode(known.content, DigestEntries)


def token_of(store: TableRows, entry: DigestEntry) -> MailToken | None:
    """The token of one of the battles."""
    return mail_tokens.with_digest(store, bytes.fromhex(entry.token))


def section_key(mail: str, battle: str) -> str:
    """The key of a request for the orders that a mail about several battles gives for one. `mail`: its id in hex."""
    return f"{mail}.{battle}"
