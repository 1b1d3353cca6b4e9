"""Tables of webhooks: addresses of other programs that are told what happens, and what they are yet to be told.

A row of what is to be told is written in the transaction of the event that it tells of. How often a webhook has failed
stands with the webhook, not with the row: what waits goes in its order.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from server.store.append import Statement
from server.store.contract import TableRows

MOST_WAITING = 100
"""Rows that wait for one webhook; what happens beyond that is not told."""


class OwnerKind(StrEnum):
    """What may own a webhook."""

    ACCOUNT = "account"
    CLUB = "club"
    CAMPAIGN = "campaign"


class HookOwner(NamedTuple):
    """Whose webhook it is: the kind of the owner, and their id."""

    kind: OwnerKind
    id: str


class Webhook(NamedTuple):
    """A webhook. `what` names what it is told of; `form` is that of the body; `tries` counts failures since the last
    success, the first of them at `failing` ("": none); `off` is when it was switched off ("": it is on). The `last_…`
    are of the last delivery: when, of what, the status of its answer (0: there was none), and why there was none."""

    id: str
    owner_kind: str
    owner: str
    url: str
    host: str
    form: str
    lang: str
    what: str
    created: str
    tries: int = 0
    next_try: str = ""
    failing: str = ""
    off: str = ""
    last_at: str = ""
    last_what: str = ""
    last_code: int = 0
    last_error: str = ""

    @property
    def whats(self) -> tuple[str, ...]:
        """What it is told of, each by its word."""
        return tuple(self.what.split())


class Told(NamedTuple):
    """Something that a webhook is to be told: `subject` is `battle` or `campaign`, "" where it is about neither, and
    `about` its id; `n` is the event."""

    id: int
    hook: str
    what: str
    subject: str
    about: str
    n: int
    created: str


class HookNews(NamedTuple):
    """What has happened, for whoever is to be told: as `Told`."""

    what: str
    subject: str = ""
    about: str = ""
    n: int = 0


def add(hook: Webhook) -> Statement:
    """Keep a webhook, which has not been told anything yet."""
    id_, owner_kind, owner, url, host, form, lang, what, created, *_ = hook
    return Statement(
        "INSERT INTO webhooks (id, owner_kind, owner, url, host, form, lang, what, created) VALUES (?,?,?,?,?,?,?,?,?)",
        (id_, owner_kind, owner, url, host, form, lang, what, created),
        1,
    )


def words_of(what: Iterable[str]) -> str:
    """What a webhook is told of, as it is stored: with a space on both sides of each word."""
    return f" {' '.join(what)} "


def tell(owner: HookOwner, news: HookNews, at: str) -> Statement:
    """Let the webhooks of an owner that are on, and want to know, be told something."""
    return Statement(
        "INSERT INTO webhook_outbox (hook, what, subject, about, n, created) SELECT id, ?, ?, ?, ?, ? FROM webhooks "
        "WHERE owner_kind=? AND owner=? AND off='' AND instr(what, ?) > 0 "
        "AND (SELECT COUNT(*) FROM webhook_outbox WHERE hook=webhooks.id) < ?",
        (news.what, news.subject, news.about, news.n, at, owner.kind, owner.id, words_of([news.what]), MOST_WAITING),
    )


def tell_club(battle: str, news: HookNews, at: str) -> Statement:
    """The same for the club of a battle, if it has one."""
    return Statement(
        "INSERT INTO webhook_outbox (hook, what, subject, about, n, created) SELECT id, ?, ?, ?, ?, ? FROM webhooks "
        "WHERE owner_kind=? AND owner=(SELECT club FROM club_battles WHERE battle=?) AND off='' "
        "AND instr(what, ?) > 0 AND (SELECT COUNT(*) FROM webhook_outbox WHERE hook=webhooks.id) < ?",
        (
            *(news.what, news.subject, news.about, news.n, at),
            *(OwnerKind.CLUB, battle, words_of([news.what]), MOST_WAITING),
        ),
    )


def tell_one(owner: HookOwner, id_: str, news: HookNews, at: str) -> Statement:
    """Let one webhook of an owner be told something, whatever it wants to know. If there is none, it is off, or has
    too much to be told, the job is Unmatched."""
    return Statement(
        "INSERT INTO webhook_outbox (hook, what, subject, about, n, created) SELECT id, ?, ?, ?, ?, ? FROM webhooks "
        "WHERE id=? AND owner_kind=? AND owner=? AND off='' "
        "AND (SELECT COUNT(*) FROM webhook_outbox WHERE hook=webhooks.id) < ?",
        (news.what, news.subject, news.about, news.n, at, id_, owner.kind, owner.id, MOST_WAITING),
        1,
    )


def drop(told: Told) -> Statement:
    """Tell something no more."""
    return Statement("DELETE FROM webhook_outbox WHERE id=? AND hook=?", (told.id, told.hook))


def delivered(told: Told, at: str, code: int) -> tuple[Statement, ...]:
    """Something was told."""
    return (
        drop(told),
        Statement(
            "UPDATE webhooks SET tries=0, next_try='', failing='', last_at=?, last_what=?, last_code=?, last_error='' "
            "WHERE id=?",
            (at, told.what, code, told.hook),
        ),
    )


def failed(told: Told, at: str, code: int, error: str, next_try: str) -> Statement:
    """Something could not be told; it is tried again at `next_try`."""
    return Statement(
        "UPDATE webhooks SET tries=tries+1, next_try=?, failing=CASE failing WHEN '' THEN ? ELSE failing END, "
        "last_at=?, last_what=?, last_code=?, last_error=? WHERE id=?",
        (next_try, at, at, told.what, code, error, told.hook),
    )


def switch_off(id_: str, at: str) -> tuple[Statement, ...]:
    """Tell a webhook nothing any more; what waits is forgotten. If it is off the job is Unmatched."""
    return (
        Statement("UPDATE webhooks SET off=?, next_try='' WHERE id=? AND off=''", (at, id_), 1),
        Statement("DELETE FROM webhook_outbox WHERE hook=?", (id_,)),
    )


def switch_on(owner: HookOwner, id_: str) -> Statement:
    """Tell a webhook of an owner what happens from now on. If there is none the job is Unmatched."""
    return Statement(
        "UPDATE webhooks SET off='', tries=0, next_try='', failing='' WHERE id=? AND owner_kind=? AND owner=?",
        (id_, owner.kind, owner.id),
        1,
    )


def remove(owner: HookOwner, id_: str) -> tuple[Statement, ...]:
    """Remove a webhook of an owner. If there is none the job is Unmatched."""
    return (
        Statement(f"DELETE FROM webhook_outbox WHERE hook IN ({OWNED} AND id=?)", (owner.kind, owner.id, id_)),
        Statement("DELETE FROM webhooks WHERE owner_kind=? AND owner=? AND id=?", (owner.kind, owner.id, id_), 1),
    )


def forget_all(owner: HookOwner) -> tuple[Statement, ...]:
    """Remove all webhooks of an owner."""
    return (
        Statement(f"DELETE FROM webhook_outbox WHERE hook IN ({OWNED})", (owner.kind, owner.id)),
        Statement("DELETE FROM webhooks WHERE owner_kind=? AND owner=?", (owner.kind, owner.id)),
    )


OWNED = "SELECT id FROM webhooks WHERE owner_kind=? AND owner=?"
SELECT = f"SELECT {', '.join(Webhook._fields)} FROM webhooks"


def find(store: TableRows, id_: str) -> Webhook | None:
    """One webhook, whoever owns it."""
    found = store.rows(f"{SELECT} WHERE id=?", (id_,))
    return Webhook(*found[0]) if found else None


def of_owner(store: TableRows, owner: HookOwner) -> list[Webhook]:
    """The webhooks of an owner, oldest first."""
    rows = store.rows(f"{SELECT} WHERE owner_kind=? AND owner=? ORDER BY created, id", (owner.kind, owner.id))
    return [Webhook(*row) for row in rows]


def due(store: TableRows, now: str) -> list[Webhook]:
    """The webhooks that may be told something at this time; that which has waited longest comes first."""
    rows = store.rows(
        f"{SELECT} JOIN (SELECT hook, MIN(id) AS first FROM webhook_outbox GROUP BY hook) AS waiting "
        "ON hook=webhooks.id WHERE off='' AND next_try<=? ORDER BY first",
        (now,),
    )
    return [Webhook(*row) for row in rows]


def first_for(store: TableRows, id_: str) -> Told | None:
    """What a webhook is to be told next."""
    found = store.rows(
        "SELECT id, hook, what, subject, about, n, created FROM webhook_outbox WHERE hook=? ORDER BY id LIMIT 1", (id_,)
    )
    return Told(*found[0]) if found else None


def next_due(store: TableRows) -> str:
    """When a webhook that has failed may be told something again, "" if none waits."""
    rows = store.rows(
        "SELECT MIN(next_try) FROM webhooks WHERE off='' AND next_try<>'' "
        "AND EXISTS (SELECT 1 FROM webhook_outbox WHERE hook=webhooks.id)"
    )
    return str(rows[0][0] or "")


class HookCensus(NamedTuple):
    """How many webhooks there are: all, those that fail, those that are off; and what waits for them."""

    all: int
    failing: int
    off: int
    waiting: int


def census(store: TableRows) -> HookCensus:
    """Count the webhooks."""
    ((every, failing, off),) = store.rows(
        "SELECT COUNT(*), COUNT(*) FILTER (WHERE failing<>'' AND off=''), COUNT(*) FILTER (WHERE off<>'') FROM webhooks"
    )
    ((waiting,),) = store.rows("SELECT COUNT(*) FROM webhook_outbox")
    return HookCensus(every, failing, off, waiting)
