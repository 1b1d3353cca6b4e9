"""The readers of a battle, and as which side a player sees and orders it.

An umpire reads the battle as a stranger does, a private one too, and speaks in its disputes.
"""

from domain.basics.errors import Refusal
from domain.engine.dockets import UMPIRE
from server.people.players import Player, is_operator
from server.play.live_battle import LiveBattle
from server.store.tables import campaigns, club_battles
from server.store.tables.closings import REMOVED


def unknown_battle(battle: str) -> Refusal:
    """The refusal if there is no battle with this id, or the caller may not know that there is."""
    return Refusal("core.unknown-battle", "CORE-ACCESS", battle=battle)


def may_read(live: LiveBattle, player: Player | None) -> bool:
    """Whether a player may read the battle: public and link battles with the id alone; private ones only by holding a
    side, or as its umpire, or if a seat is theirs to take over, or as a member of its club; those that were taken away
    not at all."""
    battle = live.recording.battle
    if live.closed == REMOVED:
        return False
    return (
        battle.readers != "players"
        or (
            player is not None
            and (
                bool(battle.seat_of(player.id))
                or is_umpire(live, player)
                or bool(takes_over(live, player))
                or club_battles.is_fellow(live.store, live.id, player.id)
            )
        )
        or _was_under_fog(live)
    )


def _was_under_fog(live: LiveBattle) -> bool:
    """Whether a battle was for its players only as long as there was fog: its campaign is over, and others read it
    (CAM-FOG-03)."""
    row = campaigns.battle(live.store, live.id)
    found = campaigns.find(live.store, row.campaign) if row is not None and row.board else None
    return found is not None and found.readers != "players" and campaigns.is_over(live.store, found.campaign)


def takes_over(live: LiveBattle, player: Player | None) -> tuple[str, ...]:
    """The sides whose seats a player may take over, though somebody holds them (CORE-DSP-12)."""
    battle, recording = live.recording.battle, live.recording
    if player is None or not battle.begun or is_over(live):
        return ()
    named = [side for side in battle.seats if battle.named_for(side, player.id)]
    return tuple(side for side in named if battle.may_follow(side, player.id, recording.silent_since(side, live.now())))


def is_umpire(live: LiveBattle, player: Player | None) -> bool:
    """Whether a player is the umpire of a battle."""
    return player is not None and live.recording.battle.disputes.umpire == player.id


def spectators_may_talk(live: LiveBattle) -> bool:
    """Whether spectators may talk about a battle at all: not if only its players read it, nor where it is a copy."""
    return live.spectators_talk and live.recording.battle.readers != "players" and not live.foreign_note


def hears_spectators(live: LiveBattle, player: Player | None) -> bool:
    """Whether a player may read what the spectators say: once the battle is over, who may read the battle; before that
    who has an address of their own, holds no side and gave none to a substitute, so that no hint comes to a player or
    from one (decision 22)."""
    battle = live.recording.battle
    if not spectators_may_talk(live):
        return False
    if is_over(live):
        return True
    if player is None or battle.seat_of(player.id) or player.id in battle.former:
        return False
    return bool(player.email) or _presides(live, player)


def speaks_as_spectator(live: LiveBattle, player: Player | None) -> bool:
    """Whether a player may say something to the other spectators: until the battle is over, and not as its umpire."""
    return not is_over(live) and hears_spectators(live, player) and not is_umpire(live, player)


def removes_words(live: LiveBattle, player: Player | None, author: str) -> bool:
    """Whether a player may take a spectator's words away: their own; anybody's as umpire, running the server, or as its
    administrator."""
    if player is None or not hears_spectators(live, player):
        return False
    return player.id == author or player.administers or _presides(live, player)


def is_over(live: LiveBattle) -> bool:
    """Whether a battle has ended, or was closed here."""
    return live.recording.battle.ended or bool(live.closed)


def _presides(live: LiveBattle, player: Player) -> bool:
    return is_umpire(live, player) or is_operator(player, live.operators)


def require_reader(live: LiveBattle, player: Player | None) -> None:
    """Refuse a stranger as if the battle did not exist.

    Raises: Refusal core.unknown-battle
    """
    if not may_read(live, player):
        raise unknown_battle(live.id)


def side_for(live: LiveBattle, player: Player | None, wanted: str = "") -> str:
    """The side as which a player sees the battle: the one they name and hold, else the one that must act, else their
    first; "" for a stranger.

    Raises: Refusal core.not-your-side, core.no-such-side
    """
    held = live.recording.battle.seat_of(player.id) if player else ()
    if wanted:
        if wanted not in live.seats:
            raise Refusal("core.no-such-side", "CORE-ACCESS", side=wanted[:40])
        if wanted not in held:
            raise Refusal("core.not-your-side", "CORE-ACCESS", side=wanted)
        return wanted
    acting = [side for side in live.to_act() if side in held]
    return (acting or [*held, ""])[0]


def require_side(live: LiveBattle, player: Player, wanted: str = "") -> str:
    """The side for which a player gives orders.

    Raises: Refusal core.not-seated, and as `side_for`
    """
    side = side_for(live, player, wanted)
    if not side:
        raise Refusal("core.not-seated", "CORE-ACCESS", battle=live.id)
    return side


def require_speaker(live: LiveBattle, player: Player, wanted: str = "") -> str:
    """The side for which a player sends lines, or `umpire`: the umpire's are those of disputes.

    Raises: as `require_side`
    """
    if is_umpire(live, player) and wanted in ("", UMPIRE):
        return UMPIRE
    return require_side(live, player, wanted)
