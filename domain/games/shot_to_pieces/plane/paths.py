"""Moves as areas: the trajectory of a leg and what is near it; wheels (STP-GEO-09, -13, -17, -20)."""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from domain.games.shot_to_pieces.plane import shapes
from domain.games.shot_to_pieces.plane.angles import HALF, SCALE, turned, vector
from domain.games.shot_to_pieces.plane.base import FINE_BITS, KEPT, Base, FinePoint, frame, rounded
from domain.games.shot_to_pieces.plane.shapes import Shape
from domain.mechanics.plane import measured, nearest

PI = Fraction(3_141_592_653_589_793_238_462_643_383_279_502_884, 10**36)
"""More of its digits than any length on a table needs."""


@lru_cache(maxsize=KEPT)
def trajectory(start: Base, end: Base) -> Shape:
    """The area swept by a straight leg: the convex hull of the base at both ends (STP-GEO-17)."""
    return shapes.hull((*frame(start).corners, *frame(end).corners))


@lru_cache(maxsize=KEPT)
def passing_distance(start: Base, end: Base, other: Base) -> int:
    """The smallest distance between the trajectory of a leg and a base (STP-ZOC-02)."""
    return shapes.distance(trajectory(start, end), frame(other).corners)


def passes_closer(start: Base, end: Base, other: Base, limit: int) -> bool:
    """Whether a leg passes less than `limit` from a base; most often without measuring."""
    return not is_surely_clear(start, end, other, limit) and passing_distance(start, end, other) < limit


def passes_through(start: Base, end: Base, other: Base) -> bool:
    """Whether the trajectory of a leg overlaps a base by more than 0.005 cm (STP-GEO-17)."""
    return not is_surely_clear(start, end, other, 0) and shapes.overlap(trajectory(start, end), frame(other).corners)


def is_surely_clear(start: Base, end: Base, other: Base, limit: int) -> bool:
    """Whether circles about a base on its leg and about another are `limit` apart all along; False tells nothing."""
    (ax, ay), (bx, by), (x, y) = start.at, end.at, other.at
    # half of width + depth is never less than half of the diagonal
    reach = limit + (max(start.width + start.depth, end.width + end.depth) + other.width + other.depth + 1) // 2
    if (x < ax - reach and x < bx - reach) or (x > ax + reach and x > bx + reach):
        return True
    if (y < ay - reach and y < by - reach) or (y > ay + reach and y > by + reach):
        return True
    dx, dy, ex, ey = bx - ax, by - ay, x - ax, y - ay
    along, square = ex * dx + ey * dy, dx * dx + dy * dy
    if along <= 0:
        return ex * ex + ey * ey >= reach * reach
    if along >= square:
        return (x - bx) ** 2 + (y - by) ** 2 >= reach * reach
    return (ex * dy - ey * dx) ** 2 >= reach * reach * square


# --- wheels


def wheel_pivot(bases: Sequence[Base], *, is_left: bool) -> FinePoint:
    """The front corner of a group farthest to a side, as the first base looks (STP-GEO-20).

    Of corners equally far, the one farthest ahead.
    """
    sine, cosine = vector(bases[0].facing)
    side = -1 if is_left else 1
    return max(
        (corner for base in bases for corner in frame(base).corners[:2]),
        key=lambda corner: (side * (corner[0] * cosine - corner[1] * sine), corner[0] * sine + corner[1] * cosine),
    )


def wheel_length(bases: Sequence[Base], angle: int, *, is_left: bool) -> int:
    """The arc of the front corner farthest from the pivot (STP-GEO-09, -20)."""
    pivot = wheel_pivot(bases, is_left=is_left)
    square = max(
        (corner[0] - pivot[0]) ** 2 + (corner[1] - pivot[1]) ** 2
        for base in bases
        for corner in frame(base).corners[:2]
    )
    return measured(Fraction(square, 1 << 2 * FINE_BITS) * (PI * angle / HALF) ** 2)


def wheeled(bases: Sequence[Base], angle: int, *, is_left: bool, length: int = 0, crab: int = 0) -> tuple[Base, ...]:
    """A group after a wheel, and after a straight move from there: `length` along the new facing of the first
    base turned by `crab`; rounded once at the end."""
    pivot = wheel_pivot(bases, is_left=is_left)
    by = -angle if is_left else angle
    sine, cosine = vector(by)
    step_x, step_y = vector(bases[0].facing + by + crab)
    found = []
    for base in bases:
        dx, dy = (base.at[0] << FINE_BITS) - pivot[0], (base.at[1] << FINE_BITS) - pivot[1]
        x, y = dx * cosine + dy * sine, dy * cosine - dx * sine
        drift = length << FINE_BITS
        at = (
            pivot[0] + nearest(x + drift * step_x, SCALE),
            pivot[1] + nearest(y + drift * step_y, SCALE),
        )
        found.append(Base(rounded(at), turned(base.facing, by), base.width, base.depth))
    return tuple(found)
