"""Limits on invitations: a few a day of a player, to a mailbox, and of the whole server. A rematch is not one: it is
asked for a few times a day."""

import sys

from msgspec.structs import astuple

from domain.basics.errors import Refusal
from replay.writing.clock import later
from server.acts.services import Services
from server.limits import Invitations
from server.store import Statement
from server.store.tables import invitations
from server.store.tables.invitations import Invitation

DAY_S = 24 * 3600


def require_few(services: Services, player: str, mailbox: bytes) -> None:
    """Refuse one more invitation than there may be on a day.

    Raises: Refusal core.too-many-invitations
    """
    since, limits = later(services.now(), -DAY_S), limits_of(services)
    for what, most, count in (
        ("player", limits.player, invitations.count(services.store, since, inviter=player)),
        ("mailbox", limits.mailbox, invitations.count(services.store, since, mailbox=mailbox)),
        ("server", limits.server, invitations.count(services.store, since)),
    ):
        if 0 < most <= count:
            raise Refusal("core.too-many-invitations", "CORE-INVITE", fault=what, most=most)


def require_few_rematches(services: Services, battle: str) -> None:
    """Refuse to ask somebody again and again for a rematch that they decline, or that is cancelled.

    Raises: Refusal core.too-many-invitations
    """
    most = limits_of(services).mailbox
    if 0 < most <= invitations.count_rematches(services.store, later(services.now(), -DAY_S), battle):
        raise Refusal("core.too-many-invitations", "CORE-INVITE", fault="mailbox", most=most)


def limits_of(services: Services) -> Invitations:
    """The figures of this server."""
    return services.battles.settings.limits.invitations


def still_few(services: Services, invitation: Invitation) -> tuple[Statement, ...]:
    """The same check in the transaction of the invitation, behind it: many may be made at once. One too many makes the
    job Unmatched."""
    if invitation.follows:
        return ()
    since = later(invitation.created, -DAY_S)
    most = (figure or sys.maxsize for figure in astuple(limits_of(services)))
    return (invitations.require_few(invitation, since, *most),)
