"""Table of invitations to a side of a battle, and of the mailboxes that want none.

An invitation is bound to one address and reserves its side while it is open. `token` and `mailbox` are digests: of the
token in the letter, and of the address, by which invitations are counted after the address itself is forgotten.
"""

from typing import NamedTuple

from server.store.append import Statement
from server.store.contract import TableRows

OPEN, ACCEPTED, DECLINED, EXPIRED = "open", "accepted", "declined", "expired"


class Invitation(NamedTuple):
    """An invitation. `email` is the address, or the id of a player who has none, and "" once it is over; `follows` the
    battle of which this one is the rematch, or in whose place it stands with another army, or ""."""

    token: bytes
    battle: str
    side: str
    inviter: str
    email: str
    mailbox: bytes
    lang: str
    message: str
    follows: str
    created: str
    expires: str
    state: str = OPEN

    def is_open(self, now: str) -> bool:
        """Whether it can still be accepted."""
        return self.state == OPEN and self.expires > now


def add(invitation: Invitation) -> Statement:
    """Insert an invitation. A second open one for a side, or for a rematch, makes the job Violated."""
    return Statement(
        "INSERT INTO invitations (token, battle, side, inviter, email, mailbox, lang, message, follows, created, "
        "expires, state) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
        tuple(invitation),
        1,
    )


def require_few(invitation: Invitation, since: str, of_inviter: int, to_mailbox: int, in_all: int) -> Statement:
    """Let the job be Unmatched if there are now more invitations since a time than that: of the inviter, to the
    mailbox, or in all. A rematch does not count."""
    return Statement(
        "UPDATE invitations SET state=state WHERE token=? AND (SELECT COUNT(*) <= ? AND "
        "COUNT(*) FILTER (WHERE inviter=?) <= ? AND COUNT(*) FILTER (WHERE mailbox=?) <= ? "
        "FROM invitations WHERE follows='' AND created>?)",
        (invitation.token, in_all, invitation.inviter, of_inviter, invitation.mailbox, to_mailbox, since),
        1,
    )


def end(invitation: Invitation, state: str) -> Statement:
    """End an open invitation and forget its address. If it is over already the job is Unmatched."""
    return Statement(
        "UPDATE invitations SET state=?, email='', message='' WHERE token=? AND state='open'",
        (state, invitation.token),
        1,
    )


def taken(battle: str, side: str, now: str) -> Statement:
    """End the open invitation to a side, if there is one: whom it is for has joined without it."""
    return Statement(
        "UPDATE invitations SET state='accepted', email='', message='' "
        "WHERE battle=? AND side=? AND state='open' AND expires>?",
        (battle, side, now),
    )


def give_up(invitation: Invitation, state: str) -> Statement:
    """End an invitation, even one that was accepted: what it led to is no more."""
    return Statement("UPDATE invitations SET state=?, email='', message='' WHERE token=?", (state, invitation.token), 1)


def expire(now: str) -> Statement:
    """End what is open and too old, and forget whom it was for."""
    return Statement(
        "UPDATE invitations SET state='expired', email='', message='' WHERE state='open' AND expires<=?", (now,)
    )


def forget(player: str) -> Statement:
    """End the open invitations from and to a player who goes; before their mail tokens are revoked."""
    return Statement(
        "UPDATE invitations SET state='expired', email='', message='' WHERE state='open' AND "
        "(inviter=? OR token IN (SELECT digest FROM mail_tokens WHERE player=? AND kind='invite'))",
        (player, player),
    )


def unwant(mailbox: bytes, at: str) -> Statement:
    """Record that a mailbox wants no invitations."""
    return Statement("INSERT INTO unwanted (mailbox, at) VALUES (?,?) ON CONFLICT DO NOTHING", (mailbox, at))


def is_unwanted(store: TableRows, mailbox: bytes) -> bool:
    """Whether a mailbox wants no invitations."""
    return bool(store.rows("SELECT 1 FROM unwanted WHERE mailbox=?", (mailbox,)))


SELECT = (
    "SELECT token, battle, side, inviter, email, mailbox, lang, message, follows, created, expires, state "
    "FROM invitations"
)


def find(store: TableRows, token: bytes) -> Invitation | None:
    """The invitation with a token, by its digest."""
    found = store.rows(f"{SELECT} WHERE token=?", (token,))
    return Invitation(*found[0]) if found else None


def to_side(store: TableRows, battle: str, side: str, now: str) -> Invitation | None:
    """The open invitation to a side of a battle."""
    found = store.rows(f"{SELECT} WHERE battle=? AND side=? AND state='open' AND expires>?", (battle, side, now))
    return Invitation(*found[0]) if found else None


def to_player(store: TableRows, player: str, email: str, now: str, most: int) -> list[Invitation]:
    """The newest open invitations to a player, by their id or their address."""
    where = "WHERE state='open' AND expires>? AND email<>'' AND lower(email) IN (?,?) ORDER BY created DESC LIMIT ?"
    return [Invitation(*row) for row in store.rows(f"{SELECT} {where}", (now, email.lower(), player, most))]


def followed(store: TableRows, battle: str) -> str:
    """The battle that one has come about after, by an invitation that was accepted; "" if there is none."""
    query = "SELECT follows FROM invitations WHERE battle=? AND follows<>'' AND state='accepted'"
    found = store.rows(query, (battle,))
    return str(found[0][0]) if found else ""


def followers(store: TableRows, battle: str) -> list[str]:
    """The battles to which somebody was invited after one, or in its place, however that ended."""
    return [str(found) for (found,) in store.rows("SELECT DISTINCT battle FROM invitations WHERE follows=?", (battle,))]


def end_followers(battle: str) -> Statement:
    """End the open invitations to battles in the place of one."""
    return Statement(
        "UPDATE invitations SET state='expired', email='', message='' WHERE follows=? AND state='open'", (battle,)
    )


def rematch_of(store: TableRows, battle: str) -> Invitation | None:
    """The invitation to a rematch of a battle, or to the same one with another army, that is open or was accepted."""
    found = store.rows(f"{SELECT} WHERE follows=? AND state IN ('open', 'accepted')", (battle,))
    return Invitation(*found[0]) if found else None


def count_rematches(store: TableRows, since: str, battle: str) -> int:
    """How often a rematch of a battle was asked for since a time."""
    query = "SELECT COUNT(*) FROM invitations WHERE follows=? AND created>?"
    return int(store.rows(query, (battle, since))[0][0])


def count(store: TableRows, since: str, inviter: str = "", mailbox: bytes = b"") -> int:
    """How many invitations were sent since a time: by a player, to a mailbox, or in all. A rematch is not one."""
    query = "SELECT COUNT(*) FROM invitations WHERE follows='' AND created>?"
    if inviter:
        return int(store.rows(f"{query} AND inviter=?", (since, inviter))[0][0])
    if mailbox:
        return int(store.rows(f"{query} AND mailbox=?", (since, mailbox))[0][0])
    return int(store.rows(query, (since,))[0][0])
