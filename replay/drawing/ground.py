"""Draw the ground of a scene.

Neighbouring cells of one kind grow together: an edge that two cells of a kind share is not outlined,
so that a hill of four boxes is one hill. Trees, reeds and stones stand on a jittered lattice; the
jitter comes from the place itself, so the same table always looks the same.
"""

from collections.abc import Iterator, Sequence
from zlib import crc32

from msgspec import Struct

from domain.contract.scene import Cell, Scene
from replay.drawing.canvas import Canvas, column_and_row, middle
from replay.drawing.palette import (
    CORNER,
    FIELD,
    FIELD_OTHER,
    GRID_LINE,
    GROUNDS,
    INK,
    OPEN,
    UNKNOWN_GROUND,
    GroundLook,
    dress_of,
)
from replay.drawing.pen import Spot, fitting, group, id_of, number, path, squeezed, tag, text
from replay.remembered import Remembered

INSET = 5.0
ROUNDING, ROUNDING_SHARE = 26.0, 0.28
"""Corners are rounded by so much, but by no more than this share of an edge."""
LATTICE, LATTICE_NAMED, LATTICE_LIGHT = 24, 34, 50
"""How far apart trees, reeds and stones stand; less densely where a name is to be read among them."""
ALIKE = 31
"""A number by which what stands on the ground stands in the middle of its place."""
TICK_STEP, TICK = 12.0, 8.0
ZONE_TINT, ZONE_RIM = 0.2, 4
ARM = 7
NAME, NAME_UP, NAME_FAINT = 15, 26, 0.85
"""Size of the name in a hex, how far above its lowest corner, and how faint."""
GLYPH_DOWN = 26
"""How far below its highest corner the only thing on a hex stands."""
LOOSE_NAME, LOOSE_HALO = 13, 3.5
"""Size of the name of a loose piece of ground, and of what parts it from the things there."""
NAME_ROOM = (26, 20)
"""Half of the width and of the height around a name in which nothing stands."""


_drawn: Remembered[str] = Remembered(8 << 20, len, by_value=True)


def draw_ground(scene: Scene, canvas: Canvas, prefix: str) -> str:
    """All cells, and on a grid the corners of its boxes."""
    how = scene.grid, scene.sides, canvas, prefix
    return _drawn.get((scene.cells,), how, lambda: _ground(scene, canvas, prefix))


def _ground(scene: Scene, canvas: Canvas, prefix: str) -> str:
    shared = _shared_edges(scene)
    look = _cloth(scene, canvas)
    cells = (_cell(cell, canvas, shared, prefix, look) for cell in scene.cells)
    parts = (*cells, *_zones(scene, canvas), *_corners(scene, canvas))
    return group(parts, class_="ground", stroke_linejoin="round")


class Cloth(Struct, frozen=True, gc=False):
    """How cells lie: on a chequered cloth, tiled with a line around each, or loose on the table; `named`: each has
    its name in it; `light`: with few things on it."""

    chequered: bool
    tiled: bool
    named: bool
    light: bool

    @property
    def lattice(self) -> int:
        """How far apart the things on the ground stand."""
        if self.light:
            return LATTICE_LIGHT
        return LATTICE_NAMED if self.named else LATTICE


def _cloth(scene: Scene, canvas: Canvas) -> Cloth:
    is_hex = scene.grid == "hex"
    return Cloth(scene.grid == "square", scene.grid != "free", is_hex, canvas.light)


def _cell(cell: Cell, canvas: Canvas, shared: frozenset[object], prefix: str, cloth: Cloth) -> str:
    spots = canvas.spots(cell.outline)
    ground = None if look_of(cell) in OPEN else GROUNDS.get(look_of(cell), UNKNOWN_GROUND)
    x, y = canvas.spot(middle(cell))
    parts = []
    if cloth.tiled or ground is None:
        other = cloth.chequered and not cloth.light and (round(x) // 100 + round(y) // 100) % 2 == 0
        line = GRID_LINE if cloth.chequered else CORNER
        parts.append(tag("path", d=path(spots, close=True), fill=FIELD_OTHER if other else FIELD, stroke=line))
    if ground:
        open_edges = [(cell.kind, _edge(one, two)) not in shared for one, two in _pairs(cell.outline)]
        parts += _blob(ground, spots, open_edges, cloth)
    if cell.label:
        width = max(spot[0] for spot in spots) - min(spot[0] for spot in spots)
        if cloth.tiled:
            parts.append(squeezed(cell.label, x, y, fitting(cell.label, width, 20), width, INK))
        else:
            halo = ground.fill if ground else FIELD
            named = text(cell.label, x, y, LOOSE_NAME, INK, stroke=halo, stroke_width=LOOSE_HALO, paint_order="stroke")
            parts.append(named)
    if cloth.named:
        parts += _name(cell.id, x, max(spot[1] for spot in spots) - NAME_UP, cloth)
    return group(
        parts,
        title=cell.title or f"{cell.id}, {cell.kind.replace('_', ' ')}",
        id=id_of(prefix, "cell", cell.id),
        class_=f"cell {cell.kind}",
        data_cell=cell.id,
    )


def _name(name: str, x: float, y: float, cloth: Cloth) -> Iterator[str]:
    """The name of a hex. In a light picture its number begins at the same pixel in each, which takes fewer bytes."""
    if not cloth.light:
        yield text(name, x, y, NAME, INK, opacity=NAME_FAINT, aria_hidden="true")
        return
    for part, anchor in zip(column_and_row(name), ("end", "start"), strict=True):
        if part:
            yield text(part, x, y, NAME, INK, text_anchor=anchor, aria_hidden="true")


# --- where a side may place its things


def look_of(cell: Cell) -> str:
    """The word that chooses the picture of a cell."""
    return cell.look or cell.kind


def _zones(scene: Scene, canvas: Canvas) -> Iterator[str]:
    """A tint in the colour of each side, and a broken line around its boxes."""
    for side in scene.sides:
        outlines = [canvas.spots(cell.outline) for cell in scene.cells if cell.zone == side]
        if not outlines:
            continue
        strong = dress_of(scene.sides, side).strong
        edges = [_edge(one, two) for outline in outlines for one, two in _pairs(outline)]
        rims = (path(sorted(edge)) for edge in dict.fromkeys(edges) if edges.count(edge) == 1)
        tint = " ".join(path(outline, close=True) for outline in outlines)
        yield tag("path", d=tint, fill=strong, fill_opacity=ZONE_TINT, pointer_events="none")
        yield tag(
            "path",
            d=" ".join(rims),
            fill="none",
            stroke=strong,
            stroke_width=ZONE_RIM,
            stroke_dasharray="14 8",
            pointer_events="none",
        )


# --- shapes


def _blob(ground: GroundLook, spots: list[Spot], open_edges: list[bool], cloth: Cloth) -> Iterator[str]:
    """The ground of one cell, its outline where it ends, and what stands on it."""
    shape = _inset(spots, open_edges, INSET if cloth.tiled else 0.0)
    rounds = [open_edges[at - 1] and open_edges[at] for at in range(len(shape))]
    data, rims = _rounded(shape, rounds, open_edges)
    yield tag("path", d=data, fill=ground.fill)
    rim = " ".join(rims)
    if rim:
        yield tag("path", d=rim, fill="none", stroke=ground.edge, stroke_width=2)
    if ground.slope and not cloth.light:
        ticks = " ".join(_hachures(shape, rounds, open_edges, steep=ground.slope > 1))
        yield tag("path", d=ticks, fill="none", stroke=ground.edge, stroke_width=1.6) if ticks else ""
    if ground.glyph:
        places = _lattice(shape, cloth)
        if cloth.named:
            places = _above_the_name(spots) if cloth.light else _beside_the_name(places, spots)
        glyphs = "".join(_glyph(ground.glyph, x, y, ground.edge, seed, light=cloth.light) for x, y, seed in places)
        yield tag("g", glyphs, fill="none", stroke=ground.edge, stroke_width=1.6, stroke_linecap="round")


def _pairs(points: Sequence[tuple[float, float]]) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    return [(point, points[(at + 1) % len(points)]) for at, point in enumerate(points)]


def _edge(one: tuple[float, float], two: tuple[float, float]) -> frozenset[tuple[float, float]]:
    return frozenset((one, two))


def _shared_edges(scene: Scene) -> frozenset[object]:
    """The edges that two cells of one kind have in common."""
    seen: set[object] = set()
    shared: set[object] = set()
    for cell in scene.cells:
        if cell.kind not in OPEN:
            for one, two in _pairs(cell.outline):
                key = (cell.kind, _edge(one, two))
                (shared if key in seen else seen).add(key)
    return frozenset(shared)


def _inset(spots: list[Spot], open_edges: list[bool], inset: float) -> list[Spot]:
    """The outline with its open edges moved inwards, the others where they are."""
    if not inset:
        return spots
    turn = 1.0 if _area(spots) > 0 else -1.0
    moved = []
    for (one, two), is_open in zip(_pairs(spots), open_edges, strict=True):
        nx, ny = _inward(one, two, turn)
        by = inset if is_open else 0.0
        moved.append(((one[0] + nx * by, one[1] + ny * by), (two[0] + nx * by, two[1] + ny * by)))
    return [_crossing(moved[at - 1], moved[at]) for at in range(len(moved))]


def _inward(one: Spot, two: Spot, turn: float) -> Spot:
    """The unit vector from an edge to the inside."""
    dx, dy = two[0] - one[0], two[1] - one[1]
    length = (dx * dx + dy * dy) ** 0.5 or 1.0
    return -dy / length * turn, dx / length * turn


def _area(spots: list[Spot]) -> float:
    return sum(x * ty - tx * y for (x, y), (tx, ty) in _pairs(spots)) / 2


def _crossing(first: tuple[Spot, Spot], second: tuple[Spot, Spot]) -> Spot:
    """Where two lines meet; the end of the first if they are parallel."""
    (x1, y1), (x2, y2) = first
    (x3, y3), (x4, y4) = second
    below = (x1 - x2) * (y3 - y4) - (y1 - y2) * (x3 - x4)
    if abs(below) < 1e-6:
        return x2, y2
    one, two = x1 * y2 - y1 * x2, x3 * y4 - y3 * x4
    return (one * (x3 - x4) - (x1 - x2) * two) / below, (one * (y3 - y4) - (y1 - y2) * two) / below


def _towards(one: Spot, two: Spot, distance: float) -> Spot:
    """A point on the way from one to the other, not far along."""
    dx, dy = two[0] - one[0], two[1] - one[1]
    length = (dx * dx + dy * dy) ** 0.5 or 1.0
    share = min(distance / length, ROUNDING_SHARE)
    return one[0] + dx * share, one[1] + dy * share


def _rounded(shape: list[Spot], rounds: list[bool], open_edges: list[bool]) -> tuple[str, list[str]]:
    """The data of the shape with its outer corners rounded, and that of its open edges."""
    steps: list[str] = []
    rims: list[str] = []
    for at, corner in enumerate(shape):
        following = (at + 1) % len(shape)
        before, after = shape[at - 1], shape[following]
        begin = _towards(corner, after, ROUNDING) if rounds[at] else corner
        end = _towards(after, corner, ROUNDING) if rounds[following] else after
        if rounds[at]:
            into = _towards(corner, before, ROUNDING)
            bend = f"{_at(into)} Q{_at(corner)} {_at(begin)}"
            steps.append(("L" if steps else "M") + bend)
            rims.append("M" + bend)
        else:
            steps.append(("L" if steps else "M") + _at(begin))
        steps.append("L" + _at(end))
        if open_edges[at]:
            rims.append(f"M{_at(begin)} L{_at(end)}")
    return " ".join(steps) + " Z", rims


def _at(spot: Spot) -> str:
    return f"{number(spot[0])} {number(spot[1])}"


def _hachures(shape: list[Spot], rounds: list[bool], open_edges: list[bool], *, steep: bool) -> Iterator[str]:
    """Ticks down the slope, along the open edges; longer and denser where it is steep."""
    turn = 1.0 if _area(shape) > 0 else -1.0
    step, tick = (TICK_STEP * 0.6, TICK * 1.7) if steep else (TICK_STEP, TICK)
    for at, (one, two) in enumerate(_pairs(shape)):
        if not open_edges[at]:
            continue
        begin = _towards(one, two, ROUNDING * 0.7) if rounds[at] else one
        end = _towards(two, one, ROUNDING * 0.7) if rounds[(at + 1) % len(shape)] else two
        dx, dy = end[0] - begin[0], end[1] - begin[1]
        count = max(2, round((dx * dx + dy * dy) ** 0.5 / step))
        nx, ny = _inward(one, two, turn)
        for part in range(count):
            x, y = begin[0] + dx * (part + 0.5) / count, begin[1] + dy * (part + 0.5) / count
            length = tick * (1.0 if part % 2 else 0.65)
            yield f"M{number(x)} {number(y)} l{number(nx * length)} {number(ny * length)}"


# --- what stands on it


Planted = tuple[float, float, int]
"""A place, and a number from which the jitter and the kind of what stands there follow."""


def _lattice(shape: list[Spot], cloth: Cloth) -> Iterator[Planted]:
    """Places inside a shape with a number for each, from the top downwards; all alike if the picture is to be light."""
    step = cloth.lattice
    xs, ys = [x for x, _ in shape], [y for _, y in shape]
    left, top = min(xs), min(ys)
    across, down = (max(1, round((max(v) - min(v)) / step)) for v in (xs, ys))
    wide, high = (max(xs) - left) / across, (max(ys) - top) / down
    for row in range(down):
        for column in range(across):
            seed = ALIKE if cloth.light else crc32(f"{round(left)},{round(top)},{column},{row}".encode())
            x = left + (column + 0.5) * wide + (seed % 9 - 4)
            y = top + (row + 0.5) * high + (seed // 9 % 7 - 3)
            if _is_inside(x, y, shape):
                yield x, y, seed


def _above_the_name(spots: list[Spot]) -> Iterator[Planted]:
    """One place in a hex, above what stands in it."""
    xs, ys = [x for x, _ in spots], [y for _, y in spots]
    yield (min(xs) + max(xs)) / 2, min(ys) + GLYPH_DOWN, ALIKE


def _beside_the_name(places: Iterator[Planted], spots: list[Spot]) -> Iterator[Planted]:
    """Places that leave the name of a hex free."""
    xs = [x for x, _ in spots]
    middle_x, name_y = (min(xs) + max(xs)) / 2, max(y for _, y in spots) - NAME_UP
    wide, high = NAME_ROOM
    return (place for place in places if abs(place[0] - middle_x) > wide or abs(place[1] - name_y) > high)


def _is_inside(x: float, y: float, shape: list[Spot]) -> bool:
    inside = False
    for (x1, y1), (x2, y2) in _pairs(shape):
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            inside = not inside
    return inside


def _glyph(glyph: str, x: float, y: float, colour: str, seed: int, *, light: bool) -> str:
    """One tree, tuft, stone …; a light one has the colour of its outline only."""
    at = f"M{number(x)} {number(y)}"

    def filled(own: str) -> str:
        return colour if light else own

    if glyph in ("tree", "bush"):
        radius = (7.5 if glyph == "tree" else 4.5) + seed % 3
        crown = tag("circle", cx=x, cy=y - 4, r=radius, fill=filled("#5d8542" if seed % 2 else "#6b9450"))
        return tag("path", d=f"{at} v8", stroke=filled("#5a4020"), stroke_width=2.6) + crown
    if glyph == "stone":
        return tag("path", d=f"{at} m-7 3 l3 -7 l6 -1 l5 6 l-3 4 l-9 0 Z", fill=filled("#aaa290"))
    if glyph == "crag":
        return tag("path", d=f"{at} m-10 7 l9 -15 l10 15 Z m9 -15 l-2 9", fill=filled("#77716a"))
    if glyph == "house":
        if seed % 3 == 0:
            return ""
        return tag("path", d=f"{at} m-8 -2 l8 -7 l8 7 v9 h-16 Z m-2 0 h20", fill=filled("#b5724e"), stroke=colour)
    if glyph == "stake":
        return tag("path", d=f"{at} m-6 6 l10 -13 M{number(x)} {number(y)} m6 6 l-10 -13", stroke_width=2.4)
    if glyph == "pole":
        return tag("path", d=f"{at} m-8 2 l16 -3", stroke_width=2)
    if glyph == "wave":
        return tag("path", d=f"{at} m-9 0 q4.5 -5 9 0 t9 0")
    return tag("path", d=f"{at} m-8 5 h16 M{number(x)} {number(y + 5)} v-10 m-4 10 l-3 -8 m7 8 l4 -9")  # reeds


def _corners(scene: Scene, canvas: Canvas) -> Iterator[str]:
    """A small cross at each corner of a box, as on a gaming cloth."""
    if scene.grid != "square" or not scene.cells:
        return
    corners = sorted({point for cell in scene.cells for point in cell.outline}, key=lambda point: (-point[1], point[0]))
    arms = []
    for x, y in canvas.spots(corners):
        arms.append(f"M{number(x - ARM)} {number(y)} h{2 * ARM} M{number(x)} {number(y - ARM)} v{2 * ARM}")
    yield tag("path", d=" ".join(arms), fill="none", stroke=CORNER, stroke_width=2, class_="corners")
