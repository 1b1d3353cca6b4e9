"""How far bases are apart, and whether they overlap (STP-GEO-04, -10, -12, -17)."""

from collections.abc import Sequence
from functools import lru_cache
from math import isqrt

from domain.games.shot_to_pieces.plane.base import FINE_BITS, KEPT, Base, FinePoint, Frame, fine, frame
from domain.mechanics.plane import Point


def measured(square: int, parts: int = 1) -> int:
    """The length of which `square / parts` is the square, to the nearest whole."""
    return (isqrt(4 * square // parts) + 1) // 2


@lru_cache(maxsize=KEPT)
def distance(one: Base, other: Base) -> int:
    """The smallest distance of two bases; 0 if they touch or overlap (STP-GEO-04)."""
    first, second = frame(one), frame(other)
    square, is_apart = nearest_square(first, second.corners)
    square_back, is_apart_back = nearest_square(second, first.corners)
    if not (is_apart or is_apart_back):
        return 0
    if square_back * first.square < square * second.square:
        return measured(square_back, second.square << 2 * FINE_BITS)
    return measured(square, first.square << 2 * FINE_BITS)


@lru_cache(maxsize=KEPT)
def distance_to(base: Base, point: Point) -> int:
    """The smallest distance of a base and a point; 0 inside (STP-GEO-10)."""
    return measured_to(frame(base), fine(point))


def measured_to(seen_from: Frame, point: FinePoint) -> int:
    """The distance of a fine point and the base of a frame."""
    square, _ = nearest_square(seen_from, (point,))
    return measured(square, seen_from.square << 2 * FINE_BITS)


def is_closer(one: Base, other: Base, limit: int) -> bool:
    """Whether two bases are less than `limit` apart: `distance(one, other) < limit`, most often without measuring."""
    if is_surely_apart(one, other, limit):
        return False
    return distance(one, other) < limit


def is_within(one: Base, other: Base, limit: int) -> bool:
    """Whether two bases are at most `limit` apart: `distance(one, other) <= limit`."""
    return is_closer(one, other, limit + 1)


def is_surely_apart(one: Base, other: Base, limit: int) -> bool:
    """Whether circles about two bases are already `limit` apart; False tells nothing."""
    dx, dy = one.at[0] - other.at[0], one.at[1] - other.at[1]
    # half of width + depth is never less than half of the diagonal, and needs no square root
    reach = limit + (one.width + one.depth + other.width + other.depth + 1) // 2
    return dx >= reach or -dx >= reach or dy >= reach or -dy >= reach or dx * dx + dy * dy >= reach * reach


def overlap(one: Base, other: Base) -> bool:
    """Whether two bases penetrate each other by more than 0.005 cm (STP-GEO-17)."""
    if is_surely_apart(one, other, 0):
        return False
    first, second = frame(one), frame(other)
    return _penetrates(first, second.corners) and _penetrates(second, first.corners)


def nearest_square(seen_from: Frame, points: Sequence[FinePoint]) -> tuple[int, bool]:
    """The square of the distance of a base and the nearest of some points, in the unit of its frame; and whether a side
    of the base has all of them outside it or on it."""
    x, y, sine, cosine, half_width, half_depth = seen_from[:6]
    best = -1
    is_right = is_left = is_ahead = is_behind = True
    for point in points:
        dx, dy = point[0] - x, point[1] - y
        right, along = dx * cosine - dy * sine, dx * sine + dy * cosine
        is_right &= right >= half_width
        is_left &= right <= -half_width
        is_ahead &= along >= half_depth
        is_behind &= along <= -half_depth
        aside, beyond = max(abs(right) - half_width, 0), max(abs(along) - half_depth, 0)
        square = aside * aside + beyond * beyond
        if best < 0 or square < best:
            best = square
    return best, is_right or is_left or is_ahead or is_behind


def _penetrates(seen_from: Frame, points: Sequence[FinePoint]) -> bool:
    """Whether the points reach more than 0.005 cm into the base across each of its sides."""
    middle_x, middle_y, sine, cosine = seen_from[:4]
    places = [(x - middle_x, y - middle_y) for x, y in points]
    rights = [x * cosine - y * sine for x, y in places]
    aheads = [x * sine + y * cosine for x, y in places]
    least = seen_from.half_unit
    return (
        seen_from.half_width - min(rights) > least
        and max(rights) + seen_from.half_width > least
        and seen_from.half_depth - min(aheads) > least
        and max(aheads) + seen_from.half_depth > least
    )
