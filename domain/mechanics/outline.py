"""Convex outlines on a table of free measure: gaps, overlaps, and what a line passes through, all exact.

An outline is a tuple of at least three corners in clockwise order, whole numbers (`plane.corners`, `clockwise`). Its
border belongs to it; its interior is what lies inside the border. Nothing is rounded: squares of lengths and shares of
a segment are integers or fractions, so a mirrored or turned table gives the same answers.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from msgspec import Struct

from domain.mechanics.plane import Exact, ExactPoint, Point

Outline = tuple[Point, ...]
Box = tuple[int, int, int, int]
Share = tuple[Fraction, Fraction]
"""Where a part of a segment begins and ends: 0 is the first end, 1 the second."""


class Gap(Struct, frozen=True, gc=False):
    """The shortest way from one outline to another: the square of its length, and its ends.

    Where a stretch of the outlines is equally near, the ends are those in the middle of it.
    """

    square: Fraction
    ends: tuple[ExactPoint, ExactPoint]


def clockwise(points: Sequence[Point]) -> Outline:
    """The corners in clockwise order, beginning with the first."""
    first, *rest = points
    area = sum(_cross(first, one, other) for one, other in pairwise(rest))
    return tuple(points) if area <= 0 else (first, *reversed(rest))


def is_convex(points: Sequence[Point]) -> bool:
    """Whether corners in order are those of a convex outline: no bend inwards, none straight, no crossing."""
    if len(points) < 3 or len(set(points)) < len(points):
        return False
    corners = clockwise(points)
    return all(_cross(a, b, point) < 0 for a, b in _edges(corners) for point in corners if point not in (a, b))


def holds(outline: Outline, point: Point) -> bool:
    """Whether a point lies in an outline or on its border."""
    x, y = point
    from_x, from_y = outline[-1]
    for to_x, to_y in outline:
        if (to_x - from_x) * (y - from_y) > (to_y - from_y) * (x - from_x):
            return False
        from_x, from_y = to_x, to_y
    return True


def box_of(points: Sequence[Point]) -> Box:
    """The least upright rectangle about some points: west, south, east, north."""
    across, along = [x for x, _ in points], [y for _, y in points]
    return min(across), min(along), max(across), max(along)


def is_box_clear(box: Box, one: Point, other: Point) -> bool:
    """Whether a segment lies wholly on the far side of an edge of an upright rectangle; on the edge it does not."""
    west, south, east, north = box
    (x, y), (to_x, to_y) = one, other
    return (
        (x < west and to_x < west)
        or (x > east and to_x > east)
        or (y < south and to_y < south)
        or (y > north and to_y > north)
    )


def overlap(one: Outline, other: Outline) -> bool:
    """Whether two interiors share an area; outlines that only touch do not."""
    return not _is_parted(one, other) and not _is_parted(other, one)


def square_gap(one: Outline, other: Outline) -> Fraction:
    """The square of the distance of two outlines; 0 if they touch or overlap."""
    if overlap(one, other):
        return Fraction(0)
    best, parts = -1, 1
    for square, part, *_ in _ways(one, other):
        if best < 0 or square * parts < best * part:
            best, parts = square, part
    return Fraction(best, parts)


def gap(one: Outline, other: Outline) -> Gap:
    """The shortest way between two outlines that do not overlap, from the first to the second."""
    square = square_gap(one, other)
    nearest = {
        (from_, to): None
        for found, part, edge, corner, is_turned in _ways(one, other)
        if found == square * part
        for from_, to in [_ends(edge, corner, is_turned)]
    }
    low, high = min(nearest), max(nearest)
    return Gap(square, (_middle(low[0], high[0]), _middle(low[1], high[1])))


def inside(outline: Outline, one: Point, other: Point) -> Share | None:
    """The part of a segment that runs through an interior; None if there is none. A border is not the interior."""
    start, end = Fraction(0), Fraction(1)
    for a, b in _edges(outline):
        from_, to = -_cross(a, b, one), -_cross(a, b, other)
        if from_ <= 0 and to <= 0:
            return None
        if from_ < 0:
            start = max(start, Fraction(from_, from_ - to))
        elif to < 0:
            end = min(end, Fraction(from_, from_ - to))
    return (start, end) if start < end else None


def meet(one: tuple[ExactPoint, ExactPoint], other: tuple[ExactPoint, ExactPoint]) -> bool:
    """Whether two segments have a point in common."""
    (a, b), (c, d) = one, other
    sides = _cross(a, b, c), _cross(a, b, d), _cross(c, d, a), _cross(c, d, b)
    if any(sides):
        return sides[0] * sides[1] <= 0 and sides[2] * sides[3] <= 0
    return all(
        max(min(a[axis], b[axis]), min(c[axis], d[axis])) <= min(max(a[axis], b[axis]), max(c[axis], d[axis]))
        for axis in (0, 1)
    )


# --- parts


def _edges(outline: Sequence[Point]) -> Iterator[tuple[Point, Point]]:
    return ((outline[at - 1], corner) for at, corner in enumerate(outline))


def _cross(a: ExactPoint, b: ExactPoint, point: ExactPoint) -> Exact:
    """Negative where a point lies to the right of the line from a to b: the inner side of a clockwise edge."""
    return (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0])


def _is_parted(one: Outline, other: Outline) -> bool:
    """Whether an edge of the first has all of the second on its outer side, or on its line."""
    return any(all(_cross(a, b, point) >= 0 for point in other) for a, b in _edges(one))


def _ways(one: Outline, other: Outline) -> Iterator[tuple[int, int, tuple[Point, Point], Point, bool]]:
    """From each corner of one outline straight to each edge of the other: square of the length and its denominator,
    the edge, the corner, and whether the corner is of the second outline."""
    for edges, corners, is_turned in ((one, other, True), (other, one, False)):
        for edge in _edges(edges):
            for corner in corners:
                yield *_to_edge(corner, *edge), edge, corner, is_turned


def _to_edge(point: Point, a: Point, b: Point) -> tuple[int, int]:
    dx, dy, ex, ey = b[0] - a[0], b[1] - a[1], point[0] - a[0], point[1] - a[1]
    along, length = ex * dx + ey * dy, dx * dx + dy * dy
    if along <= 0:
        return ex * ex + ey * ey, 1
    if along >= length:
        return (point[0] - b[0]) ** 2 + (point[1] - b[1]) ** 2, 1
    return (ex * dy - ey * dx) ** 2, length


def _ends(edge: tuple[Point, Point], corner: Point, is_turned: bool) -> tuple[ExactPoint, ExactPoint]:
    """The ends of the way between an edge and a corner, that of the first outline first."""
    a, b = edge
    dx, dy = b[0] - a[0], b[1] - a[1]
    along = (corner[0] - a[0]) * dx + (corner[1] - a[1]) * dy
    share = min(Fraction(1), max(Fraction(0), Fraction(along, dx * dx + dy * dy)))
    foot = (a[0] + dx * share, a[1] + dy * share)
    return (foot, corner) if is_turned else (corner, foot)


def _middle(one: ExactPoint, other: ExactPoint) -> ExactPoint:
    return Fraction(one[0] + other[0]) / 2, Fraction(one[1] + other[1]) / 2
