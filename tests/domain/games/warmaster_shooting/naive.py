"""A second implementation of distances, arcs, lines of sight and drive-backs: by floats, from the words of the rules.

Nothing is shared with the game. An answer is None where a border is nearer than a hair: corners that are taken to the
thousandth of a millimetre may then come out otherwise.
"""

import math
from itertools import pairwise

HAIR = 0.004
"""Millimetres; what is nearer to a border than this proves nothing."""

STEPS = 50
"""Points of an edge that are looked at."""


class Unsure(Exception):
    """A border is nearer than a hair."""


def corners(base):
    """Left and right of the front, right and left of the rear, in mm."""
    turn = math.radians(base.facing / 10)
    ahead, right = (math.sin(turn), math.cos(turn)), (math.cos(turn), -math.sin(turn))
    return [
        (
            base.at[0] + side * base.width / 2 * right[0] - back * base.depth * ahead[0],
            base.at[1] + side * base.width / 2 * right[1] - back * base.depth * ahead[1],
        )
        for side, back in ((-1, 0), (1, 0), (1, 1), (-1, 1))
    ]


def edges(points):
    return list(zip(points, points[1:] + points[:1], strict=True))


def depth_in(points, spot):
    """How far a point is inside a clockwise outline: negative outside."""
    return min(
        ((b[1] - a[1]) * (spot[0] - a[0]) - (b[0] - a[0]) * (spot[1] - a[1])) / math.dist(a, b)
        for a, b in edges(points)
    )


def between(one, other, share):
    return (one[0] + share * (other[0] - one[0]), one[1] + share * (other[1] - one[1]))


def to_segment(spot, a, b):
    square = math.dist(a, b) ** 2
    share = ((spot[0] - a[0]) * (b[0] - a[0]) + (spot[1] - a[1]) * (b[1] - a[1])) / square
    return math.dist(spot, between(a, b, min(1, max(0, share))))


def separation(one, other):
    """The widest gap that an edge of either leaves between them: negative where they overlap."""
    return max(
        min(-depth_in_line(a, b, p) for p in second)
        for first, second in ((one, other), (other, one))
        for a, b in edges(first)
    )


def depth_in_line(a, b, spot):
    return ((b[1] - a[1]) * (spot[0] - a[0]) - (b[0] - a[0]) * (spot[1] - a[1])) / math.dist(a, b)


def overlaps(one, other):
    apart = separation(one, other)
    if abs(apart) < HAIR:
        raise Unsure
    return apart < 0


def distance(one, other):
    """Whole millimetres between two outlines."""
    if separation(one, other) < -HAIR:
        return 0
    exact = min(to_segment(p, a, b) for x, y in ((one, other), (other, one)) for p in x for a, b in edges(y))
    if abs(exact % 1 - 0.5) < HAIR:
        raise Unsure
    return math.floor(exact + 0.5)


# --- arcs


def in_arc(base, rear, outline, slope, wedge=True):
    """Whether an outline reaches into the arc over the front or the rear of a base."""
    turn = math.radians(base.facing / 10) + (math.pi if rear else 0)
    front = corners(base)
    middle = between(front[2], front[3], 0.5) if rear else base.at

    def margin(spot):
        dx, dy = spot[0] - middle[0], spot[1] - middle[1]
        right, along = dx * math.cos(turn) - dy * math.sin(turn), dx * math.sin(turn) + dy * math.cos(turn)
        return min(along, base.width / 2 + (along * slope / 100 if wedge else 0) - abs(right))

    best = max(margin(between(a, b, step / STEPS)) for a, b in edges(outline) for step in range(STEPS))
    finest = max(math.dist(a, b) for a, b in edges(outline)) / STEPS * (1 + slope / 100)
    if -finest - HAIR < best < HAIR:
        raise Unsure
    return best > 0


# --- lines of sight


def inside(points, one, other):
    """The part of a line inside an outline, None for none: once with the outline grown by a hair, once shrunk."""
    found = []
    for grown in (HAIR, -HAIR):
        shares = {0.0, 1.0}
        for a, b in edges(points):
            here, there = depth_in_line(a, b, one) + grown, depth_in_line(a, b, other) + grown
            if here * there < 0:
                shares.add(here / (here - there))
        ordered = sorted(shares)
        parts = [(x, y) for x, y in pairwise(ordered) if depth_in(points, between(one, other, (x + y) / 2)) + grown > 0]
        found.append((parts[0][0], parts[-1][1]) if parts else None)
    return found


def clear(blockers, areas, one, other):
    """Whether nothing cuts a line; areas are (kind, outline), hills only those that are higher than both ends."""
    length = math.dist(one, other)
    for points in blockers:
        cuts = {part is not None and (part[1] - part[0]) * length > 2 for part in inside(points, one, other)}
        if len(cuts) > 1:
            raise Unsure
        if cuts == {True}:
            return False
    for kind, points in areas:
        cuts = set()
        for part in inside(points, one, other):
            at_an_end = part is not None and (part[0] == 0 or part[1] == 1)
            cuts.add(part is not None and not (kind != "hill" and at_an_end and (part[1] - part[0]) * length <= 20))
        if len(cuts) > 1:
            raise Unsure
        if cuts == {True}:
            return False
    return True


def sees(base, rear, target, blockers, areas):
    """Whether both ends and the middle of an edge see a point each of an outline ahead of it."""
    front = corners(base)
    left, right = (front[2], front[3]) if rear else (front[0], front[1])
    spots = target + [between(a, b, 0.5) for a, b in edges(target)]
    ahead = [spot for spot in spots if -depth_in_line(left, right, spot) > HAIR]
    if any(abs(depth_in_line(left, right, spot)) < HAIR for spot in spots):
        raise Unsure
    return all(
        any(clear(blockers, areas, eye, spot) for spot in ahead) for eye in (left, between(left, right, 0.5), right)
    )


# --- drive-backs


def shifted(points, dx, dy):
    return [(x + dx, y + dy) for x, y in points]


def away(one, other, step):
    """The displacement after so many millimetres from one point to another, halves away from zero."""
    length = math.dist(one, other)
    parts = [step * (other[axis] - one[axis]) / length for axis in (0, 1)]
    if any(abs(abs(part) % 1 - 0.5) < 1e-6 for part in parts):
        raise Unsure
    return [math.floor(abs(part) + 0.5) * (1 if part >= 0 else -1) for part in parts]


def way_of(along, most, unit, others, walls, table):
    """(millimetres gone, what stopped it) of a unit along a vector.

    Outlines for all: those of the unit, of other units as (what they do to it, outlines), of impassable ground; the
    table as its lowest and highest x and y.
    """
    before = unit
    for step in range(1, most + 1):
        dx, dy = away((0, 0), along, step)
        there = [shifted(points, dx, dy) for points in unit]
        for stop, other in others:
            if stop == "enemy":
                near = [min(distance(new, one) for one in other) for new in there]
                was = [min(distance(old, one) for one in other) for old in before]
                is_met = any(new < 10 and new < old for new, old in zip(near, was, strict=True))
            else:
                is_met = any(overlaps(points, one) for points in there for one in other)
            if is_met:
                return step - 1, stop
        if any(overlaps(points, wall) for points in there for wall in walls):
            return step - 1, "impassable"
        spots = [spot for points in there for spot in points]
        room = min(min(x - table[0], y - table[1], table[2] - x, table[3] - y) for x, y in spots)
        if abs(room) < HAIR:
            raise Unsure
        if room < 0:
            return step - 1, "edge"
        before = there
    return most, ""
