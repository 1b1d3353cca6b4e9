"""What becomes of the battles of a player who leaves the server for good.

A side of a battle that has not begun is free again, and one that only they have opened is cancelled. In a battle that
goes on the seat passes to a substitute whom the others have named for it (who leaves agrees), or its player resigns.
Where neither can be, the seat stays: its lines are signed with a key that the server does not have, or a docket halts
play. The other side takes the battle when the time is up, names a substitute, or asks the host to stop it.
"""

import logging
from enum import StrEnum

from msgspec import Struct

from domain.basics.errors import Refusal
from domain.engine.dockets import UMPIRE
from projections.lobby import LobbyEntry
from server.people.players import Player
from server.play.live_battle import LiveBattle
from server.play.lobby import Lobby
from server.play.request import PAGE_CHANNEL, OrderRequest
from server.play.scripts import Unreadable
from server.play.seating import cancel, is_opener, leave_side
from server.play.service import OrderService
from server.store.tables import accounts

log = logging.getLogger(__name__)

AT_ONCE = 100
"""Battles of a list that are looked at."""


class Fate(StrEnum):
    """What becomes of a battle, or of a side of it."""

    CANCELLED = "cancelled"
    FREE = "free"
    SUBSTITUTE = "substitute"
    RESIGNED = "resigned"
    STAYS = "stays"


class Concerned(Struct, frozen=True):
    """A battle that a leaving player is in; `side` is "" if it is cancelled, `name` that of a substitute."""

    battle: str
    title: str
    side: str
    fate: Fate
    name: str = ""


async def concerned(play: OrderService, lobby: Lobby, player: Player) -> list[Concerned]:
    """The battles that are not over in which a player holds a side, with what would become of each.

    Raises: Refusal core.busy
    """
    found: list[Concerned] = []
    for entry in await _battles_of(lobby, player.id):
        try:
            live = await play.battles.get(entry.battle)
        except Refusal:  # removed this moment
            continue
        await live.remember()
        found += fates(live, player, entry.title)
    return found


async def _battles_of(lobby: Lobby, player: str) -> list[LobbyEntry]:
    """All battles of a player that are not over."""
    found: list[LobbyEntry] = []
    before = None
    while True:
        some = await lobby.battles("mine", player, AT_ONCE, before)
        found += [entry for entry in some if entry.status != "ended"]
        if len(some) < AT_ONCE:
            return found
        before = (some[-1].at, some[-1].battle)


def fates(live: LiveBattle, player: Player, title: str) -> list[Concerned]:
    """What would become of a battle without a player, side by side."""
    battle = live.recording.battle
    held = battle.seat_of(player.id)
    if live.closed or battle.ended:
        return []
    if not battle.begun:
        alone = all(seat.player == player.id or seat.kind == "bot" for seat in battle.seats.values())
        if alone and is_opener(live, player):
            return [Concerned(live.id, title, "", Fate.CANCELLED)]
        return [Concerned(live.id, title, side, Fate.STAYS if battle.signs_all(side) else Fate.FREE) for side in held]
    return [_fate(live, title, side) for side in held]


def _fate(live: LiveBattle, title: str, side: str) -> Concerned:
    battle = live.recording.battle
    is_stuck = bool(battle.seats[side].signer) or battle.is_halted
    substitute = _substitute(live, side)
    if substitute and (_is_agreed(live, side, substitute) or not is_stuck):
        account = accounts.by_player(live.store, substitute)
        return Concerned(live.id, title, side, Fate.SUBSTITUTE, account.name if account else "")
    return Concerned(live.id, title, side, Fate.STAYS if is_stuck else Fate.RESIGNED)


def _substitute(live: LiveBattle, side: str) -> str:
    """The player whom the umpire, or every other person, has named for a seat, "" for nobody: who leaves agrees."""
    battle = live.recording.battle
    others = {of for of, seat in battle.seats.items() if of != side and seat.kind == "person"}
    for one in battle.disputes.substitutes.get(side, {}).values():
        by = battle.named_for(side, one.player).keys()
        if UMPIRE in by or (others and others <= by):
            return one.player
    return ""


def _is_agreed(live: LiveBattle, side: str, player: str) -> bool:
    """Whether a player may take a seat as it stands."""
    silent = live.recording.silent_since(side, live.now())
    return live.recording.battle.may_follow(side, player, silent)


async def depart(play: OrderService, lobby: Lobby, player: Player) -> None:
    """Do to the battles of a player who leaves what `concerned` says. One that has gone on meanwhile, so that it cannot
    be done, is left as it stands.

    Raises: Refusal core.busy; StoreError
    """
    for one in await concerned(play, lobby, player):
        live = await play.battles.get(one.battle)
        try:
            if one.fate == Fate.CANCELLED:
                await cancel(live, player)
            elif one.fate == Fate.FREE:
                await leave_side(live, one.side, player)
            elif one.fate == Fate.SUBSTITUTE:
                named = _substitute(live, one.side)
                if named and not _is_agreed(live, one.side, named):
                    await _say(play, live, one.side, player, f"substitute {one.side} {named}")
            elif one.fate == Fate.RESIGNED:
                await _say(play, live, one.side, player, "resign")
        except (Refusal, Unreadable) as refused:
            log.info("the side %s of %s stays: %s", one.side, one.battle, refused)


async def _say(play: OrderService, live: LiveBattle, side: str, player: Player, line: str) -> None:
    """Send a line for a side, unless the battle is over: they may have held both sides.

    Raises: Refusal, Unreadable
    """
    if live.recording.battle.ended:
        return
    seen = live.recording.newest_head()
    orders = OrderRequest(live.id, side, player.id, PAGE_CHANNEL, line, phrase_required=False, seen=seen)
    played = await play.orders(orders)
    if played.refused:
        raise played.refused
