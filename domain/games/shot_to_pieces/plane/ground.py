"""What a straight leg of a centre passes: outlines and lines of terrain (STP-GEO-21, STP-GEO-11)."""

from collections.abc import Iterable
from fractions import Fraction

from domain.mechanics.outline import Outline, holds, inside, meet
from domain.mechanics.plane import Point, measured, square_distance

Line = tuple[Point, Point]


def slow_length(start: Point, end: Point, outlines: Iterable[Outline]) -> int:
    """The length of a leg inside any of some outlines; what two of them share counts once."""
    shares = sorted(share for outline in outlines if (share := inside(outline, start, end)))
    total, reached = Fraction(0), Fraction(0)
    for low, high in shares:
        total += max(Fraction(0), high - max(low, reached))
        reached = max(reached, high)
    return measured(total * total * square_distance(start, end))


def crossings(start: Point, end: Point, lines: Iterable[Line]) -> int:
    """How many lines a leg crosses; one that it only starts at is not crossed."""
    return sum(_is_crossed(start, end, line) for line in lines)


def enters(start: Point, end: Point, outline: Outline) -> bool:
    """Whether a leg runs through the interior of an outline."""
    return inside(outline, start, end) is not None


def lies_in(start: Point, end: Point, outline: Outline) -> bool:
    """Whether all of a leg lies in an outline, its border included."""
    return holds(outline, start) and holds(outline, end)


def extra_cost(start: Point, end: Point, depth: int, slow: Iterable[Outline] = (), lines: Iterable[Line] = ()) -> int:
    """The allowance that a leg uses up beyond its length: its length in slow ground once more, and the depth of the
    base for each line crossed (STP-GEO-21)."""
    return slow_length(start, end, slow) + depth * crossings(start, end, lines)


def _is_crossed(start: Point, end: Point, line: Line) -> bool:
    if start == end or not meet((start, end), line):
        return False
    dx, dy = line[1][0] - line[0][0], line[1][1] - line[0][1]
    return dx * (start[1] - line[0][1]) != dy * (start[0] - line[0][0])
