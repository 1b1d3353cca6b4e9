"""The fire lane: a clear strip 2.5 cm wide from the firer to a point of the target (STP-GEO-07, -18).

Samples are tried edge by edge. Between two samples whose lanes are crossed by the same shape, all lanes are: the shape
is convex, and only one that stands clear of both ends is taken for that. So most samples need not be tried.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache

from domain.games.shot_to_pieces.plane import shapes
from domain.games.shot_to_pieces.plane.base import FINE, KEPT, Base, FinePoint, fine, frame
from domain.games.shot_to_pieces.plane.gaps import measured
from domain.games.shot_to_pieces.plane.shapes import Shape, cross, to_segment
from domain.games.shot_to_pieces.plane.zones import Zone, muzzle
from domain.mechanics.outline import Outline
from domain.mechanics.plane import Point, nearest

STEP = 25
"""The longest part of an edge between two samples."""
HALF_LANE = 125
ALWAYS_CLEAR = 250
NEAR = (2 * HALF_LANE - 1) * FINE // 2
"""1.245 cm rounds to 1.25: only what is nearer than that bars (STP-GEO-12)."""
Lane = tuple[FinePoint, FinePoint]


class _Bar:
    """What may stand in the way of lanes from one point to a target."""

    def __init__(self, shape: Shape, start: FinePoint, target: Base) -> None:
        self.shape, self._start, self._target = shape, start, target

    @cached_property
    def is_between(self) -> bool:
        """Whether all of it is farther from both ends than the lanes are trimmed; asked only of what crosses a lane."""
        return shapes.distance(self.shape, frame(self._target).corners) > HALF_LANE and all(
            square > (HALF_LANE * FINE) ** 2 * parts
            for square, parts in (to_segment(self._start, self.shape[at - 1], end) for at, end in enumerate(self.shape))
        )


def is_lane_clear(
    firer: Base, target: Base, bases: Iterable[Base], outlines: Iterable[Outline] = (), *, is_square: bool = False
) -> bool:
    """Whether some sample of the target has a clear lane (STP-GEO-18).

    Shape: `bases` are those that may bar it (neither firer, target, nor abutting friends of the firer); `outlines` are
    blocking terrain, clockwise in points of the table, without what holds the firer or the target; `is_square` tells of
    the firer
    """
    near = tuple(base for base in bases if may_bar(firer, target, base))
    ground = tuple(outline for outline in outlines if not _is_beyond(firer, target, outline))
    return _is_clear(firer, target, near, ground, is_square)


@lru_cache(maxsize=KEPT)
def _is_clear(
    firer: Base, target: Base, bases: tuple[Base, ...], outlines: tuple[Outline, ...], is_square: bool
) -> bool:
    """The same, of what may bar a lane alone."""
    start = muzzle(firer, target, is_square=is_square)
    zone = None if is_square else Zone(firer)
    bars = [_Bar(frame(base).corners, start, target) for base in bases]
    bars += [_Bar(tuple(map(fine, outline)), start, target) for outline in outlines]
    lanes = _Lanes(start, bars)
    for edge in edges_of_samples(target):
        seen = edge if zone is None else [sample for sample in edge if zone.has(zone.place(sample))]
        if seen and lanes.has_clear(seen, 0, len(seen) - 1):
            return True
    return False


def edges_of_samples(target: Base) -> Iterator[list[FinePoint]]:
    """The points of a target that are tried: each edge in equal parts of at most 0.25 cm, both corners included."""
    around = frame(target).corners
    for at, length in enumerate((target.width, target.depth, target.width, target.depth)):
        (x, y), (to_x, to_y) = around[at], around[(at + 1) % 4]
        parts = -(-length // STEP)
        yield [
            (x + nearest((to_x - x) * part, parts), y + nearest((to_y - y) * part, parts)) for part in range(parts + 1)
        ]


class _Lanes:
    """Lanes from one point to the samples of a target, edge by edge. What bars one is tried first at the next."""

    def __init__(self, start: FinePoint, bars: Sequence[_Bar]) -> None:
        self.start, self.bars = start, bars
        self.kept: dict[FinePoint, set[int] | None] = {}
        self.last: set[int] = set()

    def has_clear(self, samples: Sequence[FinePoint], low: int, high: int) -> bool:
        """Whether a lane from one sample of an edge to another is clear."""
        first = self.crossed_by(samples[low], self.last)
        last = None if first is None else self.crossed_by(samples[high], first)
        if first is None or last is None:
            return True
        if first & last or high - low < 2:
            return False
        middle = (low + high) // 2
        self.crossed_by(samples[middle], first | last)
        return self.has_clear(samples, low, middle) or self.has_clear(samples, middle, high)

    def crossed_by(self, sample: FinePoint, likely: Iterable[int]) -> set[int] | None:
        """None for a clear lane; else which bars that stand between cross it, as far as it was looked for: if one of
        the likely ones does, no further."""
        if sample not in self.kept:
            lane = _lane(self.start, sample)
            found = None if lane is None else self._likely(lane, likely) or self._crossed_by(lane)
            self.kept[sample] = found
            self.last = found or self.last
        return self.kept[sample]

    def _likely(self, lane: Lane, likely: Iterable[int]) -> set[int]:
        return {at for at in likely if self.bars[at].is_between and _meets(self.bars[at].shape, lane)[0]}

    def _crossed_by(self, lane: Lane) -> set[int] | None:
        found: set[int] = set()
        is_barred = False
        for at, bar in enumerate(self.bars):
            is_crossed, is_near = _meets(bar.shape, lane)
            is_barred |= is_near
            if is_crossed and bar.is_between:
                found.add(at)
        return found if is_barred else None


def _lane(start: FinePoint, sample: FinePoint) -> Lane | None:
    """The segment to a sample, trimmed by half a width at both ends; None where it is clear whatever stands there."""
    dx, dy = sample[0] - start[0], sample[1] - start[1]
    square = dx * dx + dy * dy
    if measured(square, FINE * FINE) <= ALWAYS_CLEAR:
        return None
    length = measured(square)
    trim_x, trim_y = nearest(dx * HALF_LANE * FINE, length), nearest(dy * HALF_LANE * FINE, length)
    return (start[0] + trim_x, start[1] + trim_y), (sample[0] - trim_x, sample[1] - trim_y)


def _meets(shape: Shape, lane: Lane) -> tuple[bool, bool]:
    """Whether a convex outline crosses the middle of a lane, and whether it is closer than half the width to it."""
    one, other = lane
    (x, y), dx, dy = one, other[0] - one[0], other[1] - one[1]
    square = dx * dx + dy * dy
    sides = [dx * (to_y - y) - dy * (to_x - x) for to_x, to_y in shape]
    least, most = min(sides), max(sides)
    beside = max(least, -most)
    if beside > 0 and beside * beside >= NEAR * NEAR * square:
        return False, False
    is_parted = beside > 0
    for at, end in enumerate(shape):
        start = shape[at - 1]
        before = min(cross(start, end, one), cross(start, end, other))
        if before > 0:
            is_parted = True
            if before * before >= NEAR * NEAR * ((end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2):
                return False, False
    if not is_parted:
        return True, True
    limit = NEAR * NEAR
    ways = [to_segment(corner, one, other) for corner in shape]
    ways += [to_segment(point, shape[at - 1], end) for at, end in enumerate(shape) for point in lane]
    return False, any(way < limit * parts for way, parts in ways)


def may_bar(firer: Base, target: Base, base: Base) -> bool:
    """Whether a base may be near a lane: near the line of the centres of firer and target, and not beyond either."""
    dx, dy = target.at[0] - firer.at[0], target.at[1] - firer.at[1]
    bx, by = base.at[0] - firer.at[0], base.at[1] - firer.at[1]
    reach = max(_half(firer), _half(target)) + _half(base) + HALF_LANE
    square, along, aside = dx * dx + dy * dy, bx * dx + by * dy, bx * dy - by * dx
    if aside * aside > reach * reach * square:
        return False
    if along < 0:
        return along * along <= reach * reach * square
    beyond = along - square
    return beyond <= 0 or beyond * beyond <= reach * reach * square


def _half(base: Base) -> int:
    """At least the radius of a circle about a base."""
    return (base.width + base.depth + 1) // 2


def _is_beyond(firer: Base, target: Base, outline: Sequence[Point]) -> bool:
    """Whether an outline lies on one side of a box about all lanes, or of the strip that they fill."""
    reach = max(_half(firer), _half(target)) + HALF_LANE
    for axis in (0, 1):
        low, high = sorted((firer.at[axis], target.at[axis]))
        places = [point[axis] for point in outline]
        if max(places) < low - reach or min(places) > high + reach:
            return True
    (x, y), dx, dy = firer.at, target.at[0] - firer.at[0], target.at[1] - firer.at[1]
    asides = [(to_x - x) * dy - (to_y - y) * dx for to_x, to_y in outline]
    aside = max(min(asides), -max(asides))
    return aside > 0 and aside * aside > reach * reach * (dx * dx + dy * dy)
