"""The three strengths of the bot: the same judgement with more or less of what good play takes."""

from msgspec import Struct


class Strength(Struct, frozen=True):
    """What a bot looks at. Worths are in medals.

    `cover`: a step of cover for a unit that holds a position. `foresight`: how much of what the
    enemy can do with its next charges counts, generals lost with their last units included; 0 is a
    rough guess from who could come. `raid`: what is left of the worth of an unguarded camp for each
    activation that it is away; 0 is not to think of it. `win`: what it is worth besides to take the
    last medal. `patience`: orders worth less are not given. `slips`: one order in so many is not the
    best one, or leaves the corps at what it has done; 0 is none.
    """

    cover: float = 0.1
    foresight: float = 0.0
    raid: float = 0.0
    win: float = 0.0
    patience: float = 0.02
    slips: int = 0


EASY = Strength(patience=0.05, slips=3)
SENSIBLE = Strength()
STRONG = Strength(foresight=1.0, raid=0.6, win=3.0)
