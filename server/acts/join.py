"""Take a side of a battle, or let a bot take it."""

from msgspec import Struct

from domain.basics.errors import Refusal
from domain.run.inputs import Phrase
from domain.run.own_word import OwnWord
from domain.run.seats import Seat, free_sides
from server.acts.giving_way import give_way
from server.acts.services import Services
from server.people.players import Player
from server.play.access import require_reader, takes_over
from server.play.live_battle import LiveBattle
from server.play.seating import may_seat_bot, seat_bot, take_side


class Chair(Struct, frozen=True):
    """How somebody wants to sit.

    Shape: `side` theirs, or that of the `bot` (its kind); `name` the one shown, "": that of their account;
           `mode` plain or sealed, "" unsaid; `anchor` of a sealed seat, `signer` (base64 of an Ed25519 public key) of
           one whose lines are signed, `word` their signature of taking it; `phrase` for a plain seat without a key
    """

    side: str
    bot: str = ""
    name: str = ""
    mode: str = ""
    anchor: str = ""
    signer: str = ""
    phrase: Phrase | None = None
    word: OwnWord | None = None


class Joined(Struct, frozen=True):
    """The battle, the side that was taken, and who holds the other one: None if it is free or one of several."""

    live: LiveBattle
    side: str
    other: Seat | None


async def join_battle(services: Services, player: Player, live: LiveBattle, chair: Chair) -> Joined:
    """Seat a player, or a bot for them, at a side; anyone who knows a battle's id may take a free one. The same again
    changes nothing. The battle in whose place this one stands is cancelled when it begins.

    Raises: Refusal core.unknown-battle, core.not-seated, core.no-such-side, core.side-taken, core.side-reserved; as
            `take_side` and `seat_bot`
    """
    require_may_sit(live, player, chair.side)
    if chair.bot:
        _require_may_seat_bot(live, player)
        await seat_bot(live, chair.side, chair.bot, services.battles.entropy, player)
    else:
        said = chair.name, chair.mode, chair.anchor, chair.phrase, chair.signer
        await take_side(live, chair.side, player, *said, word=chair.word)
    await give_way(services, live)
    return Joined(live, chair.side, live.recording.battle.seats.get(live.seats.opponent(chair.side)))


def side_for_joining(live: LiveBattle, player: Player) -> str:
    """The side of a player who names none: the one they hold, else a free one, else one they may take over; "" if there
    is none."""
    battle = live.recording.battle
    free = [side for side in live.seats.names if side not in battle.seats]
    return next(iter([*battle.seat_of(player.id), *free, *takes_over(live, player)]), "")


def require_may_sit(live: LiveBattle, player: Player | None, side: str) -> None:
    """Refuse a battle that a caller may not read as if it did not exist, unless the side is free: whoever has its id
    has been invited. A player named for the seat hears why it is not theirs yet.

    Raises: Refusal core.unknown-battle
    """
    battle = live.recording.battle
    is_named = player is not None and bool(battle.named_for(side, player.id))
    if live.closed or not (side in free_sides(battle, live.seats) or is_named):
        require_reader(live, player)


def _require_may_seat_bot(live: LiveBattle, player: Player) -> None:
    """Refuse to let a caller seat a bot, unless they have opened the battle or play in it.

    Raises: Refusal core.not-seated, core.unknown-battle
    """
    if not may_seat_bot(live, player):
        require_reader(live, player)
        raise Refusal("core.not-seated", "CORE-ACCESS", battle=live.id)
