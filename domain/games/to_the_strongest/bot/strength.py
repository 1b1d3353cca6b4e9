"""The three strengths of the bot: the same judgement with more or less of what good play takes."""

from msgspec import Struct


class Strength(Struct, frozen=True):
    """What a bot considers. Values are in medals.

    `cover`: a step of cover for a unit that holds a position. `foresight`: the weight of what the
    enemy can do with its next charges, generals lost with their last units and the cards that they
    replay included; 0 is a rough guess from who could come. `raid`: the share of the value of an
    unguarded camp that remains for each activation that it is away; 0 ignores it. `win`: the extra
    value of taking the last medal. `patience`: orders worth less are not given. `slips`: one order in
    this many is not the best one, or leaves the corps as it is; 0 is none.
    """

    cover: float = 0.1
    foresight: float = 0.0
    raid: float = 0.0
    win: float = 0.0
    patience: float = 0.02
    slips: int = 0


EASY = Strength(patience=0.05, slips=3)
SENSIBLE = Strength()
STRONG = Strength(foresight=1.3, raid=0.6, win=3.0)
