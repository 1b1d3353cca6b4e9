"""The land of a map: its coasts, as the file gives them or around the areas, and the part of it that each area is."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import cos, hypot, pi, sin

from msgspec import Struct

from domain.campaign.theatre.map_scene import MapScene
from domain.campaign.theatre.state import SEA
from replay.drawing.atlas.chance import scatter, wobble
from replay.drawing.atlas.sheet import MapSheet
from replay.drawing.pen import Spot

AROUND, ALONG, POINTS = 84.0, 46.0, 14
"""How far the land reaches around an area and beside a road, where no coast is given; points of such an outline."""
ROUGH, LONGEST = 0.11, 34.0
"""How rough a given coast is drawn, and the longest piece of it that is left straight."""
FARTHEST = 1.7
"""How far an area reaches at most, in distances to the next place."""
CORNERS = 12
WANDER, PIECE = 7.0, 30.0
"""How much borders wander, and how long their pieces are."""


class Land(Struct, frozen=True):
    """The land: closed outlines, which may overlap; where none was given, with the discs and bands that they go
    around."""

    outlines: tuple[tuple[Spot, ...], ...]
    is_given: bool
    discs: tuple[Spot, ...] = ()
    bands: tuple[tuple[Spot, Spot], ...] = ()

    def holds(self, spot: Spot) -> bool:
        """Whether a spot is on land."""
        if self.is_given:
            return any(inside(spot, outline) for outline in self.outlines)
        near = any(hypot(spot[0] - x, spot[1] - y) < AROUND for x, y in self.discs)
        if near or any(distance(spot, *band) < ALONG for band in self.bands):
            return True
        return any(inside(spot, outline) for outline in self.outlines)


def land_of(scene: MapScene, sheet: MapSheet) -> Land:
    """The land of a map."""
    if scene.coasts:
        return Land(tuple(tuple(_roughened(sheet.spots(coast))) for coast in scene.coasts), True)
    at = {place.id: sheet.spot(place.at) for place in scene.places}
    if not any(way.kind == SEA for way in scene.ways):
        return Land((_everywhere(sheet),), True)
    ways = [way.ends for way in scene.ways if way.kind != SEA]
    bands = tuple((at[one], at[other]) for one, other in ways)
    outlines = [tuple(_blob(spot, name)) for name, spot in at.items()]
    outlines += [tuple(_band(one, other)) for one, other in bands]
    outlines += [tuple(at[name] for name in ring) for ring in _rings(ways)]
    return Land(tuple(map(_clockwise, outlines)), False, tuple(at.values()), bands)


def _everywhere(sheet: MapSheet) -> tuple[Spot, ...]:
    """The whole map and more: where no sea lies between areas, there is none."""
    left, top, right, bottom = sheet.left - 99, sheet.top - 99, sheet.right + 99, sheet.bottom + 99
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def _clockwise(outline: tuple[Spot, ...]) -> tuple[Spot, ...]:
    """An outline in the one direction in which all go that overlap: else they would cut holes into each other."""
    turned = sum(x * down - across * y for (x, y), (across, down) in pairwise([*outline, outline[0]]))
    return outline if turned >= 0 else outline[::-1]


def _roughened(coast: Sequence[Spot]) -> Iterator[Spot]:
    """A coast with bays and headlands between the points that are given."""
    for one, other in zip(coast, [*coast[1:], coast[0]], strict=True):
        yield one
        yield from _between(one, other)


def _between(one: Spot, other: Spot) -> Iterator[Spot]:
    length = hypot(other[0] - one[0], other[1] - one[1])
    if length < LONGEST:
        return
    out = (scatter(*map(round, (*one, *other))) - 0.5) * 2 * ROUGH
    middle = (
        (one[0] + other[0]) / 2 - (other[1] - one[1]) * out,
        (one[1] + other[1]) / 2 + (other[0] - one[0]) * out,
    )
    yield from _between(one, middle)
    yield middle
    yield from _between(middle, other)


def _blob(at: Spot, key: str) -> Iterator[Spot]:
    for number in range(POINTS):
        turn, far = 2 * pi * number / POINTS, AROUND * (0.86 + 0.28 * scatter(key, number))
        yield at[0] + far * cos(turn), at[1] + far * 0.9 * sin(turn)


def _band(one: Spot, other: Spot) -> Iterator[Spot]:
    """The land on both sides of a road."""
    length = max(hypot(other[0] - one[0], other[1] - one[1]), 1.0)
    across = -(other[1] - one[1]) / length, (other[0] - one[0]) / length
    steps = max(2, round(length / 70))
    for side in (1, -1):
        for number in range(steps + 1)[::side]:
            part = number / steps
            far = side * ALONG * (0.8 + 0.5 * scatter(*map(round, (*one, *other)), side, number))
            x, y = one[0] + (other[0] - one[0]) * part, one[1] + (other[1] - one[1]) * part
            yield x + across[0] * far, y + across[1] * far


def _rings(ways: Sequence[tuple[str, str]]) -> Iterator[tuple[str, ...]]:
    """Three or four areas around which there is a way by land: what they enclose is land."""
    near: dict[str, set[str]] = {}
    for one, other in ways:
        near.setdefault(one, set()).add(other)
        near.setdefault(other, set()).add(one)
    for one in sorted(near):
        for second in sorted(name for name in near[one] if name > one):
            for third in sorted(name for name in near[second] if name > one and name != second):
                if third in near[one] and third > second:
                    yield one, second, third
                yield from ((one, second, third, last) for last in sorted(near[third] & near[one]) if last > second)


# --- areas


def areas_of(scene: MapScene, sheet: MapSheet) -> dict[str, tuple[Spot, ...]]:
    """The outline of each area: what lies nearer to its place than to another one, with borders that wander."""
    at = {place.id: sheet.spot(place.at) for place in scene.places}
    return {name: tuple(_wandering(_cell(name, at))) for name in at}


def _cell(name: str, at: dict[str, Spot]) -> list[Spot]:
    """The points that are nearer to an area than to any other, and not too far."""
    x, y = at[name]
    others = [spot for other, spot in at.items() if other != name and spot != at[name]]
    near = min((hypot(x - other[0], y - other[1]) for other in others), default=AROUND)
    far = max(near * FARTHEST, AROUND * 1.6)
    turns = [2 * pi * number / CORNERS for number in range(CORNERS)]
    cell = [(x + far * cos(turn), y + far * sin(turn)) for turn in turns]
    for other in others:
        cell = _cut(cell, (x, y), other)
    return cell


def _cut(cell: list[Spot], own: Spot, other: Spot) -> list[Spot]:
    """The part of a polygon on its own side of the line midway between two spots."""
    across, down = other[0] - own[0], other[1] - own[1]
    limit = (other[0] ** 2 + other[1] ** 2 - own[0] ** 2 - own[1] ** 2) / 2
    beyond = [across * x + down * y - limit for x, y in cell]
    kept = list[Spot]()
    for at, (x, y) in enumerate(cell):
        to_x, to_y = cell[(at + 1) % len(cell)]
        here, there = beyond[at], beyond[(at + 1) % len(cell)]
        if here <= 0:
            kept.append((x, y))
        if (here < 0 < there) or (there < 0 < here):
            part = here / (here - there)
            kept.append((x + (to_x - x) * part, y + (to_y - y) * part))
    return kept


def _wandering(cell: Sequence[Spot]) -> Iterator[Spot]:
    for (x, y), (to_x, to_y) in pairwise([*cell, cell[0]]):
        pieces = max(1, round(hypot(to_x - x, to_y - y) / PIECE))
        for number in range(pieces):
            at = x + (to_x - x) * number / pieces, y + (to_y - y) * number / pieces
            moved = wobble(*at, WANDER)
            yield at[0] + moved[0], at[1] + moved[1]


# --- plane geometry


def inside(spot: Spot, outline: Sequence[Spot]) -> bool:
    """Whether a spot lies within a closed outline."""
    x, y = spot
    found = False
    was_x, was_y = outline[-1]
    for to_x, to_y in outline:
        if (to_y > y) != (was_y > y) and x < (was_x - to_x) * (y - to_y) / (was_y - to_y) + to_x:
            found = not found
        was_x, was_y = to_x, to_y
    return found


def distance(spot: Spot, one: Spot, other: Spot) -> float:
    """How far a spot is from a straight line between two others."""
    across, down = other[0] - one[0], other[1] - one[1]
    length = across * across + down * down
    part = ((spot[0] - one[0]) * across + (spot[1] - one[1]) * down) / length if length else 0.0
    part = min(max(part, 0.0), 1.0)
    return hypot(spot[0] - one[0] - across * part, spot[1] - one[1] - down * part)
