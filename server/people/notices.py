"""Tell players what happens to their account, so that nobody gets into it, or stays there, unseen."""

from enum import StrEnum

from replay.writing.clock import Clock
from replay.writing.entropy import Entropy, new_id
from server.store import Statement
from server.store.tables import notices, outbox
from server.store.tables.accounts import Account
from server.store.tables.notices import Notice
from server.store.tables.outbox import LetterKind


class AccountEvent(StrEnum):
    """What may happen to an account that its player is told of."""

    PASSKEY = "passkey"
    TOKEN = "token"
    KEY_LINK = "key-link"
    FEED = "feed"
    WEBHOOK = "webhook"
    WEBHOOK_OFF = "webhook-off"
    ADDRESS = "address"
    REVOKED = "revoked"
    REMOVED = "removed"


def notice_to(
    clock: Clock,
    entropy: Entropy,
    account: Account,
    what: AccountEvent,
    about: str = "",
    by_letter: bool = True,
    lang: str = "",
) -> tuple[Statement, ...]:
    """The statements that note what happens and post the letter, to the address of the account as it was read; in
    `lang` where nobody will know the language of its player any more."""
    email = account.email if by_letter else ""
    notice = Notice(new_id(entropy), account.player, clock.now(), what, about, email)
    if not email:
        return (notices.add(notice),)
    kind = ":".join((LetterKind.NOTICE, notice.id, *([lang] if lang else [])))
    return notices.add(notice), outbox.post("", 0, account.player, kind, notice.at)
