"""Fire zones, control zones and the reach of command, as shapes of a scene (STP-GEO-06, STP-ZOC-01, STP-GEO-10).

They are drawn to the nearest tenth of a degree; what is legal is decided by `plane`, never by these.
"""

from collections.abc import Iterator
from math import isqrt

from domain.basics.message import Message
from domain.contract.scene import Arc, Point
from domain.games.shot_to_pieces.chapters.control import has_control_zone, square_reach
from domain.games.shot_to_pieces.chapters.points import RADIUS_HCM
from domain.games.shot_to_pieces.plane.angles import QUARTER, tenths, turned
from domain.games.shot_to_pieces.plane.base import Base, front_centre, place
from domain.games.shot_to_pieces.plane.zones import CONTROL
from domain.games.shot_to_pieces.state.figures import weapon_of
from domain.games.shot_to_pieces.state.state import General, State, Unit, place_of

CONE, HALF_DISC = 225, 899
"""Tenths of a degree to either side: of the cone of fire, and the most that a shape of a scene can have."""
CONE_SLOPE = (1000, 414)
"""Ahead and aside, where the border of the cone runs."""
BANDS = ("short", "medium", "long")


def fire_zone(state: State, unit: Unit) -> Iterator[Arc]:
    """Where a unit can fire, one after the other for each of its bands; nothing without real fire."""
    weapon = weapon_of(state, unit)
    if weapon is None:
        return
    for band, reach in zip(BANDS, weapon.bands, strict=True):
        if reach:
            told = Message("stp.zone.fire", {"unit": unit.id, "range_hcm": reach, "band": band})
            yield from _within(unit, reach, told)


def _within(unit: Unit, reach: int, told: Message) -> Iterator[Arc]:
    if unit.formation == "square":
        for at, facing in _edges(unit.base):
            yield Arc("fire", at, facing, reach, spread=HALF_DISC, side=unit.side, told=told)
        return
    at, facing = front_centre(unit.base), tenths(unit.facing)
    aside = 3 * unit.base.width // 2  # half the frontage, and as much again on each side as it is wide
    if reach <= aside:
        yield Arc("fire", at, facing, reach, spread=HALF_DISC, side=unit.side, told=told)
        return
    ahead = min(isqrt(reach * reach - aside * aside), aside * CONE_SLOPE[0] // CONE_SLOPE[1])
    yield Arc("fire", at, facing, reach, spread=CONE, side=unit.side, told=told)
    yield Arc("fire", at, facing, ahead, 2 * aside, side=unit.side, told=told)


def control_zone(state: State, unit: Unit) -> Iterator[Arc]:
    """What a unit controls: 10 cm ahead of its front edge within its fire zone, of a square 5 cm all round."""
    if not has_control_zone(state, unit):
        return
    told = Message("stp.zone.control", {"unit": unit.id})
    if unit.formation == "square":
        for at, facing in _edges(unit.base):
            yield Arc("control", at, facing, square_reach(state), unit.base.width, HALF_DISC, unit.side, told=told)
        return
    at, facing, width = front_centre(unit.base), tenths(unit.facing), unit.base.width
    yield Arc("control", at, facing, CONTROL, width, side=unit.side, told=told)
    if width < CONTROL:
        beside = isqrt(CONTROL * CONTROL - width * width)
        yield Arc("control", at, facing, beside, 3 * width, side=unit.side, told=told)


def command_zone(state: State, general: General) -> Iterator[Arc]:
    """Where an order costs one point, as two halves of a disc."""
    told = Message("stp.zone.command", {"unit": general.id, "range_hcm": RADIUS_HCM})
    for facing in (0, 1800):
        at = place_of(state, general)
        yield Arc("command", at, facing, RADIUS_HCM, spread=HALF_DISC, side=general.side, told=told)


def _edges(base: Base) -> Iterator[tuple[Point, int]]:
    """The middle of each edge of a base, and where it faces."""
    sides = ((0, base.depth), (base.width, 0), (0, -base.depth), (-base.width, 0))
    for at, (right, ahead) in enumerate(sides):
        yield place(base, right, ahead), tenths(turned(base.facing, at * QUARTER))
