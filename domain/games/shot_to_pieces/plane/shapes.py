"""Convex outlines in fine points: hull, distance, and the part of one on the inner side of a line."""

from collections.abc import Sequence

from domain.games.shot_to_pieces.plane.base import FINE, FINE_BITS, FinePoint
from domain.games.shot_to_pieces.plane.gaps import measured
from domain.mechanics.plane import nearest

Shape = tuple[FinePoint, ...]
"""Corners of a convex outline in clockwise order."""
Square = tuple[int, int]
"""The square of a length, as a fraction with a positive denominator."""


def cross(a: FinePoint, b: FinePoint, point: FinePoint) -> int:
    """Negative where a point lies to the right of the line from a to b: the inner side of a clockwise edge."""
    return (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0])


def hull(points: Sequence[FinePoint]) -> Shape:
    """The convex hull of some points, clockwise."""
    in_order = sorted(set(points))
    upper: list[FinePoint] = []
    lower: list[FinePoint] = []
    for chain, found in ((upper, in_order), (lower, reversed(in_order))):
        for point in found:
            while len(chain) > 1 and cross(chain[-2], chain[-1], point) >= 0:
                chain.pop()
            chain.append(point)
    return (*upper[:-1], *lower[:-1])


def distance(one: Shape, other: Shape) -> int:
    """The distance of two convex outlines, in 1/100 cm; 0 if they touch or overlap."""
    ways: list[Square] = []
    are_parted = False
    for edges, points in ((one, other), (other, one)):
        outside = [False] * len(points)
        for at, end in enumerate(edges):
            start, is_beyond = edges[at - 1], True
            for number, point in enumerate(points):
                side = cross(start, end, point)
                if side > 0:
                    # the nearest edge of a convex outline is one that the point lies beyond
                    outside[number] = True
                    ways.append(to_segment(point, start, end))
                elif side < 0:
                    is_beyond = False
            are_parted |= is_beyond
        if not all(outside):
            return 0
    if not are_parted:
        return 0
    best, parts = ways[0]
    for square, of in ways:
        if square * parts < best * of:
            best, parts = square, of
    return measured(best, parts << 2 * FINE_BITS)


def overlap(one: Shape, other: Shape) -> bool:
    """Whether two convex outlines penetrate each other by more than 0.005 cm (STP-GEO-17)."""
    return _penetrates(one, other) and _penetrates(other, one)


def to_segment(point: FinePoint, a: FinePoint, b: FinePoint) -> Square:
    """The square of the distance from a point to a segment, as a fraction, in the unit of the points."""
    dx, dy, ex, ey = b[0] - a[0], b[1] - a[1], point[0] - a[0], point[1] - a[1]
    along, length = ex * dx + ey * dy, dx * dx + dy * dy
    if along <= 0:
        return ex * ex + ey * ey, 1
    if along >= length:
        return (point[0] - b[0]) ** 2 + (point[1] - b[1]) ** 2, 1
    return (ex * dy - ey * dx) ** 2, length


def segments_square(one: tuple[FinePoint, FinePoint], other: tuple[FinePoint, FinePoint]) -> Square:
    """The square of the distance of two segments, as a fraction, in the unit of the points."""
    (a, b), (c, d) = one, other
    if min(cross(a, b, c), cross(a, b, d)) < 0 < max(cross(a, b, c), cross(a, b, d)) and min(
        cross(c, d, a), cross(c, d, b)
    ) < 0 < max(cross(c, d, a), cross(c, d, b)):
        return 0, 1
    best = to_segment(a, c, d)
    for found in (to_segment(b, c, d), to_segment(c, a, b), to_segment(d, a, b)):
        if found[0] * best[1] < best[0] * found[1]:
            best = found
    return best


def cut(shape: Sequence[FinePoint], sides: Sequence[int]) -> list[FinePoint]:
    """The part of a convex outline on the inner side of a line; `sides` says how far inside each corner is.

    New corners are rounded to the unit of the points, far below what is measured.
    """
    left: list[FinePoint] = []
    for at, (point, side) in enumerate(zip(shape, sides, strict=True)):
        before, side_before = shape[at - 1], sides[at - 1]
        if (side > 0 > side_before) or (side < 0 < side_before):
            # from the outer corner, so that the order of the corners makes no difference
            (x, y), outer, (to_x, to_y), inner = (
                (before, side_before, point, side) if side > 0 else (point, side, before, side_before)
            )
            span = inner - outer
            left.append((x + nearest(-outer * (to_x - x), span), y + nearest(-outer * (to_y - y), span)))
        if side >= 0:
            left.append(point)
    return left


def _penetrates(one: Shape, other: Shape) -> bool:
    """Whether the second reaches more than 0.005 cm inside every edge of the first."""
    half = FINE // 2
    from_x, from_y = one[-1]
    for to_x, to_y in one:
        dx, dy = to_x - from_x, to_y - from_y
        deepest = max([dy * (x - from_x) - dx * (y - from_y) for x, y in other])
        if deepest <= 0 or deepest * deepest <= half * half * (dx * dx + dy * dy):
            return False
        from_x, from_y = to_x, to_y
    return True
