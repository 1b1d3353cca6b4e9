"""The ground of areas: heights with hachures, trees, reeds and rivers, where they leave room for roads and towns."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import cos, hypot, pi, sin

from msgspec import Struct

from domain.campaign.theatre.map_scene import MapScene
from replay.drawing.atlas.chance import scatter, wobble
from replay.drawing.atlas.colours import Scheme, paint
from replay.drawing.atlas.land import Land, inside
from replay.drawing.atlas.placing import Box, covers
from replay.drawing.atlas.sheet import MapSheet
from replay.drawing.pen import Spot, group, number, tag

TRIES = 150
FROM_WAY, FROM_TOWN, FROM_EACH = 16.0, 9.0, {"height": 21.0, "tree": 10.0, "reed": 17.0}
COUNTS = {
    "hilly": (("height", 10), ("tree", 2)),
    "wooded": (("tree", 18),),
    "marshy": (("reed", 8),),
    "open": (("tree", 3),),
}
KINDS = {"height": 3, "tree": 2, "reed": 1}
"""How many pictures there are of each."""
RIVER_REACH, RIVER_STEP = 230, 12
"""How far a river looks for the sea."""


def relief_symbols(prefix: str, scheme: Scheme) -> Iterator[str]:
    """The pictures of the ground."""
    height, shade = paint(scheme, fill="height", stroke="shade"), paint(scheme, fill="shade")
    lines = paint(scheme, "none", "shade", stroke_width=1.3, stroke_linecap="round")
    for at, (body, dark, hachures) in enumerate(_HEIGHTS):
        drawn = [
            tag("path", d=body, **height),
            tag("path", d=dark, **shade, opacity=0.75),
            tag("path", d=hachures, **lines),
        ]
        yield group(drawn, id=f"{prefix}height{at}")
    leaf, light, bark = (paint(scheme, fill=name) for name in ("leaf", "leaf-light", "bark"))
    ground = tag("ellipse", cx=3, cy=6, rx=8, ry=2.6, **shade, opacity=0.5)
    trunk = tag("path", d="M-1 0H1V6H-1Z", **bark)
    crown = tag("circle", cy=-3, r=6.4, **leaf) + tag("path", d="M-6-2a6 6 0 0 1 9-6.6a6 6 0 0 0-9 6.6z", **light)
    yield group([ground, trunk, crown], id=f"{prefix}tree0")
    pine = tag("path", d="M0-13L6.5 4H-6.5Z", **leaf) + tag("path", d="M0-13L-6.5 4H-1Z", **light)
    yield group([ground, trunk, pine], id=f"{prefix}tree1")
    blades = "M-7 4V-3M-4 4V-7M-1 4V-4M4 5V-2M7 5V-6M-10 5h22"
    yield group(
        [tag("path", d=blades, fill="none", stroke_width=1.5, stroke_linecap="round", **paint(scheme, stroke="reed"))],
        id=f"{prefix}reed0",
    )


_HEIGHTS = (
    (
        "M-19 7Q-14-2-7-8Q-1-14 5-6Q13 0 20 7Q0 11-19 7Z",
        "M-1-11Q3-10 5-6Q13 0 20 7Q10 9 3 8.5Q8 0-1-11Z",
        "M-13 4l3-5M-9 5l3-7",
    ),
    ("M-15 6Q-9-12 0-14Q9-10 15 6Q0 9-15 6Z", "M0-14Q9-10 15 6Q9 8 3 7.5Q7-3 0-14Z", "M-10 4l3-7M-6 5l2-8"),
    (
        "M-24 7Q-18-4-10-6Q-5-10 1-3Q6-9 12-5Q19 0 24 7Q0 10-24 7Z",
        "M-8-7Q-4-9 1-3L4 5Q0 8-3 7ZM13-5Q19 0 24 7Q16 9 12 8Z",
        "M-18 5l4-6M-13 5l3-6",
    ),
)
"""Body, the side away from the light, hachures."""


class Feature(Struct, frozen=True, gc=False):
    """A height, a tree or some reeds: which picture, where, how large."""

    look: str
    at: Spot
    scale: float


def relief_of(
    scene: MapScene,
    areas: Mapping[str, Sequence[Spot]],
    land: Land,
    ways: Sequence[Spot],
    taken: Sequence[Box],
) -> tuple[Feature, ...]:
    """What stands on the ground, from the north to the south."""
    found = list[Feature]()
    for place in scene.places:
        for kind, count in COUNTS.get(place.ground, COUNTS["open"]):
            spots = list[Spot]()
            for attempt in range(TRIES):
                spot = _within(areas[place.id], place.id, kind, attempt)
                if len(spots) < count and _is_free(spot, areas[place.id], land, ways, taken, kind, spots):
                    spots.append(spot)
                    found.append(_feature(kind, spot, place.id, attempt))
    return tuple(sorted(found, key=lambda feature: (feature.at[1], feature.at[0])))


def draw_relief(features: Sequence[Feature], prefix: str) -> str:
    """Heights, trees and reeds."""
    return group((_use(prefix, feature) for feature in features), class_="relief")


def _within(outline: Sequence[Spot], *key: object) -> Spot:
    """Somewhere in the box around an outline."""
    xs, ys = zip(*outline, strict=True)
    across, down = scatter(*key, "x"), scatter(*key, "y")
    return min(xs) + (max(xs) - min(xs)) * across, min(ys) + (max(ys) - min(ys)) * down


def _is_free(
    spot: Spot,
    outline: Sequence[Spot],
    land: Land,
    ways: Sequence[Spot],
    taken: Sequence[Box],
    kind: str,
    others: Sequence[Spot],
) -> bool:
    if covers(taken, spot, FROM_TOWN) or not inside(spot, outline):
        return False
    if any(hypot(spot[0] - x, spot[1] - y) < FROM_EACH[kind] for x, y in others):
        return False
    if any(hypot(spot[0] - x, spot[1] - y) < FROM_WAY for x, y in ways):
        return False
    around = ((-15, 4), (15, 4), (0, -10), (0, 8))
    return all(land.holds((spot[0] + x, spot[1] + y)) for x, y in around)


def _feature(kind: str, spot: Spot, *key: object) -> Feature:
    look, scale = int(scatter(*key, "look") * KINDS[kind]), 0.85 + 0.4 * scatter(*key, "scale")
    return Feature(f"{kind}{look}", spot, scale)


def _use(prefix: str, feature: Feature) -> str:
    x, y = feature.at
    place = f"translate({number(round(x))} {number(round(y))}) scale({feature.scale:.1f})"
    return tag("use", href=f"#{prefix}{feature.look}", transform=place)


# --- rivers


def draw_rivers(scene: MapScene, sheet: MapSheet, land: Land, scheme: Scheme) -> Iterator[str]:
    """The rivers that the file gives; without any, one through each area whose ground is a river."""
    rivers = [sheet.spots(river) for river in scene.rivers] or [
        _to_the_sea(sheet.spot(place.at), place.id, land) for place in scene.places if place.ground == "river"
    ]
    if not rivers:
        return
    data = "".join(_meander(river) for river in rivers)
    look = {"fill": "none", "stroke_linecap": "round", "stroke_linejoin": "round"}
    yield tag("path", d=data, **paint(scheme, stroke="coast"), stroke_width=5.4, opacity=0.55, **look)
    yield tag("path", d=data, **paint(scheme, stroke="river"), stroke_width=3.8, **look)


def _to_the_sea(at: Spot, key: str, land: Land) -> list[Spot]:
    """A river from inland past a place to the nearest coast, or through its area where there is none."""
    for far in range(RIVER_STEP, RIVER_REACH, RIVER_STEP):
        for piece in range(16):
            turn = 2 * pi * (piece / 16 + scatter(key))
            mouth = at[0] + far * cos(turn), at[1] + far * sin(turn)
            if not land.holds(mouth):
                spring = at[0] - 95 * cos(turn), at[1] - 95 * sin(turn)
                return [spring, (at[0] + 16 * sin(turn), at[1] - 16 * cos(turn)), mouth]
    return [(at[0] - 90, at[1] - 50), (at[0] - 14, at[1] + 16), (at[0] + 95, at[1] + 40)]


def _meander(river: Sequence[Spot]) -> str:
    """The data of a river that winds between the points of its course."""
    points = list[Spot]()
    for (x, y), (to_x, to_y) in pairwise(river):
        pieces = max(1, round(hypot(to_x - x, to_y - y) / 22))
        for piece in range(pieces):
            at = x + (to_x - x) * piece / pieces, y + (to_y - y) * piece / pieces
            moved = wobble(at[0] * 1.7, at[1] * 1.7, 7)
            points.append((at[0] + moved[0], at[1] + moved[1]))
    points.append(river[-1])
    return smooth(points, closed=False)


def smooth(points: Sequence[Spot], *, closed: bool) -> str:
    """The data of a curve through the middles between points, bent by them."""
    if closed:
        first = _between(points[-1], points[0])
        steps = "".join(_bend(point, points[(at + 1) % len(points)]) for at, point in enumerate(points))
        return f"M{_pair(first)}{steps}Z"
    steps = "".join(_bend(one, other) for one, other in pairwise(points[1:]))
    return f"M{_pair(points[0])}{steps}L{_pair(points[-1])}"


def _bend(one: Spot, other: Spot) -> str:
    return f"Q{_pair(one)} {_pair(_between(one, other))}"


def _between(one: Spot, other: Spot) -> Spot:
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2


def _pair(spot: Spot) -> str:
    return f"{round(spot[0])} {round(spot[1])}"
