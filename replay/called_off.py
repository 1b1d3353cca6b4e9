"""End a battle in its own log that its campaign has decided without it (CAM-LOG-05, CAM-TIM-05).

The host writes a `ClockFired` of the campaign with a ruling and the end behind it. Only a battle whose first event
names its campaign ends so. That it had to end stands in the campaign's log; who wins by what was kept follows from this
one.
"""

from typing import Any

from msgspec import UNSET, Struct

from domain.basics.errors import Refusal
from domain.basics.seats import SOUTH_AND_NORTH
from domain.campaign.kept import adjudicated
from domain.engine.dockets import AWARD, awarded
from domain.engine.state import require_lasting
from domain.events.battle import BattleEnded, BoardOfCampaign, ClockFired, Fact, RulingGiven
from domain.run.timeline import Timeline

CAMPAIGN = "campaign"
"""What is fired by a campaign, for no side."""
ADJUDICATE = "adjudicate"
"""The effect of a ruling by which whoever has kept more wins (CAM-TIM-06)."""
BY_KEPT, BY_DEFAULT = "adjudicated", "default"
"""How a battle ends by each of the two."""
SIDES = SOUTH_AND_NORTH.names


class StrengthLeft(Struct, frozen=True):
    """What south, then north had at the start of a battle, and what they have at a moment of it."""

    start: tuple[int, int]
    now: tuple[int, int]


def awarding(side: str) -> str:
    """The effect of a ruling that gives a battle to a side."""
    return f"{AWARD}{side}"


def calling_off(timeline: Timeline, effect: str) -> tuple[Fact, ...]:
    """The input that ends a battle of a campaign, and what follows from it.

    Shape:  `effect` is `ADJUDICATE` or `awarding` of a side; the timeline has all of its events in memory
    Raises: Refusal core.battle-ended, core.not-begun; core.bad-clock for a battle of no campaign, or another effect
    """
    battle, opened = timeline.now, timeline.events[0].event
    require_lasting(battle.game)
    if not battle.begun:
        raise Refusal("core.not-begun", "CORE-BEGIN")
    board = getattr(opened, "campaign", UNSET)
    is_effect = effect == ADJUDICATE or awarded(effect) in SIDES
    if not isinstance(board, BoardOfCampaign) or not is_effect:
        raise Refusal("core.bad-clock", ClockFired.RULE, what=CAMPAIGN, side="")
    winner, how = awarded(effect), BY_DEFAULT
    if winner is None:
        strength = strength_at(timeline, battle.n)
        (winner, _), how = adjudicated(strength.start, strength.now), BY_KEPT
    return (
        Fact("server", ClockFired.RULE, ClockFired(CAMPAIGN, "")),
        Fact("server", RulingGiven.RULE, RulingGiven("", f"{board.id} {board.board}", effect)),
        Fact("server", RulingGiven.RULE, BattleEnded(winner, how)),
    )


def strength_at(timeline: Timeline, n: int) -> StrengthLeft:
    """What both sides had when the battle was opened, and what they have after event `n`; where troops come later, the
    start is the most that each had up to then."""
    now, start = _tally(timeline, timeline.at(n).game), _tally(timeline, timeline.at(1).game)
    if not all(start):
        states = [_tally(timeline, battle.game) for battle, _ in timeline.along(last=n)]
        start = max(south for south, _ in states), max(north for _, north in states)
    return StrengthLeft(start, now)


def _tally(timeline: Timeline, game: Any) -> tuple[int, int]:
    """What south, then north has left."""
    shown = timeline.ruleset.shown
    tally = shown.strength(game) or shown.tally(game)
    return tally.get(SIDES[0], 0), tally.get(SIDES[1], 0)
