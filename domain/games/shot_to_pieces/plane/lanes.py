"""The fire lane: a clear strip 2.5 cm wide from the firer to a point of the target (STP-GEO-07, -18)."""

from collections.abc import Iterable, Iterator, Sequence

from domain.games.shot_to_pieces.plane.base import FINE, FINE_BITS, Base, FinePoint, Frame, frame, local
from domain.games.shot_to_pieces.plane.gaps import measured
from domain.games.shot_to_pieces.plane.shapes import Shape, cross, segments_square
from domain.games.shot_to_pieces.plane.zones import Zone, muzzle
from domain.mechanics.outline import Outline
from domain.mechanics.plane import nearest

STEP = 25
"""The longest part of an edge between two samples."""
HALF_LANE = 125
ALWAYS_CLEAR = 250


def is_lane_clear(
    firer: Base, target: Base, bases: Iterable[Base], outlines: Iterable[Outline] = (), *, is_square: bool = False
) -> bool:
    """Whether some sample of the target has a clear lane (STP-GEO-18).

    Shape: `bases` are those that may bar it (neither firer, target, nor abutting friends of the firer); `outlines` are
    blocking terrain in points of the table, without what holds the firer or the target; `is_square` tells of the firer
    """
    start = muzzle(firer, target, is_square=is_square)
    near = [frame(base) for base in bases if _may_bar(firer, target, base)]
    shapes = [shape for shape in map(_fine_outline, outlines) if not _is_beyond(firer, target, shape)]
    zone = None if is_square else Zone(firer)
    for sample in samples(target):
        if zone is not None and not zone.has(zone.place(sample)):
            continue
        lane = _lane(start, sample)
        if lane is None or not (
            any(_bars(base, lane) for base in near) or any(_shape_bars(shape, lane) for shape in shapes)
        ):
            return True
    return False


def samples(target: Base) -> Iterator[FinePoint]:
    """The points of a target that are tried: its edges in equal parts of at most 0.25 cm, corners included."""
    around = frame(target).corners
    for at, length in enumerate((target.width, target.depth, target.width, target.depth)):
        (x, y), (to_x, to_y) = around[at], around[(at + 1) % 4]
        parts = -(-length // STEP)
        for part in range(parts):
            yield x + nearest((to_x - x) * part, parts), y + nearest((to_y - y) * part, parts)


def _lane(start: FinePoint, sample: FinePoint) -> tuple[FinePoint, FinePoint] | None:
    """The segment to a sample, trimmed by half a width at both ends; None where it is clear whatever stands there."""
    dx, dy = sample[0] - start[0], sample[1] - start[1]
    square = dx * dx + dy * dy
    if measured(square, FINE * FINE) <= ALWAYS_CLEAR:
        return None
    length = measured(square)
    trim_x, trim_y = nearest(dx * HALF_LANE * FINE, length), nearest(dy * HALF_LANE * FINE, length)
    return (start[0] + trim_x, start[1] + trim_y), (sample[0] - trim_x, sample[1] - trim_y)


def _may_bar(firer: Base, target: Base, base: Base) -> bool:
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


def _bars(base: Frame, lane: tuple[FinePoint, FinePoint]) -> bool:
    """Whether a base is closer than half the width to the middle of a lane."""
    (x, y), (to_x, to_y) = local(base, lane[0]), local(base, lane[1])
    # 1.245 cm rounds to 1.25: only what is nearer is closer (STP-GEO-12)
    near = (2 * HALF_LANE - 1) * base.half_unit
    wide, deep = base.half_width, base.half_depth
    if (
        min(x, to_x) >= wide + near
        or max(x, to_x) <= -wide - near
        or min(y, to_y) >= deep + near
        or max(y, to_y) <= -deep - near
    ):
        return False
    around = ((-wide, deep), (wide, deep), (wide, -deep), (-wide, -deep))
    dx, dy = to_x - x, to_y - y
    sides = [dx * (corner_y - y) - dy * (corner_x - x) for corner_x, corner_y in around]
    if max(sides) < 0 or min(sides) > 0:
        beside = min(abs(side) for side in sides)
        if beside * beside >= near * near * (dx * dx + dy * dy):
            return False
    elif (abs(x) < wide and abs(y) < deep) or (abs(to_x) < wide and abs(to_y) < deep):
        return True
    limit = near * near
    ends = (x, y), (to_x, to_y)
    for at, corner in enumerate(around):
        square, parts = segments_square(ends, (around[at - 1], corner))
        if square < limit * parts:
            return True
    return False


def _shape_bars(shape: Shape, lane: tuple[FinePoint, FinePoint]) -> bool:
    """Whether an outline is closer than half the width to the middle of a lane."""
    limit = ((2 * HALF_LANE - 1) * FINE // 2) ** 2
    if all(cross(shape[at - 1], end, lane[0]) <= 0 for at, end in enumerate(shape)):
        return True
    for at, end in enumerate(shape):
        square, parts = segments_square(lane, (shape[at - 1], end))
        if square < limit * parts:
            return True
    return False


def _is_beyond(firer: Base, target: Base, shape: Shape) -> bool:
    """Whether an outline lies on one side of a box about all lanes."""
    for axis in (0, 1):
        low, high = sorted((firer.at[axis], target.at[axis]))
        reach = firer.width + firer.depth + target.width + target.depth + HALF_LANE
        places = [point[axis] >> FINE_BITS for point in shape]
        if max(places) < low - reach or min(places) > high + reach:
            return True
    return False


def _fine_outline(outline: Sequence[tuple[int, int]]) -> Shape:
    return tuple((x << FINE_BITS, y << FINE_BITS) for x, y in outline)
