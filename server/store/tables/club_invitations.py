"""Table of invitations to a club, one letter each.

An invitation is bound to one address, and makes nobody a member before it is accepted. `token` and `mailbox` are
digests, as in `invitations`; the address is forgotten when the invitation is over.
"""

from typing import NamedTuple

from server.store.append import Statement
from server.store.contract import TableRows

OPEN, ACCEPTED, DECLINED, EXPIRED = "open", "accepted", "declined", "expired"


class ClubInvitation(NamedTuple):
    """An invitation of an organiser. `name` and `zone` are what the file has said of them ("": nothing)."""

    token: bytes
    club: str
    inviter: str
    name: str
    email: str
    mailbox: bytes
    zone: str
    lang: str
    created: str
    expires: str
    state: str = OPEN

    def is_open(self, now: str) -> bool:
        """Whether it can still be accepted."""
        return self.state == OPEN and self.expires > now


def add(invitation: ClubInvitation) -> Statement:
    """Insert an invitation. A second open one of a club to a mailbox makes the job Violated."""
    return Statement(
        "INSERT INTO club_invitations (token, club, inviter, name, email, mailbox, zone, lang, created, expires, state)"
        " VALUES (?,?,?,?,?,?,?,?,?,?,?)",
        tuple(invitation),
        1,
    )


def end(invitation: ClubInvitation, state: str) -> Statement:
    """End an open invitation and forget its address. If it is over already the job is Unmatched."""
    return Statement(
        "UPDATE club_invitations SET state=?, email='', name='', zone='' WHERE token=? AND state='open'",
        (state, invitation.token),
        1,
    )


def expire(now: str) -> Statement:
    """End what is open and too old, and forget whom it was for."""
    return Statement(
        "UPDATE club_invitations SET state='expired', email='', name='', zone='' WHERE state='open' AND expires<=?",
        (now,),
    )


def forget(player: str) -> Statement:
    """End the open invitations of somebody who goes."""
    return Statement(
        "UPDATE club_invitations SET state='expired', email='', name='', zone='' WHERE inviter=? AND state='open'",
        (player,),
    )


SELECT = "SELECT token, club, inviter, name, email, mailbox, zone, lang, created, expires, state FROM club_invitations"


def find(store: TableRows, token: bytes) -> ClubInvitation | None:
    """The invitation with a token, by its digest."""
    found = store.rows(f"{SELECT} WHERE token=?", (token,))
    return ClubInvitation(*found[0]) if found else None


def open_of(store: TableRows, club: str, now: str) -> list[ClubInvitation]:
    """The invitations of a club that wait for an answer, oldest first."""
    rows = store.rows(f"{SELECT} WHERE club=? AND state='open' AND expires>? ORDER BY created, name", (club, now))
    return [ClubInvitation(*row) for row in rows]


def count(store: TableRows, since: str, club: str = "", mailbox: bytes = b"") -> int:
    """How many were sent since a time: by a club, to a mailbox, or in all."""
    query = "SELECT COUNT(*) FROM club_invitations WHERE created>? AND (?='' OR club=?) AND (length(?)=0 OR mailbox=?)"
    return int(store.rows(query, (since, club, club, mailbox, mailbox))[0][0])
