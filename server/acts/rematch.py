"""A rematch: the same battle again between the same people, with the sides swapped; several move on by one seat.

Whoever asks opens the battle and takes a side; each other side is kept for its opponent, who gets a letter and takes it
with `accept`. If several ask, the later requests take what the first has opened: there is one battle.
"""

from collections.abc import Sequence

from msgspec import Struct

from domain.basics.errors import Refusal
from domain.basics.seats import Seats
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
    """The battle that follows, and the side that the player holds there. `what`: `asked` the opponents for it,
    `waiting` for them still, `accepted` what they had asked for, `begun` before, or `bot` plays. `opponent` names
    them all."""

    what: str
    live: LiveBattle
    side: str
    opponent: str


async def rematch(
    services: Services, player: Player, live: LiveBattle, side: str, channel: str, key: str, same_sides: bool = False
) -> Rematch:
    """Ask for a rematch of a battle that is over, for the player who held `side`; or take up what another has asked.

    Raises: Refusal core.not-ended, core.no-opponent, core.operator-sealed, core.too-many-battles,
            core.too-many-invitations …
    """
    if not live.recording.battle.ended:
        raise Refusal("core.not-ended", "CORE-INVITE", battle=live.id)
    require_mode(player, "", services.battles.settings.operators)
    seats = live.recording.battle.seats
    others = [seats[other] for other in live.seats.others(side) if other in seats]
    opponents = [seat for seat in others if seat.player != player.id]
    if len(opponents) < len(live.seats) - 1:
        raise Refusal("core.no-opponent", "CORE-INVITE", battle=live.id)
    phrase = Phrase(own_phrase(key), channel)
    async with live.lock:  # several may ask at once
        if (found := await _going_on(services, live)) is not None:
            return await _joined(services, player, found, phrase, _names(opponents))
        require_few_rematches(services, live.id)
        return await _open_again(services, player, live, side, opponents, phrase, key, same_sides)


def _names(opponents: Sequence[Seat]) -> str:
    return ", ".join(seat.name for seat in opponents)


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
    """The player's place in a rematch that one of them has asked for."""
    new = await services.battles.get(found.battle)
    held = new.recording.battle.seat_of(player.id)
    if held:
        return Rematch("begun" if new.recording.battle.begun else "waiting", new, held[0], opponent)
    open_now = (invitations.to_side(services.store, new.id, side, services.now()) for side in new.seats.names)
    for invitation in open_now:
        invitee = account_of(services, invitation) if invitation is not None else None
        if invitation is not None and invitee is not None and invitee.player == player.id:
            accepted = await take_up(services, invitation, phrase)
            return Rematch("accepted", new, accepted.side, opponent)
    raise Refusal("core.invitation-over", "CORE-INVITE")


async def _open_again(
    services: Services,
    player: Player,
    live: LiveBattle,
    side: str,
    opponents: Sequence[Seat],
    phrase: Phrase,
    key: str,
    same_sides: bool,
) -> Rematch:
    """Open the battle once more, and keep the other sides for the opponents."""
    asked = [_recipient(services, player, live, seat) for seat in opponents if not bot_of(seat)]
    sides = dict(zip(live.seats.names, _moved_on(live.seats, same_sides), strict=True))
    new = await new_battle(services, player, wish_again(live, opening_of(live)), key)
    for seat in opponents:
        if bot := bot_of(seat):
            await seat_bot(new, sides[seat.side], bot, services.battles.entropy, player)
    await take_side(new, sides[side], player, phrase=phrase)
    people = [seat for seat in opponents if not bot_of(seat)]
    for at, (seat, to) in enumerate(zip(people, asked, strict=True)):
        follows, own_key = (live.id, key) if at == 0 else ("", f"{key} {seat.side}")  # a battle is followed once
        await invite(services, player, new, to, sides[seat.side], "", own_key, follows)
    return Rematch("asked" if people else "bot", new, sides[side], _names(opponents))


def _moved_on(seats: Seats, same_sides: bool) -> tuple[str, ...]:
    """The seat that follows each in the order of play; of two the other one."""
    return seats.names if same_sides else (*seats.names[1:], seats.names[0])


def _recipient(services: Services, player: Player, live: LiveBattle, seat: Seat) -> Recipient:
    """Somebody who may be asked for a rematch.

    Raises: Refusal core.no-opponent, core.unwanted
    """
    account = services.account(seat.player)
    if account is None:
        raise Refusal("core.no-opponent", "CORE-INVITE", battle=live.id)
    if blocks.is_blocked(services.store, player.id, [account.player]):
        raise Refusal("core.unwanted", "CORE-INVITE")
    email = account.email or account.player
    return Recipient(email, digest_of(services, email), account)
