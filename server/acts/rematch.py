"""A rematch: the same battle again, with the sides swapped, between the same two.

Whoever asks opens the battle and takes a side; the other side is kept for the opponent, who gets a letter and takes it
with `accept`. If both ask, the second request takes what the first has opened: there is one battle.
"""

from msgspec import Struct

from domain.basics.errors import Refusal
from domain.run.bots import bot_of
from domain.run.inputs import Phrase
from domain.run.seats import Seat
from server.acts.accept import account_of, take_up
from server.acts.again import opening_of, wish_again
from server.acts.invitation_limits import require_few_rematches
from server.acts.invite import Recipient, digest_of, invite
from server.acts.open import new_battle
from server.acts.phrases import own_phrase
from server.acts.services import Services
from server.people.players import Player
from server.play.live_battle import LiveBattle
from server.play.seating import require_mode, seat_bot, take_side
from server.store.tables import blocks, invitations
from server.store.tables.invitations import EXPIRED, Invitation


class Rematch(Struct, frozen=True):
    """The battle that follows, and the side that the player holds there. `what`: `asked` the opponent for it,
    `waiting` for them still, `accepted` what they had asked for, `begun` before, or `bot` plays."""

    what: str
    live: LiveBattle
    side: str
    opponent: str


async def rematch(
    services: Services, player: Player, live: LiveBattle, side: str, channel: str, key: str, same_sides: bool = False
) -> Rematch:
    """Ask for a rematch of a battle that is over, for the player who held `side`; or take up what the other has asked.
    With several opponents there is none.

    Raises: Refusal core.not-ended, core.no-opponent, core.operator-sealed, core.too-many-battles,
            core.too-many-invitations …
    """
    if not live.recording.battle.ended:
        raise Refusal("core.not-ended", "CORE-INVITE", battle=live.id)
    require_mode(player, "", services.battles.settings.operators)
    opponent = live.recording.battle.seats.get(live.seats.opponent(side))
    if opponent is None or opponent.player == player.id:
        raise Refusal("core.no-opponent", "CORE-INVITE", battle=live.id)
    phrase = Phrase(own_phrase(key), channel)
    async with live.lock:  # both may ask at once
        if (found := await _going_on(services, live)) is not None:
            return await _joined(services, player, found, phrase, opponent.name)
        require_few_rematches(services, live.id)
        return await _open_again(
            services, player, live, opponent.side if not same_sides else side, opponent, phrase, key
        )


async def _going_on(services: Services, live: LiveBattle) -> Invitation | None:
    """The rematch that was asked for and stands; one that is too old or cancelled makes room for another."""
    found = invitations.rematch_of(services.store, live.id)
    if found is None:
        return None
    new = await services.battles.get(found.battle)
    is_over = found.state == invitations.OPEN and not found.is_open(services.now())
    if not is_over and not new.closed:
        return found
    await services.store.write(invitations.give_up(found, EXPIRED))
    return None


async def _joined(services: Services, player: Player, found: Invitation, phrase: Phrase, opponent: str) -> Rematch:
    """The player's place in a rematch that one of the two has asked for."""
    new = await services.battles.get(found.battle)
    held = new.recording.battle.seat_of(player.id)
    if held:
        return Rematch("begun" if new.recording.battle.begun else "waiting", new, held[0], opponent)
    invitee = account_of(services, found) if found.state == invitations.OPEN else None
    if invitee is None or invitee.player != player.id:
        raise Refusal("core.invitation-over", "CORE-INVITE")
    accepted = await take_up(services, found, phrase)
    return Rematch("accepted", new, accepted.side, opponent)


async def _open_again(
    services: Services, player: Player, live: LiveBattle, side: str, opponent: Seat, phrase: Phrase, key: str
) -> Rematch:
    """Open the battle once more, and keep the other side for the opponent."""
    account = services.account(opponent.player)
    if account is None and opponent.kind != "bot":
        raise Refusal("core.no-opponent", "CORE-INVITE", battle=live.id)
    if account is not None and blocks.is_blocked(services.store, player.id, [account.player]):
        raise Refusal("core.unwanted", "CORE-INVITE")
    new = await new_battle(services, player, wish_again(live, opening_of(live)), key)
    if bot := bot_of(opponent):
        await seat_bot(new, new.seats.opponent(side), bot, services.battles.entropy, player)
        await take_side(new, side, player, phrase=phrase)
        return Rematch("bot", new, side, opponent.name)
    await take_side(new, side, player, phrase=phrase)
    email = (account.email or account.player) if account else ""
    asked = Recipient(email, digest_of(services, email), account)
    await invite(services, player, new, asked, new.seats.opponent(side), "", key, live.id)
    return Rematch("asked", new, side, opponent.name)
