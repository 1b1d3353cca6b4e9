"""What wounds bring: the chances of dice, and the points that a unit may lose by them.

Worth is in hundredths of a point; chances are exact. Wounds add up through a phase and are dropped after it, and each
of them is a die of the drive-back, so that many on one unit bring more than the same number on several.
"""

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache

from domain.games.warmaster_shooting.chapters.cover import needed_to_hit
from domain.games.warmaster_shooting.chapters.drive_back import IGNORED, MM, SIX
from domain.games.warmaster_shooting.chapters.volleys import D6, aim, needed_to_save
from domain.games.warmaster_shooting.state.profiles import FANATIC, NO_DRIVE
from domain.games.warmaster_shooting.state.state import Cover, Stand, State, Unit
from domain.mechanics.dice import faces_at_least

POINT = 100
"""Worth of a point."""

Spread = tuple[Fraction, ...]
"""The chance of 0, 1, 2 … of something."""


def chance_of_wound(state: State, shooter: Unit, stand: Stand, target: Unit) -> Fraction:
    """The chance that a die of a stand hits a target and is not saved."""
    needed, _ = needed_to_hit(shooter.kind, aim(state, shooter, stand, target))
    return Fraction(faces_at_least(D6, needed), D6.sides) * (1 - chance_of_save(state, shooter, target))


def chance_of_save(state: State, shooter: Unit, target: Unit) -> Fraction:
    """The chance that a target saves a hit of a shooter."""
    needed, _ = needed_to_save(state, shooter.kind, target.kind)
    return Fraction(faces_at_least(D6, needed), D6.sides) if needed else Fraction(0)


def wounds_of(chances: Iterable[Fraction]) -> Spread:
    """How many wounds dice make, each with its chance."""
    spread: Spread = (Fraction(1),)
    for chance in chances:
        hit = (Fraction(0), *(part * chance for part in spread))
        missed = (*(part * (1 - chance) for part in spread), Fraction(0))
        spread = tuple(a + b for a, b in zip(hit, missed, strict=True))
    return spread


def worth_of(state: State, target: Unit, spread: Spread, shelter: Cover) -> Fraction:
    """What a target is expected to lose in this phase, to wounds still to come besides those that it has."""
    return sum((part * worth_after(state, target, more, shelter) for more, part in enumerate(spread)), Fraction(0))


def worth_after(state: State, target: Unit, wounds: int, shelter: Cover) -> Fraction:
    """What a target is expected to lose in this phase once it has so many wounds more: stands, and all in a rout."""
    kind = target.kind
    standing = len(target.standing)
    lost = min(standing, (target.open + wounds) // kind.hits)
    share = Fraction(POINT * kind.points, len(target.stands))
    return share * (lost + (standing - lost) * chance_of_rout(state, target, target.total + wounds, shelter))


def chance_of_rout(state: State, target: Unit, wounds: int, shelter: Cover) -> Fraction:
    """The chance that a unit with so many wounds is driven beyond its full pace (WMS-DRV-06)."""
    dice = wounds - IGNORED[shelter]
    if dice <= 0 or target.engaged or {FANATIC, NO_DRIVE} & target.kind.flags:
        return Fraction(0)
    return beyond(dice, target.kind.pace // MM, state.options.rout_needs_confusion)


@lru_cache(maxsize=1 << 10)
def beyond(dice: int, most: int, with_six: bool) -> Fraction:
    """The chance that the sum of dice is more than `most`, and if asked that one of them is a six."""
    return _more(dice, most, SIX) - (_more(dice, most, SIX - 1) if with_six else 0)


def _more(dice: int, most: int, highest: int) -> Fraction:
    """The chance that dice sum up to more than `most`, and none of them shows more than `highest`."""
    ways = {0: 1}
    for _ in range(dice):
        added: dict[int, int] = {}
        for total, count in ways.items():
            for face in range(1, highest + 1):
                added[total + face] = added.get(total + face, 0) + count
        ways = added
    return Fraction(sum(count for total, count in ways.items() if total > most), SIX**dice)
