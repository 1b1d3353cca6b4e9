"""Find room for names, banners and swords beside the places of a map: greedily, so the same each time."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from domain.campaign.theatre.map_scene import MapScene
from replay.drawing.atlas.marks import TOWN_HALF, TOWN_HIGH, banner_size
from replay.drawing.atlas.sheet import MapSheet
from replay.drawing.atlas.sizes import AVERAGE, Sizes
from replay.drawing.pen import Spot

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""
GAP = 3.0
ON_MARK, ON_WAY, OFF_MAP, FAR = 1500.0, 8.0, 40.0, 2.4
"""What it costs to lie on a mark or a name (by the share that is covered), on a point of a way, beyond the edge, and
to be far from the place (by the distance)."""


class NamesPlaced(Struct, frozen=True):
    """The middle of each name, and the room that towns and names take."""

    names: Mapping[str, Spot]
    taken: tuple[Box, ...]


class Placed(Struct, frozen=True):
    """Where what changes is: the corner of each force's banner, the middles of battles and losses by their places in
    the scene, and all the room that is taken."""

    banners: Mapping[str, Spot]
    battles: tuple[Spot, ...]
    losses: tuple[Spot, ...]
    taken: tuple[Box, ...]


class _Room:
    """The room of a map while it is given away."""

    def __init__(self, sheet: MapSheet, ways: Sequence[Spot], taken: Sequence[Box]) -> None:
        self.taken = list(taken)
        self._ways = ways
        self._edges = sheet.left + 6, sheet.top + 6, sheet.right - 6, sheet.bottom - 6

    def cost(self, box: Box, at: Spot) -> float:
        left, top, right, bottom = box
        area = max((right - left) * (bottom - top), 1.0)
        covered = sum(_shared(box, other) / min(area, _size(other)) for other in self.taken)
        on_ways = sum(left < x < right and top < y < bottom for x, y in self._ways)
        off = max(0.0, self._edges[0] - left) + max(0.0, right - self._edges[2])
        off += max(0.0, self._edges[1] - top) + max(0.0, bottom - self._edges[3])
        across = max(left - at[0], at[0] - right, 0.0), max(top - at[1], at[1] - bottom, 0.0)
        return ON_MARK * covered + ON_WAY * on_ways + OFF_MAP * off + FAR * (across[0] + across[1])

    def give(self, sizes: Spot, at: Spot, around: Spot, order: str) -> Box:
        """The best box of a size around a place; of equally good ones the first in an order of directions."""
        found = min(_boxes(sizes, at, around, order), key=lambda box: self.cost(box, at))
        self.taken.append(found)
        return found


ABOVE_FIRST, BELOW_FIRST = "n ne nw e w se sw s", "s n e w se sw ne nw"
_DIRECTIONS: Mapping[str, tuple[int, int]] = {
    "n": (0, -1),
    "s": (0, 1),
    "e": (1, 0),
    "w": (-1, 0),
    "ne": (1, -1),
    "nw": (-1, -1),
    "se": (1, 1),
    "sw": (-1, 1),
}
_FARTHER = (0.0, 12.0, 26.0, 44.0, 66.0, 92.0, 130.0, 170.0)


def names_placed(scene: MapScene, sheet: MapSheet, ways: Sequence[Spot], sizes: Sizes) -> NamesPlaced:
    """Room for names: towns stand where they are, with their pennants, and the largest are named first."""
    room = _Room(sheet, ways, [box for place in scene.places for box in _town(sheet.spot(place.at), place.city, sizes)])
    names = dict[str, Spot]()
    for place in sorted(scene.places, key=lambda place: (-place.city, place.id)):
        at, around = sheet.spot(place.at), _around(place.city, sizes)
        wide = len(place.name) * sizes.letters * AVERAGE + 4
        names[place.id] = _middle(room.give((wide, sizes.letters * 1.05), at, around, BELOW_FIRST))
    return NamesPlaced(names, tuple(room.taken))


def placed(scene: MapScene, sheet: MapSheet, ways: Sequence[Spot], sizes: Sizes, names: NamesPlaced) -> Placed:
    """Room for banners, then for battles and losses, beside towns and names."""
    room = _Room(sheet, ways, names.taken)
    at = {place.id: sheet.spot(place.at) for place in scene.places}
    around = {place.id: _around(place.city, sizes) for place in scene.places}
    square = 2 * sizes.swords, 2 * sizes.swords

    def beside(area: str, order: str) -> Spot:
        return _middle(room.give(square, at[area], around[area], order))

    battles = [beside(battle.area, "e w ne nw se sw n s") for battle in scene.battles]
    losses = [beside(loss.area, "e w se sw ne nw n s") for loss in scene.losses]
    banners = dict(_banners(scene, at, around, room, sizes))
    return Placed(banners, tuple(battles), tuple(losses), tuple(room.taken))


def _banners(
    scene: MapScene, at: Mapping[str, Spot], around: Mapping[str, Spot], room: _Room, sizes: Sizes
) -> Iterator[tuple[str, Spot]]:
    """The banners of each place side by side, four in a row."""
    for name in at:
        forces = scene.forces_at(name)
        for row in (forces[start : start + 4] for start in range(0, len(forces), 4)):
            measures = [banner_size(force, sizes.banner, sizes.stacked) for force in row]
            wide = sum(width for width, _ in measures) + GAP * (len(row) - 1)
            left, top, _, _ = room.give((wide, max(high for _, high in measures)), at[name], around[name], ABOVE_FIRST)
            for force, (width, _) in zip(row, measures, strict=True):
                yield force.id, (left, top)
                left += width + GAP


def _around(city: int, sizes: Sizes) -> Spot:
    return (TOWN_HALF[city] + 5) * sizes.big, (TOWN_HIGH[city] + 4) * sizes.big


def _boxes(sizes: Spot, at: Spot, around: Spot, order: str) -> Iterator[Box]:
    wide, high = sizes[0] / 2, sizes[1] / 2
    for farther in _FARTHER:
        for word in order.split():
            east, south = _DIRECTIONS[word]
            x = at[0] + east * (around[0] + wide + GAP + farther)
            y = at[1] + south * (around[1] + high + GAP + farther)
            yield x - wide, y - high, x + wide, y + high


def _town(at: Spot, city: int, sizes: Sizes) -> tuple[Box, Box]:
    """The room of a town, and that of the pennant on it."""
    (x, y), (half, high) = at, _around(city, sizes)
    left, top = x + TOWN_HALF[city] * 0.55 * sizes.big, y - (TOWN_HIGH[city] + 19) * sizes.big
    return (x - half, y - high, x + half, y + high), (left, top, left + 24 * sizes.big, y - TOWN_HIGH[city] * sizes.big)


def _middle(box: Box) -> Spot:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def _size(box: Box) -> float:
    return max((box[2] - box[0]) * (box[3] - box[1]), 1.0)


def _shared(box: Box, other: Box) -> float:
    across = min(box[2], other[2]) - max(box[0], other[0])
    down = min(box[3], other[3]) - max(box[1], other[1])
    return across * down if across > 0 and down > 0 else 0.0


def covers(boxes: Sequence[Box], spot: Spot, rim: float = 0.0) -> bool:
    """Whether a spot lies in one of some boxes, or within a rim of it."""
    x, y = spot
    return any(left - rim < x < right + rim and top - rim < y < bottom + rim for left, top, right, bottom in boxes)
