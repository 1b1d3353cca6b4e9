"""Firing range, fire zone and control zone (STP-GEO-05, -06, STP-ZOC-01, STP-EMP-06).

Zones are tested in the frame of the base whose zone it is, from the middle of its front edge. What is compared is
rounded (STP-GEO-12): an offset of up to half of 1/100 cm, or half of 1/100 degree, beyond a border is still in the
fire zone. A control zone is only touched by more than that half inside (STP-ZOC-01).
"""

from collections.abc import Sequence
from functools import lru_cache

from domain.games.shot_to_pieces.plane.base import KEPT, Base, FinePoint, Frame, frame, local, offset
from domain.games.shot_to_pieces.plane.gaps import distance, is_surely_apart, measured_to
from domain.games.shot_to_pieces.plane.shapes import cut, segments_square, to_segment
from domain.mechanics.plane import HUNDREDTHS, UNIT, direction

CONTROL = 1000
"""Reach of a control zone (STP-ZOC-01)."""
CONE = direction(2 * 2250 + 1, 2 * HUNDREDTHS)
"""The border of the cone: an angle beyond it is no longer 22.50 degrees when rounded."""
INNER_CONE = direction(2250, HUNDREDTHS)


def firing_range(firer: Base, target: Base, *, is_square: bool = False) -> int:
    """From the front centre, or the middle of the nearest edge of a square, to the nearest point of the target
    (STP-GEO-05, STP-GAP-12)."""
    return _range(firer, target, is_square)


@lru_cache(maxsize=KEPT)
def _range(firer: Base, target: Base, is_square: bool) -> int:
    return measured_to(frame(target), muzzle(firer, target, is_square=is_square))


def muzzle(firer: Base, target: Base, *, is_square: bool = False) -> FinePoint:
    """P: where fire at a target starts. Of two edges of a square equally near, the one whose middle is nearer."""
    if not is_square:
        return offset(firer, 0, firer.depth)
    around, other = frame(firer).corners, frame(target)
    middles = ((0, firer.depth), (firer.width, 0), (0, -firer.depth), (-firer.width, 0))
    found = []
    for at, (right, ahead) in enumerate(middles):
        middle = offset(firer, right, ahead)
        edge = _edge_distance((around[at], around[(at + 1) % 4]), other)
        found.append((edge, measured_to(other, middle), at, middle))
    return min(found)[3]


def _edge_distance(edge: tuple[FinePoint, FinePoint], other: Frame) -> int:
    """The square of the distance of an edge and a base that does not overlap it, in the unit of fine points."""
    around = other.corners
    found = (segments_square(edge, (around[at - 1], around[at])) for at in range(4))
    return min(square // parts for square, parts in found)


# --- the fire zone


@lru_cache(maxsize=KEPT)
def in_fire_zone(firer: Base, target: Base) -> bool:
    """Whether any point of the target is in the fire zone (STP-GEO-06, STP-INT-01). A square has no need to ask."""
    zone = Zone(firer)
    shape = [zone.place(corner) for corner in frame(target).corners]
    if any(zone.has(place) for place in shape):
        return True
    if all(ahead <= -zone.half_unit for _, ahead in shape):
        return False
    corridor = shape
    for side in (1, -1):
        corridor = cut(corridor, [zone.aside - side * right for right, _ in corridor])
    if any(ahead > -zone.half_unit for _, ahead in corridor):
        return True
    cone = shape
    for side in (1, -1):
        cone = cut(cone, [ahead * CONE[0] - side * right * CONE[1] for right, ahead in cone])
    return bool(cone)


@lru_cache(maxsize=KEPT)
def is_wholly_in_fire_zone(firer: Base, target: Base) -> bool:
    """Whether every point of the target is in the fire zone (option `arc_mode`)."""
    zone = Zone(firer)
    shape = [zone.place(corner) for corner in frame(target).corners]
    if not all(zone.has(place) for place in shape):
        return False
    for side in (1, -1):
        outside = cut(shape, [side * right - zone.aside for right, _ in shape])
        if any(side * right * CONE[1] > ahead * CONE[0] for right, ahead in outside):
            return False
    return True


class Zone:
    """The fire zone of a base; places are fine points in its frame, from the middle of its front edge."""

    __slots__ = ("aside", "frame", "half_unit", "half_width")

    def __init__(self, base: Base) -> None:
        self.frame = frame(base)
        self.half_unit = self.frame.half_unit
        self.half_width = self.frame.half_width
        self.aside = 3 * self.half_width + self.half_unit
        """The offset from which on a point is beside the corridor: half a frontage, and one more on each side."""

    def place(self, point: FinePoint) -> FinePoint:
        """A fine point of the table, to the right of the middle of the front edge and ahead of it."""
        right, ahead = local(self.frame, point)
        return right, ahead - self.frame.half_depth

    def has(self, place: FinePoint) -> bool:
        """Whether a place is in the zone."""
        right, ahead = abs(place[0]), place[1]
        return (ahead > -self.half_unit and right < self.aside) or right * CONE[1] < ahead * CONE[0]


# --- the control zone


@lru_cache(maxsize=KEPT)
def touches_control_zone(owner: Base, base: Base, *, all_round: int = 0) -> bool:
    """Whether a base reaches more than 0.005 cm into the control zone of another; that of a square reaches so far all
    round (STP-ZOC-01, STP-EMP-06)."""
    if all_round:
        return not is_surely_apart(owner, base, all_round) and distance(owner, base) < all_round
    if is_surely_apart(owner, base, CONTROL):
        return False
    zone = Zone(owner)
    half = zone.half_unit
    shape = [zone.place(corner) for corner in frame(base).corners]
    shape = cut(shape, [ahead - half for _, ahead in shape])
    if not any(ahead > half for _, ahead in shape):
        return False
    aside = 3 * zone.half_width - half
    corridor = shape
    for side in (1, -1):
        corridor = cut(corridor, [aside - side * right for right, _ in corridor])
    if any(abs(right) < aside for right, _ in corridor) and _reaches(zone, corridor):
        return True
    cone = shape
    for side in (1, -1):
        cone = cut(cone, [ahead * INNER_CONE[0] - side * right * INNER_CONE[1] - half * UNIT for right, ahead in cone])
    return _reaches(zone, cone)


def _reaches(zone: Zone, shape: Sequence[FinePoint]) -> bool:
    """Whether a shape ahead of the front edge comes closer to it than the reach of the zone, less 0.005 cm."""
    ends = (-zone.half_width, 0), (zone.half_width, 0)
    limit = (2 * CONTROL - 1) ** 2 * zone.half_unit**2
    for at, place in enumerate(shape):
        found = [to_segment(place, *ends)]
        if len(shape) > 1:
            found += [to_segment(end, shape[at - 1], place) for end in ends]
        if any(square < limit * parts for square, parts in found):
            return True
    return False
