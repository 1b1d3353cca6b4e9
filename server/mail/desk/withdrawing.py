"""Commands by mail before a battle begins: give a side back, cancel.

A mail that is processed again gets the same answer: that a side was left, or a battle cancelled, is said again.
"""

from domain.basics.errors import Refusal
from domain.basics.message import Message
from server.mail.desk.caller import Caller
from server.mail.desk.desk import Desk
from server.mail.desk.vocabulary import side_named
from server.mail.verdict import MailRequest
from server.play.access import require_reader
from server.play.live_battle import LiveBattle
from server.play.seating import cancel, has_sat, is_opener, leave_side
from server.play.signing import require_unsigned
from server.shown.listing import title_of
from server.spelling.words import folded
from server.store.tables.closings import CANCELLED


async def leave(desk: Desk, request: MailRequest, caller: Caller, key: str) -> Message:
    """`leave BATTLE`, then a side if the caller holds both, or of a bot that they have seated.

    Raises: Refusal core.not-seated, core.begun, core.side-free, core.not-your-side …
    """
    battle, *rest = request.args or ("",)
    live, player = await _about(desk, caller, battle), caller.player
    wanted = [side for word in rest if (side := side_named(folded(word), live.seats))]
    side = next(iter([*wanted, *live.recording.battle.seat_of(player.id)]), "")
    if side:
        require_unsigned(live.recording.battle, side)
        await leave_side(live, side, player)
    elif not has_sat(live, player):
        raise Refusal("core.not-seated", "CORE-ACCESS", battle=live.id)
    params = {"battle": live.id, "title": title_of(live)} | ({"side": side} if side else {})
    return Message("desk.did.leave", params)


async def cancel_battle(desk: Desk, request: MailRequest, caller: Caller, key: str) -> Message:
    """`cancel BATTLE`: take back a battle that the caller has opened.

    Raises: Refusal core.not-opener, core.begun, core.battle-closed
    """
    live = await _about(desk, caller, next(iter(request.args), ""))
    if live.closed != CANCELLED:
        await cancel(live, caller.player)
    return Message("desk.did.cancel", {"battle": live.id, "title": title_of(live)})


async def _about(desk: Desk, caller: Caller, battle: str) -> LiveBattle:
    """The battle that a command names, else that of the letter, else the only one. Whoever has opened it, or held a
    side, may name it even if only its players may read it.

    Raises: Refusal core.unknown-battle; Declined desk.no-battles, desk.which-battle
    """
    if not battle:
        return (await desk.seated(caller, ""))[0]
    live = await desk.battles.get(battle)
    if not is_opener(live, caller.player) and not has_sat(live, caller.player):
        require_reader(live, caller.player)
    return live
