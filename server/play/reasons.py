"""Why a unit cannot do what its player seems to want, in the words that the order itself would be refused with.

A player who clicks on a unit that has no orders, or on a box that it cannot reach, has not written an order. The game
says which orders they may have meant (`OrderRules.tried`); the first that the rules refuse gives the reason. It is
judged by what the side knows, and nothing is drawn.
"""

from domain.basics.errors import Refusal
from domain.log.chance import DrawReached, NoDraw
from domain.run.decide import decide, folded
from domain.scripts.course import refusal_of
from server.play.live_battle import LiveBattle


def reason(live: LiveBattle, side: str, unit: str, box: str = "") -> Refusal | None:
    """The refusal of what a unit may have been meant to do, in a box or anywhere; None if it may do it, or if nobody
    can say."""
    known = live.known(side)
    for line in live.ruleset.orders.tried(known, unit, box):
        refusal = refusal_of(live.ruleset, known, side, line)
        if refusal is not None:
            return refusal
    return None


def opener(live: LiveBattle, side: str, unit: str) -> str:
    """The order of the whole side that draws nothing and after which a unit may act, "" for none."""
    ruleset, known = live.ruleset, live.known(side)
    for option in live.options(side):
        if option.unit or option.target is not None or option.needed:
            continue
        try:
            facts = decide(ruleset, known, side, ruleset.orders.parse(option.order), NoDraw())
        except (Refusal, DrawReached):
            continue
        after = folded(ruleset, known, facts)
        if any(refusal_of(ruleset, after, side, line) is None for line in ruleset.orders.tried(after, unit, "")):
            return option.order
    return ""
