"""Chapter HIT, cover: how well a stand is protected from a shooting stand, and the number that hits it (WMS-HIT-02)."""

from fractions import Fraction

from domain.games.warmaster_shooting.state.measure import fine, height, is_in, outline
from domain.games.warmaster_shooting.state.profiles import ALWAYS_DEFENDED, COVER_WORSE, TroopKind
from domain.games.warmaster_shooting.state.state import COVERS, Cover, Obstacle, Stand, StandBase, State, Unit
from domain.mechanics import outline as outlines
from domain.mechanics.modifiers import Factor
from domain.mechanics.outline import gap, meet
from domain.mechanics.plane import FINE, Point

NEEDED: dict[Cover, int] = {"open": 4, "defended": 5, "fortified": 6}
"""What a die must reach by the class aimed at (WMS-HIT-02)."""
# what protects (WMS-HIT-05)
DEFENDING, FORTIFYING = ("wood", "marsh", "built", "river"), ("works",)
LINES: dict[str, Cover] = {
    "low-wall": "defended",
    "hedge": "defended",
    "stream": "defended",
    "high-wall": "fortified",
    "rampart": "fortified",
}
NEAR_OBSTACLE = 20 * FINE
"""A unit behind an obstacle has a corner within 20 mm of it (WMS-HIT-07)."""


def cover(state: State, unit: Unit, stand: Stand, shooter: Stand) -> Cover:
    """The class of protection of a stand of a unit, as seen from a shooting stand (WMS-HIT-07)."""
    profile = unit.kind
    if unit.charging:
        return "open"
    if ALWAYS_DEFENDED in profile.flags:
        return "defended"
    if not profile.takes_cover:
        return "open"
    if stand.cover:
        return stand.cover
    best: set[Cover] = {"open", *_of_ground(state, stand.base)}
    if height(state, stand.base) > height(state, shooter.base):
        best.add("defended")
    best.update(LINES[one.kind] for one in state.obstacles if is_behind(one, stand.base, shooter.base))
    return max(best, key=COVERS.index)


def _of_ground(state: State, base: StandBase) -> set[Cover]:
    kinds = {area.kind for area in state.areas if is_in(base, area)}
    found: set[Cover] = {"defended"} if kinds & set(DEFENDING) else set()
    return found | {"fortified"} if kinds & set(FORTIFYING) else found


def is_behind(obstacle: Obstacle, base: StandBase, shooter: StandBase) -> bool:
    """Whether an obstacle stands between: it crosses the shortest way from the shooter, close to the target."""
    ends = tuple(fine(obstacle.ends))
    one, other = ends
    if not any(_square_to_segment(corner, one, other) <= NEAR_OBSTACLE**2 for corner in outline(base)):
        return False
    if outlines.overlap(outline(shooter), outline(base)):
        return False
    return meet(gap(outline(shooter), outline(base)).ends, (one, other))


def _square_to_segment(point: Point, one: Point, other: Point) -> Fraction:
    dx, dy, ex, ey = other[0] - one[0], other[1] - one[1], point[0] - one[0], point[1] - one[1]
    length = dx * dx + dy * dy
    share = min(Fraction(1), max(Fraction(0), Fraction(ex * dx + ey * dy, length))) if length else Fraction(0)
    return (ex - dx * share) ** 2 + (ey - dy * share) ** 2


def needed_to_hit(profile: TroopKind, aimed_at: Cover) -> tuple[int, tuple[Factor, ...]]:
    """The number that hits a class of protection, and what the weapon changes of it (WMS-HIT-02, WMS-PRO-02)."""
    if COVER_WORSE in profile.flags and aimed_at != "open":
        return NEEDED[aimed_at] - 1, (Factor("WMS-PRO-02", COVER_WORSE, -1),)
    return NEEDED[aimed_at], ()
