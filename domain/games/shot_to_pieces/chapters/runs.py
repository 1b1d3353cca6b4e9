"""Chapter EVT, what moves by itself: out of a burning building, and home from the enemy (STP-EVT-15, -18)."""

from fractions import Fraction

from msgspec.structs import replace

from domain.engine.judge import Judge
from domain.events.battle import Event
from domain.games.shot_to_pieces.chapters.event_picks import apply, by_chance, find_nobody
from domain.games.shot_to_pieces.chapters.fortunes import rule_of
from domain.games.shot_to_pieces.chapters.legs import is_free
from domain.games.shot_to_pieces.chapters.morale import HALF, free_way
from domain.games.shot_to_pieces.chapters.paces import allowance
from domain.games.shot_to_pieces.chapters.shifts import UnitMoved, UnitOriented
from domain.games.shot_to_pieces.plane.angles import bearing
from domain.games.shot_to_pieces.plane.base import FINE, Base, corners, faced, fine, is_on_table, moved
from domain.games.shot_to_pieces.plane.shapes import Shape
from domain.games.shot_to_pieces.state.ground import grounds_at
from domain.games.shot_to_pieces.state.setup import HOMEWARD
from domain.games.shot_to_pieces.state.state import Point, State, Unit, units_here
from domain.mechanics.plane import distance

CAUSE = "event"
STEP_HCM = 10


class BuildingClosed(Event, frozen=True, gc=False):
    """A building burns, and nobody enters it any more."""

    RULE = "STP-EVT-15"

    building: str


def burn(judge: Judge[State], number: int) -> None:
    """A building is left at once, and closed (STP-EVT-15)."""
    state = judge.state
    buildings = [one.id for one in state.terrain if one.kind == "building" and one.id not in state.closed]
    if not buildings:
        find_nobody(judge, number)
        return
    name = by_chance(judge, buildings, number)
    inside = tuple(
        unit.id for unit in units_here(state) if any(ground.id == name for ground in grounds_at(state, unit.at))
    )
    apply(judge, number, inside, building=name)
    judge.emit(BuildingClosed(name))
    for unit in inside:
        _leave(judge, unit, name, rule_of(number))


def _leave(judge: Judge[State], name: str, building: str, rule: str) -> None:
    """A unit goes straight towards its own edge until its base just clears the outline; it keeps its facing."""
    state = judge.state
    unit = state.units[name]
    outline = next(one.outline for one in state.terrain if one.id == building)
    home = (HOMEWARD[unit.side] + HALF) % (2 * HALF)
    length = _to_room(state, unit, home, way_out(unit.base, outline, is_north=home == 0))
    there = moved(unit.base, home, length)
    judge.emit(UnitMoved(name, unit.at, there.at, unit.facing, length, CAUSE, ""), unit.side, rule)


def _to_room(state: State, unit: Unit, home: int, length: int) -> int:
    """The length, or if somebody stands there as much more as brings it to a free place, if there is one on the way
    (STP-GEO-02)."""
    farther = range(length, state.board.height, STEP_HCM)
    return next((one for one in farther if is_free(state, unit, moved(unit.base, home, one))), length)


def way_out(base: Base, outline: tuple[Point, ...], *, is_north: bool) -> int:
    """How far a base goes north, or south, until it no longer reaches into an outline: the greatest height that the two
    share at any place across, at corners of one or the other."""
    sign = 1 if is_north else -1
    own = tuple((x, sign * y) for x, y in corners(base))
    ground = tuple((x, sign * y) for x, y in map(fine, outline))
    across = {x for x, _ in (*own, *ground)}
    found = [
        top - low
        for x in across
        if (low := _edge(own, x, is_upper=False)) is not None and (top := _edge(ground, x, is_upper=True)) is not None
    ]
    deepest = max(found, default=Fraction(0))
    return max(0, int((2 * deepest + FINE) // (2 * FINE)))


def _edge(shape: Shape, x: int, *, is_upper: bool) -> Fraction | None:
    """The highest or lowest point of a convex outline at a place across, or None beside it."""
    heights = []
    for at, (end_x, end_y) in enumerate(shape):
        start_x, start_y = shape[at - 1]
        if min(start_x, end_x) <= x <= max(start_x, end_x):
            if start_x == end_x:
                heights += [Fraction(start_y), Fraction(end_y)]
            else:
                heights.append(start_y + Fraction((end_y - start_y) * (x - start_x), end_x - start_x))
    if not heights:
        return None
    return max(heights) if is_upper else min(heights)


def run_home(judge: Judge[State], name: str, rule: str) -> None:
    """A unit makes one full move towards the middle of its own table edge, facing that way; it stays on the table."""
    state = judge.state
    unit, board = state.units[name], state.board
    home = board.width // 2, 0 if HOMEWARD[unit.side] == 0 else board.height
    if unit.at == home:
        return
    heading = bearing(fine(unit.at), fine(home))
    turned = faced(unit.base, heading)
    length = free_way(state, unit, turned, heading, min(allowance(state, unit), distance(unit.at, home)))
    while length > 0 and not is_on_table(moved(turned, heading, length), board.width, board.height):
        length -= min(length, STEP_HCM)
    if not length and not is_free(state, unit, turned):
        return
    if unit.facing != heading:
        judge.emit(UnitOriented(name, unit.facing, heading, unit.at), unit.side, rule)
    if length:
        there = moved(turned, heading, length)
        judge.emit(UnitMoved(name, unit.at, there.at, heading, length, CAUSE, ""), unit.side, rule)


# --- evolutions


def on_building_closed(state: State, event: BuildingClosed) -> State:
    return replace(state, closed=state.closed | {event.building})


EVOLUTIONS = {BuildingClosed: on_building_closed}
