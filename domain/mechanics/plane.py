"""Free measure on a table: distances, bearings, outlines of bases and arcs, in whole numbers.

Points are (x to the east, y to the north) in whole units of the game's choice: millimetres, hundredths of a
centimetre. Headings go clockwise from north in equal parts of a circle: `circle` says how many make a full
turn, by default tenths of a degree; it must be a multiple of 8.

Nothing here is a float. Distances are compared as squares. Sines are taken as whole multiples of 1 / `UNIT`,
the same on every machine; those of a mirrored heading, or of one turned by a quarter, differ only in sign,
so a mirrored or turned table produces mirrored or turned results. Values are rounded to the nearest
whole, halves away from zero.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from math import isqrt

from msgspec import Struct

Point = tuple[int, int]
Exact = int | Fraction
ExactPoint = tuple[Exact, Exact]
Vector = tuple[int, int]
Slope = tuple[int, int]
"""Sideways and forward components."""

DEGREES, TENTHS, HUNDREDTHS = 360, 3600, 36_000
"""Parts of a circle."""
UNIT = 10**18
FINE = 1000
"""Parts of a unit in which the corners of a base are given, if not said otherwise."""

_PI = 3_141_592_653_589_793_238_462_643_383_279_502_884
_ONE = 10**36


# --- distances


def square_distance(one: Point, other: Point) -> int:
    """The square of the distance of two points."""
    dx, dy = other[0] - one[0], other[1] - one[1]
    return dx * dx + dy * dy


def is_within(one: Point, other: Point, reach: int) -> bool:
    """Whether two points are at most `reach` apart."""
    return square_distance(one, other) <= reach * reach


def measured(square: int | Fraction) -> int:
    """The square root of a squared distance, to the nearest whole unit."""
    return (isqrt(int(4 * square)) + 1) // 2


def distance(one: Point, other: Point) -> int:
    """The distance of two points, to the nearest whole unit; compare squares where that is not enough."""
    return measured(square_distance(one, other))


# --- headings


@lru_cache(maxsize=1 << 14)
def direction(heading: int, circle: int = TENTHS) -> Vector:
    """The vector of length `UNIT` along a heading."""
    quarter, rest = divmod(4 * (heading % circle), circle)
    sine, cosine = _sine_and_cosine(rest, circle)
    return ((sine, cosine), (cosine, -sine), (-sine, -cosine), (-cosine, sine))[quarter]


def bearing(one: Point, other: Point, circle: int = TENTHS) -> int:
    """The heading from one point to another, to the nearest part of a circle.

    Raises: ValueError if both are the same point
    """
    dx, dy = other[0] - one[0], other[1] - one[1]
    if not dx and not dy:
        raise ValueError(f"no bearing from {one} to itself")
    aside, ahead, quarter = dx, dy, 0
    while not (aside >= 0 and ahead > 0):
        aside, ahead, quarter = -ahead, aside, quarter + 1
    return (quarter * circle // 4 + _within_quarter(aside, ahead, circle)) % circle


def ahead(point: Point, heading: int, units: int, circle: int = TENTHS) -> Point:
    """The point `units` along a heading from another, each coordinate to the nearest whole."""
    dx, dy = direction(heading, circle)
    return point[0] + nearest(dx * units, UNIT), point[1] + nearest(dy * units, UNIT)


def nearest(number: int, parts: int) -> int:
    """`number / parts` as the nearest whole number, halves away from zero; `parts` is positive."""
    whole = (2 * abs(number) + parts) // (2 * parts)
    return whole if number >= 0 else -whole


def _within_quarter(aside: int, ahead: int, circle: int) -> int:
    """The heading of a vector between straight ahead and a quarter to the right."""
    if aside > ahead:
        return circle // 4 - _within_quarter(ahead, aside, circle)
    low, high = 0, circle // 8
    while low < high:
        middle = (low + high + 1) // 2
        sine, cosine = direction(2 * middle - 1, 2 * circle)  # the border between two headings
        if aside * cosine >= ahead * sine:
            low = middle
        else:
            high = middle - 1
    return low


def _sine_and_cosine(rest: int, circle: int) -> Vector:
    """Of `rest / circle` quarters of a circle, in parts of `UNIT`."""
    if 2 * rest > circle:
        sine, cosine = _sine_and_cosine(circle - rest, circle)
        return cosine, sine
    if 2 * rest == circle:
        half = isqrt(UNIT * UNIT // 2)
        return half, half
    angle = _PI * rest // (2 * circle)
    return _series(angle, angle, 1), _series(_ONE, angle, 0)


def _series(term: int, angle: int, power: int) -> int:
    """Taylor's series of the sine (from power 1) or the cosine (from power 0), given its first term."""
    total, sign = 0, 1
    while term:
        total += sign * term
        sign, power = -sign, power + 2
        term = term * angle * angle // (_ONE * _ONE * (power - 1) * power)
    return nearest(total, _ONE // UNIT)


# --- bases


def corners(
    at: Point, heading: int, width: int, depth: int, *, centred: bool = False, circle: int = TENTHS, fine: int = FINE
) -> tuple[Point, Point, Point, Point]:
    """The corners of a base: left and right of its front, then right and left of its rear.

    Shape: `at` is the middle of the front edge, or that of the whole base if `centred`
    Units: those of the table; the corners in parts of 1 / `fine` of one, each coordinate to the nearest
    """
    sine, cosine = direction(heading, circle)
    front = depth if centred else 0
    rear = front - 2 * depth

    def corner(right: int, along: int) -> Point:
        """The corner `right` half units to the right of `at` and `along` ahead of it."""
        east, north = right * cosine + along * sine, along * cosine - right * sine
        return nearest((2 * at[0] * UNIT + east) * fine, 2 * UNIT), nearest((2 * at[1] * UNIT + north) * fine, 2 * UNIT)

    return corner(-width, front), corner(width, front), corner(width, rear), corner(-width, rear)


# --- arcs


class Sector(Struct, frozen=True, gc=False):
    """The area ahead of an edge, its border included: a field of fire, of view, of control.

    The edge is `width` long, its middle is at `at`. On either side the arc opens by `slope`: (0, 1) is straight
    ahead, (1, 1) 45°, `direction(angle)` any other angle below 90°. With zero width it is a cone.
    """

    at: Point
    heading: int
    width: int = 0
    slope: Slope = (1, 1)
    circle: int = TENTHS

    def holds(self, point: Point) -> bool:
        """Whether a point is in the arc."""
        return all(side >= 0 for side in self._sides(point))

    def meets(self, outline: Sequence[Point]) -> bool:
        """Whether any point of a convex outline, or of its interior, is in the arc."""
        left: list[ExactPoint] = [*outline]
        for border in range(3):
            left = list(_cut(left, [self._sides(point)[border] for point in left]))
        return bool(left)

    def _sides(self, point: ExactPoint) -> tuple[Exact, Exact, Exact]:
        """How far a point is on the inner side of each border (front, right, left), each in a unit of its own."""
        sine, cosine = direction(self.heading, self.circle)
        dx, dy = point[0] - self.at[0], point[1] - self.at[1]
        right, along = dx * cosine - dy * sine, dx * sine + dy * cosine
        aside, forward = self.slope
        half = self.width * UNIT * forward + 2 * along * aside
        return along, half - 2 * right * forward, half + 2 * right * forward


def _cut(outline: list[ExactPoint], sides: list[Exact]) -> Iterator[ExactPoint]:
    """The part of a convex outline on the inner side of a line; `sides` measures how far inside each corner is."""
    for at, (point, side) in enumerate(zip(outline, sides, strict=True)):
        before, side_before = outline[at - 1], sides[at - 1]
        if (side > 0 > side_before) or (side < 0 < side_before):
            share = Fraction(side_before) / (side_before - side)
            yield before[0] + (point[0] - before[0]) * share, before[1] + (point[1] - before[1]) * share
        if side >= 0:
            yield point
