"""What a draw puts at stake in the tally, and the luck in it: `(happened − p) × swing`.

A game says it of the draws that a fact settles (`DrawRules.stake`), as its rules step goes on from there: what the
tally becomes if the draw succeeds, against what it becomes if it fails. Everything is exact: chances are counted in the
pile or on the die of that moment, before the draw.

- A draw whose success only calls for another test is worth what that test may cost, by its own odds.
- What a draw changes beside the tally (a step lost, an activation, a retreat) is worth nothing here.
- The swing does not depend on how the draw came out, so that the luck over all that could have come is 0.
"""

from fractions import Fraction
from typing import Any

from msgspec import Struct

from domain.events.battle import CardDrawn, DieRolled


class Drawn(Struct, frozen=True):
    """A draw that waits for the fact that settles it: event `n`, by a side, in the state `before` it, which is that of
    a stranger."""

    n: int
    by: str
    before: Any
    event: CardDrawn | DieRolled


class Stake(Struct, frozen=True):
    """What was at stake in draw `n`: `does` of `of` equally likely ways were a success, and it `happened` or not.

    `swing` is how much better off `side` is after a success than after a failure: its tally, less that of the other
    side (of several, on average).
    """

    n: int
    side: str
    unit: str
    happened: bool
    does: int
    of: int
    swing: Fraction

    @property
    def odds(self) -> Fraction:
        """How likely a success was."""
        return Fraction(self.does, self.of)

    @property
    def luck(self) -> Fraction:
        """What the side has gained by this draw beyond what was to be expected; the others have lost as much."""
        return (self.happened - self.odds) * self.swing
