"""Claim battles for the side that waits, in campaigns whose file says so: `time.claim = "auto 3d"` (CAM-TIM-01).

A flag ends nothing in a battle; whoever waits claims it. Here the server does for them, so long after the flag, by the
same clock event in the battle's own log. A seat that signs all it says claims for itself: nobody signs in its name.
"""

import asyncio
import logging
from collections.abc import MutableMapping

from domain.basics.errors import Refusal
from domain.basics.pace import moment_of
from domain.campaign.state import CampaignState
from domain.time.clock import CLAIM
from server.campaigns.boards import running
from server.campaigns.looking import LOOK_MS, fought, span_ms
from server.play.live_battle import LiveBattle
from server.play.live_battles import LiveBattles
from server.store.tables import absences
from server.time.deadlines import clocks_now, fire, put_right

log = logging.getLogger(__name__)


async def claim_for_waiting(
    battles: LiveBattles, state: CampaignState, now: str, not_before: MutableMapping[str, int]
) -> int:
    """Claim each battle of a campaign whose other side has been out of time for so long; returns how many.

    Shape: `not_before` has by battle the moment before which nothing can come of looking, and is kept by the caller
    """
    span, moment, done = span_ms(state.settings), moment_of(now), 0
    if not span:
        return 0
    for board in fought(state):
        if moment < not_before.get(board.battle, 0):
            continue
        battle = await running(battles, board)
        if battle is None:
            continue
        if battle.recording.battle.ended:
            not_before.pop(board.battle, None)
            continue
        async with battle.lock:
            await battle.freshen()
            done += await _claimed(battle, now, span)
            not_before[board.battle] = _no_earlier(battle, now, span)
        await asyncio.sleep(0)
    return done


async def _claimed(battle: LiveBattle, now: str, span: int) -> bool:
    """Claim one battle if it is time; what has been due in it happens first. The caller holds its lock."""
    await put_right(battle, now, absences.all_open(battle.store))
    side = _waiting(battle, now, span)
    if not side:
        return False
    try:
        await fire(battle, CLAIM, side)
    except Refusal as refusal:
        log.warning("%s is not claimed for %s: %s", battle.id, side, refusal)
        return False
    return True


def _waiting(battle: LiveBattle, now: str, span: int) -> str:
    """The side for which a battle is to be claimed; "" for none."""
    recording = battle.recording
    if recording.clocks is None or not recording.battle.begun or recording.battle.ended or battle.closed:
        return ""
    watches = clocks_now(battle, now).watches
    out = {side for side, watch in watches.items() if watch.flagged and watch.out + span <= moment_of(now)}
    waiting = [side for side in watches if side not in out]
    if len(waiting) != 1 or recording.battle.signs_all(waiting[0]) or recording.battle.is_halted:
        return ""
    return waiting[0]


def _no_earlier(battle: LiveBattle, now: str, span: int) -> int:
    """The moment before which a battle is not claimed: no flag of it falls before the least that a side has left."""
    recording, moment = battle.recording, moment_of(now)
    if recording.clocks is None or not recording.battle.begun or recording.battle.ended:
        return moment + LOOK_MS
    watches = clocks_now(battle, now).watches.values()
    return min(watch.out + span if watch.flagged else moment + watch.left_ms + span for watch in watches)
