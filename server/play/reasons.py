"""Why a unit cannot do what its player seems to want, in the words that the order itself would be refused with.

A player who clicks on a unit that has no orders, or on a box that it cannot reach, has not written an order. The game
says which orders they may have meant (`OrderRules.tried`); the first that the rules refuse gives the reason. It is
judged by what the side knows, and nothing is drawn.
"""

from collections.abc import Sequence
from typing import Any

from domain.engine.decide import decide, evolve
from domain.engine.errors import Refusal
from server.play.live_battle import LiveBattle


class _Reached(Exception):
    """The order is allowed: it has come to its first draw."""


class _NoChance:
    """Chance that is never drawn."""

    def card(self, scope: str, pile: Sequence[str], t: int, deck: str) -> str:
        raise _Reached

    def die(self, scope: str, sides: int, t: int = 0, values: Sequence[int] = ()) -> int:
        raise _Reached


def reason(live: LiveBattle, side: str, unit: str, box: str = "") -> Refusal | None:
    """The refusal of what a unit may have been meant to do, in a box or anywhere; None if it may do it, or if nobody
    can say."""
    known = live.known(side)
    for line in live.ruleset.orders.tried(known, unit, box):
        refusal = _refusal(live, known, side, line)
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
            facts = decide(ruleset, known, side, ruleset.orders.parse(option.order), _NoChance())
        except (Refusal, _Reached):
            continue
        after = known
        for n, fact in enumerate(facts, start=known.n + 1):
            after = evolve(ruleset, after, fact.event, n)
        if any(_refusal(live, after, side, line) is None for line in ruleset.orders.tried(after, unit, "")):
            return option.order
    return ""


def _refusal(live: LiveBattle, known: Any, side: str, line: str) -> Refusal | None:
    try:
        decide(live.ruleset, known, side, live.ruleset.orders.parse(line), _NoChance())
    except Refusal as refusal:
        return refusal
    except _Reached:
        pass
    return None
