"""Roads, tracks and sea lanes, and the arrows of what marched on them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import hypot

from msgspec import Struct

from domain.campaign.theatre.map_scene import AVOID, MARCH, MapMarch, MapScene
from domain.campaign.theatre.state import ROAD, SEA
from replay.drawing.atlas.chance import scatter
from replay.drawing.atlas.colours import EDGE, PLAIN_CLOTH, Scheme, cloth_of, paint
from replay.drawing.atlas.land import Land
from replay.drawing.atlas.sheet import MapSheet
from replay.drawing.pen import Spot, escaped, group, number, tag

BENDS = (0.0, 0.14, -0.14, 0.26, -0.26, 0.4, -0.4)
"""How far a sea lane may bend, in lengths; the least land decides, then the first of these."""
SAMPLES = 12
LONG_LANE = 150.0
"""Length of a lane that carries a ship."""
NEAR_TOWN = 26.0
"""How far from a place an arrow begins and ends."""
ASIDE = 13.0
"""How far arrows lie from each other that go along one link."""


class DrawnWay(Struct, frozen=True, gc=False):
    """A way as it is drawn: a curve from one place to another, with the point that bends it."""

    start: Spot
    bend: Spot
    end: Spot

    def at(self, part: float) -> Spot:
        """The point of the curve at a part of the way."""
        rest = 1 - part
        weights = rest * rest, 2 * rest * part, part * part
        xs, ys = zip(self.start, self.bend, self.end, strict=True)
        return sum(w * x for w, x in zip(weights, xs, strict=True)), sum(
            w * y for w, y in zip(weights, ys, strict=True)
        )

    @property
    def length(self) -> float:
        """About how long it is."""
        return hypot(self.end[0] - self.start[0], self.end[1] - self.start[1])

    def data(self) -> str:
        """The data of its path."""
        return f"M{_pair(self.start)}Q{_pair(self.bend)} {_pair(self.end)}"


def courses(scene: MapScene, sheet: MapSheet, land: Land) -> dict[tuple[str, str], DrawnWay]:
    """The way of each link, in both directions."""
    at = {place.id: sheet.spot(place.at) for place in scene.places}
    found = dict[tuple[str, str], DrawnWay]()
    for way in scene.ways:
        one, other = sorted(way.ends)
        course = _lane(at[one], at[other], land) if way.kind == SEA else _bent(at[one], at[other], _sway(one, other))
        found[one, other] = course
        found[other, one] = DrawnWay(course.end, course.bend, course.start)
    return found


def _sway(one: str, other: str) -> float:
    return (scatter("way", one, other) - 0.5) * 0.22


def _bent(start: Spot, end: Spot, bend: float) -> DrawnWay:
    across, down = end[0] - start[0], end[1] - start[1]
    middle = (start[0] + end[0]) / 2 - down * bend, (start[1] + end[1]) / 2 + across * bend
    return DrawnWay(start, middle, end)


def _lane(start: Spot, end: Spot, land: Land) -> DrawnWay:
    """The lane that goes over the least land."""

    def dry(course: DrawnWay) -> int:
        return sum(land.holds(course.at(piece / SAMPLES)) for piece in range(1, SAMPLES))

    return min((_bent(start, end, bend) for bend in BENDS), key=dry)


def draw_ships(scene: MapScene, lines: Mapping[tuple[str, str], DrawnWay], land: Land, prefix: str) -> Iterator[str]:
    """A ship on each lane that is long enough."""
    for way in scene.ways:
        line = lines[way.ends]
        x, y = line.at(0.5)
        if way.kind == SEA and line.length > LONG_LANE and not land.holds((x, y)):
            yield tag("use", href=f"#{prefix}ship", transform=f"translate({number(x)} {number(y)})")


def ship_symbol(prefix: str, scheme: Scheme) -> str:
    """A galley under sail."""
    hull = "M-15 2Q-17-2-14-5Q-11 1 0 1H12L17-2Q14 7 8 7H-9Q-13 7-15 2Z"
    oars = "M-8 6l-3 5M-3 7l-3 5M2 7l-3 5M7 7l-3 5"
    line = paint(scheme, "none", "ink", stroke_width=1.1, stroke_linecap="round")
    parts = [
        tag("path", d=oars + "M1 1V-15", **line),
        tag("path", d="M-6-13Q1-15 8-13Q11-8 8-3Q1-5-6-3Q-3-8-6-13Z", **paint(scheme, fill="tag", stroke="ink")),
        tag("path", d=hull, **paint(scheme, fill="bark", stroke="ink"), stroke_width=0.9),
    ]
    return group(parts, id=f"{prefix}ship")


def draw_ways(scene: MapScene, lines: Mapping[tuple[str, str], DrawnWay], scheme: Scheme) -> Iterator[str]:
    """The links: sea lanes as dots, tracks as dashes, roads between two edges."""
    by_kind: dict[str, list[str]] = {}
    for way in scene.ways:
        by_kind.setdefault(way.kind, []).append(lines[way.ends].data())
    for kind, width, dash, name in (
        (SEA, 2.6, "1 9", "lane"),
        ("track", 2.4, "9 6", "track"),
        (ROAD, 6.4, None, "road-edge"),
        (ROAD, 3.4, None, "road"),
    ):
        if kind in by_kind:
            data = "".join(by_kind[kind])
            look = paint(scheme, "none", name, stroke_width=width, stroke_dasharray=dash, stroke_linecap="round")
            yield tag("path", d=data, **look)


# --- arrows


def draw_arrows(
    scene: MapScene, lines: Mapping[tuple[str, str], DrawnWay], big: float, words: Mapping[MapMarch, str]
) -> Iterator[str]:
    """What marched, avoided and retreated, each with its sentence; `big` times as large as on a wide picture."""
    powers = tuple(power.id for power in scene.powers)
    before: dict[tuple[str, str], int] = {}
    for march in scene.marches:
        line = lines.get(march.ends)
        if line is None:
            continue
        along = min(march.ends), max(march.ends)
        place = before.setdefault(along, 0)
        before[along] += 1
        aside = (place + 1) // 2 * (1 if place % 2 else -1) * ASIDE * big
        colour = cloth_of(powers, march.power).colour
        spots = list(_arrow_course(line, aside, big))
        title = tag("title", escaped(words[march]))
        drawn = _solid(spots, colour, big) if march.kind == MARCH else _hollow(spots, colour, big, march.kind)
        yield group([title, *drawn], class_="march", data_force=march.force)


def _arrow_course(line: DrawnWay, aside: float, big: float) -> Iterator[Spot]:
    """Points along a way between its towns, at a distance beside it."""
    length = max(line.length, 1.0)
    cut = min(NEAR_TOWN * (0.6 + 0.4 * big) / length, 0.3)
    across = -(line.end[1] - line.start[1]) / length, (line.end[0] - line.start[0]) / length
    for piece in range(SAMPLES + 1):
        x, y = line.at(cut + (1 - 2 * cut) * piece / SAMPLES)
        yield x + across[0] * aside, y + across[1] * aside


def _solid(spots: Sequence[Spot], colour: str, big: float) -> Iterator[str]:
    """An arrow that grows to its head."""
    data = _outline(spots, 1.6 * big, 4.6 * big, 10 * big, 17 * big)
    yield tag("path", d=data, fill=EDGE, stroke=EDGE, stroke_width=4.6, stroke_linejoin="round")
    yield tag("path", d=data, fill=colour, stroke=PLAIN_CLOTH, stroke_width=2.2, stroke_linejoin="round")


def _hollow(spots: Sequence[Spot], colour: str, big: float, kind: str) -> Iterator[str]:
    """An arrow of dashes, of dots for who avoids, with an empty head."""
    head, shaft = _head(spots, 8.5 * big, 15 * big), spots[:-2]
    data = "M" + "L".join(map(_pair, shaft))
    dash = f"{number(1)} {number(8 * big)}" if kind == AVOID else f"{number(8 * big)} {number(6 * big)}"
    shaft_look = {"fill": "none", "stroke_linecap": "round", "stroke_dasharray": dash}
    yield tag(
        "path", d=data, stroke=PLAIN_CLOTH, stroke_width=7.5 * big, fill="none", stroke_linecap="round", opacity=0.8
    )
    yield tag("path", d=data, stroke=colour, stroke_width=4 * big, **shaft_look)
    yield tag("path", d=head, fill=PLAIN_CLOTH, stroke=colour, stroke_width=2.6 * big, stroke_linejoin="round")


def _outline(spots: Sequence[Spot], thin: float, thick: float, barb: float, head: float) -> str:
    """The outline of an arrow along a course."""
    left, right = list[Spot](), list[Spot]()
    total = _length(spots)
    gone = 0.0
    for at, (x, y) in enumerate(spots[:-1]):
        to_x, to_y = spots[at + 1]
        step = max(hypot(to_x - x, to_y - y), 0.01)
        if gone > total - head:
            break
        half = thin + (thick - thin) * gone / total
        over = -(to_y - y) / step * half, (to_x - x) / step * half
        left.append((x + over[0], y + over[1]))
        right.append((x - over[0], y - over[1]))
        gone += step
    return "M" + "L".join(map(_pair, [*left, *_barbs(spots, barb, head), *right[::-1]])) + "Z"


def _head(spots: Sequence[Spot], barb: float, head: float) -> str:
    return "M" + "L".join(map(_pair, _barbs(spots, barb, head))) + "Z"


def _barbs(spots: Sequence[Spot], barb: float, head: float) -> tuple[Spot, Spot, Spot]:
    """The three points of a head at the end of a course."""
    (x, y), (to_x, to_y) = spots[-3], spots[-1]
    step = max(hypot(to_x - x, to_y - y), 0.01)
    ahead = (to_x - x) / step, (to_y - y) / step
    foot = to_x - ahead[0] * head, to_y - ahead[1] * head
    return (
        (foot[0] - ahead[1] * barb, foot[1] + ahead[0] * barb),
        (to_x, to_y),
        (foot[0] + ahead[1] * barb, foot[1] - ahead[0] * barb),
    )


def _length(spots: Sequence[Spot]) -> float:
    return sum(hypot(x - to_x, y - to_y) for (x, y), (to_x, to_y) in pairwise(spots))


def _pair(spot: Spot) -> str:
    return f"{number(spot[0])} {number(spot[1])}"


def sampled(lines: Iterable[DrawnWay]) -> list[Spot]:
    """Points along ways, for whatever has to keep off them."""
    return [line.at(piece / 8) for line in lines for piece in range(1, 8)]
