"""Table of letters to be sent.

A row is posted in the transaction of the event that causes the mail, so neither can exist without the other. It names
recipient, kind and `n`; text and signed head are made when sending. A mail is marked after the handover: a crash
between the two sends it again, under the same Message-ID (made from `id`), rather than never.
"""

from enum import StrEnum
from typing import NamedTuple

from server.store.append import Statement
from server.store.contract import TableRows


class LetterKind(StrEnum):
    """The first word of the kind of a row; its subject follows after a colon (`reminder:24h:17`)."""

    TURN = "turn"
    DECISION = "decision"
    CONTRIBUTION = "contribution"
    END = "end"
    JOINED = "joined"
    ANSWER = "answer"
    SAY = "say"
    REMINDER = "reminder"
    FLAG = "flag"
    ABSENCE = "absence"
    PAUSE = "pause"
    DISPUTE = "dispute"
    CONFIRM = "confirm"
    LOGIN = "login"
    DIGEST = "digest"
    WELCOME = "welcome"
    INVITE = "invite"
    INVITED = "invited"
    FAULT = "fault"
    NOTICE = "notice"
    COMPLAINT = "complaint"
    CLUB_INVITE = "club-invite"
    SEATED = "seated"
    CAMPAIGN = "campaign"
    ORGANISING = "organising"
    BULLETIN = "bulletin"


class Letter(NamedTuple):
    """A mail to send: about event `n` of `battle` ("" and 0 if it is about none), to the player `recipient`."""

    id: int
    battle: str
    n: int
    recipient: str
    kind: str
    created: str
    sent_at: str | None


def post(battle: str, n: int, recipient: str, kind: str, created: str) -> Statement:
    """Insert a mail to be sent."""
    return Statement(
        "INSERT INTO outbox (battle, n, recipient, kind, created) VALUES (?,?,?,?,?)",
        (battle, n, recipient, kind, created),
        1,
    )


def post_if_reached(battle: str, n: int, recipient: str, kind: str, created: str) -> Statement:
    """Insert a mail to a player, if they have an address: in the transaction of its event, so that nobody has to find
    out later that there is nobody to write to."""
    return Statement(
        "INSERT INTO outbox (battle, n, recipient, kind, created) "
        "SELECT ?, ?, ?, ?, ? FROM accounts WHERE player=? AND email<>''",
        (battle, n, recipient, kind, created, recipient),
    )


def sent(id_: int, at: str) -> Statement:
    """Mark a mail as sent. If it is marked already the job is Unmatched."""
    return Statement("UPDATE outbox SET sent_at=? WHERE id=? AND sent_at IS NULL", (at, id_), 1)


def reopen(id_: int) -> Statement:
    """Try an abandoned mail once more."""
    return Statement("UPDATE outbox SET sent_at=NULL WHERE id=?", (id_,), 1)


SELECT = "SELECT id, battle, n, recipient, kind, created, sent_at FROM outbox"


def unsent(store: TableRows, limit: int = 100, after: int = 0) -> list[Letter]:
    """The unsent mails, oldest first; `after` an id skips those already tried in this round."""
    query = f"{SELECT} WHERE sent_at IS NULL AND id>? ORDER BY id LIMIT ?"
    return [Letter(*row) for row in store.rows(query, (after, limit))]


def is_first(store: TableRows, row: Letter, since: int) -> bool:
    """Whether a mail is the first to its recipient about a battle from event `since` on; unsent ones do not count."""
    query = "SELECT 1 FROM outbox WHERE battle=? AND recipient=? AND n>=? AND id<? AND sent_at IS NOT NULL LIMIT 1"
    return not store.rows(query, (row.battle, row.recipient, since, row.id))


def was_posted(store: TableRows, battle: str, recipient: str, kind: str) -> bool:
    """Whether there is a mail of a kind about a battle to somebody, sent or not."""
    query = "SELECT 1 FROM outbox WHERE battle=? AND recipient=? AND kind=? LIMIT 1"
    return bool(store.rows(query, (battle, recipient, kind)))


def posted_since(store: TableRows, battle: str, recipient: str, kind: str, since: str) -> bool:
    """Whether there is a mail of a kind about a battle to somebody, posted at a time or later."""
    query = "SELECT 1 FROM outbox WHERE battle=? AND recipient=? AND kind=? AND created>=? LIMIT 1"
    return bool(store.rows(query, (battle, recipient, kind, since)))


def count_of(store: TableRows, kind: str) -> int:
    """How many mails there are of a kind, with its subject."""
    return int(store.rows("SELECT COUNT(*) FROM outbox WHERE kind=?", (kind,))[0][0])


def find(store: TableRows, id_: int) -> Letter | None:
    """One mail, sent or not."""
    found = store.rows(f"{SELECT} WHERE id=?", (id_,))
    return Letter(*found[0]) if found else None
