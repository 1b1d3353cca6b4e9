"""Who may read a battle, and as which side a player sees and orders it.

An umpire reads the battle as a stranger does, a private one too, and speaks in its disputes.
"""

from domain.engine.dockets import UMPIRE
from domain.engine.errors import Refusal
from domain.engine.state import SIDES
from server.people.players import Player
from server.play.live_battle import LiveBattle
from server.store.tables.closings import REMOVED


def unknown_battle(battle: str) -> Refusal:
    """The refusal if there is no battle with this id, or the caller may not know that there is."""
    return Refusal("core.unknown-battle", "CORE-ACCESS", battle=battle)


def may_read(live: LiveBattle, player: Player | None) -> bool:
    """Whether a player may read the battle: public and link battles with the id alone; private ones only by holding a
    side, or as its umpire; those that were taken away not at all."""
    battle = live.recording.battle
    if live.closed == REMOVED:
        return False
    return battle.readers != "players" or (
        player is not None and (bool(battle.seat_of(player.id)) or is_umpire(live, player))
    )


def is_umpire(live: LiveBattle, player: Player | None) -> bool:
    """Whether a player is the umpire of a battle."""
    return player is not None and live.recording.battle.disputes.umpire == player.id


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
        if wanted not in SIDES:
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
