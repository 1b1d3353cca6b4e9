"""A base and its place on the table (STP-GEO-02, -15)."""

from functools import lru_cache
from math import isqrt
from typing import NamedTuple

from msgspec import Struct

from domain.games.shot_to_pieces.plane.angles import HALF, SCALE, SCALE_BITS, turned, vector
from domain.mechanics.plane import Point, nearest

FINE_BITS = SCALE_BITS + 1
FINE = 1 << FINE_BITS
"""Parts of 1/100 cm in which corners are given, exactly."""
KEPT = 1 << 13

FinePoint = tuple[int, int]
"""A point in parts of 1 / `FINE` of 1/100 cm."""


class Base(Struct, frozen=True, gc=False):
    """A rectangle on the table: centre, facing, frontage and depth."""

    at: Point
    facing: int
    width: int
    depth: int


class Frame(NamedTuple):
    """What measuring needs of a base: its centre, facing vector and corners, exactly.

    A fine point has the coordinates (right, ahead) of `local` in this frame; there the sides of the base are at
    ± `half_width` and ± `half_depth`. `square` is the square of the length of the facing vector.
    """

    x: int
    y: int
    sine: int
    cosine: int
    half_width: int
    half_depth: int
    square: int
    half_unit: int
    """Half of 1/100 cm in this frame, rounded down."""
    corners: tuple[FinePoint, FinePoint, FinePoint, FinePoint]
    """Left and right of the front, right and left of the rear."""


@lru_cache(maxsize=KEPT)
def frame(base: Base) -> Frame:
    """The frame of a base."""
    sine, cosine = vector(base.facing)
    x, y = base.at[0] << FINE_BITS, base.at[1] << FINE_BITS
    right_x, right_y = base.width * cosine, -base.width * sine
    ahead_x, ahead_y = base.depth * sine, base.depth * cosine
    corners = (
        (x - right_x + ahead_x, y - right_y + ahead_y),
        (x + right_x + ahead_x, y + right_y + ahead_y),
        (x + right_x - ahead_x, y + right_y - ahead_y),
        (x - right_x - ahead_x, y - right_y - ahead_y),
    )
    square = sine * sine + cosine * cosine
    half_unit = isqrt(square << (2 * FINE_BITS - 2))
    return Frame(x, y, sine, cosine, base.width * square, base.depth * square, square, half_unit, corners)


def local(seen_from: Frame, point: FinePoint) -> FinePoint:
    """A fine point to the right and ahead of a centre, in the unit of its frame."""
    dx, dy = point[0] - seen_from.x, point[1] - seen_from.y
    return (
        dx * seen_from.cosine - dy * seen_from.sine,
        dx * seen_from.sine + dy * seen_from.cosine,
    )


def corners(base: Base) -> tuple[FinePoint, FinePoint, FinePoint, FinePoint]:
    """Left and right of the front, right and left of the rear."""
    return frame(base).corners


def fine(point: Point) -> FinePoint:
    """A point of the table as a fine point."""
    return point[0] << FINE_BITS, point[1] << FINE_BITS


def rounded(point: FinePoint) -> Point:
    """A fine point as a point of the table."""
    return nearest(point[0], FINE), nearest(point[1], FINE)


def offset(base: Base, right: int, ahead: int) -> FinePoint:
    """The fine point that lies `right` and `ahead` of a centre; both in half units (1/200 cm)."""
    sine, cosine = vector(base.facing)
    return (
        (base.at[0] << FINE_BITS) + right * cosine + ahead * sine,
        (base.at[1] << FINE_BITS) + ahead * cosine - right * sine,
    )


def fine_front_centre(base: Base) -> FinePoint:
    """P, the middle of the front edge, exactly."""
    return offset(base, 0, base.depth)


def front_centre(base: Base) -> Point:
    """P, the middle of the front edge (STP-GEO-02)."""
    return rounded(fine_front_centre(base))


def place(base: Base, right: int, ahead: int) -> Point:
    """The point `right` and `ahead` of a centre; both in half units (1/200 cm)."""
    return rounded(offset(base, right, ahead))


def ahead(at: Point, heading: int, length: int) -> Point:
    """The point at a length along a heading."""
    sine, cosine = vector(heading)
    return at[0] + nearest(length * sine, SCALE), at[1] + nearest(length * cosine, SCALE)


def faced(base: Base, facing: int) -> Base:
    """The base turned about its centre."""
    return Base(base.at, turned(facing, 0), base.width, base.depth)


def moved(base: Base, heading: int, length: int) -> Base:
    """The base moved straight, its facing kept."""
    return Base(ahead(base.at, heading, length), base.facing, base.width, base.depth)


def about_flank(base: Base, *, is_left: bool) -> Base:
    """An about-face about one fixed flank: the base ends beside its old place on that side (STP-MOV-03)."""
    right = -2 * base.width if is_left else 2 * base.width
    return Base(place(base, right, 0), turned(base.facing, HALF), base.width, base.depth)


def beside(base: Base, friend: Base, *, is_left: bool) -> Base:
    """The place flank to flank with a friend, centres level, facing as it does (STP-MOV-04)."""
    apart = friend.width + base.width
    return Base(place(friend, -apart if is_left else apart, 0), friend.facing, base.width, base.depth)


def is_on_table(base: Base, width: int, height: int) -> bool:
    """Whether all of a base is on the table, to the nearest 1/100 cm (STP-GEO-01)."""
    (x, y), half = base.at, (base.width + base.depth + 1) // 2  # never less than half of the diagonal
    if half <= x <= width - half and half <= y <= height - half:
        return True
    found = [rounded(corner) for corner in frame(base).corners]
    return all(0 <= x <= width and 0 <= y <= height for x, y in found)
