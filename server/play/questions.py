"""The question put to a side now, as a word that changes when it is answered.

A letter asks one question on one board. If the side has acted since, through any channel, the board has changed and
so has the question: a reply written on the old board is not played (design.md 10). What a side may say at any time
(standing orders, draw offers) does not change the question.
"""

from domain.basics.errors import Refusal
from domain.events.battle import OrderAccepted
from server.play.live_battle import LiveBattle

NO_QUESTION = ""
CONTRIBUTION = "contribution"


def question_of(live: LiveBattle, side: str) -> str:
    """The question put to a side now: player-turn, kind and unit, and the side's last order; "" if there is none."""
    if side not in live.to_act() and side not in live.recording.battle.owing:
        return NO_QUESTION
    game, battle = live.game, live.recording.battle
    if game.waiting:
        kind = f"{game.waiting.kind} {game.waiting.unit}".strip()
    elif side in battle.owing and side not in live.ruleset.rules.active(game):
        kind = CONTRIBUTION
    else:
        kind = game.phase
    return f"{game.t} {kind} {_last_order(live, side)}"


def _last_order(live: LiveBattle, side: str) -> int:
    """The event of the side's last order that was part of its move; 0 before the first."""
    timeline = live.recording.timeline
    for recorded in reversed(timeline.events):
        event = recorded.event
        if isinstance(event, OrderAccepted) and event.side == side:
            whole = timeline.whole(recorded)
            text = getattr(whole, "text", None)
            if not (isinstance(text, str) and _is_free(live, text)):
                return recorded.n
    return 0


def _is_free(live: LiveBattle, text: str) -> bool:
    try:
        return live.ruleset.read(text).FREE
    except Refusal:  # an order of rules that this release does not have
        return False
