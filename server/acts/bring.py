"""Bring an army of one's own to a battle of points that has not begun.

The log of a battle begins with its armies. So another army is another battle: who brings it opens the same battle with
it and takes their side there; the other side is kept for who waits in the first one. They see both armies before they
accept, as who brings the army has seen theirs. When they do, the first battle is cancelled; when they decline, it
stands as it was.
"""

from collections.abc import Sequence

from msgspec import UNSET, Struct

from domain.basics.errors import Refusal
from domain.catalogue import army_book
from domain.events.battle import BattleOpened
from domain.run.inputs import Phrase
from domain.run.seats import Seat
from domain.run.terms import Terms
from server.acts.accept import account_of, kept_anew, new_account, open_invitation
from server.acts.again import opening_of, wish_again
from server.acts.giving_way import cancelled
from server.acts.invitation_limits import require_few_rematches
from server.acts.invite import Recipient, digest_of, invite, made_under
from server.acts.open import new_battle
from server.acts.phrases import own_phrase
from server.acts.services import Services
from server.armies import OwnArmy, army_of
from server.people.players import Player, player_of
from server.play.live_battle import LiveBattle
from server.play.seating import is_reserved, require_mode, take_side
from server.store import Statement, Violated
from server.store.tables import accounts, invitations
from server.store.tables.accounts import Account
from server.store.tables.invitations import EXPIRED


class Brought(Struct, frozen=True):
    """The battle with the army, the side that who has brought it holds there, and who is asked to accept it."""

    live: LiveBattle
    side: str
    opponent: str


def may_bring(live: LiveBattle) -> bool:
    """Whether a battle is one of points, whose free side may bring another army."""
    book = live.ruleset.armies
    is_open = not live.closed and not live.recording.battle.begun and waiting(live) is not None
    return is_open and book is not None and book.is_of_points(opening_of(live))


class BroughtInvited(Struct, frozen=True):
    """The same, of somebody who was invited; `is_new`: the account was made by it."""

    brought: Brought
    account: Account
    is_new: bool


async def bring_invited(
    services: Services, token: str, own: OwnArmy, channel: str, key: str, name: str = ""
) -> BroughtInvited:
    """`bring` for whom the invitation of a token is for, with a new account under `name` if they have none. The
    invitation stays open until the other side has accepted their army.

    Raises: Refusal core.invitation-over, core.bad-name, core.name-taken; as `bring`
    """
    invitation = open_invitation(services, token)
    if invitation is None:
        raise Refusal("core.invitation-over", "CORE-INVITE")
    known = account_of(services, invitation)
    account = known or new_account(services, invitation.email, name)
    made: tuple[Statement, ...] = ()
    if known is None:
        if accounts.by_name(services.store, account.name) is not None:  # before a battle is opened
            raise Refusal("core.name-taken", "CORE-ACCESS", name=account.name)
        made = kept_anew(account, invitation)
    player = player_of(account)
    live = await services.battles.get(invitation.battle)
    try:
        brought = await bring(services, player, live, invitation.side, own, channel, key, True, made)
    except Violated:
        raise Refusal("core.name-taken", "CORE-ACCESS", name=account.name) from None
    return BroughtInvited(brought, account, known is None)


async def bring(
    services: Services,
    player: Player,
    live: LiveBattle,
    side: str,
    own: OwnArmy,
    channel: str,
    key: str,
    is_invited: bool = False,
    also: Sequence[Statement] = (),
) -> Brought:
    """Open the battle with another army for a free side, and take that side for the player; `is_invited`: the caller
    has proved that the side is kept for them. `also` is stored with their seat. The same `key` again changes nothing.

    Raises: Refusal core.begun, core.battle-closed, core.side-taken, core.side-reserved, core.army-of-opener,
            core.army-waits, core.armies-fixed, core.no-armies, core.operator-sealed, core.too-many-battles …; of the
            army
    """
    require_mode(player, "", services.battles.settings.operators)
    async with live.lock:
        opponent = _require_free(live, player, side, is_invited)
        event = army_book(live.ruleset.code).bring(opening_of(live), side, army_of(live.ruleset.code, own))
        await _make_room(services, player, live, key)
        new = await new_battle(services, player, wish_again(live, event, _terms(live, event)), key)
        await take_side(new, side, player, phrase=Phrase(own_phrase(key), channel), also=also)
        account = services.account(opponent.player)
        email = (account.email or account.player) if account else opponent.player
        to = Recipient(email, digest_of(services, email), account)
        await invite(services, player, new, to, live.seats.opponent(side), "", key, live.id)
    return Brought(new, side, opponent.name)


def proposed_for(live: LiveBattle) -> str:
    """The battle with another army that waits for an answer, "" if there is none."""
    found = invitations.rematch_of(live.store, live.id)
    is_open = found is not None and found.is_open(live.now()) and not live.recording.battle.begun
    return found.battle if found is not None and is_open else ""


def _terms(live: LiveBattle, event: BattleOpened) -> Terms:
    disputes, usual = live.recording.battle.disputes, Terms()
    takebacks = usual.takebacks if event.takebacks is UNSET else str(event.takebacks)
    days = usual.days if event.disputes_days is UNSET else event.disputes_days
    tags, signer, unsigned = live.recording.battle.tags, disputes.umpire_signer, disputes.unsigned_umpire
    return Terms(disputes.umpire, disputes.umpire_name, takebacks, days, tags, signer, unsigned)


def waiting(live: LiveBattle) -> Seat | None:
    """The person who waits for an opponent."""
    seats = live.recording.battle.seats.values()
    return next((seat for seat in seats if seat.kind == "person"), None) if len(seats) == 1 else None


def _require_free(live: LiveBattle, player: Player, side: str, is_invited: bool) -> Seat:
    battle = live.recording.battle
    if live.closed:
        raise Refusal("core.battle-closed", "CORE-END", how=live.closed)
    if battle.begun:
        raise Refusal("core.begun", "CORE-BEGIN")
    if side not in live.seats:
        raise Refusal("core.no-such-side", "CORE-SIDE", side=side[:40])
    if side in battle.seats:
        raise Refusal("core.side-taken", "CORE-SIDE", side=side, name=battle.seats[side].name)
    opponent = waiting(live)
    if opponent is None or opponent.player == player.id:
        raise Refusal("core.army-of-opener", "CORE-INVITE", battle=live.id)
    if not is_invited and is_reserved(live, side, player):
        raise Refusal("core.side-reserved", "CORE-INVITE", side=side)
    return opponent


async def _make_room(services: Services, player: Player, live: LiveBattle, key: str) -> None:
    """One other army waits for an answer at a time; that of the same player gives way to their new one.

    Raises: Refusal core.army-waits, core.too-many-invitations
    """
    found, made = invitations.rematch_of(services.store, live.id), made_under(services, player, key)
    if made is None:
        require_few_rematches(services, live.id)
    if found is None:
        return
    before = await services.battles.get(found.battle)
    is_open = found.is_open(services.now()) and not before.closed
    if is_open and found.inviter != player.id:
        raise Refusal("core.army-waits", "CORE-INVITE", battle=before.id)
    if made is not None and made.token == found.token:
        return
    await services.store.write(invitations.give_up(found, EXPIRED))
    await cancelled(before)
