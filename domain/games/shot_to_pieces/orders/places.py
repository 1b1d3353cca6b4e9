"""Places that orders by reference name: terrain, units, points; what is nearest in them (STP-ORD-10)."""

from collections.abc import Iterator

from msgspec import Struct

from domain.basics.errors import Refusal
from domain.engine.judge import unknown_id
from domain.games.shot_to_pieces.plane.base import corners, rounded
from domain.games.shot_to_pieces.state.commands import ByReference
from domain.games.shot_to_pieces.state.state import Point, State
from domain.mechanics.outline import holds
from domain.mechanics.plane import square_distance

RULE = "STP-ORD-10"
Edge = tuple[Point, Point]


class PlaceOutline(Struct, frozen=True, gc=False):
    """A place as the corners of an outline, the ends of a line, or one point."""

    points: tuple[Point, ...]

    @property
    def centre(self) -> Point:
        """The mean of its points."""
        count = len(self.points)
        return sum(x for x, _ in self.points) // count, sum(y for _, y in self.points) // count

    def edges(self) -> Iterator[Edge]:
        """Its sides, in order; a point is a side without length."""
        if len(self.points) < 3:
            yield self.points[0], self.points[-1]
            return
        for at, point in enumerate(self.points):
            yield self.points[at - 1], point

    def has(self, point: Point) -> bool:
        """Whether a point lies in an outline, or is the point."""
        return holds(self.points, point) if len(self.points) > 2 else point in self.points

    def nearest(self, to: Point) -> tuple[Point, Edge]:
        """The nearest point of the place, and the side on which it lies; a point inside is its own nearest."""
        found = [(foot(to, edge), edge) for edge in self.edges()]
        point, edge = min(found, key=lambda one: square_distance(one[0], to))
        return (to, edge) if self.has(to) else (point, edge)


def foot(of: Point, edge: Edge) -> Point:
    """The point of a side that is nearest to a point."""
    (ax, ay), (bx, by) = edge
    dx, dy = bx - ax, by - ay
    square = dx * dx + dy * dy
    if not square:
        return edge[0]
    along = min(square, max(0, (of[0] - ax) * dx + (of[1] - ay) * dy))
    return ax + (2 * dx * along + square) // (2 * square), ay + (2 * dy * along + square) // (2 * square)


def place_named(state: State, command: ByReference) -> PlaceOutline:
    """The place that an order names: a point, terrain, or a unit on the table.

    Raises: Refusal core.unknown-id
    """
    if command.at:
        return PlaceOutline((command.at,))
    ground = next((one for one in state.terrain if one.id == command.place), None)
    if ground:
        return PlaceOutline(ground.outline or ground.line)
    unit = state.units.get(command.place)
    if unit is None or not unit.here:
        raise unknown_id(command.place)
    return PlaceOutline(tuple(rounded(corner) for corner in corners(unit.base)))


def no_such_place(unit: str, distance: int) -> Refusal:
    """The refusal of an order by reference without a legal end; the nearest legal one is so far away, 0 for none."""
    nearest = {"distance": distance} if distance > 0 else {}
    return Refusal("stp.no-such-place-to-go", RULE, unit=unit, **nearest)
