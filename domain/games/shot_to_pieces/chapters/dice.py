"""Chapter GEN: dice. Each tells its face, also a plain one (STP-GEN-01), and falls for a side (STP-CASE-03)."""

from functools import cache

from domain.engine.judge import Judge
from domain.games.shot_to_pieces.state.state import State
from domain.log.chance import Die

STEADY = Die(4, (2, 2, 3, 3))
"""The D4 of steady troops with the option `erratic` (STP-OPT-03, STP-INT-07)."""
UNSURE = Die(6, (-2, -1, -1, 0, 0, 0))
"""The modified D6 of indirect fire and of imperial gunners (STP-WW1-07, STP-F70-04, STP-INT-16)."""
ROCKET = Die(6, (-2, -1, 0, 0, 0, 1))
"""The D6 of rockets (STP-ALG-03)."""
BEFORE_ORDERS = ""
"""The step from `TurnBegan` to the first step in which its side may order anything; it answers at most which D20 event
it chooses, and an answer is no order (docs/fairness.md)."""


@cache
def die(sides: int) -> Die:
    """A die whose faces count what they show."""
    return Die(sides, tuple(range(1, sides + 1)))


FACES = {sides: (die(sides).values,) for sides in (2, 3, 5, 20)} | {
    4: (die(4).values, STEADY.values),
    6: (die(6).values, UNSURE.values, ROCKET.values),
}
"""What the faces of the dice may count, by their number of sides."""


def throw(judge: Judge[State], side: str, thrown: Die, purpose: str, unit: str = "", rule: str = "") -> int:
    """Throw a die for a side; returns what it counts.

    Rule: STP-CASE-01: before the mover's first order it falls under `open:SIDE`
    """
    scope = "open" if judge.state.step == BEFORE_ORDERS else "dice"
    return judge.roll(side, thrown, purpose, unit, rule, scope=scope)
