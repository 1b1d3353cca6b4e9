"""Limits on invitations: a few a day of a player, to a mailbox, and of the whole server. A rematch is not one: it is
asked for a few times a day."""

from domain.engine.errors import Refusal
from server.clock import later
from server.mail.desk.desk import Desk
from server.store import Statement
from server.store.tables import invitations
from server.store.tables.invitations import Invitation

DAY_S = 24 * 3600
MOST_A_DAY, MOST_TO_MAILBOX, MOST_IN_ALL = 5, 2, 100
"""Invitations a day: of a player, to a mailbox, of the whole server."""


def require_few(desk: Desk, player: str, mailbox: bytes) -> None:
    """Refuse one more invitation than there may be on a day.

    Raises: Refusal core.too-many-invitations
    """
    since = later(desk.now(), -DAY_S)
    for what, most, count in (
        ("player", MOST_A_DAY, invitations.count(desk.store, since, inviter=player)),
        ("mailbox", MOST_TO_MAILBOX, invitations.count(desk.store, since, mailbox=mailbox)),
        ("server", MOST_IN_ALL, invitations.count(desk.store, since)),
    ):
        if count >= most:
            raise Refusal("core.too-many-invitations", "CORE-INVITE", fault=what, most=most)


def require_few_rematches(desk: Desk, battle: str) -> None:
    """Refuse to ask somebody again and again for a rematch that they decline, or that is cancelled.

    Raises: Refusal core.too-many-invitations
    """
    if invitations.count_rematches(desk.store, later(desk.now(), -DAY_S), battle) >= MOST_TO_MAILBOX:
        raise Refusal("core.too-many-invitations", "CORE-INVITE", fault="mailbox", most=MOST_TO_MAILBOX)


def still_few(invitation: Invitation) -> tuple[Statement, ...]:
    """The same check in the transaction of the invitation, behind it: many may be made at once. One too many makes the
    job Unmatched."""
    if invitation.follows:
        return ()
    since = later(invitation.created, -DAY_S)
    return (invitations.require_few(invitation, since, MOST_A_DAY, MOST_TO_MAILBOX, MOST_IN_ALL),)
