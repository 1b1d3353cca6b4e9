"""Invitations by mail: who may send one, to whom, and what its answer does.

Guarantees:
- Only a player whose address is confirmed has the server write to somebody else, a few times a day; a mailbox gets few
  invitations, whoever sends them, and none once it has said “never”.
- An invitation is bound to its address: the token goes there alone, works once, and for two weeks. Meanwhile the side
  is reserved.
- Whoever accepts is seated in one transaction with the end of the invitation, and with their account if they had none.
- The words of a player in such a letter are few, plain, and marked as theirs; nothing in them becomes a link.
"""

import re
from hashlib import sha256

from msgspec import Struct

from domain.engine.errors import Refusal
from domain.engine.inputs import Phrase
from domain.engine.seats import free_sides
from domain.engine.state import SIDES
from server.clock import later
from server.entropy import new_id
from server.mail.address import mailbox_of
from server.mail.desk.desk import Desk
from server.mail.desk.giving_way import give_way
from server.mail.desk.invitation_limits import require_few, still_few
from server.mail.desk.moving import address_in
from server.mail.desk.talk import readable
from server.people.players import Player, require_player_name
from server.play.live_battle import LiveBattle
from server.play.seating import is_opener, is_reserved, take_side
from server.store import Statement, Unmatched, Violated
from server.store.tables import accounts, blocks, correspondents, deliveries, invitations, mail_tokens, outbox
from server.store.tables.accounts import Account
from server.store.tables.correspondents import Correspondent
from server.store.tables.invitations import ACCEPTED, DECLINED, Invitation
from server.store.tables.outbox import LetterKind

KIND = "invite"
LASTS_S = 14 * 24 * 3600
MOST_BYTES, MOST_LINES = 800, 12
"""Of the words that a player adds."""
GUEST = "Guest"
_DOT = re.compile(r"(?<=\w)[.\u3002\uff0e\uff61](?=\w)")


class Recipient(Struct, frozen=True):
    """Whom an invitation may go to. `mailbox` is the digest under which it counts; `account` theirs, if they have
    one."""

    email: str
    mailbox: bytes
    account: Account | None = None


class Accepted(Struct, frozen=True):
    """What an acceptance has come to; `is_new`: the account was made by it."""

    live: LiveBattle
    side: str
    account: Account
    is_new: bool


# --- inviting


def recipient_of(desk: Desk, player: Player, written: str) -> Recipient:
    """Whom a player may invite under an address, as written.

    Raises: Refusal core.guest-writes, core.bad-address, core.own-address, core.unwanted, core.too-many-invitations
    """
    own = desk.account(player.id)  # and not what a session remembers of them
    if own is None or not own.email:
        raise Refusal("core.guest-writes", "CORE-INVITE")
    email = address_in(desk, written)
    if not email:
        raise Refusal("core.bad-address", "CORE-INVITE", word=written[:80])
    if mailbox_of(email) == mailbox_of(own.email):
        raise Refusal("core.own-address", "CORE-INVITE")
    account = _account_at(desk, email)
    to = Recipient(email, digest_of(desk, email), account)
    has_stopped = account is not None and bool(desk.wishes(account.player).stopped)
    if has_stopped or invitations.is_unwanted(desk.store, to.mailbox):
        raise Refusal("core.unwanted", "CORE-INVITE")
    require_few(desk, player.id, to.mailbox)
    return to


def made_under(desk: Desk, player: Player, key: str) -> Invitation | None:
    """The invitation that a player has made under a key."""
    return invitations.find(desk.store, mail_tokens.digest(desk.addresses.token(KIND, _name(player, key))))


def _name(player: Player, key: str) -> str:
    return sha256(f"{player.id}\n{key}".encode()).hexdigest()[:32]


async def invite(
    desk: Desk, player: Player, live: LiveBattle, to: Recipient, side: str, words: str, key: str, follows: str = ""
) -> Invitation:
    """Reserve a side and write to whom it is for; `side` "" for the one that is free. The same `key` again changes
    nothing more.

    Raises: Refusal core.not-seated, core.no-such-side, core.begun, core.battle-closed, core.side-taken,
            core.side-reserved, core.message-too-long, core.too-many-invitations
    """
    known = made_under(desk, player, key)
    if known is not None:
        return known
    if to.account is not None and blocks.is_blocked(desk.store, player.id, [to.account.player]):
        raise Refusal("core.unwanted", "CORE-INVITE")
    name, now = _name(player, key), desk.now()
    token = desk.addresses.token(KIND, name)
    side = _free_side(live, player, side)
    theirs = to.account.player if to.account else ""
    lang = desk.wishes(theirs or player.id).lang
    invitation = Invitation(
        mail_tokens.digest(token),
        live.id,
        side,
        player.id,
        to.email,
        to.mailbox,
        lang,
        usable_words(words),
        follows,
        now,
        later(now, LASTS_S),
    )
    try:
        await desk.store.write(
            invitations.expire(now),
            invitations.add(invitation),
            *still_few(desk, invitation),
            mail_tokens.issue(token, KIND, theirs, now, battle=live.id, side=side, content=name.encode()),
            outbox.post(live.id, live.n, "", f"{LetterKind.INVITE}:{name}", now),
            outbox.post(live.id, live.n, player.id, f"{LetterKind.INVITED}:{name}", now),
        )
    except Unmatched:
        require_few(desk, player.id, to.mailbox)
        raise
    except Violated:  # somebody was invited a moment ago
        raise Refusal("core.side-reserved", "CORE-INVITE", side=side) from None
    desk.ring()
    return invitation


def _free_side(live: LiveBattle, player: Player, wanted: str) -> str:
    """The side that a player may invite to.

    Raises: Refusal, as `invite`
    """
    battle = live.recording.battle
    if not (is_opener(live, player) or battle.seat_of(player.id)):
        raise Refusal("core.not-seated", "CORE-ACCESS", battle=live.id)
    if live.closed:
        raise Refusal("core.battle-closed", "CORE-END", how=live.closed)
    if battle.begun:
        raise Refusal("core.begun", "CORE-BEGIN")
    if wanted and wanted not in SIDES:
        raise Refusal("core.no-such-side", "CORE-SIDE", side=wanted[:40])
    free = free_sides(battle)
    side = wanted or next((side for side in reversed(free) if not is_reserved(live, side)), next(iter(free), ""))
    if side not in free:
        raise Refusal("core.side-taken", "CORE-SIDE", side=side or SIDES[0])
    if is_reserved(live, side):
        raise Refusal("core.side-reserved", "CORE-INVITE", side=side)
    return side


def usable_words(words: str) -> str:
    """The words of a player in a form fit for a stranger's mailbox.

    Raises: Refusal core.message-too-long
    """
    text = readable(words)
    lines = text.split("\n")
    if len(text.encode()) > MOST_BYTES or len(lines) > MOST_LINES:
        raise Refusal("core.message-too-long", "CORE-INVITE", most=MOST_BYTES, lines=MOST_LINES)
    return "\n".join(unlinked(line) for line in lines)


def unlinked(text: str) -> str:
    """A text in which no mail program finds an address to click."""
    return _DOT.sub(". ", text).replace("://", ": ").replace("@", " (at) ")


def digest_of(desk: Desk, email: str) -> bytes:
    """The digest of a mailbox. It is made with the host's secret, so that no list of addresses finds it."""
    return mail_tokens.digest(desk.addresses.token("mailbox", mailbox_of(email)))


# --- answering


def opened(desk: Desk, token: str) -> Invitation | None:
    """The invitation of a token, if it can still be accepted."""
    invitation = invitations.find(desk.store, mail_tokens.digest(token))
    return invitation if invitation is not None and invitation.is_open(desk.now()) else None


async def accept(desk: Desk, token: str, phrase: Phrase, name: str = "") -> Accepted:
    """Seat whom an invitation is for, with a new account under `name` if they have none. The same again changes
    nothing.

    Raises: Refusal core.invitation-over, core.bad-name, core.name-taken, core.battle-closed …
    """
    invitation = invitations.find(desk.store, mail_tokens.digest(token))
    if invitation is None:
        raise Refusal("core.invitation-over", "CORE-INVITE")
    return await take_up(desk, invitation, phrase, name)


async def take_up(desk: Desk, invitation: Invitation, phrase: Phrase, name: str = "") -> Accepted:
    """The same, of an invitation that is known.

    Raises: as `accept`
    """
    live = await desk.battles.get(invitation.battle)
    if not invitation.is_open(desk.now()):
        return _accepted_before(desk, live, invitation)
    known = account_of(desk, invitation)
    account = known or new_account(desk, invitation.email, name)
    end = (invitations.end(invitation, ACCEPTED), _told(desk, invitation))
    made: tuple[Statement, ...] = ()
    if known is None:
        made = (accounts.add(account), correspondents.save(Correspondent(account.player, lang=invitation.lang)))
    player = Player(account.player, account.name, account.email)
    try:
        await take_side(live, invitation.side, player, phrase=phrase, also=(*made, *end))
    except Violated:
        raise Refusal("core.name-taken", "CORE-ACCESS", name=account.name) from None
    except Unmatched:  # accepted a moment ago, by the other way
        return _accepted_before(desk, live, invitation)
    except Refusal as refused:
        if refused.code != "core.side-taken":
            raise
        return _accepted_before(desk, live, invitation)
    await give_way(desk, live)
    desk.ring()
    return Accepted(live, invitation.side, account, known is None)


def account_of(desk: Desk, invitation: Invitation) -> Account | None:
    """The account whom an open invitation is for: the one it was written to, else the oldest with its address."""
    known = mail_tokens.with_digest(desk.store, invitation.token)
    account = desk.account(known.player) if known is not None and known.player else None
    if account is not None and invitation.email.lower() in (account.email.lower(), account.player):
        return account
    return _account_at(desk, invitation.email)


def _account_at(desk: Desk, email: str) -> Account | None:
    """The oldest account with just this address."""
    found = accounts.by_email(desk.store, email)
    return next((account for account in found if account.email.lower() == email.lower()), None)


def _accepted_before(desk: Desk, live: LiveBattle, invitation: Invitation) -> Accepted:
    """The seat that an invitation has led to.

    Raises: Refusal core.invitation-over
    """
    seat = live.recording.battle.seats.get(invitation.side)
    account = accounts.by_player(desk.store, seat.player) if seat else None
    found = invitations.find(desk.store, invitation.token)
    is_same = account is not None and digest_of(desk, account.email or account.player) == invitation.mailbox
    if account is None or not is_same or found is None or found.state != ACCEPTED:
        raise Refusal("core.invitation-over", "CORE-INVITE")
    return Accepted(live, invitation.side, account, False)


def new_account(desk: Desk, email: str, name: str) -> Account:
    """The account of somebody who has answered from an address, which proves it.

    Raises: Refusal core.bad-name, core.name-reserved
    """
    id_ = new_id(desk.battles.entropy)
    return Account(f"p{id_}", require_player_name(name or f"{GUEST} {id_[:4]}"), email, desk.now())


async def decline(desk: Desk, token: str, for_good: bool = False) -> None:
    """Free the side again; `for_good`: no invitation goes to that mailbox any more, not even if this one is over.

    Raises: Refusal core.invitation-over
    """
    invitation = invitations.find(desk.store, mail_tokens.digest(token))
    if invitation is None or not (for_good or invitation.is_open(desk.now())):
        raise Refusal("core.invitation-over", "CORE-INVITE")
    now = desk.now()
    if for_good:
        await desk.store.write(invitations.unwant(invitation.mailbox, now))
    if invitation.is_open(now):
        end = invitations.end(invitation, DECLINED)._replace(changes=None)  # twice at once is once
        await desk.store.write(end, _told(desk, invitation))
        desk.ring()


def _told(desk: Desk, invitation: Invitation) -> Statement:
    """The letter to the inviter waits no longer."""
    known = mail_tokens.with_digest(desk.store, invitation.token)
    name = known.content.decode() if known else ""
    return deliveries.hasten_kind(f"{LetterKind.INVITED}:{name}", desk.now())
