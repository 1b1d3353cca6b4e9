"""Invite an address to a club by one letter, and answer that (CAM-CLB-01).

Guarantees: as for invitations to a battle (`server.acts.invite`), the token goes to the address alone, works once, and
for two weeks; a mailbox that wants no invitations gets none, and one gets few a day. Nobody is a member before they
have accepted, and accepting makes an account for whoever has none.
"""

from hashlib import sha256

from msgspec import Struct

from domain.basics.errors import Refusal
from replay.writing.clock import later
from server.acts.accept import new_account
from server.acts.clubs.entering import club_full
from server.acts.clubs.founding import MOST_MEMBERS
from server.acts.clubs.reading import RULE
from server.acts.invitation_limits import DAY_S, limits_of
from server.acts.invite import LASTS_S, account_at, digest_of
from server.acts.services import Services
from server.people.players import Player
from server.store import Unmatched, Violated
from server.store.tables import accounts, blocks, club_invitations, clubs, correspondents, mail_tokens, outbox
from server.store.tables import invitations as of_battles
from server.store.tables.accounts import Account
from server.store.tables.club_invitations import ACCEPTED, DECLINED, ClubInvitation
from server.store.tables.clubs import BANNED, MEMBER, Club
from server.store.tables.correspondents import Correspondent
from server.store.tables.outbox import LetterKind

KIND, QUESTION = "invite", "club"
"""The kind of the token, and what tells it from one to a side of a battle."""
MOST_OF_CLUB = 200
"""Letters of one club a day."""


class ClubAccepted(Struct, frozen=True):
    """The club, the account that is in it now, and whether it was made by accepting."""

    club: Club
    account: Account
    is_new: bool


async def invite_to_club(
    services: Services, player: Player, club: Club, written: str, name: str = "", zone: str = ""
) -> None:
    """Write to an address that a club would take its holder in; while that waits for an answer, again changes nothing.

    Raises: Refusal core.no-mail, core.guest-writes, core.bad-address, core.unwanted, core.too-many-invitations
    """
    if not services.battles.settings.mail:
        raise Refusal("core.no-mail", RULE)
    if not player.email:
        raise Refusal("core.guest-writes", RULE)
    email = services.addresses.elsewhere(written)
    if not email:
        raise Refusal("core.bad-address", RULE, word=written[:80])
    mailbox, now = digest_of(services, email), services.now()
    account = account_at(services, email)
    _require_wanted(services, player, club, mailbox, account)
    waiting = [one for one in club_invitations.open_of(services.store, club.club, now) if one.mailbox == mailbox]
    if waiting:
        return
    _require_few(services, club.club, mailbox, later(now, -DAY_S))
    name_of_token = invitation_name(club.club, mailbox, now)
    token = services.addresses.token(KIND, name_of_token)
    lang = services.wishes(account.player if account else player.id).lang
    invitation = ClubInvitation(
        mail_tokens.digest(token), club.club, player.id, name, email, mailbox, zone, lang, now, later(now, LASTS_S)
    )
    to = account.player if account else ""
    try:
        await services.store.write(
            club_invitations.expire(now),
            club_invitations.add(invitation),
            mail_tokens.issue(token, KIND, to, now, question=QUESTION, content=name_of_token.encode()),
            outbox.post("", 0, "", f"{LetterKind.CLUB_INVITE}:{name_of_token}", now),
        )
    except Violated:  # invited a moment ago
        return
    services.ring()


def invitation_name(club: str, mailbox: bytes, created: str) -> str:
    """The name of the token of an invitation, by which its letter finds it."""
    return sha256(f"club\n{club}\n{mailbox.hex()}\n{created}".encode()).hexdigest()[:32]


def open_club_invitation(services: Services, token: str) -> ClubInvitation | None:
    """The invitation of a token, if it can still be accepted."""
    found = club_invitations.find(services.store, mail_tokens.digest(token))
    return found if found is not None and found.is_open(services.now()) else None


async def accept_club(services: Services, token: str, name: str = "") -> ClubAccepted:
    """Take in whom an invitation is for, with a new account if they have none: under `name`, or the one that the
    organiser has written.

    Raises: Refusal core.invitation-over, core.bad-name, core.name-reserved, core.name-taken, club.full
    """
    invitation = open_club_invitation(services, token)
    club = clubs.find(services.store, invitation.club) if invitation else None
    if invitation is None or club is None:
        raise Refusal("core.invitation-over", RULE)
    known = account_at(services, invitation.email)
    account = known or new_account(services, invitation.email, name or invitation.name)
    member = clubs.member(services.store, club.club, account.player)
    if member is not None and member.role == BANNED:
        raise Refusal("core.invitation-over", RULE)
    wishes = Correspondent(account.player, lang=invitation.lang, zone=invitation.zone or "UTC")
    made = () if known else (accounts.add(account), correspondents.save(wishes))
    joined = () if member else (clubs.join(club.club, account.player, MEMBER, services.now(), MOST_MEMBERS),)
    if not member and clubs.count(services.store, club.club) >= MOST_MEMBERS:
        raise club_full()
    try:
        await services.store.write(club_invitations.end(invitation, ACCEPTED), *made, *joined)
    except Violated:
        raise Refusal("core.name-taken", RULE, name=account.name) from None
    except Unmatched:  # accepted a moment ago, by the other way
        raise Refusal("core.invitation-over", RULE) from None
    return ClubAccepted(club, account, known is None)


async def decline_club(services: Services, token: str, for_good: bool = False) -> None:
    """Decline; `for_good`: no invitation goes to that mailbox any more, not even if this one is over.

    Raises: Refusal core.invitation-over
    """
    found = club_invitations.find(services.store, mail_tokens.digest(token))
    now = services.now()
    if found is None or not (for_good or found.is_open(now)):
        raise Refusal("core.invitation-over", RULE)
    never = (of_battles.unwant(found.mailbox, now),) if for_good else ()
    await services.store.write(*never, club_invitations.end(found, DECLINED)._replace(changes=None))


def _require_wanted(services: Services, player: Player, club: Club, mailbox: bytes, account: Account | None) -> None:
    """Raises: Refusal core.unwanted"""
    is_unwanted = of_battles.is_unwanted(services.store, mailbox)
    if account is not None:
        member = clubs.member(services.store, club.club, account.player)
        is_banned = member is not None and member.role == BANNED
        is_blocked = blocks.is_blocked(services.store, player.id, [account.player])
        is_unwanted |= is_banned or is_blocked or bool(services.wishes(account.player).stopped)
    if is_unwanted:
        raise Refusal("core.unwanted", RULE)


def _require_few(services: Services, club: str, mailbox: bytes, since: str) -> None:
    """Refuse one letter more than there may be on a day.

    Raises: Refusal core.too-many-invitations
    """
    store, limits = services.store, limits_of(services)
    counts = (
        ("player", MOST_OF_CLUB, club_invitations.count(store, since, club)),
        (
            "mailbox",
            limits.mailbox,
            club_invitations.count(store, since, mailbox=mailbox) + of_battles.count(store, since, mailbox=mailbox),
        ),
        ("server", limits.server, club_invitations.count(store, since) + of_battles.count(store, since)),
    )
    for what, most, count in counts:
        if 0 < most <= count:
            raise Refusal("core.too-many-invitations", RULE, fault=what, most=most)
