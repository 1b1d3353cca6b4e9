"""Sines, bearings and turns in 1/100 degree; fractions of an allowance (STP-GEO-14, -15)."""

from functools import lru_cache

from domain.mechanics.plane import HUNDREDTHS, UNIT, Point, Vector, direction, nearest
from domain.mechanics.plane import bearing as bearing_in

SCALE_BITS = 40
SCALE = 1 << SCALE_BITS
"""The length of a unit vector."""
FULL, HALF, QUARTER = HUNDREDTHS, HUNDREDTHS // 2, HUNDREDTHS // 4


@lru_cache(maxsize=FULL)
def vector(heading: int) -> Vector:
    """The vector along a heading, `SCALE` long, each component to the nearest (STP-GEO-14)."""
    sine, cosine = direction(heading % FULL, HUNDREDTHS)
    return nearest(sine * SCALE, UNIT), nearest(cosine * SCALE, UNIT)


def bearing(one: Point, other: Point) -> int:
    """The compass bearing from one point to another; two equal points: ValueError."""
    return bearing_in(one, other, HUNDREDTHS)


def turned(heading: int, by: int) -> int:
    """A heading turned clockwise, from 0 to 35999."""
    return (heading + by) % FULL


def difference(one: int, other: int) -> int:
    """The angle between two headings, from 0 to 18000."""
    apart = (one - other) % FULL
    return min(apart, FULL - apart)


def tenths(heading: int) -> int:
    """A heading in tenths of a degree, as a scene has it."""
    return (heading + 5) // 10 % (FULL // 10)


def half_again(length: int) -> int:
    """+50 %, rounded down."""
    return length * 3 // 2


def fraction(length: int, parts: int, of: int) -> int:
    """`parts / of` of an allowance, rounded down."""
    return length * parts // of
