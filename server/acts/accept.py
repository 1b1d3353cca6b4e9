"""Answer an invitation: who accepts it is seated, who declines it frees the side again.

Whoever accepts is seated in one transaction with the end of the invitation, and with their account if they had none.
"""

from msgspec import Struct

from domain.basics.errors import Refusal
from domain.run.inputs import Phrase
from replay.writing.entropy import new_id
from server.acts.giving_way import give_way
from server.acts.invite import account_at, digest_of
from server.acts.services import Services
from server.people.players import player_of, require_player_name
from server.play.live_battle import LiveBattle
from server.play.seating import take_side
from server.store import Statement, Unmatched, Violated
from server.store.tables import accounts, correspondents, deliveries, invitations, mail_tokens
from server.store.tables.accounts import Account
from server.store.tables.correspondents import Correspondent
from server.store.tables.invitations import ACCEPTED, DECLINED, Invitation
from server.store.tables.outbox import LetterKind

GUEST = "Guest"


class Accepted(Struct, frozen=True):
    """What an acceptance has come to; `is_new`: the account was made by it."""

    live: LiveBattle
    side: str
    account: Account
    is_new: bool


def open_invitation(services: Services, token: str) -> Invitation | None:
    """The invitation of a token, if it can still be accepted."""
    invitation = invitations.find(services.store, mail_tokens.digest(token))
    return invitation if invitation is not None and invitation.is_open(services.now()) else None


async def accept(services: Services, token: str, phrase: Phrase, name: str = "") -> Accepted:
    """Seat whom an invitation is for, with a new account under `name` if they have none. The same again changes
    nothing.

    Raises: Refusal core.invitation-over, core.bad-name, core.name-taken, core.battle-closed …
    """
    invitation = invitations.find(services.store, mail_tokens.digest(token))
    if invitation is None:
        raise Refusal("core.invitation-over", "CORE-INVITE")
    return await take_up(services, invitation, phrase, name)


async def take_up(services: Services, invitation: Invitation, phrase: Phrase, name: str = "") -> Accepted:
    """The same, of an invitation that is known.

    Raises: as `accept`
    """
    live = await services.battles.get(invitation.battle)
    if not invitation.is_open(services.now()):
        return _accepted_before(services, live, invitation)
    known = account_of(services, invitation)
    account = known or new_account(services, invitation.email, name)
    end = (invitations.end(invitation, ACCEPTED), _hasten_letter(services, invitation))
    made = kept_anew(account, invitation) if known is None else ()
    player = player_of(account)
    try:
        await take_side(live, invitation.side, player, phrase=phrase, also=(*made, *end))
    except Violated:
        raise Refusal("core.name-taken", "CORE-ACCESS", name=account.name) from None
    except Unmatched:  # accepted a moment ago, by the other way
        return _accepted_before(services, live, invitation)
    except Refusal as refused:
        if refused.code != "core.side-taken":
            raise
        return _accepted_before(services, live, invitation)
    await give_way(services, live)
    services.ring()
    return Accepted(live, invitation.side, account, known is None)


def account_of(services: Services, invitation: Invitation) -> Account | None:
    """The account whom an open invitation is for: the one it was written to, else the oldest with its address."""
    known = mail_tokens.with_digest(services.store, invitation.token)
    account = services.account(known.player) if known is not None and known.player else None
    if account is not None and invitation.email.lower() in (account.email.lower(), account.player):
        return account
    return account_at(services, invitation.email)


def _accepted_before(services: Services, live: LiveBattle, invitation: Invitation) -> Accepted:
    """The seat that an invitation has led to.

    Raises: Refusal core.invitation-over
    """
    seat = live.recording.battle.seats.get(invitation.side)
    account = accounts.by_player(services.store, seat.player) if seat else None
    found = invitations.find(services.store, invitation.token)
    is_same = account is not None and digest_of(services, account.email or account.player) == invitation.mailbox
    if account is None or not is_same or found is None or found.state != ACCEPTED:
        raise Refusal("core.invitation-over", "CORE-INVITE")
    return Accepted(live, invitation.side, account, False)


def new_account(services: Services, email: str, name: str) -> Account:
    """The account of somebody who has answered from an address, which proves it.

    Raises: Refusal core.bad-name, core.name-reserved
    """
    id_ = new_id(services.battles.entropy)
    return Account(f"p{id_}", require_player_name(name or f"{GUEST} {id_[:4]}"), email, services.now())


def kept_anew(account: Account, invitation: Invitation) -> tuple[Statement, ...]:
    """Keep a new account; its letters are in the language of the invitation."""
    return accounts.add(account), correspondents.save(Correspondent(account.player, lang=invitation.lang))


async def decline(services: Services, token: str, for_good: bool = False) -> None:
    """Free the side again; `for_good`: no invitation goes to that mailbox any more, not even if this one is over.

    Raises: Refusal core.invitation-over
    """
    invitation = invitations.find(services.store, mail_tokens.digest(token))
    if invitation is None or not (for_good or invitation.is_open(services.now())):
        raise Refusal("core.invitation-over", "CORE-INVITE")
    now = services.now()
    if for_good:
        await services.store.write(invitations.unwant(invitation.mailbox, now))
    if invitation.is_open(now):
        end = invitations.end(invitation, DECLINED)._replace(changes=None)  # twice at once is once
        await services.store.write(end, _hasten_letter(services, invitation))
        services.ring()


def _hasten_letter(services: Services, invitation: Invitation) -> Statement:
    """The letter to the inviter waits no longer."""
    known = mail_tokens.with_digest(services.store, invitation.token)
    name = known.content.decode() if known else ""
    return deliveries.hasten_kind(f"{LetterKind.INVITED}:{name}", services.now())
