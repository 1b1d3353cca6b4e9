"""Draw streams, walls, and the arrows of moves."""

from collections.abc import Callable, Iterator
from itertools import pairwise

from domain.contract.scene import Arrow, Scene
from replay.drawing.canvas import Canvas
from replay.drawing.palette import GOLD, INK
from replay.drawing.pen import Spot, group, id_of, number, path, tag

WATER, WATER_EDGE = "#7fb4c1", "#1f5f80"
EARTH = "#6b4a20"
GREEN, GREEN_EDGE = "#6f9a4f", "#33521f"
STONE, STONE_EDGE = "#b8b2a4", "#4d483f"
ROAD = "#a8865a"
STEP = 14.0
HEAD, HALF_HEAD = 24.0, 13.0
SHORT = 30.0
"""So far from the middle of its goal an arrow ends, where it is long enough: names stay readable."""


def draw_lines(scene: Scene, canvas: Canvas, prefix: str) -> str:
    """All linear features."""
    waters = [_wavy(canvas.spots(line.points)) for line in scene.lines if line.kind in ("stream", "ford")]
    drawn = []
    if waters:  # below all of them: a stream goes on from one to the next
        drawn = [_stroke("".join(waters), WATER_EDGE, 14)]
    for at, line in enumerate(scene.lines):
        spots = canvas.spots(line.points)
        picture = "".join(PICTURES.get(line.kind, _plain)(spots))
        name = line.title or line.kind.replace("_", " ")
        drawn.append(group([picture], title=name, id=id_of(prefix, "line", str(at + 1)), class_=f"line {line.kind}"))
    return group(drawn, class_="lines", fill="none", stroke_linejoin="round", stroke_linecap="round")


def along(spots: list[Spot], step: float) -> Iterator[tuple[float, float, float, float]]:
    """Points every so far along a line, half a step in from its ends, with the unit vector there."""
    for (x1, y1), (x2, y2) in pairwise(spots):
        dx, dy = x2 - x1, y2 - y1
        length = (dx * dx + dy * dy) ** 0.5
        count = max(1, round(length / step))
        for part in range(count if length else 0):
            share = (part + 0.5) / count
            yield x1 + dx * share, y1 + dy * share, dx / length, dy / length


def _stroke(data: str, colour: str, width: float, **more: str) -> str:
    return tag("path", d=data, stroke=colour, stroke_width=width, **more)


def _wavy(spots: list[Spot]) -> str:
    """A path that swings to the left and the right of a line."""
    steps = [f"M{number(spots[0][0])} {number(spots[0][1])}"]
    places = list(along(spots, 2 * STEP))
    for at, (x, y, ux, uy) in enumerate(places):
        swing = 7 if at % 2 else -7
        end = _ahead(places, at, spots[-1])
        steps.append(f"Q{number(x - uy * swing)} {number(y + ux * swing)} {number(end[0])} {number(end[1])}")
    return " ".join(steps)


def _ahead(places: list[tuple[float, float, float, float]], at: int, last: Spot) -> Spot:
    if at + 1 == len(places):
        return last
    return (places[at][0] + places[at + 1][0]) / 2, (places[at][1] + places[at + 1][1]) / 2


def _stream(spots: list[Spot]) -> Iterator[str]:
    data = _wavy(spots)
    yield _stroke(data, WATER, 10)


def _ford(spots: list[Spot]) -> Iterator[str]:
    yield from _stream(spots)
    (x1, y1), (x2, y2) = spots[0], spots[-1]
    x, y = (x1 + x2) / 2, (y1 + y2) / 2
    ux, uy = (x2 - x1) / 100, (y2 - y1) / 100
    planks = [
        f"M{number(x + ux * by - uy * 9)} {number(y + uy * by + ux * 9)} l{number(uy * 18)} {number(-ux * 18)}"
        for by in (-12, -4, 4, 12)
    ]
    yield _stroke(" ".join(planks), EARTH, 5)


def _hedge(spots: list[Spot]) -> Iterator[str]:
    yield _stroke(path(spots), GREEN_EDGE, 3)
    for at, (x, y, _, _) in enumerate(along(spots, 10)):
        yield tag("circle", cx=x, cy=y, r=6.5 if at % 2 else 5, fill=GREEN, stroke=GREEN_EDGE, stroke_width=1.6)


def _wall(spots: list[Spot]) -> Iterator[str]:
    yield _stroke(path(spots), STONE_EDGE, 11, stroke_linecap="butt")
    yield _stroke(path(spots), STONE, 7, stroke_linecap="butt")
    joints = [
        f"M{number(x - uy * 4)} {number(y + ux * 4)} l{number(uy * 8)} {number(-ux * 8)}"
        for x, y, ux, uy in along(spots, STEP)
    ]
    yield _stroke(" ".join(joints), STONE_EDGE, 1.6)


def _stakes(spots: list[Spot]) -> Iterator[str]:
    crosses = []
    for x, y, ux, uy in along(spots, STEP):
        for lean in (5, -5):
            x1, y1 = x - ux * lean - uy * 7, y - uy * lean + ux * 7
            x2, y2 = x + ux * lean + uy * 7, y + uy * lean - ux * 7
            crosses.append(f"M{number(x1)} {number(y1)} L{number(x2)} {number(y2)}")
    yield _stroke(" ".join(crosses), EARTH, 2.6)


def _fortified(spots: list[Spot]) -> Iterator[str]:
    """A palisade a little inside the line, its teeth outwards."""
    inside = [(x, y) for x, y in _shifted(spots, 5)]
    yield _stroke(path(inside), EARTH, 5, stroke_linecap="butt")
    teeth = [
        f"M{number(x)} {number(y)} l{number(-uy * 7)} {number(ux * 7)}" for x, y, ux, uy in along(inside, STEP * 0.8)
    ]
    yield _stroke(" ".join(teeth), EARTH, 5, stroke_linecap="butt")


def _shifted(spots: list[Spot], by: float) -> Iterator[Spot]:
    """A straight line moved to its left, shortened a little at both ends."""
    (x1, y1), (x2, y2) = spots[0], spots[-1]
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5 or 1.0
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    yield x1 + uy * by + ux * 4, y1 - ux * by + uy * 4
    yield x2 + uy * by - ux * 4, y2 - ux * by - uy * 4


def _road(spots: list[Spot]) -> Iterator[str]:
    yield _stroke(path(spots), ROAD, 12)


def _plain(spots: list[Spot]) -> Iterator[str]:
    yield _stroke(path(spots), INK, 3, stroke_dasharray="8 5")


PICTURES: dict[str, Callable[[list[Spot]], Iterator[str]]] = {
    "stream": _stream,
    "ford": _ford,
    "hedge": _hedge,
    "wall": _wall,
    "stakes": _stakes,
    "fortified": _fortified,
    "rampart": _fortified,
    "road": _road,
}


# --- arrows


def draw_arrows(scene: Scene, canvas: Canvas) -> str:
    """The arrows of the last move; nothing if there are none."""
    if not scene.arrows:
        return ""
    return group(
        (_arrow(arrow, canvas) for arrow in scene.arrows), class_="arrows", fill="none", stroke_linejoin="round"
    )


def _arrow(arrow: Arrow, canvas: Canvas) -> str:
    """A shaft of gold in dark edges, so that it shows on every ground and base."""
    spots = canvas.spots(arrow.points)
    goal, before = spots[-1], spots[-2]
    length = ((goal[0] - before[0]) ** 2 + (goal[1] - before[1]) ** 2) ** 0.5 or 1.0
    ux, uy = (goal[0] - before[0]) / length, (goal[1] - before[1]) / length
    short = max(0.0, min(SHORT, length - 2 * HEAD))
    tip = (goal[0] - ux * short, goal[1] - uy * short)
    neck = (tip[0] - ux * HEAD, tip[1] - uy * HEAD)
    head = [
        tip,
        (neck[0] - uy * HALF_HEAD, neck[1] + ux * HALF_HEAD),
        (neck[0] + uy * HALF_HEAD, neck[1] - ux * HALF_HEAD),
    ]
    shaft = path([*spots[:-1], neck])
    dashes = {"shot": "3 9", "evade": "14 8"}.get(arrow.kind)
    return group(
        [
            tag("path", d=shaft, stroke=INK, stroke_width=9),
            tag("path", d=shaft, stroke=GOLD, stroke_width=5, stroke_dasharray=dashes),
            tag("path", d=path(head, close=True), fill=GOLD, stroke=INK, stroke_width=2.4),
        ],
        title=arrow.kind,
        class_=f"arrow {arrow.kind}",
    )
