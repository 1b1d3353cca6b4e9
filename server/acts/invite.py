"""Invite somebody: who may, whom, and what the letter contains; `server.acts.accept` has the answer.

Guarantees:
- Only a player whose address is confirmed has the server write to somebody else, a few times a day; a mailbox gets few
  invitations, whoever sends them, and none once it has said “never”.
- An invitation is bound to its address: the token goes there alone, works once, and for two weeks. Meanwhile the side
  is reserved.
- The words of a player in such a letter are few, plain, and marked as theirs; nothing in them becomes a link.
"""

from collections.abc import Sequence
from hashlib import sha256

from msgspec import Struct

from domain.basics.errors import Refusal
from domain.run.seats import free_sides
from replay.writing.clock import later
from server.acts.invitation_limits import require_few, still_few
from server.acts.open import Wish, open_battle
from server.acts.plain_text import readable, unlinked
from server.acts.services import Services
from server.people.addresses import mailbox_of
from server.people.players import Player
from server.play.live_battle import LiveBattle
from server.play.request import key_reused
from server.play.seating import is_opener, is_reserved
from server.store import Statement, Unmatched, Violated
from server.store.tables import accounts, blocks, invitations, mail_tokens, outbox
from server.store.tables.accounts import Account
from server.store.tables.invitations import Invitation
from server.store.tables.outbox import LetterKind

KIND = "invite"
LASTS_S = 14 * 24 * 3600
MOST_BYTES, MOST_LINES = 800, 12
"""Of the words that a player adds."""


class Recipient(Struct, frozen=True):
    """Whom an invitation may go to. `mailbox` is the digest under which it counts; `account` theirs, if they have
    one."""

    email: str
    mailbox: bytes
    account: Account | None = None

    @property
    def player(self) -> str:
        """The id of their account, "" if they have none."""
        return self.account.player if self.account else ""


def recipient_of(services: Services, player: Player, written: str) -> Recipient:
    """Whom a player may invite under an address, as written.

    Raises: Refusal core.guest-writes, core.bad-address, core.own-address, core.unwanted, core.too-many-invitations
    """
    own = services.account(player.id)  # and not what a session remembers of them
    if own is None or not own.email:
        raise Refusal("core.guest-writes", "CORE-INVITE")
    email = services.addresses.elsewhere(written)
    if not email:
        raise Refusal("core.bad-address", "CORE-INVITE", word=written[:80])
    if mailbox_of(email) == mailbox_of(own.email):
        raise Refusal("core.own-address", "CORE-INVITE")
    account = account_at(services, email)
    to = Recipient(email, digest_of(services, email), account)
    has_stopped = account is not None and bool(services.wishes(account.player).stopped)
    if has_stopped or invitations.is_unwanted(services.store, to.mailbox):
        raise Refusal("core.unwanted", "CORE-INVITE")
    require_few(services, player.id, to.mailbox)
    return to


def made_under(services: Services, player: Player, key: str) -> Invitation | None:
    """The invitation that a player has made under a key."""
    return invitations.find(services.store, mail_tokens.digest(services.addresses.token(KIND, _name(player, key))))


def _name(player: Player, key: str) -> str:
    return sha256(f"{player.id}\n{key}".encode()).hexdigest()[:32]


class InvitationLetter(Struct, frozen=True):
    """An invitation as its player has written it: an address, the side that it offers ("": the free one), and words of
    their own."""

    address: str
    side: str = ""
    words: str = ""


class InvitationMade(Struct, frozen=True):
    """The battle of an invitation, and the invitation; `address` is where its letter goes."""

    live: LiveBattle
    invitation: Invitation
    address: str


async def invite_somebody(
    services: Services, player: Player, where: LiveBattle | Wish, letter: InvitationLetter, key: str
) -> InvitationMade:
    """Write to somebody that a side of a battle waits for them; of a wish the battle is opened, once it is certain that
    the letter may go. The same `key` again changes nothing more.

    Raises: Refusal core.key-reused; as `recipient_of`, `invite` and `open_battle`
    """
    address = services.addresses.elsewhere(letter.address)
    known = made_under(services, player, key)
    if known is not None:
        live = await services.battles.get(known.battle)
        if known.mailbox != digest_of(services, address) or (isinstance(where, LiveBattle) and where is not live):
            raise key_reused()
        return InvitationMade(live, known, address)
    to = recipient_of(services, player, letter.address)
    words = usable_words(letter.words)
    live = where if isinstance(where, LiveBattle) else (await open_battle(services, player, where, key)).live
    return InvitationMade(live, await invite(services, player, live, to, letter.side, words, key), to.email)


async def invite(
    services: Services,
    player: Player,
    live: LiveBattle,
    to: Recipient,
    side: str,
    words: str,
    key: str,
    follows: str = "",
) -> Invitation:
    """Reserve a side and write to whom it is for; `side` "" for the one that is free. The same `key` again changes
    nothing more.

    Raises: Refusal core.not-seated, core.no-such-side, core.begun, core.battle-closed, core.side-taken,
            core.side-reserved, core.message-too-long, core.too-many-invitations
    """
    known = made_under(services, player, key)
    if known is not None:
        return known
    if to.account is not None and blocks.is_blocked(services.store, player.id, [to.account.player]):
        raise Refusal("core.unwanted", "CORE-INVITE")
    name, now = _name(player, key), services.now()
    token = services.addresses.token(KIND, name)
    side = _free_side(live, player, side)
    lang = services.wishes(to.player or player.id).lang
    digest, until = mail_tokens.digest(token), later(now, LASTS_S)
    invitation = Invitation(digest, live.id, side, player.id, to.email, to.mailbox, lang, words, follows, now, until)
    letters = (
        mail_tokens.issue(token, KIND, to.player, now, battle=live.id, side=side, content=name.encode()),
        outbox.post(live.id, live.n, "", f"{LetterKind.INVITE}:{name}", now),
        outbox.post(live.id, live.n, player.id, f"{LetterKind.INVITED}:{name}", now),
    )
    await _keep(services, invitation, letters)
    services.ring()
    return invitation


async def _keep(services: Services, invitation: Invitation, letters: Sequence[Statement]) -> None:
    """Store an invitation with its letters, if its side is still free and its mailbox still gets any.

    Raises: Refusal core.side-reserved, core.too-many-invitations
    """
    try:
        await services.store.write(
            invitations.expire(invitation.created),
            invitations.add(invitation),
            *still_few(services, invitation),
            *letters,
        )
    except Unmatched:
        require_few(services, invitation.inviter, invitation.mailbox)
        raise
    except Violated:  # somebody was invited a moment ago
        raise Refusal("core.side-reserved", "CORE-INVITE", side=invitation.side) from None


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
    seats = live.seats
    if wanted and wanted not in seats:
        raise Refusal("core.no-such-side", "CORE-SIDE", side=wanted[:40])
    free = free_sides(battle, seats)
    side = wanted or next((side for side in reversed(free) if not is_reserved(live, side)), next(iter(free), ""))
    if side not in free:
        raise Refusal("core.side-taken", "CORE-SIDE", side=side or seats.names[0])
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


def digest_of(services: Services, email: str) -> bytes:
    """The digest of a mailbox. It is made with the host's secret, so that no list of addresses finds it."""
    return mail_tokens.digest(services.addresses.token("mailbox", mailbox_of(email)))


def account_at(services: Services, email: str) -> Account | None:
    """The oldest account with just this address."""
    found = accounts.by_email(services.store, email)
    return next((account for account in found if account.email.lower() == email.lower()), None)
