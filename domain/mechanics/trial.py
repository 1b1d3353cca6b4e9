"""A test of chance as one value: what was drawn for it, what had to come, and how it went.

A game says of its own events which are tests (`DrawRules.trial`). What explains a battle, counts its luck or tells
odds reads trials, and knows neither cards nor dice nor the events of a game.
"""

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from domain.log.chance import Die
from domain.mechanics.modifiers import Factors

How = Literal["at-least", "at-most", "opposed"]
"""What passes: at least the number, at most it, or more than it where it is the other side's."""


class Trial(Struct, frozen=True, gc=False, kw_only=True):
    """One or more draws of a side, measured against a number, or looked up in a table.

    `purpose` ("": the event does not tell) and `units` are those of the draws. `draws` are the values that came, in
    order; `ahead`: they are still to come. `needed` is `base` with the `factors`, None for a table or where a later
    event tells it: then nothing is passed or failed. `stands` says which draws count: the `last` one, in whose
    favour earlier ones were given up; `each`, a volley in which every draw is a test of its own; or their `sum`.

    `passes` are the equally likely ways in which a draw (or the sum) passes, of all: (4, 6) for 3 or more on a die.
    It is None for cards: the pile they come from is counted. `again` marks a draw that took the place of the one
    before it.
    """

    side: str
    purpose: str
    units: tuple[str, ...] = ("",)
    draws: tuple[int, ...] = ()
    needed: int | None = None
    base: int | None = None
    factors: Factors = ()
    how: How = "at-least"
    stands: Literal["last", "each", "sum"] = "last"
    passes: tuple[int, int] | None = None
    again: bool = False
    ahead: bool = False

    def does(self, value: int) -> bool:
        """Whether a value passes; False where nothing is needed."""
        if self.needed is None:
            return False
        return value <= self.needed if self.how == "at-most" else value >= self.needed + (self.how == "opposed")

    def results(self) -> tuple[bool, ...]:
        """What was passed and failed: one result, or one for each draw of a volley; () where nothing was tested."""
        if self.needed is None or not self.draws:
            return ()
        if self.stands == "each":
            return tuple(self.does(value) for value in self.draws)
        return (self.does(sum(self.draws) if self.stands == "sum" else self.draws[-1]),)

    def does_of(self, values: Iterable[int]) -> int:
        """How many of the values that may come pass."""
        return sum(1 for value in values if self.does(value))


def die_passes(die: Die, trial: Trial) -> tuple[int, int]:
    """The faces of a die that pass, of all its faces: `Trial.passes` for one die."""
    values = die.values or tuple(range(1, die.sides + 1))
    return trial.does_of(values), die.sides
