"""The geometry a second time, as the text of the rules says it, in decimals of 60 digits: slow, and like nothing in
`plane`. Points are pairs of decimals in 1/100 cm."""

from decimal import ROUND_HALF_UP, Decimal, getcontext
from functools import cache
from itertools import pairwise

from domain.games.shot_to_pieces.plane.base import Base

getcontext().prec = 60
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494")
HALF = Decimal("0.5")
FAR = Decimal(10) ** 7


@cache
def sine(heading: int) -> Decimal:
    """Of 1/100 degrees, by the series; exact where it is whole."""
    if heading % 9000 == 0:
        return Decimal((0, 1, 0, -1)[heading // 9000 % 4])
    angle = PI * heading / 18000
    term, total, at = angle, angle, 1
    while abs(term) > Decimal(10) ** -55:
        term *= -angle * angle / ((at + 1) * (at + 2))
        total, at = total + term, at + 2
    return total


def unit(heading: int) -> tuple[Decimal, Decimal]:
    heading %= 36000
    return sine(heading), sine((heading + 9000) % 36000)


def rounded(number: Decimal) -> int:
    return int(number.quantize(Decimal(1), rounding=ROUND_HALF_UP))


def put(base: Base, right: Decimal, ahead: Decimal):
    (sx, cx) = unit(base.facing)
    return base.at[0] + right * cx + ahead * sx, base.at[1] - right * sx + ahead * cx


def corners(base: Base):
    wide, deep = Decimal(base.width) / 2, Decimal(base.depth) / 2
    return [put(base, x, y) for x, y in ((-wide, deep), (wide, deep), (wide, -deep), (-wide, -deep))]


def front(base: Base):
    return put(base, Decimal(0), Decimal(base.depth) / 2)


def edges(shape):
    return list(pairwise([*shape, shape[0]]))


def length(a, b) -> Decimal:
    return ((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2).sqrt()


def to_segment(p, a, b) -> Decimal:
    dx, dy = b[0] - a[0], b[1] - a[1]
    share = ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (dx * dx + dy * dy)
    share = min(Decimal(1), max(Decimal(0), share))
    return length(p, (a[0] + dx * share, a[1] + dy * share))


def depth_of(one, other) -> Decimal:
    """How deep two convex outlines overlap, by the normals of all edges; negative where they are parted."""
    deepest = FAR
    for a, b in edges(one) + edges(other):
        nx, ny = b[1] - a[1], a[0] - b[0]
        norm = (nx * nx + ny * ny).sqrt()
        first = [(x * nx + y * ny) / norm for x, y in one]
        second = [(x * nx + y * ny) / norm for x, y in other]
        deepest = min(deepest, max(first) - min(second), max(second) - min(first))
    return deepest


def apart(one, other) -> Decimal:
    if depth_of(one, other) >= 0:
        return Decimal(0)
    return min(
        [to_segment(p, a, b) for p in one for a, b in edges(other)]
        + [to_segment(p, a, b) for p in other for a, b in edges(one)]
    )


def segments_apart(one, other) -> Decimal:
    def side(a, b, p):
        return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])

    (a, b), (c, d) = one, other
    if side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0:
        return Decimal(0)
    return min(*(to_segment(p, *other) for p in one), *(to_segment(p, *one) for p in other))


def distance(one: Base, other: Base) -> int:
    return rounded(apart(corners(one), corners(other)))


def overlap(one: Base, other: Base) -> bool:
    return depth_of(corners(one), corners(other)) > HALF


def point_apart(point, shape) -> Decimal:
    signs = [(b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]) for a, b in edges(shape)]
    if all(sign <= 0 for sign in signs):
        return Decimal(0)
    return min(to_segment(point, a, b) for a, b in edges(shape))


def firing_range(firer: Base, target: Base) -> int:
    return rounded(point_apart(front(firer), corners(target)))


def seen(base: Base, point):
    """To the right of the front centre, and ahead of it."""
    (s, c), (x, y) = unit(base.facing), front(base)
    dx, dy = point[0] - x, point[1] - y
    return dx * c - dy * s, dx * s + dy * c


def tangent() -> Decimal:
    """Of 22.505 degrees."""
    angle = PI * Decimal("2250.5") / 18000
    term, sin, cos, at = Decimal(1), Decimal(0), Decimal(1), 0
    while abs(term) > Decimal(10) ** -55:
        at += 1
        term = term * angle / at
        if at % 2:
            sin += term if at % 4 == 1 else -term
        else:
            cos += term if at % 4 == 0 else -term
    return sin / cos


TANGENT = tangent()


def in_fire_zone(firer: Base, target: Base) -> bool:
    shape = [seen(firer, corner) for corner in corners(target)]
    aside = Decimal(firer.width) * 3 / 2 + HALF
    corridor = [(-aside, FAR), (aside, FAR), (aside, -HALF), (-aside, -HALF)]
    cone = [(-FAR * TANGENT, FAR), (FAR * TANGENT, FAR), (Decimal(0), Decimal(0))]
    return depth_of(shape, corridor) > 0 or depth_of(shape, cone) > 0


def has_sample(firer: Base, point) -> bool:
    right, ahead = seen(firer, point)
    return (ahead > -HALF and abs(right) < Decimal(firer.width) * 3 / 2 + HALF) or abs(right) < ahead * TANGENT


def clipped(shape, keeps):
    """The part of an outline where a linear function is not negative."""
    found = []
    for a, b in edges(shape):
        at_a, at_b = keeps(a), keeps(b)
        if at_a >= 0:
            found.append(a)
        if at_a * at_b < 0:
            share = at_a / (at_a - at_b)
            found.append((a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share))
    return found


def touches_control_zone(owner: Base, base: Base) -> bool:
    shape = [seen(owner, corner) for corner in corners(base)]
    wide, aside = Decimal(owner.width) / 2, Decimal(owner.width) * 3 / 2 - HALF
    sin, cos = unit(2250)
    pieces = (
        (lambda p: aside - p[0], lambda p: aside + p[0]),
        (lambda p: p[1] * sin - p[0] * cos - HALF, lambda p: p[1] * sin + p[0] * cos - HALF),
    )
    edge = ((-wide, Decimal(0)), (wide, Decimal(0)))
    for borders in pieces:
        piece = clipped(shape, lambda p: p[1] - HALF)
        for border in borders:
            piece = clipped(piece, border) if len(piece) > 2 else []
        if len(piece) > 2 and min(segments_apart(edge, side) for side in edges(piece)) < 1000 - HALF:
            return True
    return False


def contact_distance(base: Base, heading: int, target: Base) -> int | None:
    """By the rays from the corners of the one to the edges of the other."""
    one, other, (vx, vy) = corners(base), corners(target), unit(heading)
    if depth_of(one, other) >= 0:
        return 0
    found = []
    for points, shape, way in ((one, other, 1), (other, one, -1)):
        for x, y in points:
            for (ax, ay), (bx, by) in edges(shape):
                ex, ey = bx - ax, by - ay
                across = way * (vx * ey - vy * ex)
                if across:
                    t = ((ax - x) * ey - (ay - y) * ex) / across
                    share = ((ax - x) * vy - (ay - y) * vx) * way / across
                    if t >= 0 and 0 <= share <= 1:
                        found.append(t)
    return rounded(min(found)) if found else None


def struck_edge(base: Base, target: Base) -> str | None:
    (x, y), (vx, vy), found = front(base), unit(base.facing), []
    if all((bx - ax) * (y - ay) < (by - ay) * (x - ax) for (ax, ay), (bx, by) in edges(corners(target))):
        return None
    for name, ((ax, ay), (bx, by)) in zip(("front", "right", "rear", "left"), edges(corners(target)), strict=True):
        ex, ey = bx - ax, by - ay
        across = vx * ey - vy * ex
        if across:
            t = ((ax - x) * ey - (ay - y) * ex) / across
            share = ((ax - x) * vy - (ay - y) * vx) / across
            if t >= 0 and 0 <= share <= 1:
                found.append((t, name))
    return min(found)[1] if found else None


def passing(start: Base, end: Base, other: Base):
    """Distance of a trajectory and a base, and how deep they overlap: over the area swept by each edge."""
    first, last = corners(start), corners(end)
    swept = [first, last]
    for at in range(4):
        area = [first[at - 1], first[at], last[at], last[at - 1]]
        ring = sum(a[0] * b[1] - a[1] * b[0] for a, b in edges(area))
        swept.append(area if ring < 0 else area[::-1])
    target = corners(other)
    return rounded(min(apart(area, target) for area in swept if abs(_area(area)) > 1))


def _area(shape) -> Decimal:
    return sum((a[0] * b[1] - a[1] * b[0] for a, b in edges(shape)), Decimal(0))


def lane_is_clear(firer: Base, target: Base, bases: list[Base]) -> bool:
    start, around = front(firer), [corners(base) for base in bases]
    for (a, b), side in zip(edges(corners(target)), (target.width, target.depth) * 2, strict=True):
        parts = -(-side // 25)
        for part in range(parts + 1):
            sample = tuple(a[axis] + (b[axis] - a[axis]) * part / parts for axis in (0, 1))
            if has_sample(firer, sample):
                far = length(start, sample)
                if rounded(far) <= 250:
                    return True
                dx, dy = (sample[0] - start[0]) * 125 / far, (sample[1] - start[1]) * 125 / far
                ends = (start[0] + dx, start[1] + dy), (sample[0] - dx, sample[1] - dy)
                if all(
                    point_apart(ends[0], shape) > 0
                    and min(rounded(segments_apart(ends, edge)) for edge in edges(shape)) >= 125
                    for shape in around
                ):
                    return True
    return False


def abuts(base: Base, other: Base) -> str | None:
    turn = (base.facing - other.facing) % 36000
    if min(turn, 36000 - turn) > 500:
        return None
    one, two = edges(corners(base)), edges(corners(other))

    def shared(mine: Base, edge) -> Decimal:
        (s, c) = unit(mine.facing)
        places = [(x - mine.at[0]) * s + (y - mine.at[1]) * c for x, y in edge]
        deep = Decimal(mine.depth) / 2
        return min(deep, *[max(places)]) - max(-deep, min(places))

    for name, mine, its in (("left", one[3], two[1]), ("right", one[1], two[3])):
        if rounded(segments_apart(mine, its)) <= 50:
            least = min(base.depth, other.depth)
            if 2 * min(rounded(shared(base, its)), rounded(shared(other, mine))) >= least:
                return name
    return None


def is_behind(rear: Base, front_base: Base) -> bool:
    turn = (rear.facing - front_base.facing) % 36000
    if min(turn, 36000 - turn) > 500:
        return False
    mine, its = edges(corners(rear))[0], edges(corners(front_base))[2]
    if rounded(segments_apart(mine, its)) > 50:
        return False
    (s, c) = unit(front_base.facing)
    places = [(x - front_base.at[0]) * c - (y - front_base.at[1]) * s for x, y in mine]
    half = Decimal(front_base.width) / 2
    return 2 * rounded(max(Decimal(0), min(half, max(places)) - max(-half, min(places)))) >= front_base.width


def passes_through(start: Base, end: Base, other: Base) -> bool:
    """By places 1/8 cm apart along the leg, and its end: a lower bound of the trajectory."""
    steps = max(1, (abs(end.at[0] - start.at[0]) + abs(end.at[1] - start.at[1])) // 12)
    shape = corners(start)
    target = corners(other)
    for step in range(steps + 1):
        dx, dy = (Decimal(end.at[axis] - start.at[axis]) * step / steps for axis in (0, 1))
        if depth_of([(x + dx, y + dy) for x, y in shape], target) > HALF:
            return True
    return False


def wheeled(base: Base, angle: int, length: int) -> tuple[int, int]:
    """The centre after a wheel to the left about the left front corner, and a move straight on."""
    (px, py), (x, y) = corners(base)[0], base.at
    (s, c) = unit(36000 - angle)
    (vx, vy) = unit(base.facing - angle)
    dx, dy = x - px, y - py
    return rounded(px + dx * c + dy * s + length * vx), rounded(py + dy * c - dx * s + length * vy)


def aligned(charger: Base, target: Base, edge: str, places_right: int) -> tuple[int, int]:
    """The centre of a charger on an edge of its target, by the normal of that edge."""
    at = ("front", "right", "rear", "left").index(edge)
    (ax, ay), (bx, by) = edges(corners(target))[at]
    size = length((ax, ay), (bx, by))
    along_x, along_y = (bx - ax) / size, (by - ay) / size
    out_x, out_y = -along_y, along_x
    deep, aside = Decimal(charger.depth) / 2, places_right * charger.width
    # the right of a charger is where the edge begins
    return (
        rounded((ax + bx) / 2 + out_x * deep - along_x * aside),
        rounded((ay + by) / 2 + out_y * deep - along_y * aside),
    )


def is_wholly_in_fire_zone(firer: Base, target: Base) -> bool:
    """By points close together along the edges of the target."""
    for a, b in edges(corners(target)):
        for part in range(101):
            if not has_sample(firer, tuple(a[axis] + (b[axis] - a[axis]) * part / 100 for axis in (0, 1))):
                return False
    return True
