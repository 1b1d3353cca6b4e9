"""Table of letters that could not be delivered yet, and when to try again.

A row belongs to an unsent row of the outbox, under the same id, once a try has failed or the letter has to wait
(quiet hours, a digest). Letters without a row are due at once. The row of an abandoned letter stays, next to a
marked row of the outbox: it says why.
"""

from typing import NamedTuple

from server.store.append import Statement
from server.store.contract import TableRows
from server.store.tables.outbox import Letter

INSIDE = "inside "
"""Prefix of the note on a row that a digest included, in place of an error; the id of the digest's row follows."""


class Delivery(NamedTuple):
    """The tries of a letter so far. `error` is that of the last one, "" if the letter only waits."""

    id: int
    attempts: int
    next_try: str
    error: str


def put_off(delivery: Delivery) -> Statement:
    """Note when a letter is due, replacing any earlier note."""
    return Statement(
        "INSERT INTO deliveries (id, attempts, next_try, error) VALUES (?,?,?,?) ON CONFLICT (id) DO UPDATE SET "
        "attempts=excluded.attempts, next_try=excluded.next_try, error=excluded.error",
        tuple(delivery),
        1,
    )


def tried() -> tuple[Statement, Statement]:
    """Write a row and take it away again: proves that the store can be written."""
    return (
        Statement("INSERT INTO deliveries (id, attempts, next_try, error) VALUES (-1, 0, '', '')", (), 1),
        Statement("DELETE FROM deliveries WHERE id=-1", (), 1),
    )


def done(id_: int) -> Statement:
    """The letter has left; forget its failures."""
    return Statement("DELETE FROM deliveries WHERE id=?", (id_,))


def hasten(now: str) -> Statement:
    """Make all waiting letters due now and reset their tries."""
    return Statement(
        "UPDATE deliveries SET next_try=?, attempts=0 WHERE id IN (SELECT id FROM outbox WHERE sent_at IS NULL)", (now,)
    )


def hasten_to(player: str, now: str) -> Statement:
    """Make letters due now that wait because letters to the player bounced; failed tries no longer count."""
    return Statement(
        "UPDATE deliveries SET next_try=?, attempts=0 WHERE error<>'' AND next_try>? AND id IN "
        "(SELECT id FROM outbox WHERE recipient=? AND sent_at IS NULL)",
        (now, now, player),
    )


def hasten_kind(kind: str, now: str) -> Statement:
    """Make the waiting letter of a kind due now: what it waited for has come."""
    return Statement(
        "UPDATE deliveries SET next_try=? WHERE id IN (SELECT id FROM outbox WHERE kind=? AND sent_at IS NULL)",
        (now, kind),
    )


def find(store: TableRows, id_: int) -> Delivery:
    """The tries of a letter; an empty record if there is no row."""
    found = store.rows("SELECT id, attempts, next_try, error FROM deliveries WHERE id=?", (id_,))
    return Delivery(*found[0]) if found else Delivery(id_, 0, "", "")


def given_up_to(store: TableRows, player: str) -> str:
    """Why the last letter to a player that was given up did not go; "" if none was."""
    query = (
        "SELECT d.error FROM deliveries d JOIN outbox o ON o.id = d.id "
        "WHERE o.recipient=? AND o.sent_at IS NOT NULL ORDER BY o.id DESC LIMIT 1"
    )
    found = store.rows(query, (player,))
    return str(found[0][0]) if found else ""


def due(store: TableRows, now: str) -> list[Letter]:
    """The unsent letters that may go now, oldest first."""
    return [Letter(*row) for row in store.rows(f"{DUE} ORDER BY o.id", (now,))]


def next_to(store: TableRows, recipient: str, now: str, after: int) -> Letter | None:
    """The first unsent letter to a player that may go now, of those with an id above `after`."""
    found = store.rows(f"{DUE} AND o.recipient=? AND o.id>? ORDER BY o.id LIMIT 1", (now, recipient, after))
    return Letter(*found[0]) if found else None


def held_until(store: TableRows, row: Letter, now: str, patience: int) -> str:
    """When an earlier letter about the same battle to the same player is tried again, "" if none waits for that:
    letters arrive in their order. One that has failed more than `patience` times holds no other back."""
    query = (
        "SELECT MAX(d.next_try) FROM deliveries d JOIN outbox o ON o.id = d.id WHERE o.sent_at IS NULL "
        "AND o.battle=? AND o.recipient=? AND o.id<? AND d.next_try>? "
        "AND d.error<>'' AND d.error NOT LIKE ? AND d.attempts<=?"
    )
    ((at,),) = store.rows(query, (row.battle, row.recipient, row.id, now, f"{INSIDE}%", patience))
    return str(at or "")


def next_due(store: TableRows, after: str = "") -> str | None:
    """When the next waiting letter is due that was not due at `after`; None if none waits."""
    query = "SELECT MIN(d.next_try) FROM deliveries d JOIN outbox o ON o.id = d.id WHERE o.sent_at IS NULL"
    ((at,),) = store.rows(f"{query} AND d.next_try>?", (after,))
    return None if at is None else str(at)


DUE = (
    "SELECT o.id, o.battle, o.n, o.recipient, o.kind, o.created, o.sent_at FROM outbox o "
    "LEFT JOIN deliveries d ON d.id = o.id WHERE o.sent_at IS NULL AND (d.id IS NULL OR d.next_try<=?)"
)
QUEUE = (
    "SELECT o.id, o.battle, o.n, o.recipient, o.kind, o.created, o.sent_at, d.id, d.attempts, d.next_try, d.error FROM"
)


class Backlog(NamedTuple):
    """The letters that have not left: how many, and when the oldest was written that waits for nothing but a carrier
    (None: none does)."""

    waiting: int
    oldest: str | None


def backlog(store: TableRows) -> Backlog:
    """What the outbox holds. A letter that waits for a digest or a quiet night has no age."""
    query = (
        "SELECT COUNT(*), MIN(CASE WHEN d.id IS NULL OR d.error<>'' THEN o.created END) FROM outbox o "
        "LEFT JOIN deliveries d ON d.id = o.id WHERE o.sent_at IS NULL"
    )
    return Backlog(*store.rows(query)[0])


def queue(store: TableRows) -> list[tuple[Letter, Delivery]]:
    """The letters waiting or abandoned (marked), oldest first, with their tries."""
    query = (
        f"{QUEUE} outbox o LEFT JOIN deliveries d ON d.id = o.id WHERE o.sent_at IS NULL UNION ALL "
        f"{QUEUE} deliveries d JOIN outbox o ON o.id = d.id WHERE o.sent_at IS NOT NULL ORDER BY 1"
    )
    found = []
    for row in store.rows(query):
        letter = Letter(*row[:7])
        found.append((letter, Delivery(letter.id, 0, "", "") if row[7] is None else Delivery(*row[7:])))
    return found
