"""Outlines of ground: cells of one kind that touch grow together, and their common outline is drawn by a soft hand.

How a line sways comes from its own places, so the same table always looks the same, and contours within
one another go along with it.
"""

from collections.abc import Iterable, Sequence
from zlib import crc32

from replay.drawing.pen import Spot

Loop = list[Spot]
STRIDE = 34.0
"""About so far apart are the points at which an outline sways."""


def loops_of(outlines: Iterable[Sequence[Spot]]) -> list[Loop]:
    """The outlines around all these, without the edges that two of them share; each in the direction of its cells."""
    ahead: dict[Spot, list[Spot]] = {}
    edges = {(one, two) for outline in outlines for one, two in pairs(outline)}
    for one, two in sorted(edges):
        if (two, one) not in edges:
            ahead.setdefault(one, []).append(two)
    found = []
    while ahead:
        start = min(ahead)
        loop, at = [start], _next(ahead, start)
        while at != start:
            loop.append(at)
            at = _next(ahead, at)
        found.append(loop)
    return found


def _next(ahead: dict[Spot, list[Spot]], at: Spot) -> Spot:
    following = ahead[at].pop()
    if not ahead[at]:
        del ahead[at]
    return following


def pairs(points: Sequence[Spot]) -> list[tuple[Spot, Spot]]:
    """Each point with the one after it, the last with the first."""
    return [(point, points[(at + 1) % len(points)]) for at, point in enumerate(points)]


def area(spots: Sequence[Spot]) -> float:
    """The area within a loop, negative where it runs the other way round."""
    return sum(x * ty - tx * y for (x, y), (tx, ty) in pairs(spots)) / 2


def inset(spots: Loop, by: float) -> Loop:
    """A loop with all of its edges moved inwards."""
    turn = 1.0 if area(spots) > 0 else -1.0
    moved = []
    for one, two in pairs(spots):
        nx, ny = inward(one, two, turn)
        moved.append(((one[0] + nx * by, one[1] + ny * by), (two[0] + nx * by, two[1] + ny * by)))
    return [_crossing(moved[at - 1], moved[at]) for at in range(len(moved))]


def inward(one: Spot, two: Spot, turn: float) -> Spot:
    """The unit vector from an edge to the inside."""
    dx, dy = two[0] - one[0], two[1] - one[1]
    length = (dx * dx + dy * dy) ** 0.5 or 1.0
    return -dy / length * turn, dx / length * turn


def _crossing(first: tuple[Spot, Spot], second: tuple[Spot, Spot]) -> Spot:
    """Where two lines meet; the end of the first if they are parallel."""
    (x1, y1), (x2, y2) = first
    (x3, y3), (x4, y4) = second
    below = (x1 - x2) * (y3 - y4) - (y1 - y2) * (x3 - x4)
    if abs(below) < 1e-6:
        return x2, y2
    one, two = x1 * y2 - y1 * x2, x3 * y4 - y3 * x4
    return (one * (x3 - x4) - (x1 - x2) * two) / below, (one * (y3 - y4) - (y1 - y2) * two) / below


def narrowest(spots: Loop) -> float:
    """The smaller of width and height of what surrounds a loop."""
    xs, ys = [x for x, _ in spots], [y for _, y in spots]
    return min(max(xs) - min(xs), max(ys) - min(ys))


def swaying(spots: Loop, sway: float) -> Loop:
    """A loop with points along its edges, each a little beside its place."""
    found = []
    for (x, y), (to_x, to_y) in pairs(spots):
        parts = max(1, round(((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5 / STRIDE))
        for part in range(parts):
            at_x, at_y = x + (to_x - x) * part / parts, y + (to_y - y) * part / parts
            seed = crc32(f"{round(x)},{round(y)},{part}".encode())
            found.append((at_x + (seed % 15 / 7 - 1) * sway, at_y + (seed // 15 % 15 / 7 - 1) * sway))
    return found


def soft(spots: Loop) -> str:
    """The data of a closed path that bends at each point, in whole steps: these take the fewest bytes."""
    middles = [(round((x + tx) / 2), round((y + ty) / 2)) for (x, y), (tx, ty) in pairs(spots)]
    at_x, at_y = middles[-1]
    steps = [f"M{at_x} {at_y}q"]
    for (x, y), (to_x, to_y) in zip(spots, middles, strict=True):
        steps.append(joined((round(x) - at_x, round(y) - at_y, to_x - at_x, to_y - at_y)))
        at_x, at_y = to_x, to_y
    return steps[0] + " ".join(steps[1:]) + "z"


def joined(values: Sequence[int]) -> str:
    """Whole numbers in a path: a minus parts them, too."""
    return " ".join(map(str, values)).replace(" -", "-")


def is_inside(x: float, y: float, loops: Iterable[Loop]) -> bool:
    """Whether a point lies within loops; a loop within another is a hole."""
    inside = False
    for loop in loops:
        for (x1, y1), (x2, y2) in pairs(loop):
            if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
                inside = not inside
    return inside


def ticks(loop: Loop, step: float, length: float) -> str:
    """The data of strokes along a loop to its inside; longer towards the south-east, where the light does not come."""
    turn = 1.0 if area(loop) > 0 else -1.0
    drawn = []
    for one, two in pairs(loop):
        dx, dy = two[0] - one[0], two[1] - one[1]
        nx, ny = inward(one, two, turn)
        long = length * (1.0 - 0.35 * (nx + ny))
        count = max(1, round((dx * dx + dy * dy) ** 0.5 / step))
        stroke = round(nx * long), round(ny * long)
        on = round(dx / count) - stroke[0], round(dy / count) - stroke[1]
        first = f"M{round(one[0] + dx / count / 2)} {round(one[1] + dy / count / 2)}"
        drawn.append(first + f"m{joined(on)}".join([f"l{joined(stroke)}"] * count))
    return "".join(drawn)
