"""Decide who sent a mail and whether to trust it.

A From line proves nothing: anybody can write one. A mail is trusted if it went to a token that only that player was
given *and* comes from their address; once a mail of theirs has carried a valid signature of its sender's domain, one
without it is doubted too. Doubtful mail is held until the player confirms it (docs/decisions/0011-mail.md).
"""

import unicodedata
from collections.abc import Sequence

from msgspec import Struct

from server.mail.desk import Caller
from server.mail.digests import campaign_of
from server.mail.verdict import MailReading
from server.store import Statement
from server.store.contract import TableRows
from server.store.tables import accounts, correspondents, deliveries, mail_tokens
from server.store.tables.accounts import Account
from server.store.tables.correspondents import Correspondent
from server.store.tables.mail_tokens import MailToken

STRANGER, NO_TOKEN, SENDER, FORGED, UNSIGNED = "stranger", "no-token", "sender", "forged", "unsigned"


class Sender(Struct, frozen=True):
    """The apparent sender. `token`: the one it was sent to, as `written`; `doubt` says why the mail is not trusted: it
    came from another address (`sender`), its signature is false (`forged`) or missing (`unsigned`), or it names no
    token and bears no signature (`no-token`); "" if it is trusted. Without an account it comes from a `stranger`."""

    token: MailToken | None = None
    written: str = ""
    account: Account | None = None
    correspondent: Correspondent = Correspondent("")
    doubt: str = STRANGER

    @property
    def battle(self) -> str:
        """The battle of the token, or ""."""
        return self.token.battle if self.token else ""

    @property
    def side(self) -> str:
        """The side that the token was given to, or ""."""
        return self.token.side if self.token else ""

    @property
    def campaign(self) -> str:
        """The campaign whose letter is answered, or ""."""
        return campaign_of(self.token)

    @property
    def lines_of(self) -> str | None:
        """The campaign whose lines a mail may hold, "" for one that it names, None in an answer about a battle."""
        return None if self.battle else self.campaign

    @property
    def player(self) -> str:
        """The player whose account it is, or ""."""
        return self.account.player if self.account else ""


def identify(store: TableRows, reading: MailReading) -> Sender:
    """The apparent sender: determined by the token, otherwise by the sender's address (its oldest account)."""
    written, token = _token(store, reading.tokens)
    if token is not None:
        account = accounts.by_player(store, token.player)
    else:
        account = next(iter(accounts.by_email(store, reading.sender)), None) if reading.sender else None
    if account is None:
        return Sender(token, written)
    correspondent = correspondents.find(store, account.player)
    return Sender(token, written, account, correspondent, _doubt(reading, account, correspondent, token is not None))


def _token(store: TableRows, written: Sequence[str]) -> tuple[str, MailToken | None]:
    """The first token of ours; those of the delivery come first."""
    for text in written:
        found = mail_tokens.find(store, text)
        if found is not None:
            return text, found
    return "", None


def _doubt(reading: MailReading, account: Account, correspondent: Correspondent, has_token: bool) -> str:
    if not account.email or _folded(reading.sender) != _folded(account.email):
        return SENDER
    if reading.trust == "fail":
        return FORGED
    if reading.trust == "pass" and (has_token or reading.is_ours):  # not what they wrote to somebody else
        return ""
    if reading.trust != "pass" and correspondent.signed:
        return UNSIGNED
    return "" if has_token else NO_TOKEN


def _folded(address: str) -> str:
    """An address in the form in which senders are compared: `name_key` would turn `ß` into `ss` and wide letters into
    plain ones, which may be other people's mailboxes."""
    return unicodedata.normalize("NFC", address.strip()).lower()


def remembered(who: Sender, reading: MailReading, now: str) -> list[Statement]:
    """What a trusted mail teaches: that its sender signs, and that their mailbox works. Letters held back because
    others bounced go at once."""
    kept = who.correspondent
    signed = reading.signed if reading.trust == "pass" else ""
    is_news = bool(signed and signed != kept.signed) or kept.bounces or kept.stopped == "bounced"
    waited = [deliveries.hasten_to(kept.player, now)] if kept.stopped == "bounced" else []
    return [correspondents.learn(kept.player, signed), *waited] if is_news else []


def caller_of(who: Sender, heads: tuple[str, ...] = ()) -> Caller:
    """The player who gave a command; strangers have been answered before."""
    assert who.account is not None
    return Caller(who.account, who.correspondent.lang, who.battle, who.side, heads, who.campaign)
