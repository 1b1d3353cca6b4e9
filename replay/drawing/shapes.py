"""Draw what is reached and what was measured: arcs, discs, rulers and lines of sight."""

from collections.abc import Iterator
from itertools import pairwise
from math import cos, radians, sin

from domain.contract.scene import Arc, Disc, Point, Ruler, Scene, Sight
from replay.drawing.canvas import Canvas
from replay.drawing.palette import ALARM, GOLD, INK, PAPER, WHITE, dress_of
from replay.drawing.pen import Spot, group, path, rounded_rectangle, tag, text

TINT = 0.16
BEND = 50
"""Tenths of a degree between two points of a bend."""
STRIDE = 30.0
"""At most so far are two points of an outline apart."""
TICK = 9.0
SIZE = 17.0
"""Of what a ruler says."""
HIGH = SIZE + 6
SHARES = (0.5, 0.36, 0.64, 0.24, 0.76)
"""Where on a ruler its label may stand, the best first."""
CROSS = 8.0


def draw_reaches(scene: Scene, canvas: Canvas) -> str:
    """Arcs and discs, below the tokens; nothing if there are none."""
    drawn = [_reach(_disc(disc, canvas), disc, scene, canvas) for disc in scene.discs]
    drawn += [_reach(_arc(arc, canvas), arc, scene, canvas) for arc in scene.arcs]
    return group(drawn, class_="reaches", stroke_linejoin="round") if drawn else ""


def draw_measured(scene: Scene, canvas: Canvas) -> str:
    """Lines of sight and rulers, above the tokens; nothing if there are none."""
    taken: list[Spot] = []
    rulers = (_ruler(ruler, canvas, taken) for ruler in scene.rulers)
    drawn = [*(_sight(sight, canvas) for sight in scene.sights), *rulers]
    return group(drawn, class_="measured", fill="none", stroke_linecap="round") if drawn else ""


def _colour(scene: Scene, side: str) -> str:
    return dress_of(scene.sides, side).strong if side else INK


# --- what is reached


def _arc(arc: Arc, canvas: Canvas) -> list[Spot]:
    """All that is `reach` ahead of a point of the edge: two sides, two bends and a straight line between them."""
    middle, half, reach = canvas.spot(arc.at), arc.width * canvas.scale / 2, arc.reach * canvas.scale
    left, right = (_ahead(middle, arc.heading + turn, half) for turn in (-900, 900))
    bends = [BEND * at for at in range(arc.spread // BEND + 1)] + [arc.spread]
    rim = [_ahead(left, arc.heading - turn, reach) for turn in reversed(bends)]
    rim += [_ahead(right, arc.heading + turn, reach) for turn in bends]
    return [*_walked([left, *rim, right]), right]


def outline_of_arc(arc: Arc, canvas: Canvas) -> str:
    """An arc as the data of a path, as far as it lies on the table."""
    return path([canvas.on_table(spot) for spot in _arc(arc, canvas)], close=True)


def _disc(disc: Disc, canvas: Canvas) -> list[Spot]:
    return [_ahead(canvas.spot(disc.at), turn, disc.radius * canvas.scale) for turn in range(0, 3600, BEND)]


def _reach(spots: list[Spot], shape: Arc | Disc, scene: Scene, canvas: Canvas) -> str:
    """An outline, as far as it lies on the table."""
    colour = _colour(scene, shape.side)
    outline = tag(
        "path",
        d=path([canvas.on_table(spot) for spot in spots], close=True),
        fill=colour,
        fill_opacity=TINT,
        stroke=colour,
        stroke_width=2,
        stroke_dasharray="9 5",
    )
    return group([outline], title=shape.title or shape.kind.replace("_", " "), class_=f"reach {shape.kind}")


def _ahead(spot: Spot, heading: int, length: float) -> Spot:
    turn = radians(heading / 10)
    return spot[0] + sin(turn) * length, spot[1] - cos(turn) * length


def _walked(spots: list[Spot]) -> list[Spot]:
    """Points close together along an outline: what lies off the table can be moved onto its edge."""
    return [spot for one, other in pairwise(spots) for spot in _walk(one, other)]


def _walk(start: Spot, end: Spot) -> list[Spot]:
    dx, dy, length = _way(start, end)
    steps = int(length // STRIDE) + 1
    return [(start[0] + dx * length * at / steps, start[1] + dy * length * at / steps) for at in range(steps)]


# --- what was measured


def _ruler(ruler: Ruler, canvas: Canvas, taken: list[Spot]) -> str:
    """A line with an upright stroke at both ends, and what it says near its middle, where no other says anything."""
    start, end = canvas.spots(ruler.ends)
    dx, dy, length = _way(start, end)
    ticks = (path([(x - dy * TICK, y + dx * TICK), (x + dy * TICK, y - dx * TICK)]) for x, y in (start, end) if length)
    data = " ".join([path([start, end]), *ticks])
    parts = [
        tag("path", d=data, stroke=WHITE, stroke_width=5),
        tag("path", d=data, stroke=INK, stroke_width=2),
        *_speech(ruler.label, _free(start, end, _width(ruler.label), taken)),
    ]
    return group(parts, title=ruler.title or ruler.label, class_="ruler")


def _free(start: Spot, end: Spot, width: float, taken: list[Spot]) -> Spot:
    """A spot on a line for a label, its middle if all are taken; `taken` grows by it."""
    spots = [(start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part) for part in SHARES]
    is_free = (all(abs(x - u) > width or abs(y - v) > HIGH for u, v in taken) for x, y in spots)
    spot = next((spot for spot, free in zip(spots, is_free, strict=True) if free), spots[0])
    taken.append(spot)
    return spot


def _width(words: str) -> float:
    return 0.62 * SIZE * len(words) + 10


def _speech(words: str, spot: Spot) -> Iterator[str]:
    if words:
        width = _width(words)
        x, y = spot
        frame = rounded_rectangle(x - width / 2, y - HIGH / 2, width, HIGH, [4] * 4)
        yield tag("path", d=frame, fill=PAPER, stroke=INK, stroke_width=1)
        yield text(words, x, y, SIZE, INK, font_weight="bold")


def _sight(sight: Sight, canvas: Canvas) -> str:
    """A line of gold; where it is cut it goes on broken, behind a cross."""
    parts = list(_clear(canvas, sight.ends[0], sight.cut or sight.ends[1]))
    if sight.cut is not None:
        x, y = canvas.spot(sight.cut)
        beyond = path(canvas.spots((sight.cut, sight.ends[1])))
        cross = " ".join(path([(x - CROSS, y - CROSS * way), (x + CROSS, y + CROSS * way)]) for way in (1, -1))
        parts += [
            tag("path", d=beyond, stroke=INK, stroke_width=2, stroke_dasharray="3 7"),
            tag("path", d=cross, stroke=WHITE, stroke_width=8),
            tag("path", d=cross, stroke=ALARM, stroke_width=5),
        ]
    return group(parts, title=sight.title, class_="sight clear" if sight.cut is None else "sight cut")


def _clear(canvas: Canvas, start: Point, end: Point) -> Iterator[str]:
    data = path(canvas.spots((start, end)))
    yield tag("path", d=data, stroke=INK, stroke_width=5)
    yield tag("path", d=data, stroke=GOLD, stroke_width=2.4)


def _way(start: Spot, end: Spot) -> tuple[float, float, float]:
    """The unit vector from one spot to another, and their distance."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = (dx * dx + dy * dy) ** 0.5
    return (dx / length, dy / length, length) if length else (0.0, 0.0, 0.0)
